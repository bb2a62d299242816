#include "command/arguments.hpp"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "command/given_flags.hpp"
#include "command/judge.hpp"
#include "engine/trtllm/options.hpp"
#include "json/writer.hpp"

namespace ridgepoint::command {
namespace {

/// One flag out of all its places.
struct Merged {
  GivenFlag given;
  json::Value tree;
  bool has_value = false;
  std::size_t times = 0;
};

json::Value list_or_one(const std::vector<Value>& values) {
  if (values.size() == 1) {
    return tree_of(values[0]);
  }
  json::Value list = json::Value::array();
  for (const Value& value : values) {
    const json::Value tree = tree_of(value);
    if (tree.is_array()) {
      list.insert(list.end(), tree.begin(), tree.end());
    } else {
      list.push_back(tree);
    }
  }
  return list;
}

void put_member(json::Value& tree, const GivenFlag& given) {
  json::Value* at = &tree;
  for (const std::string& key : given.below) {
    if (!at->is_object()) {
      *at = json::Value::object();
    }
    at = &(*at)[key];
  }
  json::Value value = given.values.empty() ? json::Value(true) : list_or_one(given.values);
  if (!given.adds) {
    *at = std::move(value);
    return;
  }
  if (!at->is_array()) {
    *at = json::Value::array();
  }
  at->push_back(std::move(value));
}

bool adds_up(const GivenFlag& given) {
  return given.facts != nullptr && given.name == "override-tensor";
}

class Merger {
 public:
  explicit Merger(const ArgumentRules& rules) : rules_(rules) {}

  void take(GivenFlag given, bool from_file) {
    const auto [found, added] = places_.try_emplace(given.name, merged_.size());
    if (added) {
      merged_.push_back({});
    }
    Merged& merged = merged_[found->second];
    const bool replaces_file = !from_file && merged.times != 0 && from_file_;
    if (!given.below.empty()) {
      put_member(merged.tree, given);
      merged.has_value = true;
    } else if (adds_up(given) && merged.tree.is_string() && !given.values.empty()) {
      const auto& before = merged.tree.get_ref<const std::string&>();
      const json::Value more = list_or_one(given.values);
      if (more.is_string()) {
        merged.tree = before + "," + more.get_ref<const std::string&>();
      }
    } else {
      merged.has_value = !given.values.empty();
      merged.tree = merged.has_value ? list_or_one(given.values) : json::Value();
    }
    const bool repeated = given.below.empty() && !adds_up(given) && !from_file;
    merged.times = replaces_file ? 1 : merged.times + (repeated ? 1 : 0);
    merged.given = std::move(given);
  }

  /// The members of a YAML file, as flags.
  void take_file(const json::Value& file) {
    from_file_ = true;
    for (const auto& item : file.items()) {
      if (item.value().is_null() || merged_.size() > kMostFlags) {
        continue;
      }
      GivenFlag given = flag_of_file(item.key(), *rules_.engine);
      Value value = value_of(item.value());
      const auto* text = std::get_if<std::string>(&value.scalar);
      const bool types = given.facts != nullptr && text != nullptr && !value.structured;
      if (types && given.facts->type == engine::FlagType::boolean) {
        value = yes_or_no(*text);
      } else if (types) {
        value = typed_value(*text, given.facts->type);
      }
      given.values = {std::move(value)};
      take(std::move(given), true);
    }
  }

  std::vector<Merged> take_all() { return std::move(merged_); }

 private:
  /// Python's YAML takes more words for a switch than YAML 1.2 does.
  static Value yes_or_no(const std::string& text) {
    for (const std::string_view yes : {"yes", "Yes", "YES", "on", "On", "ON"}) {
      if (text == yes) {
        return {true, false};
      }
    }
    for (const std::string_view no : {"no", "No", "NO", "off", "Off", "OFF"}) {
      if (text == no) {
        return {false, false};
      }
    }
    return typed_value(text, engine::FlagType::boolean);
  }

