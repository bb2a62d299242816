#include "plan/difference_words.hpp"

#include "json/fields.hpp"
#include "json/writer.hpp"
#include "wording.hpp"

namespace ridgepoint::plan {

std::string gib(std::uint64_t bytes) {
  if (bytes < 5 * (1ULL << 20U)) {
    return grouped(bytes) + (bytes == 1 ? " byte" : " bytes");
  }
  const std::uint64_t rest = bytes & ((1ULL << 30U) - 1);
  const std::uint64_t hundredths = (rest * 100 + (1ULL << 29U)) >> 30U;
  const std::string digits = std::to_string(hundredths % 100);
  return grouped((bytes >> 30U) + hundredths / 100) + "." + (digits.size() < 2 ? "0" : "") +
         digits + " GiB";
}

std::uint64_t magnitude(std::int64_t difference) {
  return difference < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(difference)
                        : static_cast<std::uint64_t>(difference);
}

std::string requests_text(std::uint64_t requests) {
  return grouped(requests) + (requests == 1 ? " request" : " requests");
}

std::string value_text(const engine::FlagValue& flag) {
  constexpr std::size_t kMost = 60;
  if (const auto* on = std::get_if<bool>(&flag.value)) {
    return *on ? "on" : "off";
  }
  if (const auto* whole = std::get_if<std::int64_t>(&flag.value)) {
    return std::to_string(*whole);
  }
  if (const auto* number = std::get_if<double>(&flag.value)) {
    return json::number_text(*number);
  }
  const auto* text = std::get_if<std::string>(&flag.value);
  return text == nullptr ? std::string() : json::excerpt(*text, kMost);
}

}  // namespace ridgepoint::plan
