#include "plan/measured.hpp"

#include <algorithm>
#include <cmath>

#include "plan/measured_causes.hpp"

namespace ridgepoint::plan {
namespace {

/// Logs print two decimals of a GiB; a cache is cut to whole blocks besides.
constexpr double kPrintedBytes = 0.0061 * 1073741824.0;

template <typename N>
Estimate<double> as_doubles(const Estimate<N>& e) {
  return {static_cast<double>(e.low), static_cast<double>(e.best), static_cast<double>(e.high),
          e.basis, e.starts};
}

template <typename N>
void add(std::vector<ComparedTerm>& terms, std::string_view term, std::string_view unit,
         const std::optional<N>& measured, const Estimate<double>& predicted, double slack) {
  if (!measured) {
    return;
  }
  ComparedTerm out;
  out.term = term;
  out.unit = unit;
  out.measured = static_cast<double>(*measured);
  out.predicted = predicted;
  out.difference = out.measured - predicted.best;
  out.inside = out.measured >= predicted.low - slack && out.measured <= predicted.high + slack;
  terms.push_back(std::move(out));
}

Estimate<double> together(const Bytes& a, const Bytes& b) {
  return {static_cast<double>(a.low) + static_cast<double>(b.low),
          static_cast<double>(a.best) + static_cast<double>(b.best),
          static_cast<double>(a.high) + static_cast<double>(b.high), weaker(a.basis, b.basis),
          std::max(a.starts, b.starts)};
}

std::vector<ComparedTerm> compared(const Report& predicted, const engine::StartLog& log) {
  const engine::MemoryPlan& m = predicted.memory;
  const engine::Measured& measured = log.measured;
  std::vector<ComparedTerm> terms;
  add(terms, "weights", "bytes", measured.weights_bytes, as_doubles(m.weights), kPrintedBytes);
  add(terms, "activation", "bytes", measured.activation_bytes, as_doubles(m.activation),
      kPrintedBytes);
  add(terms, "non_torch", "bytes", measured.non_torch_bytes, as_doubles(m.non_torch),
      kPrintedBytes);
  add(terms, "activation_and_non_torch", "bytes", log.activation_and_non_torch_bytes,
      together(m.activation, m.non_torch), 2 * kPrintedBytes);
  add(terms, "cuda_graphs", "bytes", measured.cuda_graphs_bytes, as_doubles(m.cuda_graphs),
      kPrintedBytes);
  if (m.cuda_graphs_charged.best != 0) {
    add(terms, "cuda_graphs_charged", "bytes", log.cuda_graphs_estimated_bytes,
        as_doubles(m.cuda_graphs_charged), kPrintedBytes);
  }
  add(terms, "kv_pool", "bytes", measured.kv_pool_bytes, as_doubles(m.kv_pool), kPrintedBytes);
  // A refusal leaves no cache to count.
  const bool cache = m.tokens.best != 0;
  if (cache) {
    const double a_block = static_cast<double>(std::max<std::uint64_t>(1, m.block_tokens));
    add(terms, "tokens", "tokens", log.tokens, as_doubles(m.tokens), a_block);
    add(terms, "max_concurrency", "requests", log.max_concurrency, m.max_concurrency, 0.0051);
  }
  if (cache && m.blocks.best != 0) {
    add(terms, "blocks", "blocks", log.blocks, as_doubles(m.blocks), 1);
  }
  return terms;
}

}  // namespace

LogComparison compare_with_log(const Request& request, const Report& predicted,
                               const engine::StartLog& log) {
  LogComparison out;
  out.terms = compared(predicted, log);
  const Causes causes(request, predicted, log, out.terms);
  for (ComparedTerm& term : out.terms) {
    if (!term.inside) {
      term.cause = causes.of(term);
    }
  }
  out.causes = causes.sentences();
  return out;
}

}  // namespace ridgepoint::plan
