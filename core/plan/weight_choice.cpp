#include "plan/weight_choice.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "engine/llamacpp/quant_mix.hpp"
#include "engine/python_version.hpp"
#include "json/writer.hpp"

namespace ridgepoint::plan {
namespace {

using precision::ModuleKind;

/// The newest rules where no version is given or it is none that Python packages have.
constexpr std::uint32_t kNewest = ~std::uint32_t{0};

bool is(const engine::Engine& engine, std::string_view name) { return engine.name == name; }

std::uint32_t minor_version(const Request& request) {
  const auto version = engine::parse_python_version(request.engine_version);
  return version ? version->minor : kNewest;
}

/// What a card can compute with; a card that says nothing of itself can do everything.
struct CardAbility {
  explicit CardAbility(const hardware::Device& device)
      : nvidia(device.vendor == "nvidia"),
        amd(device.vendor == "amd"),
        unknown(device.vendor.empty()),
        capability(device.compute_capability),
        fp8_units(device.fp8_flops > 0),
        cdna4(device.architecture == "cdna4") {}

  /// NVIDIA's, at least of a compute capability (10 x major + minor).
  [[nodiscard]] bool at_least(std::uint32_t least) const {
    return unknown || (nvidia && capability >= least);
  }

  bool nvidia;
  bool amd;
  bool unknown;
  std::uint32_t capability;
  bool fp8_units;
  bool cdna4;
};

FormatChoice as_it_is(std::string name, std::string title) {
  return {std::move(name), std::move(title), {}, ""};
}

// --- Quantisation configs as their exporters write them
// --------------------------------------------

/// The first component of a tower's modules: "visual", "vision_tower".
std::string_view root_of(const model::Tensor& tensor) {
  const std::string_view name = tensor.prefix.empty() ? tensor.module : tensor.prefix;
  const std::size_t start = name.starts_with("model.") ? std::string_view("model.").size() : 0;
  return name.substr(0, std::min(name.find('.', start), name.size()));
}

/// What exporters leave in 16 bits beside the routers: the head, towers and their projectors.
std::vector<std::string_view> left_out(const std::vector<model::Tensor>& tensors) {
  std::vector<std::string_view> names{"lm_head"};
  for (const model::Tensor& tensor : tensors) {
    if (tensor.kind != ModuleKind::vision && tensor.kind != ModuleKind::projector) {
      continue;
    }
    const std::string_view root = root_of(tensor);
    if (!root.empty() && std::find(names.begin(), names.end(), root) == names.end()) {
      names.push_back(root);
    }
  }
  return names;
}

void write_names(json::Writer& out, std::string_view key,
                 const std::vector<std::string_view>& names) {
  out.key(key);
  out.begin_array();
  for (const std::string_view name : names) {
    out.value(name);
  }
  out.end_array();
}

std::string awq_config(std::uint64_t group) {
  json::Writer out;
  out.begin_object();
  out.member("quant_method", "awq");
  out.member("bits", std::uint64_t{4});
  out.member("group_size", group);
  out.member("zero_point", true);
  out.end_object();
  return out.take();
}

std::string modelopt_config(std::string_view algorithm, std::uint64_t group,
                            const std::vector<std::string_view>& names) {
  json::Writer out;
  out.begin_object();
  out.member("quant_method", "modelopt");
  out.member("quant_algo", algorithm);
  if (group != 0) {
    out.member("group_size", group);
  }
  write_names(out, "exclude_modules", names);
  out.end_object();
  return out.take();
}

std::string quark_mxfp4_config(const std::vector<std::string_view>& names) {
  json::Writer out;
  out.begin_object();
  out.member("quant_method", "quark");
  out.key("global_quant_config");
  out.begin_object();
  out.key("weight");
  out.begin_object();
  out.member("dtype", "fp4");
  out.member("qscheme", "per_group");
  out.member("group_size", std::uint64_t{32});
  out.end_object();
  out.end_object();
  write_names(out, "exclude", names);
  out.end_object();
  return out.take();
}

/// One group of compressed-tensors: INT8 weights by channel, activations by token.
std::string int8_config(const std::vector<std::string_view>& names) {
  const auto eight_bits = [](json::Writer& out, std::string_view key, std::string_view strategy,
                             bool dynamic) {
    out.key(key);
    out.begin_object();
    out.member("num_bits", std::uint64_t{8});
    out.member("type", "int");
    out.member("strategy", strategy);
    out.member("symmetric", true);
    out.member("dynamic", dynamic);
    out.end_object();
  };
  json::Writer out;
  out.begin_object();
  out.member("quant_method", "compressed-tensors");
  out.member("format", "int-quantized");
  out.key("config_groups");
  out.begin_object();
  out.key("group_0");
  out.begin_object();
  write_names(out, "targets", {"Linear"});
  eight_bits(out, "weights", "channel", false);
  eight_bits(out, "input_activations", "token", true);
  out.end_object();
  out.end_object();
  write_names(out, "ignore", names);
  out.end_object();
  return out.take();
}

/// Inputs that share a scale: the largest size up to 128 that every matrix of the decoder divides
/// into, 0 where none does. AWQ packs eight outputs to an int32 besides.
std::uint64_t group_of(const std::vector<model::Tensor>& tensors) {
  const auto divides = [&](std::uint64_t group) {
    return std::all_of(tensors.begin(), tensors.end(), [&](const model::Tensor& tensor) {
      const bool touched = tensor.matrix && tensor.part != model::Part::mtp &&
                           (tensor.kind == ModuleKind::linear || tensor.kind == ModuleKind::expert);
      return !touched || (tensor.cols % group == 0 && tensor.rows % 8 == 0);
    });
  };
  for (const std::uint64_t group : {128ULL, 64ULL, 32ULL}) {
    if (divides(group)) {
      return group;
    }
  }
  return 0;
}

// --- The choices of the engines that load safetensors
// ----------------------------------------------

/// Puts together what one request may choose.
class WeightChoices {
 public:
  explicit WeightChoices(const Request& request)
      : request_(request),
        engine_(*request.engine),
        card_(request.device),
        tensors_(model::tensors(request.model)),
        names_(left_out(tensors_)) {}

