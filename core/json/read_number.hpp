#pragma once

#include <string_view>

namespace ridgepoint::json {

/// The double nearest to a number of JSON's grammar, of two as near the even one; infinite when it
/// is past the largest. The C library's own brings long double arithmetic into the page's download.
double nearest_double(std::string_view number);

}  // namespace ridgepoint::json
