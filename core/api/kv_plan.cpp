#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "api/api.hpp"
#include "api/report.hpp"
#include "engine/vllm/planner.hpp"
#include "engine/vllm/version.hpp"
#include "json/fields.hpp"
#include "json/writer.hpp"

namespace ridgepoint::api {
namespace {

namespace vllm = engine::vllm;
using json::Fields;
using json::Range;
using vllm::CacheGroup;
using vllm::LayerCacheSpec;
using vllm::MambaMode;
using vllm::PlannerInput;
using vllm::SpecKind;
using vllm::Worker;

constexpr Range kBytes{0, 1ULL << 60U};
constexpr Range kTokens{0, 1ULL << 40U};
constexpr Range kSizes{1, 1ULL << 40U};
constexpr std::size_t kMostWorkers = 4096;
constexpr std::uint64_t kMostLayers = 100000;

struct KindName {
  std::string_view name;  ///< in a line
  SpecKind kind;
  std::string_view type;  ///< the engine's class
};

constexpr KindName kKinds[] = {
    {"full", SpecKind::full, "FullAttentionSpec"},
    {"sw", SpecKind::sliding, "SlidingWindowSpec"},
    {"chunk", SpecKind::chunked, "ChunkedLocalAttentionSpec"},
    {"mla", SpecKind::latent, "MLAAttentionSpec"},
    {"sw_mla", SpecKind::sliding_latent, "SlidingWindowMLASpec"},
    {"mamba", SpecKind::mamba, "MambaSpec"},
    {"cross", SpecKind::cross, "CrossAttentionSpec"},
};

std::string_view type_name(const CacheGroup& group) {
  if (group.uniform_type) {
    return "UniformTypeKVCacheSpecs";
  }
  for (const KindName& entry : kKinds) {
    if (entry.kind == group.kind) {
      return entry.type;
    }
  }
  return "";
}

/// Keys of a line; those of an answer may stand in it too, as a file of cases has both.
constexpr std::string_view kLineKeys[] = {
    "id",       "name",       "version",    "L",
    "R",        "mamba_mode", "hma",        "dcp",
    "auto_len", "workers",    "enc_tokens", "num_gpu_blocks_override",
    "out",      "error",      "msg",        "max_model_len"};
constexpr std::string_view kWorkerKeys[] = {"mem", "first", "layers"};
constexpr std::string_view kLayerKeys[] = {"n", "t", "B",     "kv",          "hd", "hdv",   "dt",
                                           "w", "c", "bytes", "page_padded", "s",  "stride"};

template <std::size_t N>
void refuse_unknown(Fields& fields, const std::string_view (&known)[N]) {
  for (const auto& item : fields.raw().items()) {
    if (std::find(std::begin(known), std::end(known), item.key()) == std::end(known)) {
      fields.fail("unknown_field", json::excerpt(item.key(), 80),
                  "\"" + json::excerpt(item.key(), 40) + "\" is no key of such a line.");
      return;
    }
  }
}

/// Reads one line; the first thing wrong is kept.
class LineReader {
 public:
  explicit LineReader(const json::Value& line) : line_(line, "") {}

  Result<PlannerInput> read() {
    refuse_unknown(line_, kLineKeys);
    input_.max_model_len = line_.require_whole({"L"}, {1, kTokens.most});
    input_.in_flight_tokens = line_.whole_or({"R"}, kTokens, 0);
    input_.decode_context_parallel = line_.whole_or({"dcp"}, {1, 1U << 20U}, 1);
    input_.encoder_tokens = line_.whole_or({"enc_tokens"}, kTokens, 0);
    input_.hybrid_manager = line_.boolean_or({"hma"}, true);
    input_.auto_length = line_.boolean_or({"auto_len"}, false);
    input_.num_gpu_blocks_override = line_.whole({"num_gpu_blocks_override"}, kSizes);
    read_mode();
    read_version();
    read_workers();
    if (line_.error()) {
      return *line_.error();
    }
    return std::move(input_);
  }

