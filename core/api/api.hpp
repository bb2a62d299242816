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

/// vLLM's KV-cache planner by itself, on bare layer specs: one line (JSON text) in, one out.
/// In: `{"id","L","R","mamba_mode","hma","dcp","num_gpu_blocks_override","auto_len","enc_tokens",
/// "version","workers":[{"mem","first","layers":[{"n","t","B","kv","hd","hdv","dt","w","c","bytes",
/// "page_padded","s","stride"}]}]}` with t one of full, sw, chunk, mla, sw_mla, mamba, cross; what
/// is absent has its default. Out: `{"id","out":[{"num_blocks","kv_bytes_allocated",
/// "bytes_per_block","groups":[{"n","type","B","page"}],"concurrency","tokens"}],"max_model_len"}`,
/// or `{"id","error","msg"}` where the engine refuses, or `{"error":{…}}` for a line that is wrong.
std::string kv_plan(std::string_view line);

/// What this build knows, as JSON text:
/// `{"version","gpus":[…],"models":[…],"engines":[{"name","versions":[…],"flags":[…]}]}`.
std::string catalogue();

/// The version of the library, for example "0.1.0".
std::string_view version();

}  // namespace ridgepoint::api
