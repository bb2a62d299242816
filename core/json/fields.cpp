#include "json/fields.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "json/read_value.hpp"
#include "json/writer.hpp"
#include "wording.hpp"

namespace ridgepoint::json {
namespace {

constexpr std::size_t kMostText = 32U << 20U;
constexpr int kMostDepth = 128;

/// Depth is counted before parsing, so that hostile nesting costs one pass and no memory.
bool too_deep(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        in_string = false;
      }
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMostDepth) {
        return true;
      }
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

std::string_view without_byte_order_mark(std::string_view text) {
  return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
}

bool blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

constexpr std::string_view kNonFinite[] = {"-Infinity", "Infinity", "NaN"};

/// Calls `visit` with the rest of the text at every place outside a string; it returns how many
/// characters it took.
template <typename Visit>
void outside_strings(std::string_view text, Visit&& visit) {
  bool in_string = false;
  for (std::size_t i = 0; i < text.size();) {
    if (in_string && text[i] == '\\') {
      i += 2;
      continue;
    }
    if (text[i] == '"') {
      in_string = !in_string;
    } else if (!in_string) {
      if (const std::size_t taken = visit(i); taken != 0) {
        i += taken;
        continue;
      }
    }
    ++i;
  }
}

std::size_t non_finite_at(std::string_view text, std::size_t at) {
  for (const std::string_view name : kNonFinite) {
    if (text.substr(at).starts_with(name)) {
      return name.size();
    }
  }
  return 0;
}

struct Oddities {
  bool comment = false;
  bool non_finite = false;
};

Oddities oddities(std::string_view text) {
  Oddities found;
  outside_strings(text, [&](std::size_t at) -> std::size_t {
    const std::string_view rest = text.substr(at);
    found.comment = found.comment || rest.starts_with("//") || rest.starts_with("/*");
    found.non_finite = found.non_finite || non_finite_at(text, at) != 0;
    return 0;
  });
  return found;
}

/// Python writes Infinity and NaN into configs, which JSON does not know; null reads as absent.
std::string without_non_finite(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  std::size_t copied = 0;
  outside_strings(text, [&](std::size_t at) {
    const std::size_t length = non_finite_at(text, at);
    if (length != 0) {
      out += text.substr(copied, at - copied);
      out += "null";
      copied = at + length;
    }
    return length;
  });
  out += text.substr(copied);
  return out;
}

std::string text_of(const Value& value) {
  Writer writer;
  writer.value(value);
  return writer.take();
}

std::string shown(const Value& value) {
  if (value.is_string()) {
    return worded({"the string \"", excerpt(value.get_ref<const std::string&>(), 40), "\""});
  }
  if (value.is_number()) {
    return text_of(value);
  }
  return std::string(kind_of(value));
}

}  // namespace

Result<Value> parse(std::string_view text, std::string_view path) {
  const auto refuse = [&](std::string message) {
    return Error{"not_json", std::move(message), std::string(path)};
  };
  if (text.size() > kMostText) {
    return refuse("The text is over 32 MiB; a config.json has a few kilobytes.");
  }
  text = without_byte_order_mark(text);
  if (blank(text)) {
    return refuse("The text is empty; paste the contents of a config.json.");
  }
  if (text.find('\0') != std::string_view::npos) {
    return refuse("The text holds a NUL byte; this is no JSON text file in UTF-8.");
  }
  if (too_deep(text)) {
    return refuse("The text is nested more than 128 levels deep; this is no config.json.");
  }
  Value value;
  if (read_value(text, value)) {
    return value;
  }
  if (text.starts_with("version https://git-lfs")) {
    return refuse(
        "This is a Git LFS pointer, not the file it points to: fetch the file itself (git lfs "
        "pull) "
        "and paste that.");
  }
  const Oddities odd = oddities(text);
  if (odd.comment) {
    return refuse(
        "The text has a comment (// or /* */), which JSON does not allow: take the comments out.");
  }
  if (odd.non_finite && read_value(without_non_finite(text), value)) {
    return value;
  }
  const bool html = text.find('<') == text.find_first_not_of(" \t\r\n");
  return refuse(
      html ? "This is a web page, not JSON: open the raw file and paste that."
           : worded({"This is not JSON (", excerpt(text, 40),
                     "…): check for a missing brace or quote or a trailing comma, and paste "
                     "the whole file."}));
}

const Value* Fields::find(std::string_view key) const {
  for (const Value* source : {object_, fallback_}) {
    if (source == nullptr) {
      continue;
    }
    if (const auto it = source->find(key); it != source->end()) {
      return it->is_null() ? nullptr : &*it;
    }
  }
  return nullptr;
}

std::string_view Fields::present(Keys keys) const {
  for (const std::string_view key : keys) {
    if (has(key)) {
      return key;
    }
  }
  return {};
}

