#include <algorithm>

#include "arithmetic.hpp"
#include "engine/vllm/reading.hpp"

namespace ridgepoint::engine::vllm {
namespace {

std::vector<std::uint64_t> default_capture_sizes(Reading& r, std::optional<std::uint64_t> given) {
  const bool wide = r.model.architecture == "GptOssForCausalLM" ||
                    (r.minor() >= 28 && r.inputs.device.compute_capability / 10 == 10);
  const std::uint64_t cap = wide ? 1024 : 512;
  std::uint64_t most = r.minor() >= 10 ? std::min(r.settings.max_num_seqs * 2, cap) : 512;
  if (!r.settings.era.v1) {
    // V0 captures one graph for each batch of decoding requests, up to 256
    // (worker/model_runner.py).
    most = std::min<std::uint64_t>(round_up(r.settings.max_num_seqs, 8), 256);
  }
  if (wide && r.model.architecture == "GptOssForCausalLM") {
    most = cap;
  }
  most = std::min(given.value_or(most), r.settings.max_num_batched_tokens);
  std::vector<std::uint64_t> sizes;
  for (const std::uint64_t small : {1ULL, 2ULL, 4ULL}) {
    if (small <= most) {
      sizes.push_back(small);
    }
  }
  const std::uint64_t step_above_256 = r.minor() >= 11 ? 16 : 8;
  for (std::uint64_t size = 8; size <= most; size += size < 256 ? 8 : step_above_256) {
    sizes.push_back(size);
  }
  const std::uint64_t whole_batch = r.settings.max_num_batched_tokens;
  if (given && most == whole_batch && !sizes.empty() && sizes.back() != whole_batch) {
    sizes.push_back(whole_batch);
  }
  return sizes;
}

}  // namespace

void read_graphs(Reading& r) {
  r.settings.enforce_eager = r.flags.boolean("enforce-eager").value_or(false);
  const auto list = r.flags.list("cudagraph-capture-sizes");
  const auto old_list = r.flags.list("cuda-graph-sizes");
  const auto most = r.flags.whole("max-cudagraph-capture-size", 0, 1U << 20U);
  if (r.settings.enforce_eager || r.inputs.device.vendor == "intel") {
    return;
  }
  // One number in the older flag is the largest size, in the newer the only one.
  const bool one_old_number = !list && old_list && old_list->size() == 1;
  std::vector<std::uint64_t> sizes = list ? *list : old_list.value_or(std::vector<std::uint64_t>{});
  if (most && *most == 0) {
    r.flags.fail("bad_flag", "max-cudagraph-capture-size",
                 "--max-cudagraph-capture-size 0 captures nothing; vLLM wants --enforce-eager for "
                 "that.");
  }
  if (sizes.empty() || one_old_number) {
    sizes = default_capture_sizes(r, one_old_number ? std::optional(old_list->front()) : most);
  } else if (most && *most != *std::max_element(sizes.begin(), sizes.end())) {
    r.flags.fail("bad_flag", "max-cudagraph-capture-size",
                 "--max-cudagraph-capture-size " + std::to_string(*most) +
                     " is not the largest of the sizes listed; vLLM refuses it.");
  }
  const std::uint64_t tokens = r.settings.max_num_batched_tokens;
  sizes.erase(
      std::remove_if(sizes.begin(), sizes.end(), [&](std::uint64_t size) { return size > tokens; }),
      sizes.end());
  for (const std::uint64_t size : sizes) {
    r.settings.max_capture_size = std::max(r.settings.max_capture_size, size);
    r.settings.full_graphs += r.minor() >= 11 && size <= r.settings.max_num_seqs ? 1 : 0;
  }
  r.settings.piecewise_graphs = sizes.size();
}

}  // namespace ridgepoint::engine::vllm
