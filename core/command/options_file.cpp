#include "command/options_file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "command/normal_args.hpp"
#include "command/quote.hpp"
#include "json/fields.hpp"

namespace ridgepoint::command {
namespace {

constexpr std::uint32_t kGroupedSince = 1000;
constexpr std::uint32_t kFlatSince = 20;

struct OldName {
  std::string_view name;
  std::string_view old;
};

/// TensorRT-LLM 0.17 to 0.21 (_torch/pyexecutor/config.py, llmapi/llm_args.py).
constexpr OldName kOldNames[] = {
    {"cuda-graph-config.max-batch-size", "cuda_graph_max_batch_size"},
    {"cuda-graph-config.batch-sizes", "cuda_graph_batch_sizes"},
    {"cuda-graph-config.enable-padding", "cuda_graph_padding_enabled"},
    {"torch-compile-config.enable-piecewise-cuda-graph", "torch_compile_piecewise_cuda_graph"},
    {"torch-compile-config", "torch_compile_enabled"},
    {"moe-config.backend", "moe_backend"},
    {"kv-cache-config.dtype", "kv_cache_dtype"},
    {"attn-backend", "attn_backend"},
    {"use-cuda-graph", "use_cuda_graph"},
    {"disable-overlap-scheduler", "disable_overlap_scheduler"},
    {"print-iter-log", "print_iter_log"},
    {"enable-trtllm-sampler", "enable_trtllm_sampler"},
    {"mixed-sampler", "mixed_sampler"},
    {"enable-iter-perf-stats", "enable_iter_perf_stats"},
};

std::string underscored(std::string_view name) {
  std::string out(name);
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

std::vector<std::string> path_of(std::string_view name) {
  std::vector<std::string> path;
  while (!name.empty()) {
    const std::size_t dot = std::min(name.find('.'), name.size());
    path.push_back(underscored(name.substr(0, dot)));
    name.remove_prefix(std::min(dot + 1, name.size()));
  }
  return path;
}

std::string yaml_value(const engine::FlagValue& flag) {
  const auto* text = std::get_if<std::string>(&flag.value);
  if (text == nullptr) {
    return value_word(flag);
  }
  if (*text == "null" && flag.name == "cuda-graph-config") {
    return "null";
  }
  const engine::FlagFacts* facts =
      engine::find_flag(engine::find_engine("trtllm")->flags(), flag.name);
  const bool is_json = facts != nullptr && facts->type == engine::FlagType::json;
  const bool structured = !text->empty() && (text->front() == '[' || text->front() == '{');
  // JSON is YAML, but for characters that YAML wants escaped.
  if (is_json && structured && json::parse(*text, "") &&
      std::all_of(text->begin(), text->end(), [](char c) { return c >= 0x20 && c < 0x7F; })) {
    return *text;
  }
  return quoted_for_yaml(*text, false);
}

bool begins_with(const std::vector<std::string>& path, const std::vector<std::string>& front) {
  return path.size() >= front.size() && std::equal(front.begin(), front.end(), path.begin());
}

/// Options in an order in which those of a group follow one another, groups where their first is.
std::vector<FileOption> gathered(const std::vector<FileOption>& options) {
  std::vector<FileOption> order;
  for (const FileOption& option : options) {
    auto place = order.end();
    for (std::size_t depth = option.path.size() - 1; depth > 0 && place == order.end(); --depth) {
      const std::vector<std::string> group(
          option.path.begin(), option.path.begin() + static_cast<std::ptrdiff_t>(depth));
      for (std::size_t i = order.size(); i > 0; --i) {
        if (begins_with(order[i - 1].path, group)) {
          place = order.begin() + static_cast<std::ptrdiff_t>(i);
          break;
        }
      }
    }
    order.insert(place, option);
  }
  return order;
}

}  // namespace

FileOption file_option(const engine::FlagValue& flag, std::uint32_t version) {
  FileOption option{path_of(flag.name), yaml_value(flag), {}};
  if (version >= kGroupedSince) {
    return option;
  }
  for (const OldName& name : kOldNames) {
    if (name.name == flag.name) {
      option.path = {std::string(name.old)};
      if (version < kFlatSince) {
        option.path.insert(option.path.begin(), "pytorch_backend_config");
      }
    }
  }
  return option;
}

Result<std::string> options_text(const std::vector<FileOption>& options) {
  for (const FileOption& group : options) {
    for (const FileOption& option : options) {
      if (option.path.size() > group.path.size() && begins_with(option.path, group.path)) {
        return Error{"not_writable",
                     group.path.front() +
                         " is given a value, and options of it are given too: a file can hold one "
                         "of the two.",
                     "engine.args"};
      }
    }
  }
  std::string text;
  std::vector<std::string> open;
  for (const FileOption& option : gathered(options)) {
    std::size_t shared = 0;
    while (shared < open.size() && shared + 1 < option.path.size() &&
           open[shared] == option.path[shared]) {
      ++shared;
    }
    open.resize(shared);
    while (open.size() + 1 < option.path.size()) {
      text += std::string(2 * open.size(), ' ') + option.path[open.size()] + ":\n";
      open.push_back(option.path[open.size()]);
    }
    const std::string indent(2 * open.size(), ' ');
    if (!option.why.empty()) {
      text += comment_lines(comment_text(option.why, 400), indent + "# ", 0);
    }
    text += indent + option.path.back() + ": " + option.value + "\n";
  }
  return text;
}

}  // namespace ridgepoint::command
