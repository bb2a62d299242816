#include "wording.hpp"

#include <cmath>

namespace ridgepoint {
namespace {

std::string three_digits(std::uint64_t thousandths) {
  std::string digits = std::to_string(thousandths);
  return std::string(3 - digits.size(), '0') + digits;
}

}  // namespace

void Piece::append_to(std::string& sentence) const {
  if (is_number_) {
    sentence += std::to_string(number_);
  } else {
    sentence += text_;
  }
}

std::string worded(std::initializer_list<Piece> pieces) {
  std::string sentence;
  for (const Piece& piece : pieces) {
    piece.append_to(sentence);
  }
  return sentence;
}

std::string in_gib(std::uint64_t bytes) {
  if (bytes < (1U << 20U)) {
    return grouped(bytes) + " bytes";
  }
  const std::uint64_t rest = bytes & ((1ULL << 30U) - 1);
  const std::uint64_t thousandths = (rest * 1000 + (1ULL << 29U)) >> 30U;
  return grouped((bytes >> 30U) + thousandths / 1000) + "." + three_digits(thousandths % 1000) +
         " GiB";
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (auto at = static_cast<std::int64_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}

std::string decimal(double value) {
  if (!(value >= 0.0 && value < 1e15)) {
    return value < 0.0 ? "-" + decimal(-value) : "beyond 10^15";
  }
  const auto thousandths = static_cast<std::uint64_t>(std::floor(value * 1000.0 + 0.5));
  std::string fraction = three_digits(thousandths % 1000);
  while (!fraction.empty() && fraction.back() == '0') {
    fraction.pop_back();
  }
  return grouped(thousandths / 1000) + (fraction.empty() ? "" : "." + fraction);
}

}  // namespace ridgepoint
