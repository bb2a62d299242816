#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "arithmetic.hpp"
#include "engine/vllm/reading.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::vllm {
namespace {

std::vector<std::uint64_t> default_capture_sizes(Reading& r, std::optional<std::uint64_t> given) {
  const bool wide = r.model.architecture == "GptOssForCausalLM" ||
                    (r.minor() >= 28 && r.inputs.device.compute_capability / 10 == 10);
  const std::uint64_t cap = wide ? 1024 : 512;
  // A step of a request verifies what was drafted for it (0.13 and later).
  const std::uint64_t verified = r.minor() >= 13 ? 1 + r.settings.speculation.tokens : 1;
  std::uint64_t most =
      r.minor() >= 10 ? std::min(r.settings.max_num_seqs * 2 * verified, cap) : 512;
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
  const std::uint64_t step_above_256 = r.settings.version.at_least(11, 1) ? 16 : 8;
  for (std::uint64_t size = 8; size <= most; size += size < 256 ? 8 : step_above_256) {
    sizes.push_back(size);
  }
  const std::uint64_t whole_batch = r.settings.max_num_batched_tokens;
  if (most == whole_batch && !sizes.empty() && sizes.back() != whole_batch) {
    sizes.push_back(whole_batch);
  }
  return sizes;
}

}  // namespace

namespace {

/// What --compilation-config says of compiling and graphs; other keys of it change no memory that
/// is counted here, and the answer says so.
struct Compilation {
  bool compiles = true;
  bool graphs = true;
  bool full_graphs = true;
  bool piecewise_graphs = true;
  std::optional<std::vector<std::uint64_t>> sizes;
  std::optional<std::uint64_t> most;
};

std::optional<std::vector<std::uint64_t>> sizes_in(const json::Value& list) {
  std::vector<std::uint64_t> sizes;
  for (const json::Value& item : list) {
    if (!item.is_number_unsigned() || item.get<std::uint64_t>() == 0 ||
        item.get<std::uint64_t>() > (1U << 20U)) {
      return std::nullopt;
    }
    sizes.push_back(item.get<std::uint64_t>());
  }
  return sizes.empty() ? std::nullopt : std::optional(sizes);
}

/// CUDAGraphMode by name; FULL captures prefills and decodes whole, at every size.
void read_graph_mode(std::string mode, Compilation& c) {
  for (char& letter : mode) {
    letter = letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  }
  c.graphs = c.graphs && mode != "NONE" && mode != "0";
  c.full_graphs = mode != "PIECEWISE";
  c.piecewise_graphs = mode != "FULL" && mode != "FULL_DECODE_ONLY";
}

/// -O0 runs eagerly, -O1 captures pieces alone; 2 is the default (config/vllm.py,
/// OptimizationLevel).
void read_level(Reading& r, Compilation& c) {
  const auto level = r.flags.whole("optimization-level", 0, 3);
  if (level == 0) {
    c.compiles = false;
    c.graphs = false;
  } else if (level == 1) {
    c.full_graphs = false;
  }
}

/// Levels: 0 runs eagerly, 3 is the default (config/compilation.py, CompilationMode).
Compilation read_compilation(Reading& r) {
  Compilation c;
  read_level(r, c);
  const auto text = r.flags.given("compilation-config") ? r.flags.text("compilation-config")
                                                        : std::optional<std::string>{};
  if (text && text->size() == 1 && (*text)[0] >= '0' && (*text)[0] <= '3') {
    c.compiles = (*text)[0] == '3';
    return c;
  }
  json::Value parsed;
  auto config = object_of(r, "compilation-config", parsed);
  if (!config) {
    return c;
  }
  for (const std::string_view key : {"level", "mode"}) {
    const json::Value* level = config->find(key);
    if (level != nullptr && level->is_number_integer()) {
      c.compiles = level->get<std::int64_t>() >= 3;
    } else if (level != nullptr && level->is_string()) {
      c.compiles = level->get<std::string>() == "VLLM_COMPILE";
    }
  }
  if (const json::Value* mode = config->find("cudagraph_mode")) {
    read_graph_mode(mode->is_string() ? mode->get<std::string>() : std::string("0"), c);
  }
  if (config->boolean({"use_cudagraph"}) == false) {
    c.graphs = false;
  }
  c.most = config->whole({"max_cudagraph_capture_size"}, {1, 1U << 20U});
  if (const json::Value* sizes = config->array("cudagraph_capture_sizes")) {
    c.sizes = sizes_in(*sizes);
    if (!c.sizes) {
      config->fail("bad_flag", "cudagraph_capture_sizes",
                   "cudagraph_capture_sizes is a list of whole numbers.");
    }
  }
  if (config->error()) {
    r.error = *config->error();
  }
  return c;
}

}  // namespace

void read_graphs(Reading& r) {
  const Compilation compilation = read_compilation(r);
  r.settings.enforce_eager = r.flags.boolean("enforce-eager").value_or(false);
  r.settings.compiles = compilation.compiles && !r.settings.enforce_eager && r.settings.era.v1;
  auto list = r.flags.list("cudagraph-capture-sizes");
  const auto old_list = r.flags.list("cuda-graph-sizes");
  auto most = r.flags.whole("max-cudagraph-capture-size", 0, 1U << 20U);
  list = list ? list : compilation.sizes;
  most = most ? most : compilation.most;
  if (r.settings.enforce_eager || !compilation.graphs || r.inputs.device.vendor == "intel") {
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
                 worded({"--max-cudagraph-capture-size ", *most,
                         " is not the largest of the sizes listed; vLLM refuses it."}));
  }
  const std::uint64_t tokens = r.settings.max_num_batched_tokens;
  sizes.erase(
      std::remove_if(sizes.begin(), sizes.end(), [&](std::uint64_t size) { return size > tokens; }),
      sizes.end());
  for (const std::uint64_t size : sizes) {
    r.settings.max_capture_size = std::max(r.settings.max_capture_size, size);
    r.settings.full_graphs +=
        r.minor() >= 11 && size <= r.settings.max_num_seqs * (1 + r.settings.speculation.tokens)
            ? 1
            : 0;
  }
  r.settings.piecewise_graphs = compilation.piecewise_graphs ? sizes.size() : 0;
  r.settings.capture_sizes = std::move(sizes);
  if (r.settings.lora.max_loras != 0 && r.minor() >= 11) {
    // With adapters and without (cudagraph_specialize_lora).
    r.settings.piecewise_graphs *= 2;
    r.settings.full_graphs *= 2;
  }
}

}  // namespace ridgepoint::engine::vllm
