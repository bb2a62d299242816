// How engines write their own names.

const engines: Record<string, string> = {
  vllm: 'vLLM',
  sglang: 'SGLang',
  'tensorrt-llm': 'TensorRT-LLM',
  trtllm: 'TensorRT-LLM',
  'llama.cpp': 'llama.cpp',
  llamacpp: 'llama.cpp',
};
export const engineName = (name: string) => engines[name] ?? name;
