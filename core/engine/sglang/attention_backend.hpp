#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "hardware/device.hpp"
#include "model/spec.hpp"

namespace ridgepoint::engine::sglang {

/// The attention kernels a version takes when none are named, as far as pages and fractions depend
/// on them; `ranks` share one group's attention. Source: SGLang 0.5.17 server_args.py,
/// _get_default_attn_backend; the versions by the dates of its entries.
std::string_view default_attention_backend(const model::ModelSpec& model,
                                           const hardware::Device& device, std::uint64_t ranks,
                                           std::uint32_t number);

/// Tokens a page that a backend asks for. Source: SGLang 0.5.17 server_args.py,
/// _handle_attention_backend_compatibility.
std::uint64_t backend_page_size(std::string_view backend, bool latent);

/// Whether a backend sets its page size whatever the flag says.
bool backend_fixes_page_size(std::string_view backend);

}  // namespace ridgepoint::engine::sglang
