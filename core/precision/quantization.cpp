#include "precision/quantization.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "precision/name_pattern.hpp"

namespace ridgepoint::precision {
namespace {

constexpr std::string_view kRegexPrefix = "re:";
constexpr json::Range kGroupRange{1, 1U << 20U};
constexpr std::size_t kMostEntries = 100000;
constexpr std::size_t kMostPatterns = 64;  ///< expressions cost time for each module of each layer

bool target_matches(std::string_view target, std::string_view module) {
  if (target.starts_with(kRegexPrefix)) {
    return regex_matches(target.substr(kRegexPrefix.size()), module);
  }
  return target == "Linear" || has_components(module, target);
}

/// Reads one method's fields into a Quantization; errors stay in `fields`.
class Reader {
 public:
  explicit Reader(json::Fields& fields) : fields_(fields) {}

  Quantization read() {
    method_ = method();
    scheme_.method = method_;
    if (method_ == "fp8" || method_ == "fbgemm_fp8") {
      read_fp8();
    } else if (method_ == "awq") {
      read_awq();
    } else if (method_ == "gptq" || method_ == "auto-round") {
      read_gptq();
    } else if (method_ == "bitsandbytes") {
      read_bitsandbytes();
    } else if (method_ == "compressed-tensors") {
      read_compressed_tensors();
    } else if (method_ == "mxfp4") {
      read_mxfp4();
    } else if (method_ == "modelopt" || method_ == "modelopt_fp4") {
      read_modelopt();
    } else {
      fields_.fail("unsupported_quantization", "quant_method",
                   "The quantization method \"" + json::excerpt(method_, 40) +
                       "\" is not sized by this version. Known: fp8, fbgemm_fp8, awq, gptq, "
                       "auto-round, bitsandbytes, compressed-tensors, mxfp4, modelopt. Give the "
                       "exact checkpoint size as model.weight_bytes instead.");
    }
    return std::move(scheme_);
  }

 private:
  std::string method() {
    if (const auto name = fields_.text({"quant_method"})) {
      std::string lower(*name);
      std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      });
      return lower;
    }
    if (fields_.has("quant_algo")) {
      return "modelopt";
    }
    if (fields_.boolean_or({"load_in_4bit"}, false) ||
        fields_.boolean_or({"load_in_8bit"}, false)) {
      return "bitsandbytes";
    }
    if (fields_.has("w_bit")) {
      return "awq";
    }
    return "(none named)";
  }

  /// An expression that would be misread is an error: it decides which weights are quantised.
  static bool check_expression(json::Fields& fields, std::string_view key,
                               const json::Value& entry) {
    if (!entry.is_string()) {
      return true;
    }
    const std::string_view text = entry.get_ref<const std::string&>();
    if (!text.starts_with(kRegexPrefix) || regex_is_understood(text.substr(kRegexPrefix.size()))) {
      return true;
    }
    fields.fail("bad_value", key,
                "The expression \"" + json::excerpt(text, 60) + "\" in " + std::string(key) +
                    " uses syntax that this version does not read.");
    return false;
  }

  void ignore_all(std::string_view key) {
    const json::Value* list = fields_.array(key);
    if (list == nullptr) {
      return;
    }
    if (list->size() > kMostEntries) {
      fields_.fail("bad_value", key, std::string(key) + " has more than 100000 entries.");
      return;
    }
    std::size_t patterns = 0;
    for (const json::Value& entry : *list) {
      if (entry.is_string() && entry.get_ref<const std::string&>().starts_with(kRegexPrefix) &&
          ++patterns > kMostPatterns) {
        fields_.fail("bad_value", key, std::string(key) + " has more than 64 expressions.");
        return;
      }
      if (!check_expression(fields_, key, entry)) {
        return;
      }
      if (entry.is_string()) {
        scheme_.ignore(entry.get_ref<const std::string&>());
      } else {
        fields_.fail("bad_value", key, std::string(key) + " must hold module names only.");
      }
    }
  }

