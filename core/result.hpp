#pragma once

#include <optional>
#include <string>
#include <utility>

namespace ridgepoint {

/// What is wrong with a request: a stable `code`, a sentence that says what to do, and the request
/// field it is about (for example `model.config.num_attention_heads`; empty when it is the whole).
struct Error {
  std::string code;
  std::string message;
  std::string path;
};

/// The answer is known to the whole library, and what it takes is not in this smaller part of it.
inline Error not_here(std::string what, std::string path) {
  return {"not_here", std::move(what) + " is not in this module; the whole one has it.",
          std::move(path)};
}

/// A value or the reason there is none. The core throws nothing for expected failures: it is built
/// to WebAssembly without exception handling.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }

  [[nodiscard]] const T& value() const { return *value_; }
  [[nodiscard]] T& value() { return *value_; }
  [[nodiscard]] const Error& error() const { return error_; }

  const T& operator*() const { return value(); }
  const T* operator->() const { return &value(); }

 private:
  // A variant of the two is a table of functions for each T.
  std::optional<T> value_;
  Error error_;
};

/// The outcome of a check: nothing, or what is wrong.
using Check = std::optional<Error>;

}  // namespace ridgepoint
