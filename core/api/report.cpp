#include "api/report.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace ridgepoint::api {
namespace {

/// Keys keep the contract's order, for people who read the text.
using Json = nlohmann::ordered_json;

template <typename T>
Json estimate(const Estimate<T>& e) {
  return Json{{"low", e.low},
              {"best", e.best},
              {"high", e.high},
              {"basis", std::string(basis_name(e.basis))},
              {"starts", e.starts}};
}

Json model_part(const plan::Request& request, const plan::Report& report) {
  const model::ModelSpec& spec = request.model;
  Json out;
  out["id"] = spec.id;
  out["attention"] = std::string(model::attention_label(spec));
  out["moe"] = spec.moe();
  out["layers"] = spec.layers.size();
  out["parameters"] = report.parameters.total;
  out["active_parameters"] = report.parameters.active;
  out["mtp_parameters"] = report.parameters.mtp;
  out["checkpoint_bytes"] = report.checkpoint_bytes;
  out["max_context"] = model::claimed_context(spec);
  out["confidence"] = spec.dtype_given && !spec.architecture.empty() ? "exact" : "assumed";
  out["architecture"] = spec.architecture;
  out["quantization"] = spec.quantization.method.empty() ? Json(nullptr)
                                                         : Json(spec.quantization.method);
  out["weight_format"] = precision::describe(
      spec.quantization.quantized() ? spec.quantization.groups.front().format
                                    : precision::WeightFormat{},
      spec.dtype);
  out["notes"] = spec.notes;
  return out;
}

Json memory_part(const engine::MemoryPlan& memory) {
  Json gpu;
  gpu["total"] = memory.total_bytes;
  gpu["requested"] = memory.requested_bytes ? Json(*memory.requested_bytes) : Json(nullptr);
  gpu["weights"] = estimate(memory.weights);
  gpu["activation"] = estimate(memory.activation);
  gpu["cuda_graphs"] = estimate(memory.cuda_graphs);
  gpu["cuda_graphs_charged"] = estimate(memory.cuda_graphs_charged);
  gpu["non_torch"] = estimate(memory.non_torch);
  gpu["kv_pool"] = estimate(memory.kv_pool);
  Json parts = Json::object();
  for (const auto& [name, bytes] : memory.weights_by_part) {
    parts[std::string(name)] = bytes;
  }
  return Json{{"per_gpu", std::move(gpu)}, {"weights_by_part", std::move(parts)}};
}

Json cache_part(const engine::MemoryPlan& memory) {
  Json out;
  out["bytes_per_token"] = memory.bytes_per_token;
  out["growing_bytes_per_token"] = memory.growing_bytes_per_token;
  out["state_bytes_per_request"] = memory.state_bytes_per_request;
  out["bytes_per_request"] = memory.bytes_per_request;
  out["block_tokens"] = memory.block_tokens;
  out["format"] = memory.kv_format == precision::KvFormat::model_dtype
                      ? std::string(precision::dtype_name(memory.dtype))
                      : std::string(precision::kv_format_name(memory.kv_format));
  out["blocks"] = estimate(memory.blocks);
  out["tokens"] = estimate(memory.tokens);
  return out;
}

Json engine_part(const plan::Request& request, const engine::MemoryPlan& memory) {
  Json out;
  out["name"] = std::string(request.engine->name);
  out["version"] = memory.version;
  out["tensor_parallel_size"] = memory.parallelism.tensor;
  out["pipeline_parallel_size"] = memory.parallelism.pipeline;
  out["data_parallel_size"] = memory.parallelism.data;
  out["max_model_len"] = memory.max_model_len;
  out["max_num_seqs"] = memory.max_num_seqs;
  out["max_num_batched_tokens"] = memory.max_num_batched_tokens;
  return out;
}

Json speed_part(const speed::Speed& speed) {
  if (!speed.known) {
    return nullptr;
  }
  return Json{{"ttft_s", estimate(speed.ttft_s)},
              {"tpot_s", estimate(speed.tpot_s)},
              {"decode_tokens_per_s", estimate(speed.decode_tokens_per_s)},
              {"ridge_batch", speed.ridge_batch}};
}

Json explain_part(const std::vector<engine::Step>& steps) {
  Json out = Json::array();
  for (const engine::Step& step : steps) {
    const bool whole = step.unit != "seconds" && step.unit != "requests";
    out.push_back(Json{{"term", step.term},
                       {"formula", step.formula},
                       {"with_numbers", step.with_numbers},
                       {"value", whole ? Json(static_cast<std::uint64_t>(step.value))
                                       : Json(step.value)},
                       {"unit", std::string(step.unit)},
                       {"source", step.source}});
  }
  return out;
}

std::string text_of(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string write_report(const plan::Request& request, const plan::Report& report,
                         const std::string& id) {
  const engine::MemoryPlan& memory = report.memory;
  Json out;
  out["schema"] = 1;
  out["id"] = id;
  out["model"] = model_part(request, report);
  out["gpu"] = Json{{"id", request.device.id}, {"name", request.device.name}};
  out["engine"] = engine_part(request, memory);
  out["verdict"] = Json{{"serves", memory.limit == engine::Limit::none},
                        {"limit", std::string(engine::limit_name(memory.limit))},
                        {"text", report.verdict_text},
                        {"needed_bytes", memory.needed_bytes},
                        {"available_bytes", memory.available_bytes}};
  out["memory"] = memory_part(memory);
  out["cache"] = cache_part(memory);
  out["capacity"] = Json{{"max_concurrency", estimate(memory.max_concurrency)},
                         {"max_requests", estimate(memory.max_requests)},
                         {"context", memory.context},
                         {"max_context", memory.max_context}};
  out["naive"] = Json{{"fits", report.naive.fits},
                      {"bytes_per_token", report.naive.bytes_per_token},
                      {"max_requests", report.naive.max_requests},
                      {"why", report.naive.why}};
  out["speed"] = speed_part(report.speed);
  out["advice"] = Json::array();
  for (const plan::Advice& advice : report.advice) {
    out["advice"].push_back(Json{{"change", advice.change}, {"effect", advice.effect}});
  }
  out["explain"] = explain_part(report.explain);
  out["assumptions"] = report.assumptions;
  return text_of(out);
}

std::string write_error(const Error& error, const std::string& id) {
  Json out;
  if (!id.empty()) {
    out["id"] = id;
  }
  out["error"] = Json{{"code", error.code}, {"message", error.message}, {"path", error.path}};
  return text_of(out);
}

}  // namespace ridgepoint::api
