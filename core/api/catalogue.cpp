#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "api/api.hpp"
#include "engine/engine.hpp"
#include "hardware/device.hpp"
#include "model/catalogue.hpp"

namespace ridgepoint::api {
namespace {

using Json = nlohmann::ordered_json;

Json split(std::string_view words, char separator) {
  Json list = Json::array();
  while (!words.empty()) {
    const std::size_t end = words.find(separator);
    const std::string_view word = words.substr(0, end);
    if (!word.empty()) {
      list.push_back(std::string(word));
    }
    words.remove_prefix(end == std::string_view::npos ? words.size() : end + 1);
  }
  return list;
}

Json gpu(const hardware::DeviceFacts& d) {
  return Json{{"id", d.id},
              {"name", d.name},
              {"vendor", d.vendor},
              {"architecture", d.architecture},
              {"marketing_gb", d.marketing_gb},
              {"total_bytes", d.total_bytes},
              {"total_is_measured", d.total_is_measured},
              {"driver_total_bytes", d.driver_total_bytes},
              {"bandwidth_bytes_per_s", d.bandwidth_bytes_per_s},
              {"fp16_flops", d.fp16_flops},
              {"bf16_flops", d.bf16_flops},
              {"fp8_flops", d.fp8_flops},
              {"link_bytes_per_s", d.link_bytes_per_s},
              {"unified_memory", d.unified_memory},
              {"total_source", d.total_source},
              {"aliases", split(d.aliases, ' ')}};
}

std::string_view type_name(engine::FlagType type) {
  switch (type) {
    case engine::FlagType::boolean:
      return "boolean";
    case engine::FlagType::integer:
      return "integer";
    case engine::FlagType::number:
      return "number";
    case engine::FlagType::text:
      return "text";
    case engine::FlagType::json:
      return "json";
  }
  return "";
}

std::string_view effect_name(engine::FlagEffect effect) {
  switch (effect) {
    case engine::FlagEffect::used:
      return "used";
    case engine::FlagEffect::no_effect:
      return "no_effect";
    case engine::FlagEffect::unmodelled:
      return "unmodelled";
  }
  return "";
}

Json flag(const engine::FlagFacts& f) {
  return Json{{"name", f.name},
              {"aliases", split(f.aliases, ' ')},
              {"type", type_name(f.type)},
              {"effect", effect_name(f.effect)},
              {"choices", split(f.choices, '|')},
              {"default", f.default_text},
              {"help", f.help}};
}

}  // namespace

std::string catalogue() {
  Json out;
  out["version"] = std::string(version());
  out["gpus"] = Json::array();
  for (const hardware::DeviceFacts& device : hardware::devices()) {
    out["gpus"].push_back(gpu(device));
  }
  out["models"] = Json::array();
  for (const model::ModelFacts& facts : model::catalogue()) {
    out["models"].push_back(Json{{"id", facts.id},
                                 {"parameters", facts.parameters == 0 ? Json(nullptr)
                                                                      : Json(facts.parameters)},
                                 {"source", facts.source}});
  }
  out["engines"] = Json::array();
  for (const engine::Engine& e : engine::engines()) {
    Json entry{{"name", e.name}, {"versions", Json::array()}, {"flags", Json::array()}};
    for (const std::string_view v : e.versions) {
      entry["versions"].push_back(v);
    }
    for (const engine::FlagFacts& f : e.flags()) {
      entry["flags"].push_back(flag(f));
    }
    out["engines"].push_back(std::move(entry));
  }
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace ridgepoint::api
