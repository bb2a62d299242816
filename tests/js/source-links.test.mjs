import { catalogue, explain } from 'ridgepoint';
import { describe, expect, it } from 'vitest';
import { sourcePieces } from '../../web/src/rooms/math/sources.ts';

// The sources of the math as links: only to what is known to be there.

const { engines } = await catalogue();
const known = (engine) => engines.find(({ name }) => name === engine).versions;
const pieces = (source, engine, version) => sourcePieces(source, engine, version, known(engine));
const links = (...of) => pieces(...of).flatMap(({ href }) => (href ? [href] : []));

describe('a source', () => {
  it('is linked to the file at the tag of the version', () => {
    expect(
      links('vLLM v1/worker/gpu_worker.py determine_available_memory', 'vllm', '0.28.0'),
    ).toEqual(['https://github.com/vllm-project/vllm/blob/v0.28.0/vllm/v1/worker/gpu_worker.py']);
    expect(links('SGLang server_args.py', 'sglang', '0.5.17')).toEqual([
      'https://github.com/sgl-project/sglang/blob/v0.5.17/python/sglang/srt/server_args.py',
    ]);
    expect(
      links('TensorRT-LLM _torch/pyexecutor/_util.py, KvCacheCreator', 'trtllm', '1.2.0'),
    ).toEqual([
      'https://github.com/NVIDIA/TensorRT-LLM/blob/v1.2.0/tensorrt_llm/_torch/pyexecutor/_util.py',
    ]);
    expect(links('llama.cpp src/llama-kv-cache.cpp, -iswa, -dsa', 'llamacpp', 'b10470')).toEqual([
      'https://github.com/ggml-org/llama.cpp/blob/b10470/src/llama-kv-cache.cpp',
    ]);
  });

  it('of several files has a link for each, and for a folder one of its own', () => {
    expect(
      links(
        'vLLM v1/worker/gpu_worker.py, gpu_model_runner.py profile_cudagraph_memory',
        'vllm',
        '0.28.0',
      ),
    ).toEqual([
      'https://github.com/vllm-project/vllm/blob/v0.28.0/vllm/v1/worker/gpu_worker.py',
      'https://github.com/vllm-project/vllm/blob/v0.28.0/vllm/v1/worker/gpu_model_runner.py',
    ]);
    expect(links('vLLM source, v1/worker/gpu/sample: the profile run', 'vllm', '0.28.0')).toEqual([
      'https://github.com/vllm-project/vllm/tree/v0.28.0/vllm/v1/worker/gpu/sample',
    ]);
  });

  it('is linked to where the rule was in that version', () => {
    const source =
      'SGLang mem_cache/kv_cache_configurator.py _profile_available_bytes (before 0.5.15 model_executor/model_runner.py)';
    const at = (version) => links(source, 'sglang', version).map((href) => href.split('/').at(-1));
    expect(at('0.5.17')).toEqual(['kv_cache_configurator.py']);
    expect(at('0.5.14')).toEqual(['model_runner.py']);
    expect(at('0.5.0')).toEqual([]);
  });

  it('stays text where the file was not yet there, or has no tag', () => {
    expect(links('vLLM v1/worker/utils.py request_memory', 'vllm', '0.13.0')).toEqual([]);
    expect(links('vLLM v1/worker/gpu_worker.py', 'vllm', '0.6.4')).toEqual([]);
    expect(links('llama.cpp src/llama-graph.cpp', 'llamacpp', 'b9409')).toEqual([]);
    expect(links('vLLM v1/worker/gpu_worker.py', 'vllm', '')).toEqual([]);
    expect(links('my/vLLM v1/worker/gpu_worker.pyc', 'vllm', '0.28.0')).toEqual([]);
    expect(sourcePieces('vLLM v1/worker/gpu_worker.py', 'other', '1', ['1'])).toEqual([
      { text: 'vLLM v1/worker/gpu_worker.py' },
    ]);
  });

  it('of a version between two releases, or before one, is that of the release before it', () => {
    const tag = (version) =>
      links('vLLM v1/core/kv_cache_utils.py', 'vllm', version)[0]?.split('/')[6];
    expect(tag('0.11.2')).toBe('v0.11.0');
    expect(tag('0.28.0rc1')).toBe('v0.27.0');
    expect(tag('0.28.1.dev20')).toBe('v0.28.0');
    expect(tag('99.0')).toBe(`v${known('vllm').at(-1)}`);
  });

  it('that is an address is linked as it is', () => {
    expect(pieces('see https://example.org/a?b=1, and more.', 'vllm', '0.28.0')).toEqual([
      { text: 'see ' },
      { text: 'https://example.org/a?b=1', href: 'https://example.org/a?b=1' },
      { text: ', and more.' },
    ]);
  });
});

it.each(['vllm', 'sglang', 'trtllm', 'llamacpp'])(
  'no word of a source of %s is lost, and some are linked',
  async (name) => {
    const version = known(name).at(-1);
    const { steps } = await explain({
      model: { id: 'meta-llama/Meta-Llama-3-8B' },
      gpu: { id: 'h100' },
      engine: { name, version },
      workload: { context: 8192 },
    });
    const all = steps.map(({ source }) => ({ source, found: pieces(source, name, version) }));
    for (const { source, found } of all)
      expect(found.map(({ text }) => text).join('')).toBe(source);
    const hrefs = all.flatMap(({ found }) => found.flatMap(({ href }) => (href ? [href] : [])));
    expect(hrefs.length).toBeGreaterThan(2);
    for (const href of hrefs)
      expect(href).toMatch(
        /^https:\/\/github\.com\/[\w-]+\/[\w.-]+\/(?:blob|tree)\/[\w.]+\/[\w./-]+$/,
      );
  },
);
