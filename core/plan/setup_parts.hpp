#pragma once

#include <string>

#include "plan/fit.hpp"

namespace ridgepoint::plan {

/// Whether two configs read to the same model with the same weights, as far as memory goes.
bool same_model(const model::ModelSpec& a, const model::ModelSpec& b);
bool same_card(const hardware::Device& a, const hardware::Device& b);
bool same_measured(const engine::Measured& a, const engine::Measured& b);

/// For people: "meta-llama/Meta-Llama-3-8B", else the architecture.
std::string model_title(const model::ModelSpec& model);
/// "BF16", "AWQ 4-bit g128", "BF16 with --quantization fp8".
std::string weights_title(const Request& request);
/// "A100 SXM4 80GB", else its size.
std::string card_title(const hardware::Device& device);
/// "vLLM 0.28.0".
std::string engine_title(const Request& request, const std::string& version);
/// "1 GPU", "TP 2", "TP 2 x DP 4 with expert parallelism".
std::string parallel_title(const engine::Parallelism& parallelism);
/// "bfloat16", "fp8".
std::string cache_title(const engine::MemoryPlan& memory);

}  // namespace ridgepoint::plan
