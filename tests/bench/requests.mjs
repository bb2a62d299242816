// The requests that are timed, made of the fixtures; run as a program it prints them, a line each.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const config = (file) =>
  JSON.parse(readFileSync(new URL(`../fixtures/configs/${file}.json`, import.meta.url), 'utf8'));

const cases = [
  ['Llama-3-8B', 'meta-llama--Meta-Llama-3-8B', 'a100-sxm-80gb', 1],
  ['Llama-3-70B AWQ', 'casperhansen--llama-3-70b-instruct-awq', 'a100-sxm-80gb', 1],
  ['gpt-oss-20b', 'openai--gpt-oss-20b', 'h100', 1],
  ['DeepSeek-V3', 'deepseek-ai--DeepSeek-V3', 'h200', 8],
];

export const requests = cases.map(([name, file, gpu, count]) => ({
  name,
  text: JSON.stringify({
    model: { id: file.replace('--', '/'), config: config(file) },
    gpu: { id: gpu, count },
    engine: { name: 'vllm', version: '0.28.0', args: { 'max-model-len': 8192 } },
    workload: { context: 8192 },
  }),
}));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { text } of requests) console.log(text);
}
