#include <nlohmann/json.hpp>
#include <string>

#include "api/api.hpp"
#include "api/command_request.hpp"
#include "api/report.hpp"
#include "api/request.hpp"
#include "command/read.hpp"
#include "json/writer.hpp"

namespace ridgepoint::api {
namespace {

constexpr std::string_view kWhole = "a query of read_command";

struct Query {
  command::Pasted pasted;
  std::string text;
  std::string engine;
  std::string version;
};

/// `engine` is a name, or {"name", "version"}.
Check read_engine(const json::Value& value, Query& query) {
  const auto found = value.find("engine");
  if (found == value.end() || found->is_null()) {
    return std::nullopt;
  }
  if (found->is_string()) {
    query.engine = found->get<std::string>();
  } else if (found->is_object()) {
    json::Fields fields(*found, "engine");
    query.engine = std::string(fields.text({"name"}).value_or(""));
    query.version = std::string(fields.text({"version"}).value_or(""));
    if (fields.error()) {
      return *fields.error();
    }
  } else {
    return Error{"bad_value", "engine must be the engine's name.", "engine"};
  }
  if (!query.engine.empty() && engine::find_engine(query.engine) == nullptr) {
    return Error{"unknown_engine",
                 "\"" + json::excerpt(query.engine, 40) +
                     "\" is not an engine this version covers; it covers vllm, sglang, trtllm and "
                     "llamacpp.",
                 "engine"};
  }
  if (const auto* known = engine::find_engine(query.engine)) {
    query.engine = known->name;
  }
  return std::nullopt;
}

Check read_files(const json::Value& value, Query& query) {
  const auto found = value.find("files");
  if (found == value.end() || found->is_null()) {
    return std::nullopt;
  }
  if (!found->is_object()) {
    return Error{"bad_value", "files must be an object: the text of each file by its name.",
                 "files"};
  }
  for (const auto& item : found->items()) {
    if (!item.value().is_string()) {
      return Error{"bad_value", "The text of a file must be a string.",
                   "files." + json::excerpt(item.key(), 80)};
    }
    query.pasted.files.emplace_back(item.key(), item.value().get<std::string>());
  }
  return std::nullopt;
}

Result<Query> read_pasted(const json::Value& value) {
  Query query;
  json::Fields fields(value, "");
  const auto text = fields.text({"text"});
  if (fields.error()) {
    return *fields.error();
  }
  if (!text) {
    return Error{"missing_field", "text is missing: paste a command, a compose file or a manifest.",
                 "text"};
  }
  query.text = std::string(*text);
  if (auto error = read_engine(value, query)) {
    return *std::move(error);
  }
  if (auto error = read_files(value, query)) {
    return *std::move(error);
  }
  if (auto gpu = fields.object("gpu")) {
    query.pasted.gpu_count = gpu->whole({"count"}, {1, 1U << 20U});
    fields.adopt(*gpu);
  }
  for (const char* key : {"workload", "model"}) {
    (void)fields.object(key);
  }
  if (fields.error()) {
    return *fields.error();
  }
  return query;
}

}  // namespace

std::string read_command(std::string_view text) {
  auto value =
      read_query(text, {"id", "text", "engine", "gpu", "workload", "model", "files"}, kWhole);
  if (!value) {
    return write_error(value.error(), {});
  }
  const std::string id = id_of(value.value());
  auto query = read_pasted(value.value());
  if (!query) {
    return write_error(query.error(), id);
  }
  command::Pasted& pasted = query.value().pasted;
  pasted.text = query->text;
  pasted.engine = query->engine;
  pasted.version = query->version;
  auto read = command::read_command(pasted);
  if (!read) {
    return write_error(read.error(), id);
  }
  const json::Value request = command_request(read.value(), value.value());
  return write_command_answer(read.value(), request, id);
}

}  // namespace ridgepoint::api
