#pragma once

#include "json/fields.hpp"
#include "result.hpp"

namespace ridgepoint::model {

/// Refuses files that lie beside models, or look like one, and are none that is served: adapters,
/// pipelines, tokenizers, quantisation configs alone, other makers' formats, draft heads, vision
/// models. Error `not_a_model`, each with its own message. `config` is an object;
/// as a `draft`, the heads that `is_draft_head` knows are let through.
Check refuse_foreign(const json::Value& config, bool draft);

}  // namespace ridgepoint::model
