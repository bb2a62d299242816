#include "api/log_request.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "api/log_names.hpp"
#include "api/request.hpp"
#include "plan/measured_causes.hpp"

namespace ridgepoint::api {
namespace {

constexpr int kMostTries = 40;

json::Value flag_value(const engine::FlagValue& flag) {
  return std::visit([](const auto& value) { return json::Value(value); }, flag.value);
}

json::Value shown_by(const engine::StartLog& log) {
  json::Value shown = json::Value::object();
  if (const std::string id = hub_id(log.model); !id.empty()) {
    shown["model"]["id"] = id;
  }
  json::Value gpu = json::Value::object();
  if (const auto* card = card_of_name(log.device, log.total_bytes)) {
    gpu["id"] = std::string(card->id);
  }
  if (log.total_bytes && *log.total_bytes != 0) {
    gpu["total_bytes"] = *log.total_bytes;
    if (log.engine->name == "vllm" && plan::held_by_others(log) != 0) {
      gpu["free_bytes"] = *log.free_bytes;
    }
  }
  if (log.gpu_count) {
    gpu["count"] = *log.gpu_count;
  }
  if (!gpu.empty()) {
    shown["gpu"] = std::move(gpu);
  }
  json::Value& engine = shown["engine"];
  engine["name"] = std::string(log.engine->name);
  if (!log.version.empty()) {
    engine["version"] = json::excerpt(log.version, 60);
  }
  engine["args"] = json::Value::object();
  for (const engine::FlagValue& flag : log.args) {
    engine["args"][flag.name] = flag_value(flag);
  }
  return shown;
}

const json::Value* member(const json::Value& object, const char* key) {
  if (!object.is_object()) {
    return nullptr;
  }
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

/// What was given wins; a member that is no object is left for the reader of requests to refuse.
json::Value merged(const json::Value& shown, const json::Value& given) {
  json::Value out = given.is_object() ? given : json::Value::object();
  out.erase("measured");
  if (member(out, "model") == nullptr && shown.contains("model")) {
    out["model"] = shown["model"];
  }
  for (const char* part : {"gpu", "engine"}) {
    const json::Value* known = member(shown, part);
    if (known == nullptr) {
      continue;
    }
    if (member(out, part) == nullptr) {
      out[part] = *known;
    } else if (out[part].is_object()) {
      const bool another_card = std::string_view(part) == "gpu" && out[part].contains("id");
      for (const auto& item : known->items()) {
        // The id that was given is the card's; what the log prints of its memory still holds.
        if (!(another_card && item.key() == "id") &&
            member(out[part], item.key().c_str()) == nullptr) {
          out[part][item.key()] = item.value();
        }
      }
    }
  }
  return out;
}

/// Whether the request itself has what an error is about, and not only the log.
bool was_given(const json::Value& given, const std::string& path) {
  const json::Value* at = &given;
  std::size_t begin = 0;
  for (int depth = 0; depth < 3 && begin < path.size(); ++depth) {
    const std::size_t end = depth == 2 ? path.size() : std::min(path.find('.', begin), path.size());
    at = member(*at, path.substr(begin, end - begin).c_str());
    if (at == nullptr) {
      return false;
    }
    begin = end + 1;
  }
  return true;
}

/// Leaves out what the log shows and the engine's rules refuse; false when there is no such thing.
bool drop_refused(json::Value& request, const Error& error, std::vector<std::string>& notes) {
  constexpr std::string_view kArgs = "engine.args.";
  if (error.path.starts_with(kArgs)) {
    json::Value* args = request["engine"].contains("args") ? &request["engine"]["args"] : nullptr;
    const std::string flag = error.path.substr(kArgs.size());
    if (args == nullptr || args->erase(flag) == 0) {
      return false;
    }
    notes.push_back("--" + flag + " of the log is left out of the request: " + error.message);
    return true;
  }
  if (error.path == "engine.version" && request["engine"].erase("version") != 0) {
    notes.push_back("The version that the log prints is left out of the request: " + error.message);
    return true;
  }
  if (error.path.starts_with("gpu.") && request.contains("gpu")) {
    const std::string key = error.path.substr(4);
    if (request["gpu"].erase(key) != 0) {
      notes.push_back("gpu." + key + " of the log is left out of the request: " + error.message);
      return true;
    }
  }
  return false;
}

}  // namespace

Result<LogRequest> request_of_log(const engine::StartLog& log, const json::Value& given) {
  LogRequest out;
  out.shown = shown_by(log);
  if (const json::Value* engine = member(given, "engine"); engine != nullptr) {
    const json::Value* name = member(*engine, "name");
    if (name != nullptr && name->is_string() &&
        engine::find_engine(name->get_ref<const std::string&>()) != log.engine) {
      return Error{"wrong_engine",
                   "The log is of " + std::string(log.engine->title) + " and the request of " +
                       json::excerpt(name->get_ref<const std::string&>(), 40) +
                       ". Give a request of the engine that wrote the log, or none.",
                   "request.engine.name"};
    }
  }
  json::Value request = merged(out.shown, given);
  for (int tries = 0; tries < kMostTries; ++tries) {
    auto typed = read_request(request);
    std::optional<Error> error;
    if (!typed) {
      error = typed.error();
    } else {
      auto report = plan::fit(typed.value());
      if (report) {
        out.request = std::move(request);
        out.typed = std::move(typed.value());
        out.report = std::move(report.value());
        return out;
      }
      error = report.error();
    }
    if (was_given(given, error->path)) {
      error->path = "request." + error->path;
      return *std::move(error);
    }
    if (!drop_refused(request, *error, out.notes)) {
      if (given.is_object() && error->code != "missing_field" && error->path.empty()) {
        return *std::move(error);
      }
      out.notes.push_back("The log alone is not enough for a prediction: " + error->message);
      return out;
    }
  }
  return out;
}

}  // namespace ridgepoint::api