  const ArgumentRules& rules_;
  std::vector<Merged> merged_;
  std::unordered_map<std::string, std::size_t> places_;
  bool from_file_ = false;
};

/// TensorRT-LLM's options are spread: members of kv_cache_config are flags of their own.
Result<std::vector<GivenFlag>> spread(std::vector<GivenFlag> given, const json::Value* file,
                                      const engine::Engine& engine) {
  std::vector<GivenFlag> out;
  const auto add = [&](const engine::FlagValue& option) -> Check {
    auto members = engine::trtllm::spread_options({option});
    if (!members) {
      return members.error();
    }
    for (const engine::FlagValue& member : *members) {
      GivenFlag flag = flag_of_file(member.name, engine);
      Value value;
      value.scalar = member.value;
      const auto* text = std::get_if<std::string>(&member.value);
      const bool opens = text != nullptr && (text->starts_with('{') || text->starts_with('['));
      const auto tree = opens ? json::parse(*text, "") : Result<json::Value>(json::Value());
      value.structured = tree && tree->is_structured();
      flag.values = {std::move(value)};
      out.push_back(std::move(flag));
    }
    return std::nullopt;
  };
  for (GivenFlag& flag : given) {
    const bool whole = flag.values.size() == 1 && flag.values[0].structured && flag.below.empty();
    if (!whole || add({flag.name, flag.values[0].scalar})) {
      out.push_back(std::move(flag));
    }
  }
  if (file != nullptr) {
    json::Writer writer;
    writer.value(*file);
    if (auto error = add({"extra-llm-api-options", writer.take()})) {
      return *std::move(error);
    }
  }
  return out;
}

}  // namespace

std::string_view use_name(Use use) {
  switch (use) {
    case Use::used:
      return "used";
    case Use::no_effect:
      return "no_effect";
    case Use::unmodelled:
      return "unmodelled";
    case Use::unknown:
      return "unknown";
  }
  return "";
}

const Value* Arguments::used(std::string_view name) const {
  for (const ReadFlag& flag : flags) {
    if (flag.use == Use::used && flag.name == name) {
      return &flag.value;
    }
  }
  return nullptr;
}

Result<Arguments> read_arguments(std::span<const std::string> words, const ArgumentRules& rules) {
  const bool names_model = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    for (const std::string_view flag : {"--model", "--model-path", "--model_path"}) {
      if (word.starts_with(flag) && (word.size() == flag.size() || word[flag.size()] == '=')) {
        return true;
      }
    }
    return false;
  });
  const bool file_names_model =
      rules.file != nullptr && (rules.file->contains("model") || rules.file->contains("model_tag"));
  const bool positional = rules.engine->name != "llamacpp" && rules.dialect == Dialect::serve;
  GivenFlags given = take_flags(words, *rules.engine, rules.dialect,
                                positional && !names_model && !file_names_model);
  Arguments out;
  out.words = std::move(given.words);
  Merger merger(rules);
  if (rules.engine->name == "trtllm") {
    auto all = spread(std::move(given.flags), rules.file, *rules.engine);
    if (!all) {
      return all.error();
    }
    given.flags = std::move(all.value());
  } else if (rules.file != nullptr) {
    merger.take_file(*rules.file);
  }
  if (given.flags.size() > kMostFlags) {
    return Error{"too_long", "The command has over 2,000 flags; no engine has as many.", "text"};
  }
  for (GivenFlag& flag : given.flags) {
    merger.take(std::move(flag), false);
  }
  Judge judge(*rules.engine, rules.version, rules.version_said, rules.unresolved);
  for (Merged& merged : merger.take_all()) {
    Value value = merged.has_value ? value_of(merged.tree) : Value{true, false};
    ReadFlag flag = judge.flag(merged.given, std::move(value), merged.has_value);
    if (merged.times > 1) {
      flag.note += (flag.note.empty() ? "" : " ") + std::string("It is there ") +
                   std::to_string(merged.times) + " times; the last counts.";
    }
    out.flags.push_back(std::move(flag));
  }
  return out;
}

}  // namespace ridgepoint::command