  std::vector<FormatChoice> list() {
    choices_.push_back(as_it_is("checkpoint", "as published"));
    add_fp8();
    add_int8();
    add_int4();
    add_nvfp4();
    add_mxfp4();
    return std::move(choices_);
  }

 private:
  [[nodiscard]] bool vllm() const { return is(engine_, "vllm"); }
  [[nodiscard]] bool trtllm() const { return is(engine_, "trtllm"); }
  [[nodiscard]] bool since(std::uint32_t minor) const { return minor_version(request_) >= minor; }

  void add_checkpoint(std::string name, std::string title, std::string quant_config,
                      std::string cost) {
    Change change;
    change.quant_config = std::move(quant_config);
    choices_.push_back({std::move(name), std::move(title), std::move(change), std::move(cost)});
  }

  void add_fp8() {
    const bool fast = card_.at_least(89) || (!card_.nvidia && card_.fp8_units);
    const engine::Levers& levers = engine_.levers;
    if (!levers.online_fp8.empty()) {
      if (!fast && !card_.at_least(80)) {
        return;
      }
      Change change;
      change.set.push_back({std::string(levers.quantization), std::string(levers.online_fp8)});
      choices_.push_back(
          {"fp8", "FP8, made while loading", std::move(change),
           fast ? "Close to no loss of accuracy; needs no other checkpoint."
                : "Close to no loss of accuracy; this card has no FP8 units, so that it saves "
                  "memory and computes in 16 bits."});
    } else if (fast) {
      add_checkpoint("fp8", "FP8 checkpoint", modelopt_config("FP8", 0, names_),
                     "Close to no loss of accuracy; needs a published FP8 checkpoint.");
    }
  }

