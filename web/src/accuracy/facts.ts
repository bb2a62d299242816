import { type Row, type RowFacts, rowsOf } from './rows';

// Every row of the corpus, as tests/accuracy.sh left them.

const files = import.meta.glob<RowFacts>('../../../core/data/accuracy/rows/*.json', {
  import: 'default',
});

/** In the order of the calculator's menu. */
export const engines = ['vllm', 'sglang', 'trtllm', 'llamacpp'] as const;

export async function allRows(): Promise<Row[]> {
  const facts = await Promise.all(Object.values(files).map((file) => file()));
  const order = (engine: string) => (engines as readonly string[]).indexOf(engine);
  return facts.sort((a, b) => order(a.engine) - order(b.engine)).flatMap(rowsOf);
}
