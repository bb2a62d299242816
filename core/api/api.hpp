#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace ridgepoint::api {

/// One request (JSON text) to one report (JSON text). Bad input of any kind gives
/// `{"error":{"code","message","path"}}`; nothing throws and nothing is read but the argument.
std::string evaluate(std::string_view request);

/// The header at the front of a .safetensors or .gguf file, as JSON text that goes into
/// `model.tensors` of a request. `bytes` are the first bytes of the file, however many; one of
/// `{"header":{…}}`, `{"gguf":{"version","header_bytes","metadata":{…},"tensors":[…]}}`,
/// `{"need_bytes":n}` when at least n bytes from the start of the file are wanted, and
/// `{"error":{…}}`.
std::string read_checkpoint_header(std::span<const std::byte> bytes);

/// What this build knows, as JSON text:
/// `{"version","gpus":[…],"models":[…],"engines":[{"name","versions":[…],"flags":[…]}]}`.
std::string catalogue();

/// The version of the library, for example "0.1.0".
std::string_view version();

}  // namespace ridgepoint::api