 private:
  void read_mode() {
    const std::string_view mode = line_.text({"mamba_mode"}).value_or("none");
    if (mode == "align") {
      input_.mamba_mode = MambaMode::align;
    } else if (mode == "all") {
      input_.mamba_mode = MambaMode::all;
    } else if (mode != "none") {
      line_.fail("bad_value", "mamba_mode", "mamba_mode is one of none, align and all.");
    }
  }

  void read_version() {
    const auto version = vllm::parse_version(line_.text({"version"}).value_or(""));
    if (version) {
      input_.rules = vllm::planner_rules(version.value());
      // Before 0.9.1 there was no manager of several kinds of cache.
      input_.hybrid_manager = input_.hybrid_manager && version->at_least(9, 1);
    } else {
      line_.fail(version.error().code, "version", version.error().message);
    }
  }

  void read_workers() {
    const json::Value* workers = line_.array("workers");
    if (line_.error()) {
      return;
    }
    if (workers == nullptr || workers->empty() || workers->size() > kMostWorkers) {
      line_.fail("bad_value", "workers",
                 "workers is a list of 1 to " + std::to_string(kMostWorkers) + " workers.");
      return;
    }
    for (std::size_t i = 0; i < workers->size() && !line_.error(); ++i) {
      read_worker((*workers)[i], "workers[" + std::to_string(i) + "]");
    }
  }

  void read_worker(const json::Value& value, const std::string& path) {
    if (!value.is_object()) {
      line_.fail("bad_value", path, "A worker is an object with mem and layers.");
      return;
    }
    Fields fields(value, path);
    refuse_unknown(fields, kWorkerKeys);
    Worker worker;
    worker.available_bytes = fields.require_whole({"mem"}, kBytes);
    worker.first_layer = fields.whole_or({"first"}, {0, kMostLayers}, 0);
    if (const json::Value* layers = fields.array("layers")) {
      for (std::size_t i = 0; i < layers->size() && !fields.error(); ++i) {
        read_layers((*layers)[i], path + ".layers[" + std::to_string(i) + "]", fields, worker);
      }
    }
    line_.adopt(fields);
    input_.workers.push_back(std::move(worker));
  }

  /// `n` layers of one kind.
  void read_layers(const json::Value& value, const std::string& path, Fields& outer,
                   Worker& worker) {
    if (!value.is_object()) {
      outer.fail("bad_value", "layers", path + " must be an object with t and B.");
      return;
    }
    Fields fields(value, path);
    refuse_unknown(fields, kLayerKeys);
    const std::uint64_t count = fields.whole_or({"n"}, {1, kMostLayers}, 1);
    const LayerCacheSpec cache = read_cache(fields);
    total_layers_ += count;
    if (total_layers_ > kMostLayers) {
      fields.fail("too_large", "n",
                  "A line describes at most " + std::to_string(kMostLayers) + " layers.");
    }
    outer.adopt(fields);
    if (!fields.error()) {
      worker.layers.insert(worker.layers.end(), static_cast<std::size_t>(count), cache);
    }
  }

