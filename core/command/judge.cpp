#include "command/judge.hpp"

#include <algorithm>
#include <cstddef>

#include "command/environment.hpp"
#include "engine/flag_reader.hpp"

namespace ridgepoint::command {
namespace {

bool name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Flags of llama.cpp that were switches and now take on, off or auto; bare, they switch on.
bool bare_means_on(const engine::Engine& engine, const engine::FlagFacts& facts) {
  return engine.name == "llamacpp" && (facts.name == "flash-attn" || facts.name == "fit");
}

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : (c == '-' ? '_' : c);
  }
  return out;
}

}  // namespace

bool is_secret(std::string_view name) {
  const std::string text = upper(name);
  for (const std::string_view end : {"TOKEN", "API_KEY", "SECRET", "PASSWORD", "ACCESS_KEY"}) {
    if (text == end || text.ends_with("_" + std::string(end)) ||
        (end == "SECRET" && text.find("SECRET") != std::string::npos)) {
      return true;
    }
  }
  return false;
}

std::string Judge::unresolved_in(std::string_view text) const {
  for (const std::string& name : unresolved_) {
    for (const std::string& form : {"$" + name, "${" + name}) {
      const std::size_t at = text.find(form);
      const std::size_t end = at == std::string_view::npos ? at : at + form.size();
      if (at != std::string_view::npos && (end == text.size() || !name_character(text[end]))) {
        return name;
      }
    }
  }
  return {};
}

std::string Judge::outside_version(const engine::FlagFacts& facts) const {
  const engine::FlagTable& table = engine_.flags();
  const bool early = facts.since != 0 && version_ < facts.since;
  const bool late = facts.until != 0 && version_ > facts.until;
  if (!early && !late) {
    return {};
  }
  return std::string(table.engine) + " " + table.version_text(version_) + " does not have it: it " +
         (early ? "came with " + table.version_text(facts.since)
                : "went after " + table.version_text(facts.until)) +
         ". Left out.";
}

ReadFlag Judge::flag(const GivenFlag& given, Value value, bool has_value) {
  ReadFlag out;
  out.flag = json::excerpt(given.written, 120);
  out.value = std::move(value);
  out.note = given.note;
  const auto say = [&](Use use, const std::string& note) {
    out.use = use;
    out.note += (out.note.empty() || note.empty() ? "" : " ") + note;
  };
  const engine::FlagTable& table = engine_.flags();
  if (given.facts == nullptr) {
    // Each unknown name is compared with every flag; a text of nothing else is not worth it.
    constexpr std::size_t kMostNear = 50;
    const std::string near =
        named_near_++ < kMostNear ? nearest_flags(table, given.name) : std::string();
    say(Use::unknown, std::string(table.engine) + " has no such flag that this version knows." +
                          (near.empty() ? "" : " Near: " + near + ".") + " Left out.");
    return out;
  }
  const engine::FlagFacts& facts = *given.facts;
  out.name = facts.name;
  if (is_secret(facts.name)) {
    out.value = {std::string("(hidden)"), false};
  }
  const bool harmless = facts.effect == engine::FlagEffect::no_effect && !version_said_;
  if (const std::string why = outside_version(facts); !why.empty() && !harmless) {
    say(Use::unknown, why + (version_said_ ? "" : " Say which version is meant."));
    return out;
  }
  if (facts.effect == engine::FlagEffect::no_effect) {
    say(Use::no_effect, std::string(facts.help));
    return out;
  }
  if (const auto* text = std::get_if<std::string>(&out.value.scalar)) {
    if (const std::string name = unresolved_in(*text); !name.empty()) {
      say(Use::unknown, "Its value is not in the text: $" + name + " is set nowhere. Left out.");
      return out;
    }
  }
  if (!has_value && facts.type != engine::FlagType::boolean && !bare_means_on(engine_, facts)) {
    say(Use::unknown, "It needs a value, and none follows. Left out.");
    return out;
  }
  const engine::FlagValue typed{out.name, out.value.scalar};
  if (facts.effect == engine::FlagEffect::unmodelled) {
    if (engine::switches_off(typed, false)) {
      say(Use::no_effect, "With this value it changes nothing.");
    } else {
      say(Use::unmodelled, std::string(facts.help) +
                               " It may change memory in a way that is not computed: left out.");
    }
    return out;
  }
  if (const std::string why = engine::value_refusal(facts, typed); !why.empty()) {
    say(Use::unknown, why + " Left out.");
    return out;
  }
  say(Use::used, {});
  return out;
}

ReadVariable Judge::variable(const std::string& name, const std::string& value) const {
  ReadVariable out{json::excerpt(name, 120), json::excerpt(value, 400), Use::unknown, {}};
  if (is_secret(name)) {
    out.value = "(hidden)";
  }
  const VariableFacts* facts = find_variable(name, engine_.name);
  if (facts == nullptr) {
    out.note = "It is not known to change " + std::string(engine_.title) + "'s memory. Left out.";
    return out;
  }
  out.use = facts->use;
  out.note = facts->note;
  if (const std::string missing = unresolved_in(value); !missing.empty() && out.use == Use::used) {
    out.use = Use::unknown;
    out.note = "Its value is not in the text: $" + missing + " is set nowhere. Left out.";
  } else if (out.use == Use::unmodelled && (value.empty() || value == "0" || value == "false")) {
    out.use = Use::no_effect;
    out.note = "With this value it changes nothing.";
  } else if (out.use == Use::unmodelled) {
    out.note += " It may change memory in a way that is not computed: left out.";
  }
  return out;
}

}  // namespace ridgepoint::command
