#include "api/request.hpp"

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "api/weights_source.hpp"
#include "json/writer.hpp"
#include "model/read.hpp"
#include "model/tensors.hpp"
#include "wording.hpp"

namespace ridgepoint::api {
namespace {

constexpr json::Range kBytesRange{1, 1ULL << 60U};
constexpr json::Range kTokensRange{1, 1ULL << 40U};
constexpr json::Range kCountRange{1, 1U << 20U};

std::string text_of(const json::Value& value) {
  json::Writer writer;
  writer.value(value);
  return writer.take();
}

/// Reads the parts of one request; the first error ends it.
class RequestReader {
 public:
  explicit RequestReader(const json::Value& value) : value_(value), root_(value, "") {}

  Result<plan::Request> read() {
    if (!value_.is_object()) {
      return Error{
          "bad_request",
          worded({"A request must be a JSON object, and this is ", json::kind_of(value_), "."}),
          ""};
    }
    if (auto unknown = refuse_unknown_keys(
            value_, "", {"id", "model", "gpu", "engine", "workload", "measured"})) {
      return *std::move(unknown);
    }
    if (const json::Value* id = root_.find("id"); id != nullptr && !id->is_string()) {
      return Error{"bad_value", "id must be a string; it is echoed back.", "id"};
    }
    for (const auto step :
         {&RequestReader::read_model, &RequestReader::read_gpu, &RequestReader::read_engine,
          &RequestReader::read_workload, &RequestReader::read_measured}) {
      if (auto error = (this->*step)()) {
        return *std::move(error);
      }
    }
    return std::move(request_);
  }

 private:
  /// A member object, or an empty one when it is absent.
  Result<json::Fields> part(std::string_view key, std::initializer_list<std::string_view> known) {
    static const json::Value kEmpty = json::Value::object();
    auto object = root_.object(key);
    if (root_.error()) {
      return *root_.error();
    }
    json::Fields fields = object ? *object : json::Fields(kEmpty, std::string(key));
    if (auto unknown = refuse_unknown_keys(fields.raw(), key, known)) {
      return *std::move(unknown);
    }
    return fields;
  }

  Check read_model() {
    auto model = part(
        "model", {"id", "config", "quant_config", "weight_bytes", "tensors", "draft", "adapters"});
    if (!model) {
      return model.error();
    }
    auto spec = read_spec(model.value(), false);
    if (!spec) {
      return spec.error();
    }
    request_.model = std::move(spec.value());
    if (auto error = read_draft(model.value())) {
      return error;
    }
    return read_adapters(model.value());
  }

  static Result<model::ModelSpec> read_spec(json::Fields& fields, bool draft) {
    model::ModelRequest request;
    request.draft = draft;
    request.id = std::string(fields.text({"id"}).value_or(""));
    request.config = fields.find("config");
    request.quant_config = fields.find("quant_config");
    request.weight_bytes = fields.whole({"weight_bytes"}, kBytesRange);
    if (fields.error()) {
      return *fields.error();
    }
    return read_model_and_weights(std::move(request), fields.find("tensors"));
  }

  /// A draft is a model of its own; what is wrong with it is told at model.draft.
  Check read_draft(json::Fields& model) {
    auto fields = model.object("draft");
    if (model.error()) {
      return *model.error();
    }
    if (!fields) {
      return std::nullopt;
    }
    if (auto unknown =
            refuse_unknown_keys(fields->raw(), "model.draft",
                                {"id", "config", "quant_config", "weight_bytes", "tensors"})) {
      return unknown;
    }
    auto spec = read_spec(*fields, true);
    if (!spec) {
      Error error = spec.error();
      if (error.path.starts_with("model.") && !error.path.starts_with("model.draft")) {
        error.path.insert(std::string_view("model").size(), ".draft");
      }
      return error;
    }
    engine::Draft draft{std::move(spec.value()), {}};
    draft.tensors = model::tensors(draft.model);
    request_.draft = std::move(draft);
    return std::nullopt;
  }

