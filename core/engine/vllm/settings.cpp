#include "engine/vllm/settings.hpp"

#include <utility>

#include "engine/vllm/constants.hpp"
#include "engine/vllm/flags.hpp"
#include "engine/vllm/reading.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::vllm {
namespace {

void say_version(Reading& r) {
  const Version& version = r.settings.version;
  if (r.inputs.version.empty()) {
    r.assume(worded({"No engine version given: vLLM ", version.text, ", the newest covered."}));
  } else if (version.nearest_rules) {
    r.assume(worded({"vLLM ", version.text,
                     " is newer than covered or a development build: the rules of 0.",
                     version.minor, " are used, with wider ranges."}));
  }
}

void read_memory(Reading& r) {
  const Constant& utilization = constant("gpu_memory_utilization", r.minor());
  r.settings.gpu_memory_utilization =
      r.flags.number("gpu-memory-utilization", 0.01, 1.0).value_or(utilization.best);
  r.settings.kv_cache_memory_bytes = r.flags.whole("kv-cache-memory-bytes", 1, 1ULL << 50U);
  r.settings.num_gpu_blocks_override = r.flags.whole("num-gpu-blocks-override", 1, 1ULL << 40U);
  r.settings.block_size = r.flags.whole("block-size", 1, 4096);
  if (r.settings.block_size && *r.settings.block_size % 16 != 0) {
    r.flags.fail("bad_flag", "block-size", "--block-size must be a multiple of 16.");
  }
}

}  // namespace

Result<Settings> read_settings(const Inputs& inputs) {
  auto version = parse_version(inputs.version);
  if (!version) {
    return version.error();
  }
  Reading reading(inputs, std::move(version.value()));
  for (const auto step :
       {say_version, read_era, read_parallelism, check_divisible, read_dtype, read_speculation,
        read_kv_format, read_state_format, read_quantization, read_memory, read_lengths,
        read_schedule, read_batch, read_extras, read_graphs, read_media}) {
    step(reading);
    if (reading.error) {
      return *reading.error;
    }
    if (reading.flags.error()) {
      return *reading.flags.error();
    }
  }
  return std::move(reading.settings);
}

}  // namespace ridgepoint::engine::vllm
