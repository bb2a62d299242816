#include "engine/trtllm/options.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/trtllm/flags.hpp"
#include "json/fields.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::trtllm {
namespace {

constexpr std::size_t kDeepest = 4;
constexpr std::size_t kMostOptions = 2000;

bool same_letters(char a, char b) { return a == b || (a == '_' && b == '-'); }

/// Whether the table has options below this one: `name` of `name.member`.
bool has_members(const std::string& name) {
  const auto& table = flags().flags;
  return std::any_of(table.begin(), table.end(), [&](const FlagFacts& flag) {
    return flag.name.size() > name.size() && flag.name[name.size()] == '.' &&
           std::equal(name.begin(), name.end(), flag.name.begin(), same_letters);
  });
}

bool is_options_file(const std::string& name) {
  const FlagFacts* flag = find_flag(flags(), name);
  return flag != nullptr && flag->name == "extra-llm-api-options";
}

Error bad_object(const std::string& name, const std::string& why) {
  return Error{"bad_flag", worded({"--", json::excerpt(name, 60), " is no JSON object: ", why}),
               worded({"engine.args.", json::excerpt(name, 80)})};
}

FlagValue option_of(std::string name, const json::Value& value) {
  FlagValue flag{std::move(name), false};
  if (value.is_boolean()) {
    flag.value = value.get<bool>();
  } else if (value.is_number_float() ||
             (value.is_number_unsigned() && value.get<std::uint64_t>() > (1ULL << 62U))) {
    flag.value = value.get<double>();
  } else if (value.is_number()) {
    flag.value = value.get<std::int64_t>();
  } else if (value.is_string()) {
    flag.value = value.get<std::string>();
  } else {
    flag.value = value.dump(-1, ' ', false, json::Value::error_handler_t::replace);
  }
  return flag;
}

bool spread(const std::string& prefix, const json::Value& object, std::size_t depth,
            std::vector<FlagValue>& out) {
  if (depth > kDeepest || out.size() > kMostOptions) {
    return false;
  }
  for (const auto& item : object.items()) {
    const std::string name = prefix.empty() ? item.key() : worded({prefix, ".", item.key()});
    const bool switched_off = name == "cuda_graph_config" || name == "cuda-graph-config";
    if (item.value().is_null()) {
      // In a YAML file null means the default, but for graphs, which it switches off.
      if (switched_off) {
        out.push_back({name, std::string("null")});
      }
    } else if (item.value().is_object() && name == "pytorch_backend_config") {
      // Up to 0.19 the options of the PyTorch backend stood in a group.
      if (!spread(prefix, item.value(), depth + 1, out)) {
        return false;
      }
    } else if (item.value().is_object() && has_members(name)) {
      if (!spread(name, item.value(), depth + 1, out)) {
        return false;
      }
    } else {
      out.push_back(option_of(name, item.value()));
    }
  }
  return true;
}

}  // namespace

Result<std::vector<FlagValue>> spread_options(const std::vector<FlagValue>& args) {
  std::vector<FlagValue> out;
  for (const FlagValue& arg : args) {
    const auto* text = std::get_if<std::string>(&arg.value);
    const std::size_t first = text == nullptr ? std::string::npos : text->find_first_not_of(" \n");
    const bool object = first != std::string::npos && (*text)[first] == '{';
    const bool file = is_options_file(arg.name);
    if (!object || !(file || has_members(arg.name))) {
      out.push_back(arg);
      continue;
    }
    const auto parsed = json::parse(*text, worded({"engine.args.", json::excerpt(arg.name, 80)}));
    if (!parsed || !parsed->is_object()) {
      return bad_object(arg.name, parsed ? "it is a list." : parsed.error().message);
    }
    if (!spread(file ? std::string() : arg.name, *parsed, 1, out)) {
      return bad_object(arg.name, "it is nested too deep or too long.");
    }
  }
  return out;
}

}  // namespace ridgepoint::engine::trtllm