  void add_int8() {
    // Blackwell has no fast INT8 any more (vLLM supported_hardware.md).
    const bool kernels = card_.at_least(75) && (card_.unknown || card_.capability < 100);
    if (kernels && !trtllm() && (!request_.model.moe() || !vllm() || since(8))) {
      add_checkpoint("int8", "INT8 checkpoint (W8A8)", int8_config(names_),
                     "A small loss of accuracy; needs a checkpoint quantised to INT8.");
    }
  }

  void add_int4() {
    const std::uint64_t group = group_of(tensors_);
    const std::string title = "INT4 checkpoint (" + std::string(trtllm() ? "W4A16" : "AWQ") + " g" +
                              std::to_string(group) + ")";
    const std::string cost =
        "Some loss of accuracy, more on small models; needs a checkpoint quantised to 4 bits.";
    const bool moe = request_.model.moe();
    if (group == 0) {
      return;
    }
    if (trtllm()) {
      if (!moe && card_.at_least(80)) {
        add_checkpoint("int4", title, modelopt_config("W4A16_AWQ", group, names_), cost);
      }
    } else if ((card_.at_least(75) || card_.amd) && (!moe || !vllm() || since(7))) {
      add_checkpoint("int4", title, awq_config(group), cost);
    }
  }

  void add_nvfp4() {
    const bool fast = card_.at_least(100);
    const bool by_marlin = vllm() && card_.at_least(80) && since(9);
    if (!(fast && (!vllm() || since(9))) && !by_marlin) {
      return;
    }
    add_checkpoint(
        "nvfp4", "NVFP4 checkpoint", modelopt_config("NVFP4", 16, names_),
        fast ? "Some loss of accuracy; needs a checkpoint quantised to NVFP4."
             : "Some loss of accuracy; needs a checkpoint quantised to NVFP4, and before Blackwell "
               "it saves memory but computes in 16 bits.");
  }

  void add_mxfp4() {
    if (card_.cdna4 && (!vllm() || since(9))) {
      add_checkpoint("mxfp4", "MXFP4 checkpoint (Quark)", quark_mxfp4_config(names_),
                     "Some loss of accuracy; needs a checkpoint quantised to MXFP4.");
    }
  }

