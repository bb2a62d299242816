#include <nlohmann/json.hpp>
#include <string>

#include "precision/methods/methods.hpp"
#include "wording.hpp"

namespace ridgepoint::precision {
namespace {

/// AMD Quark's specification of one weight tensor.
WeightFormat read_weight(json::Fields& weight) {
  const std::string type(weight.text({"dtype"}).value_or(""));
  const std::string_view scheme = weight.text({"qscheme"}).value_or("per_tensor");
  const bool by_tensor = scheme == "per_tensor";
  const bool by_group = scheme == "per_group";
  WeightFormat format;
  if (type.starts_with("fp8")) {
    format = make_format(by_tensor ? Packing::fp8_tensor : Packing::fp8_channel, 8);
    if (by_group) {
      format = make_format(Packing::mxfp8, 8, 32);
    }
  } else if (type == "mxfp4" || type.starts_with("fp4")) {
    format = make_format(Packing::mxfp4, 4, 32);
  } else if (type == "int8" || type == "uint8") {
    format = make_format(by_tensor ? Packing::int8_tensor : Packing::int8_channel, 8);
    if (by_group) {
      format.packing = Packing::int8_block;
      format.block_rows = 1;
      format.block_cols = SchemeReader::group_size(weight, {"group_size"}, 128);
    }
  } else if (type == "int4" || type == "uint4") {
    format = make_format(Packing::packed_group, 4);
    format.group_size = by_group ? SchemeReader::group_size(weight, {"group_size"}, 128) : 0;
    format.zero_bits = type == "uint4" ? 4 : 0;
  } else if (type == "bfloat16" || type == "float16") {
    return {};
  } else {
    SchemeReader::refuse(
        weight, "dtype",
        worded({"Quark weights of the type \"", json::excerpt(type, 40),
                "\" are not sized by this version. Known: fp8_e4m3, fp4, int8, int4, "
                "uint4."}));
  }
  return format;
}

/// The format of a layer's config; false when it says nothing of weights. A list of two
/// specifications is one quantised in steps, stored as the last says.
bool read_layer(json::Fields& layer, WeightFormat& format) {
  const json::Value* weight = layer.find("weight");
  if (weight == nullptr) {
    return false;
  }
  if (weight->is_array() && !weight->empty() && weight->back().is_object()) {
    json::Fields last(weight->back(), worded({layer.path(), ".weight"}));
    format = read_weight(last);
    layer.adopt(last);
    return true;
  }
  auto fields = layer.object("weight");
  if (fields) {
    format = read_weight(*fields);
    layer.adopt(*fields);
  }
  return fields.has_value();
}

}  // namespace

void read_quark(SchemeReader& reader) {
  json::Fields& fields = reader.fields;
  auto global = fields.object("global_quant_config");
  WeightFormat format;
  if (global) {
    const bool weights = read_layer(*global, format);
    fields.adopt(*global);
    if (weights) {
      reader.add(format, kAnyLinear | (fields.has("exclude") ? kinds_of(ModuleKind::lm_head) : 0));
    }
  }
  if (auto layers = fields.object("layer_quant_config")) {
    for (const auto& item : layers->raw().items()) {
      auto layer = layers->object(item.key());
      WeightFormat own;
      const bool weights = layer && read_layer(*layer, own);
      if (layer) {
        layers->adopt(*layer);
      }
      if (layers->error()) {
        break;
      }
      if (weights) {
        reader.assign(*layers, item.key(), item.key(), own);
      } else {
        reader.ignore(*layers, item.key(), item.key());
      }
    }
    fields.adopt(*layers);
  }
  reader.ignore_all("exclude");
  reader.ignore_all("exclude_layers");
  if (!reader.failed() && reader.scheme.groups.empty()) {
    SchemeReader::refuse(fields, "global_quant_config",
                         "This Quark config quantises no weights that it describes.");
  }
  const json::Value* cache = fields.find("kv_cache_quant_config");
  if (cache != nullptr && cache->is_object() && !cache->empty()) {
    reader.scheme.kv_cache = KvFormat::fp8;
  }
}

}  // namespace ridgepoint::precision
