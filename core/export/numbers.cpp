#include "export/numbers.hpp"

#include <cmath>
#include <cstdint>
#include <string_view>

#include "json/writer.hpp"
#include "wording.hpp"

namespace ridgepoint::exports {
namespace {

constexpr double kMostGrouped = 1e15;

struct Scale {
  double unit;
  std::string_view name;
  int decimals;
};

constexpr Scale kGib = {1073741824.0, " GiB", 2};
constexpr Scale kMib = {1048576.0, " MiB", 2};
constexpr Scale kKib = {1024.0, " KiB", 1};
constexpr Scale kByte = {1.0, " B", 0};

Scale byte_scale(double bytes) {
  const double size = std::abs(bytes);
  if (size >= 0.1 * kGib.unit) {
    return kGib;
  }
  if (size >= kMib.unit) {
    return kMib;
  }
  return size >= kKib.unit ? kKib : kByte;
}

Scale time_scale(double seconds) {
  return std::abs(seconds) >= 1.0 ? Scale{1.0, " s", 0} : Scale{0.001, " ms", 0};
}

Scale scale_of(const Cell& cell) {
  if (cell.measure == Measure::bytes) {
    return byte_scale(cell.best.value);
  }
  return cell.measure == Measure::seconds ? time_scale(cell.best.value) : Scale{1.0, "", 0};
}

/// A number of a cell in the scale of the best one, so that a range has one unit.
std::string scaled(const Number& number, const Cell& cell, const Scale& scale) {
  switch (cell.measure) {
    case Measure::none:
      return number.digits;
    case Measure::count:
      return fixed(number.value, number.value == std::floor(number.value) ? 0 : 2);
    case Measure::decimal:
      return fixed(number.value, 2);
    case Measure::bytes:
      return fixed(number.value / scale.unit, scale.decimals);
    case Measure::rate:
    case Measure::seconds:
      return short_number(number.value / scale.unit);
  }
  return number.digits;
}

}  // namespace

std::string fixed(double value, int decimals) {
  double factor = 1.0;
  for (int i = 0; i < decimals; ++i) {
    factor *= 10.0;
  }
  const double size = std::abs(value);
  if (!(size * factor < kMostGrouped)) {
    return json::number_text(value);
  }
  const auto units = static_cast<std::uint64_t>(std::llround(size * factor));
  const auto whole = static_cast<std::uint64_t>(factor);
  std::string text = value < 0.0 && units != 0 ? "-" : "";
  text += grouped(units / whole);
  if (decimals > 0) {
    const std::string rest = std::to_string(units % whole);
    text += '.';
    text.append(static_cast<std::size_t>(decimals) - rest.size(), '0');
    text += rest;
  }
  return text;
}

std::string short_number(double value) {
  const double size = std::abs(value);
  if (!(size < kMostGrouped) || (size != 0.0 && size < 1e-6)) {
    return json::number_text(value);
  }
  if (size >= 1000.0) {
    double step = 1.0;
    while (size / step >= 1000.0) {
      step *= 10.0;
    }
    return fixed(std::round(value / step) * step, 0);
  }
  int decimals = 0;
  for (double least = 100.0; size < least && size != 0.0; least /= 10.0) {
    ++decimals;
  }
  std::string text = fixed(value, decimals);
  if (decimals > 0) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') {
      text.pop_back();
    }
  }
  return text;
}

std::string size_text(double bytes) {
  const Scale scale = byte_scale(bytes);
  return fixed(bytes / scale.unit, scale.decimals) + std::string(scale.name);
}

Parted parted_text(const Cell& cell) {
  switch (cell.kind) {
    case Cell::Kind::empty:
      return {};
    case Cell::Kind::text:
      return {cell.text, {}};
    case Cell::Kind::flag:
      return {cell.flag ? "yes" : "no", {}};
    case Cell::Kind::number:
    case Cell::Kind::range:
      break;
  }
  const Scale scale = scale_of(cell);
  const std::string best = scaled(cell.best, cell, scale);
  Parted text{best + std::string(scale.name), {}};
  if (!cell.text.empty()) {
    text.best += " " + cell.text;
  }
  if (cell.kind == Cell::Kind::range) {
    const std::string low = scaled(cell.low, cell, scale);
    const std::string high = scaled(cell.high, cell, scale);
    if (low != best || high != best) {
      text.range = low + " to " + high;
    }
  }
  return text;
}

std::string cell_text(const Cell& cell) {
  const Parted text = parted_text(cell);
  return text.range.empty() ? text.best : text.best + " (" + text.range + ")";
}

std::string signed_text(const Cell& cell) {
  const bool number = cell.kind == Cell::Kind::number || cell.kind == Cell::Kind::range;
  return (number && cell.best.value > 0.0 ? "+" : "") + cell_text(cell);
}

}  // namespace ridgepoint::exports