  const Request& request_;
  const engine::Engine& engine_;
  CardAbility card_;
  std::vector<model::Tensor> tensors_;
  std::vector<std::string_view> names_;
  std::vector<FormatChoice> choices_;
};

// --- llama.cpp
// -------------------------------------------------------------------------------------

struct MixFacts {
  std::string_view name;
  std::string_view cost;
};

/// Loss by the perplexity table of llama.cpp's tools/quantize/README.md.
constexpr MixFacts kMixes[] = {
    {"Q8_0", "Next to no loss of accuracy."},
    {"Q6_K", "A very small loss of accuracy."},
    {"Q5_K_M", "A small loss of accuracy."},
    {"Q4_K_M", "Some loss of accuracy; the usual choice."},
    {"Q3_K_M", "A clear loss of accuracy."},
};

/// A file name that llama.cpp's own naming reads as the mix: "Meta-Llama-3-8B-Q4_K_M.gguf".
std::string gguf_name(const std::string& id, std::string_view mix) {
  constexpr std::size_t kLongest = 100;
  const std::size_t slash = id.rfind('/');
  std::string base = slash == std::string::npos ? id : id.substr(slash + 1);
  const bool odd = base.empty() || base.size() > kLongest ||
                   base.find_first_not_of(
                       "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                       "0123456789-_.") != std::string::npos;
  // A name with another mix in it would be read as that one.
  if (odd || engine::llamacpp::find_mix(base)) {
    base = "model";
  }
  return base + "-" + std::string(mix) + ".gguf";
}

/// llama.cpp takes any of its flags from a variable.
bool named_by_variables(const Request& request) {
  return std::any_of(request.env.begin(), request.env.end(),
                     [](const auto& entry) { return entry.first.starts_with("LLAMA_ARG_"); });
}

std::vector<FormatChoice> mixes(const Request& request) {
  std::vector<FormatChoice> list;
  list.push_back(as_it_is("checkpoint", "converted as published"));
  for (const std::string_view flag : {"model", "hf-file", "hf-repo", "model-url", "docker-repo"}) {
    if (given_flag(request, flag) != nullptr) {
      return list;
    }
  }
  if (named_by_variables(request)) {
    return list;
  }
  for (const MixFacts& mix : kMixes) {
    Change change;
    change.set.push_back({"model", gguf_name(request.model.id, mix.name)});
    list.push_back({std::string(mix.name), std::string(mix.name) + " GGUF", std::move(change),
                    std::string(mix.cost)});
  }
  return list;
}

bool quantised_already(const Request& request) {
  const model::ModelSpec& model = request.model;
  const std::string_view lever = request.engine->levers.quantization;
  return model.quantization.quantized() || !model.quantization.method.empty() ||
         !model.stored_tensors.empty() || (!lever.empty() && given_flag(request, lever) != nullptr);
}

}  // namespace

std::vector<FormatChoice> weight_choices(const Request& request) {
  if (quantised_already(request)) {
    return {as_it_is("checkpoint", "as published")};
  }
  if (is(*request.engine, "llamacpp")) {
    return mixes(request);
  }
  return WeightChoices(request).list();
}

std::vector<FormatChoice> kv_choices(const Request& request) {
  std::vector<FormatChoice> list{as_it_is("auto", "as the engine chooses")};
  const engine::Levers& levers = request.engine->levers;
  const bool said = (!levers.cache_format.empty() && given_flag(request, levers.cache_format)) ||
                    request.model.quantization.kv_cache.has_value();
  if (said || levers.cache_format.empty()) {
    return list;
  }
  Change change;
  change.set.push_back({std::string(levers.cache_format), std::string(levers.small_cache)});
  if (is(*request.engine, "llamacpp")) {
    if (given_flag(request, "cache-type-v") == nullptr && !named_by_variables(request)) {
      change.set.push_back({"cache-type-v", std::string(levers.small_cache)});
      list.push_back({"q8_0", "Q8_0 keys and values", std::move(change),
                      "Half the cache; next to no loss of accuracy."});
    }
    return list;
  }
  const CardAbility card(request.device);
  if (card.at_least(89) || (card.amd && card.fp8_units)) {
    list.push_back({"fp8", "FP8 keys and values", std::move(change),
                    "Half the cache; a small loss of accuracy, most on long contexts."});
  }
  return list;
}

std::string own_format(const model::ModelSpec& model) {
  using precision::Packing;
  if (!model.stored_tensors.empty()) {
    return "gguf";
  }
  if (!model.quantization.quantized()) {
    switch (model.dtype) {
      case precision::Dtype::float16:
        return "fp16";
      case precision::Dtype::float32:
        return "fp32";
      case precision::Dtype::bfloat16:
        return "bf16";
    }
  }
  const precision::WeightFormat& format = model.quantization.groups.front().format;
  switch (format.packing) {
    case Packing::fp8_tensor:
    case Packing::fp8_channel:
    case Packing::fp8_block:
      return "fp8";
    case Packing::int8_tensor:
    case Packing::int8_channel:
    case Packing::int8_block:
      return "int8";
    case Packing::mxfp4:
      return "mxfp4";
    case Packing::nvfp4:
      return "nvfp4";
    case Packing::awq:
    case Packing::gptq:
    case Packing::packed_int:
      return "int" + std::to_string(format.bits);
    default:
      return model.quantization.method;
  }
}

}  // namespace ridgepoint::plan
