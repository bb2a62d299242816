#include <nlohmann/json.hpp>
#include <string>

#include "precision/methods/methods.hpp"
#include "wording.hpp"

namespace ridgepoint::precision {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// The format of the whole model, or of the modules an `extra_config` member names.
WeightFormat read_settings(json::Fields& fields, const WeightFormat& base,
                           std::string_view data_type) {
  WeightFormat format = base;
  format.bits = SchemeReader::bits(fields, {"bits"}, base.bits);
  if (fields.has("group_size")) {
    const json::Value* size = fields.find("group_size");
    if (size->is_array()) {
      SchemeReader::block(fields, "group_size", format);
    } else if (!size->is_number_integer() || size->get<std::int64_t>() != 0) {
      format.group_size = SchemeReader::group_size(fields, {"group_size"}, 128);
    }
  }
  format.symmetric = fields.boolean_or({"sym"}, base.symmetric);
  if (data_type.starts_with("mx")) {
    format.packing = format.bits == 8 ? Packing::mxfp8 : Packing::mxfp4;
  } else if (data_type.starts_with("nv")) {
    format.packing = Packing::nvfp4;
  } else if (data_type.starts_with("fp")) {
    format.packing = format.block_rows != 0 ? Packing::fp8_block : Packing::fp8_channel;
    format.group_size = 0;
    format.bits = 8;
  }
  return format;
}

bool is_expression(std::string_view name) {
  return contains(name, ".*") || name.find_first_of("\\^$[(+|") != std::string_view::npos;
}

void read_extra(SchemeReader& reader, const WeightFormat& base, std::string_view data_type) {
  auto extra = reader.fields.object("extra_config");
  if (!extra) {
    return;
  }
  for (const auto& item : extra->raw().items()) {
    auto own = extra->object(item.key());
    if (!own) {
      break;
    }
    const std::string name = is_expression(item.key()) ? worded({"re:", item.key()}) : item.key();
    const json::Value* bits = own->find("bits");
    if (bits != nullptr && bits->is_number_unsigned() && bits->get<std::uint64_t>() >= 16) {
      reader.ignore(*extra, item.key(), name);
      continue;
    }
    const std::string type(own->text({"data_type"}).value_or(data_type));
    const WeightFormat format = read_settings(*own, base, type);
    extra->adopt(*own);
    reader.assign(*extra, item.key(), name, format);
  }
  reader.fields.adopt(*extra);
}

/// Blocks are the decoder's unless a tower is named among them.
bool names_tower(const json::Value* blocks) {
  if (blocks == nullptr) {
    return false;
  }
  if (blocks->is_string()) {
    const std::string_view name = blocks->get_ref<const std::string&>();
    return contains(name, "visual") || contains(name, "vision");
  }
  if (blocks->is_array()) {
    for (const json::Value& block : *blocks) {
      if (names_tower(&block)) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

void read_auto_round(SchemeReader& reader) {
  json::Fields& fields = reader.fields;
  const std::string_view packing = fields.text({"packing_format"}).value_or("");
  const std::string data_type(fields.text({"data_type"}).value_or("int"));
  WeightFormat base = make_format(Packing::gptq, 4, 128);
  if (contains(packing, "awq")) {
    base.packing = Packing::awq;
  } else if (packing == "mlx") {
    base.packing = Packing::mlx;
  }
  // Only AutoGPTQ's own exporter writes g_idx.
  base.group_index = packing == "auto_gptq";
  const std::uint64_t activation_bits = fields.whole_or({"act_bits"}, {2, 32}, 16);
  base.tensor_scales = activation_bits < 16 ? 2 : 1;
  const WeightFormat format = read_settings(fields, base, data_type);
  const bool tower = names_tower(fields.find("block_name_to_quantize")) ||
                     names_tower(fields.find("to_quant_block_names"));
  reader.add(format, kDecoderLinear | (tower ? kinds_of(ModuleKind::vision) : 0) |
                         (fields.boolean_or({"lm_head", "quant_lm_head"}, false)
                              ? kinds_of(ModuleKind::lm_head)
                              : 0));
  read_extra(reader, format, data_type);
  reader.ignore_all("modules_to_not_convert");
}

}  // namespace ridgepoint::precision
