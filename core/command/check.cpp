#include "command/check.hpp"

#include <algorithm>
#include <string_view>

#include "command/model_name.hpp"
#include "command/normal_args.hpp"
#include "command/read.hpp"
#include "json/fields.hpp"

namespace ridgepoint::command {
namespace {

using engine::FlagValue;

Error differs(const std::string& what) {
  return Error{"internal",
               "The command was written and does not read back as the same setup: " + what +
                   " Please report the request.",
               ""};
}

std::string shown(const FlagValue& flag) {
  return "--" + flag.name + " " + json::excerpt(value_word(flag), 60);
}

/// Flags that change nothing are listed by the reader and left out of its request; here they count.
std::vector<FlagValue> flags_of(const ReadCommand& read) {
  std::vector<FlagValue> all;
  for (const Argument& argument : read.args) {
    all.push_back({argument.name, argument.value.scalar});
  }
  for (const ReadFlag& flag : read.flags) {
    const bool listed = std::any_of(all.begin(), all.end(),
                                    [&](const FlagValue& f) { return f.name == flag.name; });
    // A file of options that is not in the text is named and not read.
    if (flag.use == Use::unmodelled && flag.name == "config" && read.engine->name == "trtllm") {
      all.push_back({"extra-llm-api-options", flag.value.scalar});
    }
    if (flag.use == Use::no_effect && !flag.name.empty() && !listed) {
      all.push_back({flag.name, flag.value.scalar});
    }
  }
  return all;
}

/// Flags that name the model are compared as such.
void leave_model_out(const engine::Engine& engine, std::vector<FlagValue>& args) {
  if (engine.name != "llamacpp") {
    args.erase(std::remove_if(
                   args.begin(), args.end(),
                   [](const FlagValue& f) { return f.name == "model" || f.name == "model-path"; }),
               args.end());
  }
}

Check compare_args(const std::vector<FlagValue>& wanted, std::vector<FlagValue>& found) {
  for (const FlagValue& flag : wanted) {
    const auto same = std::find_if(found.begin(), found.end(),
                                   [&](const FlagValue& f) { return f.name == flag.name; });
    if (same == found.end()) {
      return differs(shown(flag) + " is not found in it.");
    }
    if (is_secret(flag.name)) {
      same->value = flag.value;  // the reader does not tell it
    }
    if (same->value != flag.value) {
      return differs(shown(flag) + " reads as " + shown(*same) + ".");
    }
  }
  for (const FlagValue& flag : found) {
    const bool known = std::any_of(wanted.begin(), wanted.end(),
                                   [&](const FlagValue& f) { return f.name == flag.name; });
    if (!known) {
      return differs(shown(flag) + " is found in it.");
    }
  }
  return std::nullopt;
}

Check compare_env(const plan::Request& wanted, const ReadCommand& read) {
  for (const auto& [name, value] : wanted.env) {
    const auto found = std::find_if(read.variables.begin(), read.variables.end(),
                                    [&](const ReadVariable& v) { return v.name == name; });
    if (found == read.variables.end()) {
      return differs("the variable " + json::excerpt(name, 60) + " is not found in it.");
    }
    const bool same = is_secret(name) || found->value == json::excerpt(value, 400);
    if (!same) {
      return differs("the variable " + json::excerpt(name, 60) + " has another value.");
    }
  }
  for (const ReadVariable& variable : read.variables) {
    const bool known = std::any_of(wanted.env.begin(), wanted.env.end(),
                                   [&](const auto& e) { return e.first == variable.name; });
    if (!known && variable.use != Use::unknown && variable.use != Use::no_effect) {
      return differs("the variable " + json::excerpt(variable.name, 60) + " is found in it.");
    }
  }
  return std::nullopt;
}

}  // namespace

Check check_written(const WrittenCommand& written, ReportText report_of) {
  const plan::Request& wanted = written.request;
  Pasted pasted;
  pasted.text = written.text;
  pasted.engine = wanted.engine->name;
  pasted.version = wanted.engine_version;
  pasted.gpu_count = wanted.gpu_count;
  const auto read = read_command(pasted);
  if (!read) {
    return differs(read.error().message);
  }
  if (read->engine != wanted.engine) {
    return differs("it is for another engine.");
  }
  if (!written.model.empty() && read->model_id != read_model_name(written.model).id) {
    return differs("the model reads as " + json::excerpt(read->model_id, 80) + ".");
  }
  if (!written.version.empty() && read->version != written.version) {
    return differs("the image's version reads as " + json::excerpt(read->version, 40) + ".");
  }
  auto args = normal_args(*wanted.engine, flags_of(read.value()));
  if (!args) {
    return differs(args.error().message);
  }
  leave_model_out(*wanted.engine, args.value());
  if (auto error = compare_args(wanted.args, args.value())) {
    return error;
  }
  if (auto error = compare_env(wanted, read.value())) {
    return error;
  }
  plan::Request again = wanted;
  again.args = std::move(args.value());
  return report_of(again) == written.report ? std::nullopt
                                            : Check(differs("its estimate is another one."));
}

}  // namespace ridgepoint::command
