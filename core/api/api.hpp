#pragma once

#include <string>
#include <string_view>

namespace ridgepoint::api {

/// One request (JSON text) to one report (JSON text). Bad input of any kind gives
/// `{"error":{"code","message","path"}}`; nothing throws and nothing is read but the argument.
std::string evaluate(std::string_view request);

/// What this build knows, as JSON text:
/// `{"version","gpus":[…],"models":[…],"engines":[{"name","versions":[…],"flags":[…]}]}`.
std::string catalogue();

/// The version of the library, for example "0.1.0".
std::string_view version();

}  // namespace ridgepoint::api
