#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "json/fields.hpp"
#include "plan/fit.hpp"

namespace ridgepoint::api {

/// `unknown_field` for the first key of an object that is none of the known ones. `path` is the
/// object's own; empty for the whole, which errors then call `whole` ("a request").
Check refuse_unknown_keys(const json::Value& object, std::string_view path,
                          std::initializer_list<std::string_view> known,
                          std::string_view whole = "a request");

/// Text that must be a JSON object with no key but the known ones; `whole` is what errors call it.
Result<json::Value> read_query(std::string_view text, std::initializer_list<std::string_view> known,
                               std::string_view whole);

/// The `id` of what was asked, to be echoed; empty when there is none.
std::string id_of(const json::Value& query);

/// Reads a request value into typed values. Errors name the field by its path in the request; a key
/// the contract does not have is an error too, so that nothing is silently ignored.
Result<plan::Request> read_request(const json::Value& request);

}  // namespace ridgepoint::api
