#pragma once

#include "json/fields.hpp"
#include "model/dialect.hpp"
#include "model/spec.hpp"

namespace ridgepoint::model {

/// What the name of a class and `is_causal` change in a model that its dialect has read: classes
/// that classify, score or embed have no language model head, and models that look both ways cache
/// nothing.
void apply_variant(json::Fields& config, const Dialect& dialect, ModelSpec& spec);

/// The head of a classifier in place of the language model's: num_labels x hidden_size.
void give_score_head(json::Fields& config, bool bias, ModelSpec& spec);

}  // namespace ridgepoint::model
