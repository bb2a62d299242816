#pragma once

#include <vector>

#include "engine/engine.hpp"

namespace ridgepoint::engine::trtllm {

/// Options as the table of flags names them: a JSON object becomes its members with dotted names
/// (`kv_cache_config` {"dtype": "fp8"} is `kv_cache_config.dtype` fp8), and the contents of
/// `extra_llm_api_options`, given as JSON, options of their own. What is no JSON object stays as
/// it is. Errors: `bad_flag` (engine.args.<option>) for text that begins like an object and is
/// none, or is nested too deep.
Result<std::vector<FlagValue>> spread_options(const std::vector<FlagValue>& args);

}  // namespace ridgepoint::engine::trtllm