  Check read_adapters(json::Fields& model) {
    const json::Value* list = model.find("adapters");
    if (list == nullptr || list->is_null()) {
      return std::nullopt;
    }
    constexpr std::size_t kMost = 4096;
    if (!list->is_array() || list->size() > kMost) {
      return Error{"bad_value",
                   worded({"model.adapters is a list of {\"name\", \"rank\"}, and this is ",
                           json::kind_of(*list), "."}),
                   "model.adapters"};
    }
    for (std::size_t i = 0; i < list->size(); ++i) {
      const std::string path = worded({"model.adapters[", i, "]"});
      const json::Value& entry = (*list)[i];
      if (!entry.is_object()) {
        return Error{"bad_value", worded({path, " must be an object with the adapter's rank."}),
                     path};
      }
      if (auto unknown = refuse_unknown_keys(entry, path, {"name", "rank"})) {
        return unknown;
      }
      json::Fields fields(entry, path);
      engine::Adapter adapter;
      adapter.name = std::string(fields.text({"name"}).value_or(""));
      const auto rank = fields.whole({"rank"}, {1, 4096});
      if (fields.error()) {
        return *fields.error();
      }
      if (!rank) {
        return Error{"missing_field", "An adapter needs its rank.", worded({path, ".rank"})};
      }
      adapter.rank = *rank;
      request_.adapters.push_back(std::move(adapter));
    }
    return std::nullopt;
  }

  Check read_gpu() {
    auto gpu = part("gpu", {"id", "count", "total_bytes", "free_bytes", "bandwidth", "flops"});
    if (!gpu) {
      return gpu.error();
    }
    json::Fields& fields = gpu.value();
    hardware::DeviceRequest request;
    request.id = std::string(fields.text({"id"}).value_or(""));
    request.total_bytes = fields.whole({"total_bytes"}, kBytesRange);
    request.free_bytes = fields.whole({"free_bytes"}, {0, kBytesRange.most});
    request.bandwidth_bytes_per_s = fields.number({"bandwidth"}, 1.0, 1e18);
    request.flops = fields.number({"flops"}, 1.0, 1e21);
    request_.gpu_count = fields.whole({"count"}, kCountRange);
    if (fields.error()) {
      return *fields.error();
    }
    auto device = hardware::make_device(request);
    if (!device) {
      return device.error();
    }
    request_.device = std::move(device.value());
    return std::nullopt;
  }

  Check read_engine() {
    auto engine = part("engine", {"name", "version", "args", "env"});
    if (!engine) {
      return engine.error();
    }
    json::Fields& fields = engine.value();
    const std::string name(fields.text({"name"}).value_or("vllm"));
    request_.engine_version = std::string(fields.text({"version"}).value_or(""));
    if (fields.error()) {
      return *fields.error();
    }
    request_.engine = engine::find_engine(name);
    if (request_.engine == nullptr) {
      std::string known;
      for (const engine::Engine& candidate : engine::engines()) {
        known += (known.empty() ? "" : ", ") + std::string(candidate.name);
      }
      return Error{"unknown_engine",
                   worded({"\"", json::excerpt(name, 40),
                           "\" is not an engine this version covers; it covers ", known, "."}),
                   "engine.name"};
    }
    if (!request_.engine->rules.here()) {
      return not_here(std::string(request_.engine->title), "engine.name");
    }
    if (auto error = read_args(fields)) {
      return error;
    }
    return read_env(fields);
  }

  Check read_args(json::Fields& engine) {
    auto args = engine.object("args");
    if (engine.error()) {
      return *engine.error();
    }
    if (!args) {
      return std::nullopt;
    }
    for (const auto& item : args->raw().items()) {
      const json::Value& value = item.value();
      engine::FlagValue flag{item.key(), false};
      if (value.is_null()) {
        continue;
      }
      if (value.is_boolean()) {
        flag.value = value.get<bool>();
      } else if (value.is_number_float()) {
        flag.value = value.get<double>();
      } else if (value.is_number_unsigned() && value.get<std::uint64_t>() > (1ULL << 62U)) {
        flag.value = static_cast<double>(value.get<std::uint64_t>());
      } else if (value.is_number()) {
        flag.value = value.get<std::int64_t>();
      } else if (value.is_string()) {
        flag.value = value.get<std::string>();
      } else {
        flag.value = text_of(value);  // JSON-valued flags are text on a command line too
      }
      request_.args.push_back(std::move(flag));
    }
    return std::nullopt;
  }

  Check read_env(json::Fields& engine) {
    auto env = engine.object("env");
    if (engine.error()) {
      return *engine.error();
    }
    if (!env) {
      return std::nullopt;
    }
    for (const auto& item : env->raw().items()) {
      const json::Value& value = item.value();
      if (value.is_null()) {
        continue;
      }
      request_.env.emplace_back(item.key(),
                                value.is_string() ? value.get<std::string>() : text_of(value));
    }
    return std::nullopt;
  }

