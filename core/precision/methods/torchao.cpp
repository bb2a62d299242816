#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "precision/methods/methods.hpp"
#include "wording.hpp"

namespace ridgepoint::precision {
namespace {

/// torchao's configurations: as a class, as the function of the same name, and in short.
struct Configuration {
  std::string_view class_name;
  std::string_view function;
  std::string_view brief;
  Packing packing;
  std::uint8_t bits;
};

constexpr Configuration kConfigurations[] = {
    {"Int4WeightOnlyConfig", "int4_weight_only", "int4wo", Packing::packed_group, 4},
    {"Int8WeightOnlyConfig", "int8_weight_only", "int8wo", Packing::int8_channel, 8},
    {"Int8DynamicActivationInt8WeightConfig", "int8_dynamic_activation_int8_weight", "int8dq",
     Packing::int8_channel, 8},
    {"Float8WeightOnlyConfig", "float8_weight_only", "float8wo", Packing::fp8_channel, 8},
    {"Float8DynamicActivationFloat8WeightConfig", "float8_dynamic_activation_float8_weight",
     "float8dq", Packing::fp8_tensor, 8},
    {"Float8StaticActivationFloat8WeightConfig", "float8_static_activation_float8_weight",
     "float8sq", Packing::fp8_tensor, 8},
};

void refuse(json::Fields& fields, std::string_view key, std::string_view name) {
  SchemeReader::refuse(fields, key,
                       worded({"torchao's \"", json::excerpt(name, 60),
                               "\" is not sized by this version. Known: int4wo, int8wo, int8dq, "
                               "float8wo, float8dq in torchao's longer names too."}));
}

/// `name` may end in the group size, "int4wo-128", as engines take it on the command line.
WeightFormat from_name(json::Fields& fields, std::string_view key, std::string_view name) {
  const std::string_view head = name.substr(0, name.find('-'));
  const auto* known = std::find_if(
      std::begin(kConfigurations), std::end(kConfigurations), [&](const Configuration& c) {
        return head == c.class_name || head == c.function || head == c.brief;
      });
  if (known == std::end(kConfigurations)) {
    refuse(fields, key, name);
    return {};
  }
  WeightFormat format = make_format(known->packing, known->bits);
  if (format.packing == Packing::packed_group) {
    format.group_size = 128;
    format.zero_bits = 16;
    const std::string_view tail = name.substr(head.size());
    for (const std::uint32_t size : {32U, 64U, 256U}) {
      if (tail == worded({"-", size})) {
        format.group_size = size;
      }
    }
  } else if (format.packing == Packing::int8_channel) {
    format.scale_bytes = 2;
  }
  return format;
}

/// Settings that change a size: the class form has them in _data, the name form beside.
void read_settings(json::Fields& data, WeightFormat& format) {
  if (format.packing == Packing::packed_group) {
    format.group_size = SchemeReader::group_size(data, {"group_size"}, format.group_size);
  }
  const json::Value* grain = data.find("granularity");
  if (grain != nullptr && format.packing == Packing::fp8_tensor) {
    if (grain->is_array() && !grain->empty()) {
      grain = &grain->front();
    }
    const auto type = grain->is_object() ? grain->find("_type") : grain->end();
    const bool by_row = grain->is_object() && type != grain->end() && type->is_string() &&
                        type->get_ref<const std::string&>() == "PerRow";
    format.packing = by_row ? Packing::fp8_channel : Packing::fp8_tensor;
  }
}

WeightFormat from_class(json::Fields& config) {
  const std::string name(config.text({"_type"}).value_or(""));
  WeightFormat format = from_name(config, "_type", name);
  if (auto data = config.object("_data")) {
    read_settings(*data, format);
    config.adopt(*data);
  }
  return format;
}

/// ModuleFqnToConfig: a configuration, or null for none, by module; "_default" is all others.
void by_module(SchemeReader& reader, json::Fields& map, ModuleKinds kinds) {
  if (map.has("_default")) {
    auto config = map.object("_default");
    if (config) {
      reader.add(from_class(*config), kinds);
      map.adopt(*config);
    }
  }
  for (const auto& item : map.raw().items()) {
    if (item.key() == "_default" || map.error()) {
      continue;
    }
    const bool expression = item.key().starts_with("re:");
    const std::string name = expression ? worded({"re:", item.key().substr(3)}) : item.key();
    if (item.value().is_null()) {
      reader.ignore(map, item.key(), name);
    } else if (auto config = map.object(item.key())) {
      const WeightFormat format = from_class(*config);
      map.adopt(*config);
      if (!map.error()) {
        reader.assign(map, item.key(), name, format);
      }
    }
  }
}

void read_class_form(SchemeReader& reader, json::Fields& type, ModuleKinds kinds) {
  auto config = type.object("default");
  if (!config) {
    type.fail("unsupported_quantization", "default",
              "torchao's quant_type has no \"default\" configuration. Give the exact checkpoint "
              "size as model.weight_bytes instead.");
    return;
  }
  const std::string_view name = config->text({"_type"}).value_or("");
  if (name == "ModuleFqnToConfig" || name == "FqnToConfig") {
    auto data = config->object("_data");
    for (const std::string_view key : {"module_fqn_to_config", "fqn_to_config"}) {
      auto map = data ? data->object(key) : std::nullopt;
      if (map) {
        by_module(reader, *map, kinds);
        data->adopt(*map);
      }
    }
    if (data) {
      config->adopt(*data);
    }
    if (!config->error() && reader.scheme.groups.empty()) {
      refuse(*config, "_data", name);
    }
  } else {
    reader.add(from_class(*config), kinds);
  }
  type.adopt(*config);
}

}  // namespace

void read_torchao(SchemeReader& reader) {
  json::Fields& fields = reader.fields;
  const bool vocabulary = fields.boolean_or({"include_input_output_embeddings"}, false);
  const ModuleKinds kinds =
      kAnyLinear | (vocabulary ? kinds_of(ModuleKind::embedding, ModuleKind::lm_head) : 0);
  const json::Value* type = fields.find("quant_type");
  if (type != nullptr && type->is_object()) {
    auto form = fields.object("quant_type");
    read_class_form(reader, *form, kinds);
    fields.adopt(*form);
  } else {
    const std::string name(fields.text({"quant_type"}).value_or(""));
    WeightFormat format = from_name(fields, "quant_type", name);
    if (auto settings = fields.object("quant_type_kwargs")) {
      read_settings(*settings, format);
      fields.adopt(*settings);
    }
    reader.add(format, kinds);
  }
  reader.ignore_all("modules_to_not_convert");
}

}  // namespace ridgepoint::precision
