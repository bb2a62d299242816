#include "plan/change.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "json/fields.hpp"
#include "precision/quantization.hpp"

namespace ridgepoint::plan {
namespace {

Check requantize(model::ModelSpec& model, const std::string& quant_config) {
  const std::string path = "model.quant_config";
  if (model.quantization.quantized() || !model.stored_tensors.empty()) {
    return Error{"already_quantized",
                 "The checkpoint is quantised already; another format is another checkpoint.",
                 path};
  }
  const auto parsed = json::parse(quant_config, path);
  if (!parsed) {
    return parsed.error();
  }
  auto quantization = precision::read_quantization(*parsed, path);
  if (!quantization) {
    return quantization.error();
  }
  model.quantization = std::move(quantization.value());
  // What the files of the 16-bit checkpoint say does not hold for the other one.
  model.checkpoint_bytes.reset();
  model.stored_parameters.reset();
  model.stored_format.clear();
  model.weights_source = "config";
  return std::nullopt;
}

/// A member of `measured` by its name in a request; null when there is no such.
std::optional<std::uint64_t>* measured_term(engine::Measured& measured, std::string_view name) {
  const std::pair<std::string_view, std::optional<std::uint64_t>*> terms[] = {
      {"weights_bytes", &measured.weights_bytes},
      {"activation_bytes", &measured.activation_bytes},
      {"non_torch_bytes", &measured.non_torch_bytes},
      {"cuda_graphs_bytes", &measured.cuda_graphs_bytes},
      {"kv_pool_bytes", &measured.kv_pool_bytes}};
  for (const auto& [term, value] : terms) {
    if (term == name) {
      return value;
    }
  }
  return nullptr;
}

/// What is left out of a request, the version it is of, and what is measured of it.
void leave_out(const Change& change, Request& request) {
  if (!change.engine_version.empty()) {
    request.engine_version = change.engine_version;
  }
  if (change.whole_card_free) {
    request.device.free_bytes.reset();
  }
  if (change.without_draft) {
    request.draft.reset();
  }
  if (change.without_adapters) {
    request.adapters.clear();
  }
  for (const std::string& name : change.unmeasured) {
    if (auto* term = measured_term(request.measured, name)) {
      term->reset();
    }
  }
  if (change.non_torch_bytes) {
    request.measured.non_torch_bytes = change.non_torch_bytes;
  }
}

}  // namespace

bool same_flag(const engine::Engine& engine, std::string_view a, std::string_view b) {
  const engine::FlagFacts* facts = engine::find_flag(engine.flags(), a);
  return facts != nullptr && facts == engine::find_flag(engine.flags(), b);
}

const engine::FlagValue* given_flag(const Request& request, std::string_view name) {
  const auto found = std::find_if(
      request.args.begin(), request.args.end(),
      [&](const engine::FlagValue& flag) { return same_flag(*request.engine, flag.name, name); });
  return found == request.args.end() ? nullptr : &*found;
}

void unset_flag(Request& request, std::string_view name) {
  auto& args = request.args;
  args.erase(std::remove_if(args.begin(), args.end(),
                            [&](const engine::FlagValue& flag) {
                              return same_flag(*request.engine, flag.name, name);
                            }),
             args.end());
}

void set_flag(Request& request, const engine::FlagValue& flag) {
  unset_flag(request, flag.name);
  request.args.push_back(flag);
}

Check apply(const Change& change, Request& request) {
  for (const std::string& name : change.unset) {
    unset_flag(request, name);
  }
  for (const engine::FlagValue& flag : change.set) {
    set_flag(request, flag);
  }
  leave_out(change, request);
  if (change.gpu_id) {
    hardware::DeviceRequest wanted;
    wanted.id = *change.gpu_id;
    auto device = hardware::make_device(wanted);
    if (!device) {
      return device.error();
    }
    request.device = std::move(device.value());
  }
  if (change.gpu_count) {
    request.gpu_count = change.gpu_count;
  }
  if (change.context) {
    request.workload.context = change.context;
    request.workload.prompt.reset();
    request.workload.output.reset();
  }
  if (change.concurrency) {
    request.workload.concurrency = change.concurrency;
  }
  return change.quant_config.empty() ? std::nullopt
                                     : requantize(request.model, change.quant_config);
}

}  // namespace ridgepoint::plan
