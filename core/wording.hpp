#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace ridgepoint {

/// A piece of a sentence: text, or a whole number in plain digits.
class Piece {
 public:
  Piece(std::string_view text) : text_(text) {}    // NOLINT(google-explicit-constructor)
  Piece(const char* text) : text_(text) {}         // NOLINT(google-explicit-constructor)
  Piece(const std::string& text) : text_(text) {}  // NOLINT(google-explicit-constructor)
  template <std::unsigned_integral T>
  requires(sizeof(T) >= 4) Piece(T number)
      : number_(number), is_number_(true) {}  // NOLINT(google-explicit-constructor)

  void append_to(std::string& sentence) const;

 private:
  std::string_view text_;
  std::uint64_t number_ = 0;
  bool is_number_ = false;
};

/// Pieces put together. A chain of `+` does the same in several times the code.
std::string worded(std::initializer_list<Piece> pieces);

/// "14.958 GiB", three decimals; whole bytes below 1 MiB.
std::string in_gib(std::uint64_t bytes);

/// "131,072".
std::string grouped(std::uint64_t number);

/// A ratio with up to three decimals and no trailing zeros: "0.92", "12.8", "1".
std::string decimal(double value);

}  // namespace ridgepoint
