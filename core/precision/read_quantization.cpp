#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "precision/methods/methods.hpp"
#include "precision/quantization.hpp"
#include "precision/scheme_reader.hpp"
#include "wording.hpp"

namespace ridgepoint::precision {
namespace {

/// Methods whose sizes do not follow from their configs, and why.
struct Refusal {
  std::string_view name;
  std::string_view why;
};

constexpr Refusal kRefusals[] = {
    {"vptq", "VPTQ chooses codebooks and outliers layer by layer"},
    {"quip", "QuIP# configs do not say how layers were packed"},
    {"spqr", "SpQR keeps outliers whose number is not in the config"},
    {"higgs", "HIGGS pads and packs by tables that are not in the config"},
    {"fp_quant", "FP-Quant checkpoints may hold weights in either precision"},
    {"quanto", "quanto quantises while loading, so the file's format is not in the config"},
};

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

bool has_any(const json::Fields& fields, std::initializer_list<std::string_view> keys) {
  return std::any_of(keys.begin(), keys.end(),
                     [&](std::string_view key) { return fields.has(key); });
}

/// The method that a config without `quant_method` shows by its keys.
std::string_view method_by_keys(json::Fields& fields) {
  if (fields.has("quant_algo")) {
    return "modelopt";
  }
  if (fields.boolean_or({"load_in_4bit"}, false) || fields.boolean_or({"load_in_8bit"}, false)) {
    return "bitsandbytes";
  }
  if (has_any(fields, {"w_bit", "q_group_size", "zero_point"})) {
    return "awq";
  }
  if (fields.has("config_groups")) {
    return "compressed-tensors";
  }
  if (fields.has("global_quant_config")) {
    return "quark";
  }
  if (fields.has("bits") &&
      has_any(fields, {"desc_act", "sym", "damp_percent", "true_sequential", "static_groups",
                       "checkpoint_format", "model_file_base_name"})) {
    return "gptq";
  }
  if (has_any(fields, {"mode", "bits"})) {
    return "mlx";
  }
  return "";
}

void refuse_method(json::Fields& fields, const std::string& method) {
  if (!all_methods_here()) {
    Error error = not_here("What reads this quantization", "");
    fields.fail(error.code, "quant_method", std::move(error.message));
    return;
  }
  const std::string name =
      worded({"The quantization method \"",
              (method.empty() ? std::string("(none named)") : json::excerpt(method, 40)), "\""});
  for (const Refusal& refusal : kRefusals) {
    if (method.starts_with(refusal.name)) {
      SchemeReader::refuse(fields, "quant_method",
                           worded({name, " cannot be sized: ", refusal.why, "."}));
      return;
    }
  }
  std::string known;
  for (const Method& each : known_methods()) {
    known += (known.empty() ? "" : ", ") + std::string(each.name);
  }
  SchemeReader::refuse(fields, "quant_method",
                       worded({name, " is not sized by this version. Known: ", known, "."}));
}

Quantization read_fields(json::Fields& fields) {
  SchemeReader reader(fields);
  reader.scheme.method = lower(fields.text({"quant_method"}).value_or(""));
  if (reader.scheme.method.empty()) {
    reader.scheme.method = method_by_keys(fields);
  }
  const auto methods = known_methods();
  const auto method = std::find_if(methods.begin(), methods.end(),
                                   [&](const Method& m) { return m.name == reader.method(); });
  if (method == methods.end()) {
    refuse_method(fields, reader.method());
  } else {
    method->read(reader);
  }
  return std::move(reader.scheme);
}

/// ChatGLM quantises its blocks' linear layers: packed bytes and a 16-bit scale a row.
Result<Quantization> read_quantization_bit(json::Fields& fields) {
  const std::uint64_t bits = fields.whole_or({"quantization_bit"}, {0, 32}, 0);
  Quantization scheme;
  if (bits == 4 || bits == 8) {
    WeightFormat format = make_format(bits == 4 ? Packing::packed_group : Packing::int8_channel,
                                      static_cast<std::uint32_t>(bits));
    format.scale_bytes = 2;
    scheme.method = "chatglm";
    scheme.groups.push_back({kDecoderLinear, format});
  } else if (bits != 0 && bits < 16) {
    SchemeReader::refuse(fields, "quantization_bit", "ChatGLM has 4 and 8 bits only.");
  }
  if (fields.error()) {
    return *fields.error();
  }
  return scheme;
}

/// DeepSeek-V4: experts in MXFP4 beside an FP8 decoder whose scales are single bytes too.
Result<Quantization> with_expert_dtype(json::Fields& fields, Quantization scheme) {
  const std::string_view type = fields.text({"expert_dtype"}).value_or("");
  if (type != "fp4" && type != "mxfp4" && !type.empty() && !type.starts_with("fp8") &&
      !type.starts_with("bf")) {
    SchemeReader::refuse(fields, "expert_dtype",
                         worded({"Experts of the type \"", json::excerpt(type, 40),
                                 "\" are not sized by this version."}));
  }
  if (fields.error()) {
    return *fields.error();
  }
  if (type.ends_with("fp4") && scheme.method == "fp8") {
    for (Quantization::Group& group : scheme.groups) {
      group.kinds &= static_cast<ModuleKinds>(~kinds_of(ModuleKind::expert));
      if (group.format.packing == Packing::fp8_block) {
        group.format.scale_bytes = 1;
      }
    }
    scheme.groups.push_back({kinds_of(ModuleKind::expert), make_format(Packing::mxfp4, 4, 32)});
  }
  return scheme;
}

struct Source {
  const json::Value* value = nullptr;
  std::string path;
};

/// Where a config declares its quantisation; a decoder nested in a wrapper may bring its own.
Source declared(const json::Value& config, const std::string& path) {
  for (const char* key : {"quantization_config", "compression_config", "quantization"}) {
    const auto it = config.find(key);
    if (it != config.end() && !it->is_null()) {
      return {&*it, worded({path, ".", key})};
    }
  }
  for (const char* key : {"text_config", "llm_config", "language_config", "thinker_config"}) {
    const auto it = config.find(key);
    if (it != config.end() && it->is_object()) {
      Source nested = declared(*it, worded({path, ".", key}));
      if (nested.value != nullptr) {
        return nested;
      }
    }
  }
  return {};
}

}  // namespace

Result<Quantization> read_quantization(const json::Value& config, std::string path) {
  if (!config.is_object()) {
    return Error{"bad_value",
                 worded({"The quantization config must be an object, and it is ",
                         json::kind_of(config), "."}),
                 std::move(path)};
  }
  json::Fields outer(config, std::move(path));
  auto nested = outer.has("quantization") ? outer.object("quantization") : std::nullopt;
  if (outer.error()) {
    return *outer.error();
  }
  json::Fields& fields = nested ? *nested : outer;
  Quantization scheme = read_fields(fields);
  if (fields.error()) {
    return *fields.error();
  }
  return scheme;
}

Result<Quantization> quantization_of(const json::Value& config, const std::string& path,
                                     const json::Value* beside, const std::string& beside_path) {
  json::Fields fields(config, path);
  Source source = declared(config, path);
  if (source.value == nullptr && beside != nullptr && !beside->is_null()) {
    source = {beside, beside_path};
  }
  if (source.value == nullptr) {
    return read_quantization_bit(fields);
  }
  auto scheme = read_quantization(*source.value, std::move(source.path));
  return scheme ? with_expert_dtype(fields, std::move(scheme.value())) : scheme;
}

}  // namespace ridgepoint::precision