  static LayerCacheSpec read_cache(Fields& fields) {
    LayerCacheSpec cache;
    const std::string_view name = fields.text({"t"}).value_or("");
    const KindName* kind = nullptr;
    for (const KindName& entry : kKinds) {
      kind = entry.name == name ? &entry : kind;
    }
    if (kind == nullptr) {
      fields.fail("bad_value", "t", "t is one of full, sw, chunk, mla, sw_mla, mamba and cross.");
      return cache;
    }
    cache.kind = kind->kind;
    const bool latent = cache.kind == SpecKind::latent || cache.kind == SpecKind::sliding_latent;
    cache.block_size = fields.require_whole({"B"}, kSizes);
    cache.kv_heads = fields.whole_or({"kv"}, {0, 1U << 24U}, 1);
    cache.head_dim = fields.whole_or({"hd"}, {0, 1U << 30U}, 0);
    cache.v_head_dim = latent ? 0 : fields.whole_or({"hdv"}, {0, 1U << 30U}, cache.head_dim);
    cache.dtype_bytes = fields.whole_or({"dt"}, {0, 16}, 0);
    cache.bytes_per_token =
        cache.kv_heads * (cache.head_dim + cache.v_head_dim) * cache.dtype_bytes;
    cache.window = fields.whole_or({"w", "c"}, kTokens, 0);
    cache.state_bytes = fields.whole_or({"bytes"}, kBytes, 0);
    cache.page_padded = fields.whole_or({"page_padded"}, kBytes, 0);
    cache.speculative_blocks = fields.whole_or({"s"}, {0, 1U << 20U}, 0);
    cache.strided = fields.boolean_or({"stride"}, false);
    if (cache.kind == SpecKind::mamba && cache.state_bytes == 0) {
      fields.fail("missing_field", "bytes", "A mamba layer needs the bytes of one state.");
    } else if (cache.kind != SpecKind::mamba && cache.bytes_per_token == 0 &&
               cache.page_padded == 0) {
      fields.fail("missing_field", "hd", "An attention layer needs hd and dt, both above zero.");
    }
    return cache;
  }

  Fields line_;
  PlannerInput input_;
  std::uint64_t total_layers_ = 0;
};

void echo_id(json::Writer& out, const json::Value& line) {
  const auto id = line.find("id");
  if (id != line.end() && id->is_string()) {
    out.member("id", json::excerpt(id->get_ref<const std::string&>(), 1000));
  }
}

void write_worker(json::Writer& out, const vllm::WorkerPlan& worker, const vllm::CachePlan& plan) {
  out.begin_object();
  out.member("num_blocks", worker.num_blocks);
  out.member("kv_bytes_allocated", worker.allocated_bytes);
  out.member("bytes_per_block", worker.bytes_per_block);
  out.key("groups");
  out.begin_array();
  for (const CacheGroup& group : worker.groups) {
    out.begin_object();
    out.member("n", group.layers);
    out.member("type", type_name(group));
    out.member("B", group.block_size);
    out.member("page", group.page_bytes);
    out.end_object();
  }
  out.end_array();
  out.key("concurrency");
  if (worker.groups.empty()) {
    out.null();
  } else {
    constexpr double kMillion = 1e6;
    out.value(std::nearbyint(plan.concurrency * kMillion) / kMillion);
  }
  out.member("tokens", plan.tokens);
  out.end_object();
}

std::string write_plan(const json::Value& line, const vllm::CachePlan& plan) {
  json::Writer out;
  out.begin_object();
  echo_id(out, line);
  out.key("out");
  out.begin_array();
  for (const vllm::WorkerPlan& worker : plan.workers) {
    write_worker(out, worker, plan);
  }
  out.end_array();
  out.member("max_model_len", plan.max_model_len);
  out.end_object();
  return out.take();
}

/// What the engine would raise. It names layers by their modules; here they are l.0, l.1 …
std::string write_refusal(const json::Value& line, const Error& error) {
  std::string message = error.message;
  constexpr std::string_view kLayer = "Layer ";
  if (message.starts_with(kLayer)) {
    message.insert(kLayer.size(), "l.");
  }
  json::Writer out;
  out.begin_object();
  echo_id(out, line);
  out.member("error", error.code == "unsupported_layout" ? "NotImplementedError" : "ValueError");
  out.member("msg", message);
  out.end_object();
  return out.take();
}

}  // namespace

std::string kv_plan(std::string_view text) {
  const auto line = json::parse(text, "");
  if (!line) {
    return write_error(line.error(), {});
  }
  if (!line->is_object()) {
    return write_error({"bad_request",
                        "A line must be a JSON object, and this is " +
                            std::string(json::kind_of(line.value())) + ".",
                        ""},
                       {});
  }
  const auto input = LineReader(line.value()).read();
  if (!input) {
    return write_error(input.error(), {});
  }
  const auto planned = vllm::plan_cache(input.value());
  return planned ? write_plan(line.value(), planned->plan)
                 : write_refusal(line.value(), planned.error());
}

}  // namespace ridgepoint::api
