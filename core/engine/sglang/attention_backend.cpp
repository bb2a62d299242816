#include "engine/sglang/attention_backend.hpp"

#include "engine/sglang/architectures.hpp"

namespace ridgepoint::engine::sglang {
namespace {

/// AMD's kernels of latent attention take 16 or 128 heads a rank.
std::string_view on_instinct(const model::ModelSpec& model, std::uint64_t ranks,
                             std::uint32_t number) {
  if (number < 4006) {
    return "triton";
  }
  const model::Attention* first = model::first_attention(model);
  const std::uint64_t heads = first == nullptr ? 0 : first->num_attention_heads / ranks;
  return model.latent() && heads != 16 && heads != 128 ? "triton" : "aiter";
}

std::string_view on_datacentre_blackwell(const model::ModelSpec& model, std::uint32_t number) {
  if (model.latent()) {
    const bool deepseek =
        model.architecture.starts_with("DeepseekV3") || model.architecture.starts_with("Kimi");
    return number >= 5004 && deepseek ? "trtllm_mla" : "flashinfer";
  }
  if (number < 5006 || model.stateful()) {
    return "flashinfer";
  }
  const model::Attention* first = model::first_attention(model);
  const bool uneven = first != nullptr && first->head_dim != first->v_head_dim;
  return uneven ? "fa4" : "trtllm_mha";
}

}  // namespace

std::string_view default_attention_backend(const model::ModelSpec& model,
                                           const hardware::Device& device, std::uint64_t ranks,
                                           std::uint32_t number) {
  if (model.has(model::AttentionKind::compressed)) {
    return "dsv4";
  }
  if (sparse_latent(model)) {
    return "dsa";
  }
  if (device.vendor == "amd" && device.architecture.starts_with("cdna")) {
    return on_instinct(model, ranks, number);
  }
  const std::uint32_t generation = device.compute_capability / 10;
  if (generation == 10) {
    return on_datacentre_blackwell(model, number);
  }
  if (generation == 9 && number >= 4006) {
    return "fa3";
  }
  return device.vendor == "nvidia" ? "flashinfer" : "triton";
}

std::uint64_t backend_page_size(std::string_view backend, bool latent) {
  if (backend == "dsv4" || backend == "compressed") {
    return 256;
  }
  for (const std::string_view paged :
       {"dsa", "nsa", "flashmla", "trtllm_mla", "trtllm_mha", "cutedsl"}) {
    if (backend == paged) {
      return 64;
    }
  }
  const bool wide =
      backend == "cutlass_mla" || backend == "ascend" || (backend == "fa4" && !latent);
  return wide ? 128 : 1;
}

bool backend_fixes_page_size(std::string_view backend) {
  return backend == "dsv4" || backend == "dsa" || backend == "flashmla" || backend == "cutlass_mla";
}

}  // namespace ridgepoint::engine::sglang
