#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "api/api.hpp"
#include "api/report.hpp"
#include "api/request.hpp"
#include "command/write.hpp"
#include "json/writer.hpp"
#include "plan/fit.hpp"

namespace ridgepoint::api {
namespace {

using command::Form;

std::string report_of(const plan::Request& request) {
  const auto report = plan::fit(request);
  return report ? write_report(request, report.value(), {}) : write_error(report.error(), {});
}

Result<Form> form_of(const json::Value& query) {
  const auto member = query.find("form");
  if (member == query.end() || member->is_null()) {
    return Form::shell;
  }
  if (member->is_string()) {
    for (const Form form : {Form::shell, Form::docker, Form::compose, Form::kubernetes}) {
      if (member->get_ref<const std::string&>() == command::form_name(form)) {
        return form;
      }
    }
  }
  return Error{"bad_value", "form is one of shell, docker, compose and kubernetes.", "form"};
}

std::string words(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) {
    text += (text.empty() ? "" : " ") + value;
  }
  return text;
}

/// The request as the command says it: the flags in their normal spelling and those that the
/// estimate took for granted.
json::Value said(const command::WrittenCommand& command, json::Value request) {
  json::Value args = json::Value::object();
  for (const engine::FlagValue& flag : command.request.args) {
    args[flag.name] = std::visit([](const auto& value) { return json::Value(value); }, flag.value);
  }
  json::Value env = json::Value::object();
  for (const auto& [name, value] : command.request.env) {
    env[name] = value;
  }
  json::Value& engine = request["engine"];
  if (!engine.is_object()) {
    engine = json::Value::object();
  }
  engine["name"] = std::string(command.request.engine->name);
  engine["version"] = command.request.engine_version;
  engine["args"] = std::move(args);
  engine["env"] = std::move(env);
  return request;
}

std::string answer(const command::WrittenCommand& command, const json::Value& request, Form form,
                   const std::string& id) {
  json::Writer out;
  out.begin_object();
  if (!id.empty()) {
    out.member("id", id);
  }
  out.member("kind", "command_text");
  out.member("form", command::form_name(form));
  out.member("text", command.text);
  out.key("flags");
  out.begin_array();
  for (const command::Written& flag : command.flags) {
    out.begin_object();
    out.member("flag", flag.flag);
    out.member("value", words(flag.values));
    out.member("why", flag.why);
    out.end_object();
  }
  out.end_array();
  out.key("notes");
  out.begin_array();
  for (const std::string& note : command.notes) {
    out.value(note);
  }
  out.end_array();
  out.member("request", said(command, request));
  out.member("checked", true);
  out.end_object();
  return out.take();
}

}  // namespace

std::string write_command(std::string_view query_text) {
  const auto query = read_query(query_text, {"id", "request", "form"}, "a query");
  if (!query) {
    return write_error(query.error(), {});
  }
  const std::string id = id_of(query.value());
  const auto form = form_of(query.value());
  if (!form) {
    return write_error(form.error(), id);
  }
  const auto member = query->find("request");
  if (member == query->end() || !member->is_object()) {
    return write_error({"missing_field", "A command is written of a request.", "request"}, id);
  }
  const auto request = read_request(*member);
  if (!request) {
    return write_error(request.error(), id);
  }
  const auto command = command::write_command(request.value(), form.value(), report_of);
  if (!command) {
    return write_error(command.error(), id);
  }
  return answer(command.value(), *member, form.value(), id);
}

}  // namespace ridgepoint::api
