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

void erase_from(json::Value& request, const char* part, const char* member) {
  if (request.contains(part) && request[part].is_object()) {
    request[part].erase(member);
  }
}

void leave_out(const plan::Change& change, json::Value& request) {
  if (!change.engine_version.empty()) {
    object_at(request, "engine")["version"] = change.engine_version;
  }
  if (change.whole_card_free) {
    erase_from(request, "gpu", "free_bytes");
  }
  if (change.without_draft) {
    erase_from(request, "model", "draft");
  }
  if (change.without_adapters) {
    erase_from(request, "model", "adapters");
  }
  for (const std::string& term : change.unmeasured) {
    erase_from(request, "measured", term.c_str());
  }
  if (change.non_torch_bytes) {
    object_at(request, "measured")["non_torch_bytes"] = *change.non_torch_bytes;
  }
}

void write_nulls(json::Writer& out, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    out.key(name);
    out.null();
  }
}

void write_measured(json::Writer& out, const plan::Change& change) {
  if (change.unmeasured.empty() && !change.non_torch_bytes) {
    return;
  }
  out.key("measured");
  out.begin_object();
  write_nulls(out, change.unmeasured);
  if (change.non_torch_bytes) {
    out.member("non_torch_bytes", *change.non_torch_bytes);
  }
  out.end_object();
}

void write_model(json::Writer& out, const plan::Change& change) {
  if (!change.without_draft && !change.without_adapters) {
    return;
  }
  std::vector<std::string> names;
  if (change.without_draft) {
    names.emplace_back("draft");
  }
  if (change.without_adapters) {
    names.emplace_back("adapters");
  }
  out.key("model");
  out.begin_object();
  write_nulls(out, names);
  out.end_object();
}

void write_gpu(json::Writer& out, const plan::Change& change) {
  if (!change.gpu_id && !change.gpu_count && !change.whole_card_free) {
    return;
  }
  out.key("gpu");
  out.begin_object();
  if (change.gpu_id) {
    out.member("id", *change.gpu_id);
  }
  if (change.gpu_count) {
    out.member("count", *change.gpu_count);
  }
  if (change.whole_card_free) {
    out.key("free_bytes");
    out.null();
  }
  out.end_object();
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
  leave_out(change, request);
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
  write_gpu(out, change);
  if (!change.engine_version.empty()) {
    out.key("engine");
    out.begin_object();
    out.member("version", change.engine_version);
    out.end_object();
  }
  write_model(out, change);
  write_measured(out, change);
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