  std::uint32_t bits(std::initializer_list<std::string_view> keys, std::uint32_t fallback) {
    const auto value = static_cast<std::uint32_t>(fields_.whole_or(keys, {2, 8}, fallback));
    if (value == 7) {
      fields_.fail("bad_value", *keys.begin(), "7-bit weights do not exist in this format.");
    }
    return value;
  }

  /// group_size -1 means one scale for the whole row.
  std::uint32_t group_size(json::Fields& fields, std::initializer_list<std::string_view> keys,
                           std::uint32_t fallback) {
    for (const std::string_view key : keys) {
      const json::Value* value = fields.find(key);
      if (value != nullptr && value->is_number_integer() && value->get<std::int64_t>() == -1) {
        return 0;
      }
    }
    return static_cast<std::uint32_t>(fields.whole_or(keys, kGroupRange, fallback));
  }

  void add(WeightFormat format) { scheme_.groups.push_back({{}, format}); }

  void read_fp8() {
    WeightFormat format;
    format.bits = 8;
    format.packing = method_ == "fbgemm_fp8" ? Packing::fp8_channel : Packing::fp8_tensor;
    if (fields_.has("weight_block_size")) {
      format.packing = Packing::fp8_block;
      read_block(fields_, "weight_block_size", format);
    } else {
      format.static_activation = fields_.text({"activation_scheme"}).value_or("") == "static";
    }
    ignore_all("modules_to_not_convert");
    ignore_all("ignored_layers");
    add(format);
  }

  static void read_block(json::Fields& fields, std::string_view key, WeightFormat& format) {
    const json::Value* block = fields.array(key);
    if (block == nullptr) {
      return;
    }
    const auto side = [&](std::size_t i) -> std::uint32_t {
      const bool valid = block->size() == 2 && (*block)[i].is_number_unsigned() &&
                         (*block)[i].get<std::uint64_t>() - 1 < 65536;
      return valid ? (*block)[i].get<std::uint32_t>() : 0;
    };
    if (side(0) == 0 || side(1) == 0) {
      fields.fail("bad_value", key,
                  std::string(key) + " must be two whole numbers from 1 to 65536.");
      return;
    }
    format.block_rows = side(0);
    format.block_cols = side(1);
  }

  void read_awq() {
    WeightFormat format;
    format.packing = Packing::awq;
    format.bits = bits({"bits", "w_bit"}, 4);
    format.group_size = group_size(fields_, {"group_size", "q_group_size"}, 128);
    format.symmetric = !fields_.boolean_or({"zero_point"}, true);
    ignore_all("modules_to_not_convert");
    add(format);
  }

  void read_gptq() {
    WeightFormat format;
    format.packing = Packing::gptq;
    format.bits = bits({"bits"}, 4);
    format.group_size = group_size(fields_, {"group_size"}, 128);
    format.symmetric = fields_.boolean_or({"sym"}, true);
    format.activation_order = fields_.boolean_or({"desc_act"}, false);
    scheme_.lm_head = fields_.boolean_or({"lm_head"}, false);
    ignore_all("modules_to_not_convert");
    ignore_all("modules_in_block_to_not_quantize");
    add(format);
  }

  void read_bitsandbytes() {
    WeightFormat format;
    const bool eight = fields_.boolean_or({"load_in_8bit", "_load_in_8bit"}, false);
    format.packing = eight ? Packing::bnb_int8 : Packing::bnb_nf4;
    format.bits = eight ? 8 : 4;
    format.double_quantised = fields_.boolean_or({"bnb_4bit_use_double_quant"}, false);
    ignore_all("llm_int8_skip_modules");
    add(format);
  }

  void read_mxfp4() {
    WeightFormat format;
    format.packing = Packing::mxfp4;
    format.bits = 4;
    scheme_.experts_only = true;
    ignore_all("modules_to_not_convert");
    add(format);
  }