  Check read_workload() {
    auto workload = part("workload", {"context", "prompt", "output", "concurrency"});
    if (!workload) {
      return workload.error();
    }
    json::Fields& fields = workload.value();
    request_.workload.context = fields.whole({"context"}, kTokensRange);
    request_.workload.prompt = fields.whole({"prompt"}, kTokensRange);
    request_.workload.output = fields.whole({"output"}, kTokensRange);
    request_.workload.concurrency = fields.whole({"concurrency"}, {1, 1ULL << 32U});
    if (fields.error()) {
      return *fields.error();
    }
    const std::uint64_t asked =
        request_.workload.prompt.value_or(0) + request_.workload.output.value_or(0);
    if (request_.workload.context && asked > *request_.workload.context) {
      return Error{"bad_value",
                   worded({"prompt and output are ", asked,
                           " tokens together, and context, which holds both, is ",
                           *request_.workload.context, "."}),
                   "workload.context"};
    }
    if (!request_.workload.context && request_.workload.prompt && request_.workload.output) {
      request_.workload.context = *request_.workload.prompt + *request_.workload.output;
    }
    return std::nullopt;
  }

  Check read_measured() {
    auto measured = part("measured", {"weights_bytes", "activation_bytes", "non_torch_bytes",
                                      "cuda_graphs_bytes", "kv_pool_bytes"});
    if (!measured) {
      return measured.error();
    }
    json::Fields& fields = measured.value();
    const json::Range range{0, kBytesRange.most};
    request_.measured.weights_bytes = fields.whole({"weights_bytes"}, range);
    request_.measured.activation_bytes = fields.whole({"activation_bytes"}, range);
    request_.measured.non_torch_bytes = fields.whole({"non_torch_bytes"}, range);
    request_.measured.cuda_graphs_bytes = fields.whole({"cuda_graphs_bytes"}, range);
    request_.measured.kv_pool_bytes = fields.whole({"kv_pool_bytes"}, range);
    for (const std::string_view key : {"weights_bytes", "activation_bytes", "non_torch_bytes",
                                       "cuda_graphs_bytes", "kv_pool_bytes"}) {
      const auto bytes = fields.whole({key}, range);
      if (bytes && *bytes > request_.device.total_bytes) {
        fields.fail("bad_value", key,
                    worded({key,
                            " is of one GPU and exceeds its memory; give the figure of "
                            "one GPU's log line in bytes."}));
      }
    }
    return fields.error();
  }

  const json::Value& value_;
  json::Fields root_;
  plan::Request request_;
};

}  // namespace

Check refuse_unknown_keys(const json::Value& object, std::string_view path,
                          std::initializer_list<std::string_view> known, std::string_view whole) {
  for (const auto& item : object.items()) {
    if (std::find(known.begin(), known.end(), item.key()) == known.end()) {
      std::string list;
      for (const std::string_view key : known) {
        list += (list.empty() ? "" : ", ") + std::string(key);
      }
      return Error{"unknown_field",
                   worded({"\"", json::excerpt(item.key(), 40), "\" is no field of ",
                           path.empty() ? whole : path, "; known: ", list, "."}),
                   path.empty() ? json::excerpt(item.key(), 80)
                                : worded({path, ".", json::excerpt(item.key(), 80)})};
    }
  }
  return std::nullopt;
}

Result<json::Value> read_query(std::string_view text, std::initializer_list<std::string_view> known,
                               std::string_view whole) {
  auto value = json::parse(text, "");
  if (!value) {
    return value;
  }
  if (!value->is_object()) {
    return Error{
        "bad_request",
        worded({whole, " must be a JSON object, and this is ", json::kind_of(value.value()), "."}),
        ""};
  }
  if (auto unknown = refuse_unknown_keys(value.value(), "", known, whole)) {
    return *std::move(unknown);
  }
  return value;
}

std::string id_of(const json::Value& query) {
  if (!query.is_object()) {
    return {};
  }
  const auto it = query.find("id");
  if (it == query.end() || !it->is_string()) {
    return {};
  }
  return json::excerpt(it->get_ref<const std::string&>(), 1000);
}

Result<plan::Request> read_request(const json::Value& request) {
  return RequestReader(request).read();
}

}  // namespace ridgepoint::api
