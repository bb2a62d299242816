#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "precision/methods/methods.hpp"
#include "wording.hpp"

namespace ridgepoint::precision {
namespace {

struct Algorithm {
  std::string_view name;
  Packing packing;
  std::uint8_t bits;
  bool static_activation;
  bool input_scales;
  std::uint8_t tensor_scales;
};

constexpr Algorithm kAlgorithms[] = {
    {"FP8", Packing::fp8_tensor, 8, true, false, 0},
    {"FP8_PER_CHANNEL_PER_TOKEN", Packing::fp8_channel, 8, false, false, 0},
    {"FP8_PB_WO", Packing::fp8_block, 8, false, false, 0},
    {"NVFP4", Packing::nvfp4, 4, false, false, 2},
    {"W4A16_NVFP4", Packing::nvfp4, 4, false, false, 1},
    {"NVFP4_W4A16", Packing::nvfp4, 4, false, false, 1},
    {"W4A8_NVFP4_FP8", Packing::nvfp4, 4, false, false, 2},
    {"NVFP4_AWQ", Packing::nvfp4, 4, false, true, 2},
    {"W4A8_AWQ", Packing::packed_group, 4, true, true, 0},
    {"W4A16_AWQ", Packing::packed_group, 4, false, true, 0},
    {"INT4_AWQ", Packing::packed_group, 4, false, true, 0},
    {"W8A16", Packing::int8_channel, 8, false, false, 0},
    {"W8A8_SQ_PER_CHANNEL", Packing::int8_channel, 8, true, true, 0},
    {"MXFP4", Packing::mxfp4, 4, false, false, 0},
    {"W4A8_MXFP4_FP8", Packing::mxfp4, 4, false, false, 0},
    {"MXFP8", Packing::mxfp8, 8, false, false, 0},
};

std::string upper(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return out;
}

/// The format that `quant_algo` of `from` names; what is not known is refused there.
WeightFormat algorithm(json::Fields& from) {
  const std::string name = upper(from.text({"quant_algo"}).value_or(""));
  const auto* known = std::find_if(std::begin(kAlgorithms), std::end(kAlgorithms),
                                   [&](const Algorithm& a) { return a.name == name; });
  if (known == std::end(kAlgorithms)) {
    SchemeReader::refuse(
        from, "quant_algo",
        worded({"The ModelOpt algorithm \"", json::excerpt(name, 40),
                "\" is not sized by this version. Known: FP8, FP8_PB_WO, NVFP4, "
                "W4A16_NVFP4, W4A8_AWQ, W4A16_AWQ, MXFP4, MXFP8, MIXED_PRECISION."}));
    return {};
  }
  WeightFormat format = make_format(known->packing, known->bits);
  format.static_activation = known->static_activation;
  format.input_scales = known->input_scales;
  format.tensor_scales = known->tensor_scales;
  if (format.packing == Packing::fp8_block) {
    format.block_rows = 128;
    format.block_cols = 128;
  } else if (format.packing == Packing::packed_group) {
    format.group_size = SchemeReader::group_size(from, {"group_size"}, 128);
  }
  return format;
}

}  // namespace

void read_quantized_layers(SchemeReader& reader) {
  auto layers = reader.fields.object("quantized_layers");
  if (!layers) {
    reader.fields.fail("bad_value", "quantized_layers",
                       "A mixed-precision config needs quantized_layers: take the whole "
                       "hf_quant_config.json.");
    return;
  }
  struct Count {
    WeightFormat format;
    std::size_t layers;
  };
  std::vector<Count> counts;
  std::vector<std::pair<std::string_view, WeightFormat>> named;
  for (const auto& item : layers->raw().items()) {
    auto layer = layers->object(item.key());
    if (layer) {
      const WeightFormat format = algorithm(*layer);
      layers->adopt(*layer);
      named.emplace_back(item.key(), format);
      auto count = std::find_if(counts.begin(), counts.end(),
                                [&](const Count& c) { return c.format == format; });
      if (count == counts.end()) {
        count = counts.insert(counts.end(), {format, 0});
      }
      ++count->layers;
    }
    if (layers->error() || counts.size() > kMostFormats) {
      break;
    }
  }
  // The format of most layers goes first, as Quantization::groups has it.
  const auto most =
      std::max_element(counts.begin(), counts.end(),
                       [](const Count& a, const Count& b) { return a.layers < b.layers; });
  if (most != counts.end() && reader.scheme.groups.empty()) {
    reader.add(most->format, 0);
  }
  for (const auto& [name, format] : named) {
    reader.assign(*layers, name, name, format);
  }
  reader.fields.adopt(*layers);
}

void read_modelopt(SchemeReader& reader) {
  json::Fields& fields = reader.fields;
  if (!fields.has("quant_algo") && fields.has("config_groups")) {
    read_compressed_tensors(reader);
    return;
  }
  if (upper(fields.text({"quant_algo"}).value_or("")) == "MIXED_PRECISION") {
    read_quantized_layers(reader);
  } else {
    const bool lists = fields.has("exclude_modules") || fields.has("ignore");
    // Exporters list a head that was left alone; a config without a list was cut short.
    reader.add(algorithm(fields),
               kinds_of(ModuleKind::linear, ModuleKind::expert, ModuleKind::projector) |
                   (lists ? kinds_of(ModuleKind::lm_head) : 0));
  }
  reader.ignore_all("exclude_modules");
  reader.ignore_all("ignore");
  const std::string cache = upper(fields.text({"kv_cache_quant_algo"}).value_or(""));
  if (cache == "NVFP4") {
    reader.scheme.kv_cache = KvFormat::nvfp4;
  } else if (cache == "FP8") {
    reader.scheme.kv_cache = KvFormat::fp8;
  } else {
    reader.kv_cache_scheme();
  }
}

}  // namespace ridgepoint::precision
