#include "model/catalogue.hpp"

#include <string>
#include <string_view>

#include "api/api.hpp"
#include "engine/engine.hpp"
#include "hardware/device.hpp"
#include "json/writer.hpp"

namespace ridgepoint::api {
namespace {

using json::Writer;

/// A list of words kept as one text in the tables.
void list(Writer& out, std::string_view name, std::string_view words, char separator) {
  out.key(name);
  out.begin_array();
  while (!words.empty()) {
    const std::size_t end = words.find(separator);
    const std::string_view word = words.substr(0, end);
    if (!word.empty()) {
      out.value(word);
    }
    words.remove_prefix(end == std::string_view::npos ? words.size() : end + 1);
  }
  out.end_array();
}

void gpu(Writer& out, const hardware::DeviceFacts& d) {
  out.begin_object();
  out.member("id", d.id);
  out.member("name", d.name);
  out.member("vendor", d.vendor);
  out.member("architecture", d.architecture);
  out.member("marketing_gb", d.marketing_gb);
  out.member("total_bytes", d.total_bytes);
  out.member("total_is_measured", d.total_is_measured);
  out.member("driver_total_bytes", d.driver_total_bytes);
  out.member("bandwidth_bytes_per_s", d.bandwidth_bytes_per_s);
  out.member("fp16_flops", d.fp16_flops);
  out.member("bf16_flops", d.bf16_flops);
  out.member("fp8_flops", d.fp8_flops);
  out.member("link_bytes_per_s", d.link_bytes_per_s);
  out.member("unified_memory", d.unified_memory);
  if (!d.total_source.empty()) {
    out.member("total_source", d.total_source);
  }
  list(out, "aliases", d.aliases, ' ');
  out.end_object();
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

void flag(Writer& out, const engine::FlagFacts& f) {
  out.begin_object();
  out.member("name", f.name);
  list(out, "aliases", f.aliases, ' ');
  out.member("type", type_name(f.type));
  out.member("effect", effect_name(f.effect));
  list(out, "choices", f.choices, '|');
  out.member("default", f.default_text);
  if (!f.help.empty()) {
    out.member("help", f.help);
  }
  out.end_object();
}

void engine_entry(Writer& out, const engine::Engine& e) {
  out.begin_object();
  out.member("name", e.name);
  out.key("versions");
  out.begin_array();
  for (const std::string_view v : e.versions) {
    out.value(v);
  }
  out.end_array();
  if (e.rules.here()) {
    out.key("flags");
    out.begin_array();
    for (const engine::FlagFacts& f : e.flags().flags) {
      flag(out, f);
    }
    out.end_array();
  }
  out.end_object();
}

}  // namespace

std::string catalogue() {
  Writer out;
  out.begin_object();
  out.member("version", version());
  out.key("gpus");
  out.begin_array();
  for (const hardware::DeviceFacts& device : hardware::devices()) {
    gpu(out, device);
  }
  out.end_array();
  out.key("models");
  out.begin_array();
  for (const model::ModelFacts& facts : model::catalogue()) {
    out.begin_object();
    out.member("id", facts.id);
    out.key("parameters");
    if (facts.parameters == 0) {
      out.null();
    } else {
      out.value(facts.parameters);
    }
    out.member("source", facts.source);
    out.end_object();
  }
  out.end_array();
  out.key("engines");
  out.begin_array();
  for (const engine::Engine& e : engine::engines()) {
    engine_entry(out, e);
  }
  out.end_array();
  out.end_object();
  return out.take();
}

}  // namespace ridgepoint::api
