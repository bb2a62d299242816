#pragma once

#include "json/fields.hpp"
#include "model/spec.hpp"

namespace ridgepoint::model {

/// Whether the config is that of a draft head (EAGLE-3, DFlash and their kind), by its own names.
bool is_draft_head(const json::Value& config);

/// Adds to `spec`, read as the decoder that its layers are, what a draft head has beside them: the
/// projection that joins hidden states of the model it drafts for ("fc": layers x hidden to
/// hidden), the second half of the first layer's input in EAGLE-3 (the hidden state beside the
/// embedding), and the head over its own smaller vocabulary. A head or table over the whole
/// vocabulary is the served model's and is left in the parts that the engines share.
///
/// Errors: `bad_value` at the named field.
/// Sources: vLLM 0.19 models/llama_eagle3.py, models/qwen3_dflash.py; the published EAGLE-3 head
/// of Llama-3.1-8B (850 MB).
Check add_draft_head(const json::Value& config, ModelSpec& spec);

}  // namespace ridgepoint::model
