// Where to read on about a field: the engines' and the hub's own pages.

export const helpLinks: Record<string, string> = {
  model: 'https://huggingface.co/docs/transformers/main_classes/configuration',
  gpu: 'https://docs.nvidia.com/deploy/nvidia-smi/index.html',
  count: 'https://docs.vllm.ai/en/latest/serving/parallelism_scaling.html',
  free: 'https://docs.vllm.ai/en/latest/configuration/conserving_memory.html',
  gpuTotal: 'https://docs.nvidia.com/deploy/nvidia-smi/index.html',
  version: 'https://github.com/vllm-project/vllm/releases',
  engine: 'https://docs.vllm.ai/en/latest/',
  flags: 'https://docs.vllm.ai/en/latest/configuration/engine_args.html',
  context: 'https://docs.vllm.ai/en/latest/configuration/optimization.html',
  concurrency: 'https://docs.vllm.ai/en/latest/configuration/optimization.html',
  prompt: 'https://docs.vllm.ai/en/latest/benchmarking/cli.html',
  output: 'https://docs.vllm.ai/en/latest/benchmarking/cli.html',
  revision: 'https://huggingface.co/docs/hub/repositories-getting-started',
  hub: 'https://huggingface.co/docs/huggingface_hub/package_reference/environment_variables',
  token: 'https://huggingface.co/docs/hub/security-tokens',
  measured: 'https://docs.vllm.ai/en/latest/configuration/conserving_memory.html',
};
