#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/engine.hpp"

namespace ridgepoint::engine {

/// The steps of an explanation, in the order in which they are added.
class StepList {
 public:
  void add(std::string term, std::string formula, std::string numbers, double value,
           std::string_view unit, std::string_view source);

  /// Of whole things: bytes, tokens, blocks, requests.
  void add_whole(std::string term, std::string formula, std::string numbers, std::uint64_t value,
                 std::string_view unit, std::string_view source);

  void add_bytes(std::string term, std::string formula, std::string numbers, std::uint64_t value,
                 std::string_view source);

  /// A term that the request gives takes the place of its rule; false when it gives none.
  bool add_measured(std::string_view term, const std::optional<std::uint64_t>& bytes);

  [[nodiscard]] std::vector<Step> take() { return std::move(steps_); }

 private:
  std::vector<Step> steps_;
};

}  // namespace ridgepoint::engine
