#include "plan/step_rules.hpp"

namespace ridgepoint::plan {
namespace {

using G = StepGroup;

/// The first row that matches is meant; rows of one engine stand before those of any.
constexpr StepRule kRules[] = {
    // vLLM
    {"vllm", "requested", G::claim,
     "vLLM claims a share of the card's whole memory, whatever else lies on it."},
    {"vllm", "activation.forward", G::terms,
     "The profile run computes one step of the most tokens; its widest layer decides the peak."},
    {"vllm", "activation.compile", G::terms,
     "On a first start, compiling holds a copy of the embedding table and of the inputs."},
    {"vllm", "activation.sampler", G::terms,
     "The profile run samples for the most sequences at once, over the whole vocabulary."},
    {"vllm", "activation.persistent", G::terms,
     "Workspaces that are made in the profile run stay for good."},
    {"vllm", "activation", G::terms,
     "The largest of the three peaks counts, for they are not held at once, and what stays."},
    {"vllm", "kv_pool", G::pool, "The cache gets what the claim leaves beside all terms."},
    {"vllm", "bytes_per_block", G::cache,
     "A block holds so many tokens in every layer of its group, on this GPU."},
    {"vllm", "blocks", G::capacity,
     "The pool is cut into whole blocks; the GPU with the fewest decides for all."},
    {"vllm", "blocks_per_request", G::capacity,
     "A request takes whole blocks in every group, of windows no more than they keep."},
    {"vllm", "max_concurrency", G::capacity,
     "What vLLM prints at the start: requests of the maximum length that the blocks hold."},
    {"vllm", "tokens", G::capacity, "What vLLM prints at the start as the size of the cache."},
    // SGLang
    {"sglang", "non_torch", G::claim,
     "The CUDA context and NCCL are on the card before SGLang looks what is free."},
    {"sglang", "pre_model_load_memory", G::claim,
     "SGLang measures free memory before it loads the model; the rank with the least decides."},
    {"sglang", "mem_fraction_static", G::claim,
     "A fraction of that is for weights and cache; the rest is left for everything else."},
    {"sglang", "requested", G::claim, "Weights and cache together get this much."},
    {"sglang", "sizing_loss", G::pool,
     "Some memory is in use when the pool is sized that no rule of the engine names."},
    {"sglang", "rest", G::pool, "What weights leave of it is for caches."},
    {"sglang", "state_pool", G::pool, "Recurrent states get their part of the rest first."},
    {"sglang", "max_mamba_cache_size", G::pool,
     "The ratio of the state pool to the token pool says how many states there are."},
    {"sglang", "state_bytes", G::cache,
     "A state has the last inputs of its convolution and a recurrent part."},
    {"sglang", "kv_pool", G::pool, "The pool has a page more than the tokens it serves."},
    {"sglang", "cell_size", G::cache,
     "What one more token takes on this GPU decides how many fit into the rest."},
    {"sglang", "tokens", G::capacity, "The rest is divided by a cell, in whole pages."},
    {"sglang", "window_tokens", G::capacity,
     "Layers with a window have a pool of their own, as a ratio of the full one."},
    {"sglang", "max_running_requests", G::capacity,
     "SGLang bounds the requests at once by a rule of its own where no flag does."},
    {"sglang", "slack", G::terms, "What the fraction leaves must hold all that comes later."},
    {"sglang", "request_table", G::terms,
     "A table has a row for each request and a column for each of its tokens."},
    {"sglang", "activation", G::terms,
     "The request table, workspaces and one forward pass come out of what is left."},
    {"sglang", "cuda_graphs", G::terms, "Graphs are recorded after the pool, out of what is left."},
    // TensorRT-LLM
    {"trtllm", "activation", G::terms,
     "A dry run of the most tokens shows the peak; without one nothing is subtracted."},
    {"trtllm", "non_torch.temporary_kv", G::terms,
     "The dry run needs a small cache of its own, which is given back."},
    {"trtllm", "peak", G::pool, "All that the dry run found in use at its peak."},
    {"trtllm", "kv_pool", G::pool,
     "The cache gets a fraction of what the peak leaves of the whole card."},
    {"trtllm", "recurrent_states", G::pool,
     "States for the most requests are made whether they run or not."},
    {"trtllm", "blocks", G::capacity, "The pool is cut into blocks of tokens."},
    {"trtllm", "blocks.", G::capacity,
     "Each window has a part of the pool, cut into blocks of its own."},
    {"trtllm", "tokens", G::capacity, "Blocks hold whole tokens."},
    {"trtllm", "max_concurrency", G::capacity, "Requests of the maximum length that they hold."},
    // llama.cpp
    {"llamacpp", "fit.context", G::cache,
     "--fit finds the longest context between the least and the trained one, in a line."},
    {"llamacpp", "weights.host", G::weights,
     "The input table and layers that are not offloaded stay in the machine's memory."},
    {"llamacpp", "cells", G::cache,
     "The context is padded to whole rows of cells, which slots share or have for themselves."},
    {"llamacpp", "cells.window", G::cache,
     "Layers with a window keep it and one micro-batch, and no more."},
    {"llamacpp", "kv_pool", G::pool, "The cache is made for the whole context at the start."},
    {"llamacpp", "kv_pool.", G::pool, "Each kind of cache is a buffer of its own."},
    {"llamacpp", "activation", G::terms,
     "One buffer holds the widest moment of the graph; tensors are freed after their last use."},
    {"llamacpp", "activation.", G::terms, "A part of that buffer that can be told apart."},
    {"llamacpp", "total", G::claim,
     "llama.cpp claims nothing up front: it takes what its buffers are, and no more."},
    // Any engine
    {"", "weights", G::weights,
     "A GPU holds its share of the tensors, and what the engine makes of them while loading."},
    {"", "activation", G::terms, "Memory that one step takes beside weights and cache."},
    {"", "non_torch", G::terms, "The CUDA context, libraries and buffers of communicators."},
    {"", "cuda_graphs", G::terms, "Recorded graphs keep buffers for every size they are for."},
    {"", "cuda_graphs_charged", G::terms,
     "What of the graphs this version subtracts from the cache; the rest comes later."},
    {"", "kv_pool", G::pool, "The memory that the engine sets aside for the cache."},
    {"", "bytes_per_token", G::cache,
     "One more token adds a row in every layer that caches, in the whole model."},
    {"", "state_bytes_per_request", G::cache,
     "Layers with a state keep the same for a request whatever its length."},
    {"", "blocks", G::capacity, "The cache is handed out in blocks."},
    {"", "max_requests", G::capacity,
     "Whole requests of the length asked about, bounded by the engine's limit, of all replicas."},
    {"", "naive.bytes_per_token", G::cache,
     "For comparison: what one gets who takes every model for plain grouped-query attention."},
    {"", "ttft", G::speed, "Reading a prompt is bound by arithmetic."},
    {"", "tpot", G::speed, "Writing a token is bound by what must be read for it."},
};

bool matches(std::string_view rule, std::string_view term) {
  return rule == term || (rule.ends_with('.') && term.starts_with(rule));
}

}  // namespace

const StepRule* find_step_rule(std::string_view engine, std::string_view term) {
  for (const StepRule& rule : kRules) {
    if ((rule.engine.empty() || rule.engine == engine) && matches(rule.term, term)) {
      return &rule;
    }
  }
  return nullptr;
}

std::string_view sharding_rule(model::Part part) {
  using model::Part;
  switch (part) {
    case Part::embedding:
    case Part::lm_head:
      return "Rows of the vocabulary are divided over tensor-parallel ranks, on the first or last "
             "stage.";
    case Part::attention:
      return "Query heads are divided over tensor-parallel ranks; key-value heads too, and copied "
             "where there are fewer of them; stages have their layers.";
    case Part::dense_ffn:
    case Part::shared_experts:
      return "Columns, then rows, are divided over tensor-parallel ranks; stages have their "
             "layers.";
    case Part::experts:
      return "Each expert's matrices, or with expert parallelism whole experts, are divided over "
             "ranks; stages have their layers.";
    case Part::state_mixer:
      return "Channels or heads are divided over tensor-parallel ranks; stages have their layers.";
    case Part::vision:
    case Part::audio:
    case Part::encoder:
      return "The tower is divided as its layers allow, or kept whole on each rank.";
    default:
      return "Small tensors are kept whole on each rank of the stage that uses them.";
  }
}

std::string_view step_group_name(StepGroup group) {
  constexpr std::string_view kNames[] = {"model", "weights",  "claim",   "terms", "pool",
                                         "cache", "capacity", "verdict", "speed"};
  return kNames[static_cast<std::size_t>(group)];
}

}  // namespace ridgepoint::plan