std::string Fields::member_path(std::string_view key) const {
  return path_.empty() ? std::string(key) : worded({path_, ".", key});
}

std::optional<std::uint64_t> Fields::whole(Keys keys, Range range) {
  const std::string_view key = present(keys);
  if (key.empty()) {
    return std::nullopt;
  }
  const Value& value = *find(key);
  const auto refuse = [&]() -> std::optional<std::uint64_t> {
    fail("bad_value", key,
         worded({key, " must be a whole number from ", range.least, " to ", range.most,
                 ", and it is ", shown(value), "."}));
    return range.least;
  };
  std::uint64_t number = 0;
  if (value.is_number_unsigned()) {
    number = value.get<std::uint64_t>();
  } else if (value.is_number_float()) {
    const double real = value.get<double>();
    if (!(real >= 0.0 && real <= 9007199254740992.0) || std::floor(real) != real) {
      return refuse();
    }
    number = static_cast<std::uint64_t>(real);
  } else {
    return refuse();
  }
  return number < range.least || number > range.most ? refuse() : number;
}

std::uint64_t Fields::whole_or(Keys keys, Range range, std::uint64_t fallback) {
  return whole(keys, range).value_or(fallback);
}

std::uint64_t Fields::require_whole(Keys keys, Range range) {
  const auto value = whole(keys, range);
  if (!value) {
    const std::string_view key = *keys.begin();
    const bool is_null = object_->contains(key);
    fail(is_null ? "bad_value" : "missing_field", key,
         std::string(key) + (is_null ? " is null; it must be a whole number."
                                     : " is missing; paste the model's whole config.json."));
  }
  return value.value_or(range.least);
}

std::optional<double> Fields::number(Keys keys, double least, double most) {
  const std::string_view key = present(keys);
  if (key.empty()) {
    return std::nullopt;
  }
  const Value& value = *find(key);
  const double real = value.is_number() ? value.get<double>() : std::nan("");
  if (!(real >= least && real <= most)) {
    fail("bad_value", key,
         worded({key, " must be a number from ", number_text(least), " to ", number_text(most),
                 ", and it is ", shown(value), "."}));
    return least;
  }
  return real;
}

std::optional<bool> Fields::boolean(Keys keys) {
  const std::string_view key = present(keys);
  if (key.empty()) {
    return std::nullopt;
  }
  const Value& value = *find(key);
  if (!value.is_boolean()) {
    fail("bad_value", key, worded({key, " must be true or false, and it is ", shown(value), "."}));
    return false;
  }
  return value.get<bool>();
}

std::optional<std::string_view> Fields::text(Keys keys) {
  const std::string_view key = present(keys);
  if (key.empty()) {
    return std::nullopt;
  }
  const Value& value = *find(key);
  if (!value.is_string()) {
    fail("bad_value", key, worded({key, " must be a string, and it is ", shown(value), "."}));
    return std::nullopt;
  }
  return value.get_ref<const std::string&>();
}

std::optional<Fields> Fields::object(std::string_view key) {
  const Value* value = find(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  if (!value->is_object()) {
    fail("bad_value", key, worded({key, " must be an object, and it is ", shown(*value), "."}));
    return std::nullopt;
  }
  return Fields(*value, member_path(key));
}

const Value* Fields::array(std::string_view key) {
  const Value* value = find(key);
  if (value != nullptr && !value->is_array()) {
    fail("bad_value", key, worded({key, " must be an array, and it is ", shown(*value), "."}));
    return nullptr;
  }
  return value;
}

void Fields::fail(std::string_view code, std::string_view key, std::string message) {
  if (!error_) {
    error_ = Error{std::string(code), std::move(message), member_path(key)};
  }
}

void Fields::adopt(const Fields& inner) {
  if (!error_ && inner.error_) {
    error_ = inner.error_;
  }
}

std::string_view kind_of(const Value& value) {
  switch (value.type()) {
    case Value::value_t::null:
      return "null";
    case Value::value_t::object:
      return "an object";
    case Value::value_t::array:
      return "an array";
    case Value::value_t::string:
      return "a string";
    case Value::value_t::boolean:
      return value.get<bool>() ? "true" : "false";
    default:
      return "a number";
  }
}

std::string excerpt(std::string_view text, std::size_t most) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = character_length(text.substr(at));
    if (at + (length == 0 ? 1 : length) > most) {
      return worded({out, "…"});
    }
    if (length == 0) {
      out += '?';
      ++at;
    } else if (static_cast<unsigned char>(text[at]) < 0x20) {
      out += ' ';
      ++at;
    } else {
      out += text.substr(at, length);
      at += length;
    }
  }
  return out;
}

}  // namespace ridgepoint::json
