import type { Change, FlagEntry } from 'ridgepoint';
import type { ModelRequest, Request } from './types';

// An edit that the core names, made on the page's request.

/** A flag may stand in the request in any of its spellings. */
function spellings(name: string, flags: readonly FlagEntry[]): string[] {
  const flag = flags.find((one) => one.name === name || one.aliases.includes(name));
  return flag ? [flag.name, ...flag.aliases] : [name];
}

/** Whether prompt and answer still go into a request of that length. */
function keepsLengths(workload: Record<string, unknown>, context: number): boolean {
  const [prompt, output] = [Number(workload.prompt ?? 0), Number(workload.output ?? 0)];
  return prompt + output <= context;
}

/** What the files of the checkpoint say does not hold for one in another format. */
function requantized(model: ModelRequest, quant_config: Record<string, unknown>): ModelRequest {
  const { tensors: _, weight_bytes: __, ...others } = model;
  return { ...others, quant_config };
}

/** The same for requests of another length, whatever flag said it before. */
export function withContext(
  request: Request,
  context: number,
  flags: readonly FlagEntry[],
): Request {
  const lengths = ['max-model-len', 'context-length', 'max-seq-len', 'ctx-size'];
  return withChange(request, { unset: lengths, workload: { context } }, flags);
}

export function withChange(request: Request, change: Change, flags: readonly FlagEntry[]): Request {
  const { set = {}, unset = [], gpu, workload = {}, quant_config } = change;
  const gone = [...unset, ...Object.keys(set)].flatMap((name) => spellings(name, flags));
  const kept = Object.entries(request.engine.args ?? {}).filter(([name]) => !gone.includes(name));
  const args = { ...Object.fromEntries(kept), ...set };
  const { prompt, output, ...others } = request.workload;
  const lengths =
    workload.context === undefined || keepsLengths(request.workload, workload.context)
      ? { prompt, output }
      : {};
  const { args: _, ...engine } = request.engine;
  return {
    ...request,
    model: quant_config ? requantized(request.model, quant_config) : request.model,
    gpu: { ...request.gpu, ...gpu },
    engine: Object.keys(args).length > 0 ? { ...engine, args } : engine,
    workload: { ...others, ...lengths, ...workload },
  };
}
