// Where a step's source can be read: addresses in it, and files of an engine at the tag of the
// version. A file is linked only from the version on from which it is known to be there; any other
// source stays plain text.

export interface Piece {
  text: string;
  href?: string;
}

interface SourceFile {
  /** As the core names it. */
  name: string;
  /** In the engine's repository; a folder ends with a slash. */
  path: string;
  since: string;
  /** The first version that no longer has the rule there. */
  until?: string;
}

interface Repository {
  url: string;
  tag: (version: string) => string;
  files: SourceFile[];
}

const inside = (folder: string, since: string, names: string[]): SourceFile[] =>
  names.map((name) => ({ name, path: `${folder}${name}`, since }));

const repositories: Record<string, Repository> = {
  vllm: {
    url: 'https://github.com/vllm-project/vllm',
    tag: (version) => `v${version}`,
    files: [
      ...inside('vllm/', '0.8.0', [
        'v1/core/kv_cache_utils.py',
        'v1/kv_cache_interface.py',
        'v1/worker/gpu_model_runner.py',
        'v1/worker/gpu_worker.py',
      ]),
      ...inside('vllm/', '0.14.0', ['v1/worker/utils.py']),
      ...inside('vllm/', '0.17.0', ['v1/worker/workspace.py', 'v1/worker/gpu/sample/']),
      ...inside('vllm/', '0.11.0', ['model_executor/layers/mamba/mamba_utils.py']),
      ...inside('vllm/v1/worker/', '0.8.0', ['gpu_model_runner.py']),
      ...inside('vllm/model_executor/layers/', '0.6.0', [
        'vocab_parallel_embedding.py',
        'linear.py',
      ]),
    ],
  },
  sglang: {
    url: 'https://github.com/sgl-project/sglang',
    tag: (version) => `v${version}`,
    files: [
      ...inside('python/sglang/srt/', '0.5.1', [
        'layers/vocab_parallel_embedding.py',
        'managers/scheduler.py',
        'mem_cache/memory_pool.py',
        'models/deepseek_v2.py',
        'server_args.py',
      ]),
      ...inside('python/sglang/srt/layers/', '0.5.1', ['dp_attention.py']),
      ...inside('python/sglang/srt/', '0.5.15', ['mem_cache/kv_cache_configurator.py']),
      ...inside('python/sglang/srt/', '0.5.17', [
        'configs/mamba_utils.py',
        'distributed/bootstrap.py',
        'model_executor/pool_configurator.py',
      ]),
      {
        name: 'model_executor/model_runner.py',
        path: 'python/sglang/srt/model_executor/model_runner.py',
        since: '0.5.1',
        until: '0.5.15',
      },
    ],
  },
  trtllm: {
    url: 'https://github.com/NVIDIA/TensorRT-LLM',
    tag: (version) => `v${version}`,
    files: [
      ...inside('tensorrt_llm/', '1.0.0', [
        '_torch/modules/',
        '_torch/pyexecutor/_util.py',
        '_torch/pyexecutor/resource_manager.py',
      ]),
      ...inside('cpp/tensorrt_llm/batch_manager/', '1.0.0', ['kvCacheManager.cpp']),
    ],
  },
  llamacpp: {
    url: 'https://github.com/ggml-org/llama.cpp',
    tag: (version) => version,
    // Not every build has a tag; this one has.
    files: inside('', 'b10470', [
      'ggml/src/ggml-alloc.c',
      'src/llama-context.cpp',
      'src/llama-graph.cpp',
      'src/llama-kv-cache.cpp',
      'src/llama-kv-cache-iswa.cpp',
      'src/llama-model.cpp',
      'src/llama-quant.cpp',
      'tools/server/server-context.cpp',
      'tools/server/',
    ]),
  },
};

/** The figures of a version, and whether it is a release rather than something before one. */
function parsed(version: string): number[] {
  const [major = 0, minor = 0, patch = 0] = version.match(/\d+/g)?.map(Number) ?? [];
  const early = /\d\.?(?:rc|a|b|dev)\d/.test(version) && !/^b\d+$/.test(version);
  return [major, minor, patch, early ? -1 : 0];
}

function older(one: string, other: string): boolean {
  const [left, right] = [parsed(one), parsed(other)];
  const at = left.findIndex((figure, place) => figure !== (right[place] ?? 0));
  return at >= 0 && (left[at] ?? 0) < (right[at] ?? 0);
}

/** The newest release known here that is not newer than the version asked about. */
const nearest = (version: string, known: string[]) =>
  known.reduce<string | null>(
    (best, one) => (older(version, one) || (best && older(one, best)) ? best : one),
    null,
  );

const withoutSlash = (path: string) => path.replace(/\/$/, '');

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

function addressOf({ url, tag }: Repository, { path, since, until }: SourceFile, version: string) {
  if (older(version, since) || (until && !older(version, until))) return undefined;
  const kind = path.endsWith('/') ? 'tree' : 'blob';
  return `${url}/${kind}/${tag(version)}/${withoutSlash(path)}`;
}

/** A source in pieces, those with an address to be shown as links. `known` are the releases. */
export function sourcePieces(
  source: string,
  engine: string,
  version: string,
  known: string[],
): Piece[] {
  const repository = repositories[engine];
  const release = nearest(version, known);
  const files = new Map(repository?.files.map((file) => [withoutSlash(file.name), file]));
  const names = [...files.keys()].sort((a, b) => b.length - a.length).map(escaped);
  const file = names.length > 0 ? `|(?<![\\w/.-])(?:${names.join('|')})(?![\\w/-])` : '';
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of source.matchAll(new RegExp(`https?://[^\\s,;)]+[^\\s,;).]${file}`, 'g'))) {
    const found = files.get(match[0]);
    const href = found && repository ? release && addressOf(repository, found, release) : match[0];
    if (!href) continue;
    if (match.index > end) pieces.push({ text: source.slice(end, match.index) });
    pieces.push({ text: match[0], href });
    end = match.index + match[0].length;
  }
  if (end < source.length) pieces.push({ text: source.slice(end) });
  return pieces;
}
