#pragma once

#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "speed/closed_forms.hpp"

namespace ridgepoint::plan {

/// What a calculator that knows neither the engine's pool nor the attention design would say.
struct Naive {
  bool fits = false;
  std::uint64_t bytes_per_token = 0;
  std::uint64_t max_requests = 0;
  std::string why;  ///< what it overlooks here
};

struct Advice {
  std::string change;
  std::string effect;
};

struct Report {
  std::string id;
  model::ParameterCounts parameters;
  std::uint64_t checkpoint_bytes = 0;
  std::uint64_t scale_parameters = 0;   ///< stored by the quantisation beside the weights
  std::uint64_t packed_parameters = 0;  ///< all elements as the quantisation packs them
  std::string verdict_text;
  engine::MemoryPlan memory;
  Naive naive;
  speed::ClosedForms speed;
  std::vector<Advice> advice;
  std::vector<engine::Step> explain;
  std::vector<std::string> assumptions;
};

/// A request on typed values.
struct Request {
  model::ModelSpec model;
  std::optional<engine::Draft> draft;
  std::vector<engine::Adapter> adapters;
  hardware::Device device;
  const engine::Engine* engine = nullptr;
  std::optional<std::uint64_t> gpu_count;
  std::string engine_version;
  std::vector<engine::FlagValue> args;
  std::vector<std::pair<std::string, std::string>> env;
  engine::Workload workload;
  engine::Measured measured;
};

/// The request as an engine reads it; `tensors` are the model's, and both must outlive the result.
engine::Inputs engine_inputs(const Request& request, const std::vector<model::Tensor>& tensors);

/// Whether a plan serves, and why, as a sentence or two.
std::string verdict_text(const Request& request, const engine::MemoryPlan& memory);

/// What follows every setting: memory, parameters, the naive sum and the speed. For those who ask
/// many times: no advice, no steps, no sizes of files, no words. `tensors` are the model's. Errors
/// are the engine's.
Result<Report> estimate(const Request& request, const std::vector<model::Tensor>& tensors);

/// The whole answer to one request. Errors are the engine's.
Result<Report> fit(const Request& request);

/// The same without advice, which costs a dozen further questions to the engine where a request
/// does not serve.
Result<Report> fit_without_advice(const Request& request);

}  // namespace ridgepoint::plan
