#include "api/command_request.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "api/request.hpp"
#include "json/writer.hpp"
#include "model/catalogue.hpp"
#include "plan/change.hpp"

namespace ridgepoint::api {
namespace {

json::Value object_of(const json::Value& query, const char* key) {
  const auto found = query.find(key);
  return found != query.end() && found->is_object() ? *found : json::Value::object();
}

json::Value build(const command::ReadCommand& read, const json::Value& query) {
  json::Value request = json::Value::object();
  json::Value model = object_of(query, "model");
  if (!read.model_id.empty() && !model.contains("id")) {
    model["id"] = read.model_id;
  }
  if (!read.draft_id.empty() && !model.contains("draft")) {
    model["draft"] = {{"id", read.draft_id}};
  }
  request["model"] = std::move(model);
  json::Value gpu = object_of(query, "gpu");
  if (!read.gpu_id.empty() && !gpu.contains("id") && !gpu.contains("total_bytes")) {
    gpu["id"] = read.gpu_id;
  }
  if (read.gpu_count) {
    gpu["count"] = *read.gpu_count;
  }
  request["gpu"] = std::move(gpu);
  json::Value engine = json::Value::object();
  engine["name"] = std::string(read.engine->name);
  if (!read.version.empty()) {
    engine["version"] = read.version;
  }
  json::Value args = json::Value::object();
  for (const command::Argument& argument : read.args) {
    args[argument.name] = tree_of(argument.value);
  }
  engine["args"] = std::move(args);
  if (!read.env.empty()) {
    json::Value env = json::Value::object();
    for (const command::Assignment& made : read.env) {
      env[made.name] = made.value;
    }
    engine["env"] = std::move(env);
  }
  request["engine"] = std::move(engine);
  if (json::Value workload = object_of(query, "workload"); !workload.empty()) {
    request["workload"] = std::move(workload);
  }
  return request;
}

/// Whether all that an estimate needs is there, so that a refusal is the flags' own.
bool can_try(const json::Value& request) {
  const auto at_hand = [](const json::Value& model) {
    const auto id = model.find("id");
    const bool known = id != model.end() && id->is_string() &&
                       model::find_model(id->get_ref<const std::string&>()) != nullptr;
    return known || model.contains("config") || model.contains("tensors");
  };
  const json::Value& model = request["model"];
  return at_hand(model) && (!model.contains("draft") || at_hand(model["draft"]));
}

/// Takes out what an error is about; false when it is about nothing that can be left out.
bool leave_out(const Error& error, command::ReadCommand& read) {
  // What an engine itself would refuse (bad_flag) stays: the answer is that it does not start.
  if (error.code != "unmodelled_flag" && error.code != "unmodelled_env" &&
      error.code != "unknown_flag") {
    return false;
  }
  constexpr std::string_view kArgs = "engine.args.";
  constexpr std::string_view kEnv = "engine.env.";
  const auto use = error.code == "unknown_flag" ? command::Use::unknown : command::Use::unmodelled;
  if (error.path.starts_with(kArgs)) {
    const std::string name = error.path.substr(kArgs.size());
    const auto same = [&](const std::string& other) {
      return plan::same_flag(*read.engine, other, name) || name.starts_with(other + ".");
    };
    const auto gone = std::find_if(read.args.begin(), read.args.end(),
                                   [&](const command::Argument& a) { return same(a.name); });
    if (gone == read.args.end()) {
      return false;
    }
    for (command::ReadFlag& flag : read.flags) {
      if (flag.name == gone->name) {
        flag.use = use;
        flag.note = error.message + " Left out.";
      }
    }
    read.args.erase(gone);
    return true;
  }
  if (error.path.starts_with(kEnv)) {
    const std::string name = error.path.substr(kEnv.size());
    const auto gone = std::find_if(read.env.begin(), read.env.end(),
                                   [&](const command::Assignment& a) { return a.name == name; });
    if (gone == read.env.end()) {
      return false;
    }
    for (command::ReadVariable& variable : read.variables) {
      if (variable.name == name) {
        variable.use = use;
        variable.note = error.message + " Left out.";
      }
    }
    read.env.erase(gone);
    return true;
  }
  return false;
}

}  // namespace

json::Value command_request(command::ReadCommand& read, const json::Value& query) {
  json::Value request = build(read, query);
  if (!can_try(request)) {
    return request;
  }
  constexpr std::size_t kMostTries = 24;
  for (std::size_t i = 0; i < kMostTries; ++i) {
    json::Value tried = request;
    if (!tried["gpu"].contains("id") && !tried["gpu"].contains("total_bytes")) {
      tried["gpu"]["id"] = read.engine->name == "llamacpp" ? "rtx-4090" : "h100";
    }
    auto typed = read_request(tried);
    if (!typed) {
      break;
    }
    const auto report = plan::fit(typed.value());
    if (report || !leave_out(report.error(), read)) {
      break;
    }
    request = build(read, query);
  }
  return request;
}

std::string write_command_answer(const command::ReadCommand& read, const json::Value& request,
                                 const std::string& id) {
  json::Writer out;
  out.begin_object();
  out.member("id", id);
  out.member("kind", "command");
  out.member("form", command::form_name(read.form));
  out.member("request", request);
  out.key("flags");
  out.begin_array();
  for (const command::ReadFlag& flag : read.flags) {
    out.begin_object();
    out.member("flag", flag.flag);
    out.member("value", tree_of(flag.value));
    out.member("use", use_name(flag.use));
    out.member("name", flag.name);
    out.member("note", flag.note);
    out.end_object();
  }
  out.end_array();
  out.key("env");
  out.begin_array();
  for (const command::ReadVariable& variable : read.variables) {
    out.begin_object();
    out.member("name", variable.name);
    out.member("value", variable.value);
    out.member("use", use_name(variable.use));
    out.member("note", variable.note);
    out.end_object();
  }
  out.end_array();
  out.key("notes");
  out.begin_array();
  for (const std::string& note : read.notes) {
    out.value(note);
  }
  out.end_array();
  out.end_object();
  return out.take();
}

}  // namespace ridgepoint::api
