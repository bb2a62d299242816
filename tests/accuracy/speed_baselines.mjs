// What calculators without a simulation say of the same rows.

/** The usual shares of a card's ceilings (MFU of prompts, MBU of decoding). */
const MFU = 0.4;
const MBU = 0.61;

/**
 * `roofline`: the whole batch against both ceilings, at their full height. `original`: prompt
 * arithmetic at 40 % of the peak, active weights once a token at 61 % of the bandwidth.
 *
 * @param {import('ridgepoint').Report | { error: object }} report
 */
export function baselines(report, row, shared) {
  const none = { tpot: {}, ttft: {}, output_tok_s: {} };
  const card = shared.rates(row.request.gpu.id);
  if (report.error || !card) return none;
  const { model } = report;
  const gpus = row.request.gpu.count;
  const bandwidth = card.bandwidth * gpus;
  const peak = card.flops * gpus;
  const bytes = model.checkpoint_bytes / model.parameters;
  const experts = model.parameters_by_part?.experts ?? { total: 0, active: 0 };
  const read = (tokens) => {
    if (experts.total === 0) return bytes * model.parameters;
    const untouched = (1 - experts.active / experts.total) ** tokens;
    return bytes * (model.parameters - experts.total + experts.total * (1 - untouched));
  };
  const alone = row.load.kind === 'single_stream' || row.load.kind === 'prefill';
  const batch = alone ? 1 : row.load.concurrency || row.load.seqs || 1;
  const cached = batch * (row.load.input + row.load.output / 2) * report.cache.bytes_per_token;
  const flops = 2 * model.active_parameters;
  const step = Math.max((read(batch) + cached) / bandwidth, (flops * batch) / peak);
  const plain = (bytes * model.active_parameters) / (MBU * bandwidth);
  const original = { tpot: plain, ttft: (flops * row.load.input) / (MFU * peak) };
  const roofline = { tpot: step, ttft: (flops * row.load.input) / peak };
  const both = (figure) => ({ roofline: roofline[figure], original: original[figure] });
  return {
    tpot: both('tpot'),
    ttft: both('ttft'),
    output_tok_s: { roofline: batch / step, original: batch / plain },
  };
}