  void read_modelopt() {
    const std::string algo(fields_.text({"quant_algo"}).value_or(""));
    const auto format = modelopt_format(algo);
    if (!format) {
      fields_.fail("unsupported_quantization", "quant_algo",
                   "The ModelOpt algorithm \"" + json::excerpt(algo, 40) +
                       "\" is not sized by this version. Known: FP8, NVFP4. Give the exact "
                       "checkpoint size as model.weight_bytes instead.");
      return;
    }
    ignore_all("exclude_modules");
    ignore_all("ignore");
    const std::string_view kv = fields_.text({"kv_cache_quant_algo"}).value_or("");
    if (kv == "NVFP4") {
      scheme_.kv_cache = KvFormat::nvfp4;
    } else if (kv == "FP8" || fields_.has("kv_cache_scheme")) {
      scheme_.kv_cache = KvFormat::fp8;
    }
    add(*format);
  }

  static std::optional<WeightFormat> modelopt_format(std::string_view algo) {
    WeightFormat format;
    if (algo == "FP8") {
      format.packing = Packing::fp8_tensor;
      format.bits = 8;
      format.static_activation = true;
      return format;
    }
    if (algo == "NVFP4") {
      format.packing = Packing::nvfp4;
      format.bits = 4;
      return format;
    }
    return std::nullopt;
  }

  void read_compressed_tensors() {
    ignore_all("ignore");
    if (fields_.has("kv_cache_scheme")) {
      scheme_.kv_cache = KvFormat::fp8;
    }
    auto groups = fields_.object("config_groups");
    if (!groups || groups->raw().empty()) {
      fields_.fail("bad_value", "config_groups",
                   "config_groups is missing or empty, so the weight format is unknown.");
      return;
    }
    const std::string top_format(fields_.text({"format"}).value_or(""));
    for (const auto& item : groups->raw().items()) {
      auto group = groups->object(item.key());
      if (!group) {
        fields_.adopt(*groups);
        return;
      }
      read_compressed_group(*group, top_format);
      fields_.adopt(*group);
    }
  }

  void read_compressed_group(json::Fields& group, const std::string& top_format) {
    auto weights = group.object("weights");
    if (!weights) {
      return;  // activations only: weights stay as they are
    }
    Quantization::Group entry;
    if (const json::Value* targets = group.array("targets")) {
      for (const json::Value& target : *targets) {
        if (!target.is_string() || entry.targets.size() == kMostPatterns) {
          group.fail("bad_value", "targets",
                     "targets must hold up to 64 module names or patterns.");
          return;
        }
        if (!check_expression(group, "targets", target)) {
          return;
        }
        entry.targets.push_back(target.get<std::string>());
      }
    }
    const std::string format(group.text({"format"}).value_or(top_format));
    entry.format = compressed_format(*weights, format, group.has("input_activations"));
    group.adopt(*weights);
    scheme_.groups.push_back(std::move(entry));
  }

  WeightFormat compressed_format(json::Fields& weights, const std::string& format,
                                 bool quantised_activations) {
    WeightFormat out;
    out.bits = static_cast<std::uint32_t>(weights.whole_or({"num_bits"}, {2, 8}, 4));
    out.symmetric = weights.boolean_or({"symmetric"}, true);
    const bool floating = weights.text({"type"}).value_or("int") == "float";
    const std::string strategy(weights.text({"strategy"}).value_or("tensor"));
    if (format == "nvfp4-pack-quantized") {
      out.packing = Packing::nvfp4;
    } else if (format == "mxfp4-pack-quantized") {
      out.packing = Packing::mxfp4;
    } else if (floating && out.bits == 8) {
      out.packing = strategy == "channel" ? Packing::fp8_channel
                    : strategy == "block" ? Packing::fp8_block
                                          : Packing::fp8_tensor;
      if (out.packing == Packing::fp8_block) {
        out.block_rows = 128;
        out.block_cols = 128;
        read_block(weights, "block_structure", out);
      }
    } else if (!floating && (format == "pack-quantized" || !quantised_activations)) {
      out.packing = Packing::packed_int;
      out.group_size = strategy == "group" ? group_size(weights, {"group_size"}, 128) : 0;
    } else if (!floating && out.bits == 8) {
      out.packing = Packing::int8_channel;
    } else {
      weights.fail("unsupported_quantization", "num_bits",
                   "compressed-tensors weights of " + std::to_string(out.bits) + "-bit " +
                       (floating ? "float" : "int") + " in the format \"" +
                       json::excerpt(format, 40) + "\" are not sized by this version.");
    }
    return out;
  }

