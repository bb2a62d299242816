#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "precision/methods/methods.hpp"
#include "wording.hpp"

namespace ridgepoint::precision {
namespace {

/// GPTQModel's `dynamic`: expressions, with "-:" for modules left alone and "+:" or nothing for
/// modules with settings of their own.
void read_dynamic(SchemeReader& reader, const WeightFormat& base) {
  auto dynamic = reader.fields.object("dynamic");
  if (!dynamic) {
    return;
  }
  for (const auto& item : dynamic->raw().items()) {
    std::string_view key = item.key();
    if (key.starts_with("-:")) {
      reader.ignore(*dynamic, item.key(), worded({"re:", key.substr(2)}));
      continue;
    }
    if (key.starts_with("+:")) {
      key.remove_prefix(2);
    }
    auto own = dynamic->object(item.key());
    if (!own) {
      break;
    }
    WeightFormat format = base;
    format.bits = SchemeReader::bits(*own, {"bits"}, base.bits);
    if (own->has("group_size")) {
      format.group_size = SchemeReader::group_size(*own, {"group_size"}, 128);
    }
    format.symmetric = own->boolean_or({"sym"}, base.symmetric);
    format.activation_order = own->boolean_or({"desc_act"}, base.activation_order);
    dynamic->adopt(*own);
    reader.assign(*dynamic, item.key(), worded({"re:", key}), format);
  }
  reader.fields.adopt(*dynamic);
}

/// Optimum's list of lists: when it is there, only the modules it names are quantised.
bool read_inside(SchemeReader& reader, const WeightFormat& format) {
  constexpr std::string_view key = "modules_in_block_to_quantize";
  const json::Value* lists = reader.fields.array(key);
  if (lists == nullptr || lists->empty()) {
    return false;
  }
  const auto read_name = [&](const json::Value& name) {
    if (name.is_string()) {
      reader.assign(reader.fields, key, name.get_ref<const std::string&>(), format);
    } else {
      reader.fields.fail("bad_value", key, worded({key, " must hold module names only."}));
    }
  };
  for (const json::Value& list : *lists) {
    if (list.is_array()) {
      std::for_each(list.begin(), list.end(), read_name);
    } else {
      read_name(list);
    }
  }
  return true;
}

}  // namespace

void read_gptq(SchemeReader& reader) {
  json::Fields& fields = reader.fields;
  if (!fields.has("bits")) {
    fields.fail("missing_field", "bits", "bits is missing: GPTQ's config always names it.");
  }
  WeightFormat format = make_format(Packing::gptq, SchemeReader::bits(fields, {"bits"}, 4));
  format.group_size = SchemeReader::group_size(fields, {"group_size"}, 128);
  format.symmetric = fields.boolean_or({"sym"}, true);
  format.activation_order = fields.boolean_or({"desc_act"}, false);
  if (fields.text({"checkpoint_format"}).value_or("") == "marlin_24") {
    format.packing = Packing::marlin_24;
  }
  const bool head = fields.boolean_or({"lm_head"}, false);
  const ModuleKinds lm_head = head ? kinds_of(ModuleKind::lm_head) : 0;
  reader.add(format, kDecoderLinear | lm_head);
  if (read_inside(reader, format)) {
    reader.scheme.groups.front().kinds = lm_head;
  }
  read_dynamic(reader, format);
  reader.ignore_all("modules_to_not_convert");
  reader.ignore_all("modules_in_block_to_not_quantize");
}

}  // namespace ridgepoint::precision
