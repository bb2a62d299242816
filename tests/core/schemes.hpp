#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "fixtures.hpp"
#include "precision/quantization.hpp"

/// Short ways from a quantisation config to what it says of modules.
namespace schemes {

using fixtures::Json;
using ridgepoint::precision::checkpoint_bytes;
using ridgepoint::precision::Dtype;
using ridgepoint::precision::KvFormat;
using ridgepoint::precision::ModuleKind;
using ridgepoint::precision::Packing;
using ridgepoint::precision::Quantization;
using ridgepoint::precision::WeightFormat;

inline Quantization read(const Json& config) {
  auto scheme = ridgepoint::precision::read_quantization(fixtures::parsed(config), "q");
  if (!scheme) {
    FAIL(scheme.error().path << ": " << scheme.error().message);
  }
  return scheme.value();
}

inline std::string refusal(const Json& config) {
  const auto scheme = ridgepoint::precision::read_quantization(fixtures::parsed(config), "q");
  return scheme ? "" : scheme.error().code + " at " + scheme.error().path;
}

/// Of a whole config.json, with a file beside it or none.
inline Quantization read_whole(const Json& config, const Json& beside = nullptr) {
  const Json text = fixtures::parsed(config);
  const Json other = fixtures::parsed(beside);
  auto scheme = ridgepoint::precision::quantization_of(text, "config", &other, "quant_config");
  if (!scheme) {
    FAIL(scheme.error().path << ": " << scheme.error().message);
  }
  return scheme.value();
}

inline Packing packing(const Quantization& scheme, std::string_view module,
                       ModuleKind kind = ModuleKind::linear) {
  return scheme.format_of(module, kind).packing;
}

inline WeightFormat linear(const Quantization& scheme) {
  return scheme.format_of("model.layers.3.self_attn.q_proj", ModuleKind::linear);
}

/// Bytes of a 4,096 x 4,096 weight as the config stores it.
inline std::uint64_t square(const Json& config) {
  return checkpoint_bytes(linear(read(config)), Dtype::bfloat16, 4096, 4096);
}

constexpr std::uint64_t kSquare = 16777216;  ///< values of that weight

}  // namespace schemes
