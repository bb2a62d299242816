// What a pasted text may be, before the core looks at it.

export type Pasted = 'name' | 'config' | 'command' | 'log';

const commandWords =
  /(?:^|[\s/])(?:vllm\s+serve|docker\s+run|podman\s+run|trtllm-serve|llama-server|llama-cli|sglang\.launch_server|vllm\.entrypoints|sglang\s+serve)|^\s*(?:services|apiVersion|kind):/m;
const logWords =
  /\b(?:INFO|WARNING|ERROR|DEBUG)\b|\[TRT-LLM\]|llama_(?:model_loader|kv_cache|context)|ggml_|load_tensors|Traceback|\bI[IWE]?\s+\d\d:\d\d|KV Cache is allocated|Memory pool end/;

/** A name or an address is one line without blanks in it. */
export const isMoreThanAName = (text: string) =>
  /\s/.test(text.trim()) || text.trimStart().startsWith('{');

export function kindOf(text: string): Pasted {
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) return 'config';
  if (!isMoreThanAName(trimmed)) return 'name';
  // A log often holds the command that started it.
  const lines = trimmed.split('\n').length;
  if (commandWords.test(trimmed) && !(lines > 3 && logWords.test(trimmed))) return 'command';
  return 'log';
}
