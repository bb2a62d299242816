#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "result.hpp"

namespace ridgepoint::json {

/// A parsed value. Its definition is in <nlohmann/json.hpp>, which only readers of values include:
/// it is most of what a file costs to compile.
using Value = nlohmann::json;

/// Parses text that came from anywhere. Refuses, without recursion and without exceptions: text
/// over 32 MiB, nesting deeper than 128 levels, and anything that is not JSON. A byte order mark is
/// skipped. `path` is the request field the text belongs to.
Result<Value> parse(std::string_view text, std::string_view path);

struct Range {
  std::uint64_t least;
  std::uint64_t most;
};

/// Checked access to the members of one JSON object. A member that is null counts as absent, as
/// Hugging Face configs mean it. The first thing found wrong is kept in `error()` and the getters
/// go on with a harmless value, so that a reader can be written straight down and checked once.
class Fields {
 public:
  /// Names of one member in order of preference: a braced list, or a table of them.
  class Keys {
   public:
    /// Used within the call that it is written in, for which the list lives.
    Keys(std::initializer_list<std::string_view> list) {
      data_ = list.begin();
      size_ = list.size();
    }
    template <std::size_t N>
    Keys(const std::string_view (&table)[N]) : data_(table), size_(N) {}
    [[nodiscard]] const std::string_view* begin() const { return data_; }
    [[nodiscard]] const std::string_view* end() const { return data_ + size_; }

   private:
    const std::string_view* data_ = nullptr;
    std::size_t size_ = 0;
  };

  /// `object` must be an object and outlive this. Errors name `path` + "." + key.
  Fields(const Value& object, std::string path) : object_(&object), path_(std::move(path)) {}

  /// Members that `object` does not have are looked for in `fallback`, which must outlive this too.
  void fall_back_to(const Value& fallback) { fallback_ = &fallback; }

  [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }

  /// The member, or null when it is absent or JSON null.
  [[nodiscard]] const Value* find(std::string_view key) const;

  /// A whole number within the range; 4096.0 counts, 4096.5, "4096" and true do not. The first of
  /// `keys` that is present is read.
  std::optional<std::uint64_t> whole(Keys keys, Range range);
  std::uint64_t whole_or(Keys keys, Range range, std::uint64_t fallback);
  std::uint64_t require_whole(Keys keys, Range range);

  std::optional<double> number(Keys keys, double least, double most);
  std::optional<bool> boolean(Keys keys);
  bool boolean_or(Keys keys, bool fallback) { return boolean(keys).value_or(fallback); }
  std::optional<std::string_view> text(Keys keys);

  /// A member object, its errors going to its own Fields: pass them on with adopt().
  std::optional<Fields> object(std::string_view key);
  const Value* array(std::string_view key);

  void fail(std::string_view code, std::string_view key, std::string message);
  void adopt(const Fields& inner);

  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const Value& raw() const { return *object_; }

 private:
  [[nodiscard]] std::string_view present(Keys keys) const;
  [[nodiscard]] std::string member_path(std::string_view key) const;

  const Value* object_;
  const Value* fallback_ = nullptr;
  std::string path_;
  std::optional<Error> error_;
};

/// What a value is, for messages: "a string", "an array" …
std::string_view kind_of(const Value& value);

/// `text` cut to `most` characters for a message, with an ellipsis; control characters and
/// bytes that are no UTF-8 are replaced.
std::string excerpt(std::string_view text, std::size_t most);

}  // namespace ridgepoint::json
