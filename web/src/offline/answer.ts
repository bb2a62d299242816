import { type ErrorReport, load, type Report, type Request } from 'ridgepoint';

// Stands in for `ridgepoint/answer` and `ridgepoint/answer-core`: with the whole core at hand there is
// no smaller one to wait with.

export { RidgepointError } from 'ridgepoint';

export async function startAnswer({ engine = 'vllm' } = {}) {
  const core = await load();
  return {
    engine,
    get usable() {
      return core.usable;
    },
    evaluate: (request: Request): Report | ErrorReport => core.evaluate(request),
    evaluateText: (text: string) => core.evaluateText(text),
    catalogue: () => core.catalogue(),
    version: () => core.version(),
  };
}

export const startAnswerCore = (_source: BufferSource, engine: string) => startAnswer({ engine });
