#include "json/writer.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace ridgepoint::json {

void Writer::separate() {
  if (needs_comma_) {
    text_ += ',';
  }
  needs_comma_ = true;
}

void Writer::open(char bracket) {
  separate();
  text_ += bracket;
  needs_comma_ = false;
}

void Writer::close(char bracket) {
  text_ += bracket;
  needs_comma_ = true;
}

void Writer::key(std::string_view name) {
  separate();
  quoted(name);
  text_ += ':';
  needs_comma_ = false;
}

void Writer::quoted(std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  text_ += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += c;
    } else if (byte < 0x20) {
      text_ += "\\u00";
      text_ += kHex[byte >> 4U];
      text_ += kHex[byte & 15U];
    } else {
      text_ += c;
    }
  }
  text_ += '"';
}

void Writer::value(std::string_view text) {
  separate();
  quoted(text);
}

void Writer::value(std::uint64_t number) {
  separate();
  text_ += std::to_string(number);
}

void Writer::value(double number) {
  separate();
  text_ += std::isfinite(number) ? nlohmann::json(number).dump() : "null";
}

void Writer::value(bool flag) {
  separate();
  text_ += flag ? "true" : "false";
}

void Writer::null() {
  separate();
  text_ += "null";
}

}  // namespace ridgepoint::json
