#pragma once

#include <span>
#include <string_view>

#include "json/fields.hpp"
#include "model/decoder.hpp"
#include "model/spec.hpp"

namespace ridgepoint::model {

/// How the config.json of some architectures is read. Each file in core/model/dialects has a
/// namespace of its name with a `const Dialect dialect`; the build lists them, so a new file is all
/// it takes.
struct Dialect {
  std::span<const std::string_view> architectures;  ///< names in `architectures`
  std::span<const std::string_view> model_types;    ///< names in `model_type`, when no architecture
  /// Fills layers, sizes and names; what is wrong goes into the Fields. Null: read_decoder with
  /// the profile.
  void (*read)(json::Fields& config, ModelSpec& spec) = nullptr;
  const DecoderProfile* profile = nullptr;
  /// Whether names in `architectures` that end in "Model" are models without a language model head.
  bool bare_models = false;
};

/// All that this program has.
std::span<const Dialect* const> dialects();

/// False in a program that is built with some of them: what none of those reads, another may.
bool all_dialects_here();

/// Null when no dialect here knows it.
const Dialect* dialect_of_architecture(std::string_view architecture);
const Dialect* dialect_of_model_type(std::string_view model_type);

/// Reads `config` by the dialect into `spec`.
void read_by(const Dialect& dialect, json::Fields& config, ModelSpec& spec);

}  // namespace ridgepoint::model
