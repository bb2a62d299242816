#include "json/writer.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace ridgepoint::json {

// The library's own digits without its serializer, which would bring the C library's printf into
// the page's download.
std::string number_text(double number) {
  if (!std::isfinite(number)) {
    return "null";
  }
  char digits[64];
  const char* end = nlohmann::detail::to_chars(digits, digits + sizeof digits, number);
  return {static_cast<const char*>(digits), end};
}

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
  std::size_t copied = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && c != '"' && c != '\\') {
      continue;
    }
    text_.append(text.data() + copied, i - copied);
    copied = i + 1;
    if (byte >= 0x20) {
      text_ += '\\';
      text_ += c;
    } else {
      text_ += "\\u00";
      text_ += kHex[byte >> 4U];
      text_ += kHex[byte & 15U];
    }
  }
  text_.append(text.data() + copied, text.size() - copied);
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

void Writer::value(std::int64_t number) {
  separate();
  text_ += std::to_string(number);
}

void Writer::raw(std::string_view json) {
  separate();
  text_ += json;
}

void Writer::value(double number) {
  separate();
  text_ += number_text(number);
}

void Writer::value(bool flag) {
  separate();
  text_ += flag ? "true" : "false";
}

void Writer::value(const nlohmann::json& tree) {
  if (tree.is_object()) {
    begin_object();
    for (const auto& item : tree.items()) {
      key(item.key());
      value(item.value());
    }
    end_object();
  } else if (tree.is_array()) {
    begin_array();
    for (const auto& item : tree) {
      value(item);
    }
    end_array();
  } else if (tree.is_string()) {
    value(std::string_view(tree.get_ref<const std::string&>()));
  } else if (tree.is_boolean()) {
    value(tree.get<bool>());
  } else if (tree.is_number_unsigned()) {
    value(tree.get<std::uint64_t>());
  } else if (tree.is_number_integer()) {
    value(tree.get<std::int64_t>());
  } else if (tree.is_number_float()) {
    value(tree.get<double>());
  } else {
    null();
  }
}

void Writer::null() {
  separate();
  text_ += "null";
}

}  // namespace ridgepoint::json
