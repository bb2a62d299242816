#include "api/change.hpp"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace ridgepoint::api {
namespace {

json::Value flag_json(const engine::FlagValue& flag) {
  return std::visit([](const auto& value) { return json::Value(value); }, flag.value);
}

json::Value& object_at(json::Value& parent, const char* key) {
  json::Value& member = parent[key];
  if (!member.is_object()) {
    member = json::Value::object();
  }
  return member;
}

void drop_flag(json::Value& args, const engine::Engine& engine, const std::string& name) {
  std::vector<std::string> dropped;
  for (const auto& item : args.items()) {
    if (plan::same_flag(engine, item.key(), name)) {
      dropped.push_back(item.key());
    }
  }
  for (const std::string& key : dropped) {
    args.erase(key);
  }
}

json::Value parsed(const std::string& text) {
  const auto value = json::parse(text, "");
  return value ? value.value() : json::Value();
}

}  // namespace

json::Value apply_change(const plan::Change& change, const engine::Engine& engine,
                         json::Value request) {
  if (!change.set.empty() || !change.unset.empty()) {
    json::Value& args = object_at(object_at(request, "engine"), "args");
    for (const std::string& name : change.unset) {
      drop_flag(args, engine, name);
    }
    for (const engine::FlagValue& flag : change.set) {
      drop_flag(args, engine, flag.name);
      args[flag.name] = flag_json(flag);
    }
  }
  if (change.gpu_id) {
    // The numbers that were given belong to the other card.
    json::Value gpu = json::Value::object();
    if (request.contains("gpu") && request["gpu"].is_object() && request["gpu"].contains("count")) {
      gpu["count"] = request["gpu"]["count"];
    }
    gpu["id"] = *change.gpu_id;
    request["gpu"] = std::move(gpu);
  }
  if (change.gpu_count) {
    object_at(request, "gpu")["count"] = *change.gpu_count;
  }
  if (change.context) {
    json::Value& workload = object_at(request, "workload");
    workload["context"] = *change.context;
    workload.erase("prompt");
    workload.erase("output");
  }
  if (change.concurrency) {
    object_at(request, "workload")["concurrency"] = *change.concurrency;
  }
  if (!change.quant_config.empty()) {
    json::Value& model = object_at(request, "model");
    model["quant_config"] = parsed(change.quant_config);
    model.erase("weight_bytes");
    model.erase("tensors");
  }
  return request;
}

void write_change(json::Writer& out, const plan::Change& change) {
  out.begin_object();
  if (!change.set.empty()) {
    out.key("set");
    out.begin_object();
    for (const engine::FlagValue& flag : change.set) {
      out.member(flag.name, flag_json(flag));
    }
    out.end_object();
  }
  if (!change.unset.empty()) {
    out.key("unset");
    out.begin_array();
    for (const std::string& name : change.unset) {
      out.value(name);
    }
    out.end_array();
  }
  if (change.gpu_id || change.gpu_count) {
    out.key("gpu");
    out.begin_object();
    if (change.gpu_id) {
      out.member("id", *change.gpu_id);
    }
    if (change.gpu_count) {
      out.member("count", *change.gpu_count);
    }
    out.end_object();
  }
  if (change.context || change.concurrency) {
    out.key("workload");
    out.begin_object();
    if (change.context) {
      out.member("context", *change.context);
    }
    if (change.concurrency) {
      out.member("concurrency", *change.concurrency);
    }
    out.end_object();
  }
  if (!change.quant_config.empty()) {
    out.member("quant_config", parsed(change.quant_config));
  }
  out.end_object();
}

}  // namespace ridgepoint::api
