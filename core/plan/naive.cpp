#include "plan/naive.hpp"

#include <algorithm>

#include "cache/geometry.hpp"
#include "wording.hpp"

namespace ridgepoint::plan {
namespace {

std::string geometry_mistake(const model::ModelSpec& model, const engine::MemoryPlan& memory,
                             std::uint64_t naive_bytes) {
  const model::Attention* first = model::first_attention(model);
  if (naive_bytes == memory.bytes_per_token || first == nullptr) {
    return {};
  }
  const model::Attention& a = *first;
  const double ratio =
      static_cast<double>(naive_bytes) / static_cast<double>(memory.bytes_per_token);
  std::string text = worded(
      {"It takes the model for grouped-query attention: ", grouped(naive_bytes), " bytes a token"});
  if (a.kind == model::AttentionKind::latent) {
    const std::uint64_t by_query_heads =
        2 * a.num_attention_heads * a.head_dim * model.layers.size() * 2;
    text += worded({" (or ", grouped(by_query_heads), " with the query's head size)"});
    text += worded({", where latent attention caches one row of ",
                    grouped(a.kv_lora_rank + a.qk_rope_head_dim), " values a layer, ",
                    grouped(memory.bytes_per_token), " bytes: "});
  } else {
    text += worded({" where the engine caches ", grouped(memory.bytes_per_token), ": "});
  }
  const bool more = ratio >= 1.0;
  text +=
      worded({decimal(more ? ratio : 1.0 / ratio), " times too ", (more ? "much. " : "little. ")});
  return text;
}

/// What the engine keeps from the cache: of its claim, and of the card outside of it. An engine
/// without a claim keeps what it needs and leaves the rest.
std::string unseen_memory(const engine::MemoryPlan& memory) {
  const std::uint64_t claim = memory.requested_bytes.value_or(memory.total_bytes);
  const std::uint64_t used = memory.weights.best + memory.kv_pool.best;
  const std::uint64_t rest = claim > used ? claim - used : 0;
  const std::uint64_t needed =
      memory.activation.best + memory.non_torch.best + memory.cuda_graphs_charged.best;
  const std::uint64_t inside = memory.requested_bytes ? rest : std::min(rest, needed);
  const std::uint64_t outside = memory.requested_bytes
                                    ? memory.total_bytes - std::min(memory.total_bytes, claim)
                                    : rest - inside;
  if (inside == 0 && outside == 0) {
    return {};
  }
  std::string text = "It gives the cache all that the weights leave: the engine ";
  if (inside != 0) {
    text += worded({"first keeps ", in_gib(inside), " a GPU for activations and the rest"});
  }
  if (outside != 0) {
    text += worded({(inside == 0 ? "leaves " : ", and leaves "), in_gib(outside), " of the card ",
                    (memory.requested_bytes ? "outside its claim" : "free")});
  }
  return worded({text, "."});
}

}  // namespace

Naive naive_answer(const model::ModelSpec& model, const engine::MemoryPlan& memory) {
  Naive naive;
  naive.bytes_per_token = cache::naive_bytes_per_token(model);
  const engine::Parallelism& p = memory.parallelism;
  const std::uint64_t gpus = p.tensor * p.pipeline;
  const std::uint64_t weights = memory.weights.best * gpus;
  const std::uint64_t budget = memory.requested_bytes.value_or(memory.total_bytes) * gpus;
  const std::uint64_t card = memory.total_bytes * gpus;
  const std::uint64_t context = std::max<std::uint64_t>(1, memory.context);
  const double a_request =
      std::max(1.0, static_cast<double>(naive.bytes_per_token) * static_cast<double>(context));
  if (naive.bytes_per_token == 0 || memory.bytes_per_token == 0) {
    naive.bytes_per_token = 0;
    naive.fits = weights <= card;
    naive.why = "It counts keys and values of every layer, and this model caches none of them.";
    return naive;
  }
  naive.fits = static_cast<double>(weights) + a_request <= static_cast<double>(card);
  const std::uint64_t room = budget > weights ? budget - weights : 0;
  naive.max_requests = static_cast<std::uint64_t>(static_cast<double>(room) / a_request) * p.data;

  naive.why = geometry_mistake(model, memory, naive.bytes_per_token);
  naive.why += unseen_memory(memory);
  return naive;
}

}  // namespace ridgepoint::plan
