#pragma once

#include <string>

#include "plan/fit.hpp"

namespace ridgepoint::plan {

/// Why the engine's version is not published for the request's card, for people; empty when it is.
/// Narrower than engine::check_vendor, which asks whose rules are known: what a search would
/// propose must also start. Sources: vLLM docs/getting_started/installation (compute capability
/// 7.0, since 0.21 7.5; Instinct MI200 and newer, Radeon RX 7900 and 9000, Ryzen AI Max), SGLang
/// docs/platforms (7.5; Instinct MI300 and newer), TensorRT-LLM supported hardware (Ampere and
/// newer). A card of unknown make passes.
std::string not_published_for(const Request& request);

}  // namespace ridgepoint::plan
