#include "api/report.hpp"

#include <string_view>

#include "json/writer.hpp"

namespace ridgepoint::api {
namespace {

using json::Writer;

void strings(Writer& out, std::string_view name, const std::vector<std::string>& list) {
  out.key(name);
  out.begin_array();
  for (const std::string& text : list) {
    out.value(text);
  }
  out.end_array();
}

void parameter_parts(Writer& out, const model::ParameterCounts& counts) {
  out.key("parameters_by_part");
  out.begin_object();
  for (std::size_t i = 0; i < model::kParts; ++i) {
    if (counts.by_part[i] != 0) {
      out.key(model::part_name(static_cast<model::Part>(i)));
      out.begin_object();
      out.member("total", counts.by_part[i]);
      out.member("active", counts.active_by_part[i]);
      out.end_object();
    }
  }
  out.end_object();
}

/// What published totals may count besides the parameters, for they count what is stored.
void stored_besides(Writer& out, const model::ModelSpec& spec, const plan::Report& report) {
  const auto table = static_cast<std::size_t>(model::Part::embedding);
  out.key("may_also_store");
  out.begin_object();
  out.member("tied_lm_head", spec.lm_head && spec.tie_word_embeddings
                                 ? report.parameters.by_part[table]
                                 : std::uint64_t{0});
  out.member("quantization_scales", report.scale_parameters);
  out.member("packed_elements", report.packed_parameters);
  out.member("rotary_buffers", spec.rope.rotary_dim / 2 * spec.layers.size());
  out.end_object();
}

void model_part(Writer& out, const plan::Request& request, const plan::Report& report) {
  const model::ModelSpec& spec = request.model;
  const precision::WeightFormat format = spec.quantization.quantized()
                                             ? spec.quantization.groups.front().format
                                             : precision::WeightFormat{};
  out.key("model");
  out.begin_object();
  out.member("id", spec.id);
  out.member("attention", model::attention_label(spec));
  out.member("moe", spec.moe());
  out.member("layers", static_cast<std::uint64_t>(spec.layers.size()));
  out.member("parameters", report.parameters.total);
  out.member("active_parameters", report.parameters.active);
  out.member("mtp_parameters", report.parameters.mtp);
  out.member("checkpoint_bytes", report.checkpoint_bytes);
  out.member("weights_source", spec.weights_source);
  if (spec.stored_parameters) {
    out.member("stored_parameters", *spec.stored_parameters);
  }
  out.member("max_context", model::claimed_context(spec));
  const bool known = spec.confidence == model::Confidence::exact && spec.dtype_given;
  out.member("confidence", known ? "exact" : "assumed");
  out.member("architecture", spec.architecture);
  out.member("quantization", spec.quantization.method);
  out.member("weight_format", spec.stored_format.empty() ? precision::describe(format, spec.dtype)
                                                         : spec.stored_format);
  parameter_parts(out, report.parameters);
  stored_besides(out, spec, report);
  strings(out, "notes", spec.notes);
  out.end_object();
}

void engine_part(Writer& out, const plan::Request& request, const engine::MemoryPlan& memory) {
  out.key("gpu");
  out.begin_object();
  out.member("id", request.device.id);
  out.member("name", request.device.name);
  out.end_object();
  out.key("engine");
  out.begin_object();
  out.member("name", request.engine->name);
  out.member("version", memory.version);
  out.member("tensor_parallel_size", memory.parallelism.tensor);
  out.member("pipeline_parallel_size", memory.parallelism.pipeline);
  out.member("data_parallel_size", memory.parallelism.data);
  out.member("max_model_len", memory.max_model_len);
  out.member("max_num_seqs", memory.max_num_seqs);
  out.member("max_num_batched_tokens", memory.max_num_batched_tokens);
  out.end_object();
}

void memory_part(Writer& out, const engine::MemoryPlan& memory) {
  out.key("memory");
  out.begin_object();
  out.key("per_gpu");
  out.begin_object();
  out.member("total", memory.total_bytes);
  out.member("requested", memory.requested_bytes);
  write_estimate(out, "weights", memory.weights);
  write_estimate(out, "activation", memory.activation);
  write_estimate(out, "cuda_graphs", memory.cuda_graphs);
  write_estimate(out, "cuda_graphs_charged", memory.cuda_graphs_charged);
  write_estimate(out, "non_torch", memory.non_torch);
  write_estimate(out, "kv_pool", memory.kv_pool);
  out.end_object();
  out.key("weights_by_part");
  out.begin_object();
  for (const auto& [name, bytes] : memory.weights_by_part) {
    out.member(name, bytes);
  }
  out.end_object();
  out.key("pools");
  out.begin_array();
  for (const engine::Pool& pool : memory.pools) {
    out.begin_object();
    out.member("name", pool.name);
    write_estimate(out, "bytes", pool.bytes);
    out.member("slots", pool.slots);
    out.end_object();
  }
  out.end_array();
  out.member("host_bytes", memory.host_bytes);
  out.end_object();
}

void cache_part(Writer& out, const engine::MemoryPlan& memory) {
  out.key("cache");
  out.begin_object();
  out.member("bytes_per_token", memory.bytes_per_token);
  out.member("growing_bytes_per_token", memory.growing_bytes_per_token);
  out.member("state_bytes_per_request", memory.state_bytes_per_request);
  out.member("bytes_per_request", memory.bytes_per_request);
  out.member("block_tokens", memory.block_tokens);
  out.member("format", memory.kv_format == precision::KvFormat::model_dtype
                           ? precision::dtype_name(memory.dtype)
                           : precision::kv_format_name(memory.kv_format));
  write_estimate(out, "blocks", memory.blocks);
  write_estimate(out, "tokens", memory.tokens);
  out.end_object();
  out.key("capacity");
  out.begin_object();
  write_estimate(out, "max_concurrency", memory.max_concurrency);
  write_estimate(out, "max_requests", memory.max_requests);
  out.member("context", memory.context);
  out.member("max_context", memory.max_context);
  out.end_object();
}

void naive_part(Writer& out, const plan::Naive& naive) {
  out.key("naive");
  out.begin_object();
  out.member("fits", naive.fits);
  out.member("bytes_per_token", naive.bytes_per_token);
  out.member("max_requests", naive.max_requests);
  out.member("why", naive.why);
  out.end_object();
}

}  // namespace

void write_verdict(Writer& out, const plan::Report& report) {
  const engine::MemoryPlan& memory = report.memory;
  out.key("verdict");
  out.begin_object();
  out.member("serves", memory.limit == engine::Limit::none);
  out.member("limit", engine::limit_name(memory.limit));
  out.member("text", report.verdict_text);
  out.member("needed_bytes", memory.needed_bytes);
  out.member("available_bytes", memory.available_bytes);
  out.end_object();
}

void write_speed(Writer& out, const speed::ClosedForms& speed) {
  out.key("speed");
  if (!speed.known) {
    out.null();
    return;
  }
  out.begin_object();
  write_estimate(out, "ttft_s", speed.ttft_s);
  write_estimate(out, "tpot_s", speed.tpot_s);
  write_estimate(out, "decode_tokens_per_s", speed.decode_tokens_per_s);
  out.member("ridge_batch", speed.ridge_batch);
  out.member("mfu", speed.mfu);
  out.member("mbu", speed.mbu);
  out.member("dominant", speed.dominant);
  out.member("prompt_dominant", speed.prompt_dominant);
  out.end_object();
}

std::string write_report(const plan::Request& request, const plan::Report& report,
                         const std::string& id) {
  Writer out;
  out.begin_object();
  out.member("schema", std::uint64_t{1});
  out.member("id", id);
  model_part(out, request, report);
  engine_part(out, request, report.memory);
  write_verdict(out, report);
  memory_part(out, report.memory);
  cache_part(out, report.memory);
  naive_part(out, report.naive);
  write_speed(out, report.speed);
  write_reasons(out, report);
  strings(out, "assumptions", report.assumptions);
  out.end_object();
  return out.take();
}

std::string write_error(const Error& error, const std::string& id) {
  Writer out;
  out.begin_object();
  if (!id.empty()) {
    out.member("id", id);
  }
  out.key("error");
  out.begin_object();
  out.member("code", error.code);
  out.member("message", error.message);
  out.member("path", error.path);
  out.end_object();
  out.end_object();
  return out.take();
}

}  // namespace ridgepoint::api