  json::Fields& fields_;
  std::string method_;
  Quantization scheme_;
};

}  // namespace

bool Quantization::uniform() const {
  if (!ignored_names_.empty() || !ignored_patterns_.empty() || !ignored_globs_.empty() ||
      !ignored_parts_.empty() || groups.size() > 1) {
    return false;
  }
  return groups.empty() || groups[0].targets.empty() ||
         (groups[0].targets.size() == 1 && groups[0].targets[0] == "Linear");
}

bool Quantization::by_name(ModuleKind kind) const {
  const bool may_be_quantised = kind == ModuleKind::expert ||
                                (kind == ModuleKind::linear && !experts_only) ||
                                (kind == ModuleKind::lm_head && lm_head);
  return may_be_quantised && !uniform();
}

void Quantization::ignore(std::string_view entry) {
  if (entry.empty()) {
    return;
  }
  if (entry.starts_with(kRegexPrefix)) {
    ignored_patterns_.emplace_back(entry.substr(kRegexPrefix.size()));
  } else if (entry.find('*') != std::string_view::npos) {
    ignored_globs_.emplace_back(entry);
  } else if (entry.starts_with("model.layers.")) {
    ignored_names_.emplace(entry);
  } else if (entry != "lm_head" || lm_head) {
    // The head stays 16-bit without being named, so naming it adds nothing.
    ignored_parts_.emplace_back(entry);
  }
}

bool Quantization::ignored(std::string_view module) const {
  if (!ignored_names_.empty()) {
    for (std::size_t end = module.size(); end != std::string_view::npos && end != 0;
         end = module.rfind('.', end - 1)) {
      if (ignored_names_.contains(std::string(module.substr(0, end)))) {
        return true;
      }
    }
  }
  const auto any = [&](const std::vector<std::string>& list, auto matches) {
    return std::any_of(list.begin(), list.end(),
                       [&](const std::string& entry) { return matches(entry, module); });
  };
  return any(ignored_parts_, [](std::string_view part,
                                std::string_view name) { return has_components(name, part); }) ||
         any(ignored_globs_,
             [](std::string_view g, std::string_view n) { return glob_matches(g, n); }) ||
         any(ignored_patterns_,
             [](std::string_view p, std::string_view n) { return regex_matches(p, n); });
}

WeightFormat Quantization::format_of(std::string_view module, ModuleKind kind) const {
  const WeightFormat plain;
  if (groups.empty() || kind == ModuleKind::embedding || kind == ModuleKind::router ||
      (kind == ModuleKind::lm_head && !lm_head) || (experts_only && kind != ModuleKind::expert) ||
      ignored(module)) {
    return plain;
  }
  for (const Group& group : groups) {
    if (group.targets.empty() ||
        std::any_of(group.targets.begin(), group.targets.end(),
                    [&](const std::string& t) { return target_matches(t, module); })) {
      return group.format;
    }
  }
  return plain;
}

Result<Quantization> read_quantization(const json::Value& config, std::string path) {
  if (!config.is_object()) {
    return Error{"bad_value",
                 "The quantization config must be an object, and it is " +
                     std::string(json::kind_of(config)) + ".",
                 std::move(path)};
  }
  json::Fields outer(config, std::move(path));
  auto nested = outer.has("quantization") ? outer.object("quantization") : std::nullopt;
  if (outer.error()) {
    return *outer.error();
  }
  json::Fields& fields = nested ? *nested : outer;
  Quantization scheme = Reader(fields).read();
  if (fields.error()) {
    return *fields.error();
  }
  return scheme;
}

Quantization online_fp8() {
  Quantization scheme;
  scheme.method = "fp8";
  WeightFormat format;
  format.packing = Packing::fp8_tensor;
  format.bits = 8;
  scheme.groups.push_back({{}, format});
  return scheme;
}

Quantization online_bitsandbytes() {
  Quantization scheme;
  scheme.method = "bitsandbytes";
  WeightFormat format;
  format.packing = Packing::bnb_nf4;
  format.bits = 4;
  scheme.groups.push_back({{}, format});
  return scheme;
}

}  // namespace ridgepoint::precision
