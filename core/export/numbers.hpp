#pragma once

#include <string>

#include "export/table.hpp"

namespace ridgepoint::exports {

/// "1,234.50": rounded half away from zero, in groups of three. Beyond 10^15 the digits are those
/// of the number itself.
std::string fixed(double value, int decimals);

/// Three significant digits without trailing zeros: "77.3", "1,230", "0.00123".
std::string short_number(double value);

/// "56.67 GiB", "128.0 KiB", "-1.50 MiB".
std::string size_text(double bytes);

/// A cell for people: `56.67 GiB (56.49 to 57.64)`, "yes", "". The text in it is as it came.
std::string cell_text(const Cell& cell);

/// The same in two: the number, and its range without brackets, empty when both ends read the same.
struct Parted {
  std::string best;
  std::string range;
};
Parted parted_text(const Cell& cell);

/// A difference with its sign: "+1.20 GiB", "-3".
std::string signed_text(const Cell& cell);

}  // namespace ridgepoint::exports
