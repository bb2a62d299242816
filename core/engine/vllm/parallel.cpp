#include <algorithm>
#include <utility>
#include <vector>

#include "engine/vllm/reading.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::vllm {
namespace {

constexpr std::uint64_t kMostRanks = 1U << 16U;

void bad_split(Reading& r, std::string_view what, std::uint64_t size, std::uint64_t ranks,
               std::string_view flag) {
  const bool from_flag = r.flags.given(flag);
  r.fail("bad_parallelism",
         worded({"The model's ", what, " (", size, ") cannot be divided over --", flag, " ", ranks,
                 "; choose a divisor."}),
         from_flag ? worded({"engine.args.", flag}) : std::string("gpu.count"));
}

bool divides_attention(Reading& r, const model::Attention& a, std::uint64_t ranks) {
  if (a.kind == model::AttentionKind::none) {
    return true;
  }
  if (a.num_attention_heads % ranks != 0) {
    bad_split(r, "num_attention_heads", a.num_attention_heads, ranks, "tensor-parallel-size");
    return false;
  }
  const bool replicated = ranks > a.num_key_value_heads;
  const bool fits =
      replicated ? ranks % a.num_key_value_heads == 0 : a.num_key_value_heads % ranks == 0;
  if (a.kind != model::AttentionKind::latent && !fits) {
    bad_split(r, "num_key_value_heads", a.num_key_value_heads, ranks, "tensor-parallel-size");
    return false;
  }
  return true;
}

bool divides_state(Reading& r, const model::State& s, std::uint64_t ranks) {
  for (const auto& [what, size] : {std::pair("number of state heads", s.heads),
                                   std::pair("number of state key heads", s.key_heads),
                                   std::pair("state width", s.inner_size)}) {
    if (size % ranks != 0) {
      bad_split(r, what, size, ranks, "tensor-parallel-size");
      return false;
    }
  }
  return true;
}

/// Quantised matrices are cut between blocks or groups only: "not divisible by weight
/// quantization block_n", "not aligned with the quantized weight shape" (v0.28
/// quantization/fp8.py, gptq.py).
void check_quantised_shares(Reading& r) {
  if (!r.model.quantization.quantized()) {
    return;
  }
  const precision::WeightFormat& format = r.model.quantization.groups.front().format;
  const bool blocks = format.packing == precision::Packing::fp8_block;
  const std::uint64_t unit = blocks ? format.block_rows : format.group_size;
  const bool grouped = blocks || format.packing == precision::Packing::awq ||
                       format.packing == precision::Packing::gptq ||
                       format.packing == precision::Packing::packed_int;
  if (!grouped || unit == 0) {
    return;
  }
  const Parallelism& p = r.settings.parallelism;
  const std::uint64_t expert_ranks = p.expert ? 1 : p.tensor * p.data;
  for (const model::Layer& layer : r.model.layers) {
    const model::FeedForward& f = layer.feed_forward;
    const bool dense = p.tensor == 1 || f.intermediate_size / p.tensor % unit == 0;
    const bool experts = expert_ranks == 1 || f.moe_intermediate_size / expert_ranks % unit == 0;
    if (!dense || !experts) {
      const std::uint64_t width = dense ? f.moe_intermediate_size : f.intermediate_size;
      const std::uint64_t ranks = dense ? expert_ranks : p.tensor;
      r.fail("bad_parallelism",
             worded({"A width of ", width, " over ", ranks, " ranks leaves ", width / ranks,
                     ", which is no multiple of the quantisation's blocks of ", unit,
                     "; vLLM refuses it. Use fewer ranks",
                     (f.moe() ? ", or --enable-expert-parallel." : ".")}),
             "gpu.count");
      return;
    }
  }
}

}  // namespace

void read_parallelism(Reading& r) {
  const auto tp = r.flags.whole("tensor-parallel-size", 1, kMostRanks);
  const auto pp = r.flags.whole("pipeline-parallel-size", 1, kMostRanks);
  const auto dp = r.flags.whole("data-parallel-size", 1, kMostRanks);
  Parallelism& p = r.settings.parallelism;
  p.tensor = tp.value_or(1);
  p.pipeline = pp.value_or(1);
  p.data = dp.value_or(1);
  p.expert = r.flags.boolean("enable-expert-parallel").value_or(false);
  if (!r.inputs.gpu_count || r.flags.error()) {
    return;
  }
  const std::uint64_t count = *r.inputs.gpu_count;
  if (!tp && !pp && !dp) {
    p.tensor = count;
    if (count > 1) {
      r.assume(worded(
          {"No parallel flag given: --tensor-parallel-size ", count, ", the number of cards."}));
    }
  } else if (p.tensor * p.pipeline * p.data != count) {
    r.fail("bad_parallelism",
           worded({"gpu.count is ", count, ", and tensor x pipeline x data parallel size ", "is ",
                   p.tensor, " x ", p.pipeline, " x ", p.data, " = ",
                   p.tensor * p.pipeline * p.data, "; make them agree."}),
           "gpu.count");
  }
}

namespace {

/// VLLM_PP_LAYER_PARTITION="10,12,10": layers of each stage (distributed/utils.py,
/// get_pp_indices).
void read_partition(Reading& r) {
  const std::string_view text = r.env("VLLM_PP_LAYER_PARTITION");
  if (text.empty()) {
    return;
  }
  std::vector<std::uint64_t> sizes(1, 0);
  bool valid = text.size() < 4096;
  std::uint64_t total = 0;
  for (const char c : text) {
    if (c == ',') {
      sizes.push_back(0);
    } else if (c >= '0' && c <= '9' && sizes.back() < 100000) {
      sizes.back() = sizes.back() * 10 + static_cast<std::uint64_t>(c - '0');
    } else {
      valid = false;
    }
  }
  for (const std::uint64_t size : sizes) {
    total += size;
  }
  if (!valid || sizes.size() != r.settings.parallelism.pipeline || total != r.model.layers.size()) {
    r.fail("bad_env",
           worded({"VLLM_PP_LAYER_PARTITION must be ", r.settings.parallelism.pipeline,
                   " numbers of layers that add up to ", r.model.layers.size(), "."}),
           "engine.env.VLLM_PP_LAYER_PARTITION");
    return;
  }
  r.settings.stage_layers = std::move(sizes);
}

/// A request's cache may be dealt over ranks of one tensor parallel group that would hold copies
/// of it (config/parallel.py, config/model.py).
void read_context_parallel(Reading& r) {
  const auto dcp = r.flags.whole("decode-context-parallel-size", 1, kMostRanks);
  const std::uint64_t ranks = dcp.value_or(1);
  const std::uint64_t tp = r.settings.parallelism.tensor;
  r.settings.decode_context_parallel = ranks;
  if (ranks == 1) {
    return;
  }
  const model::Attention* a = model::first_attention(r.model);
  const std::uint64_t heads =
      a == nullptr || r.model.latent() ? 1 : std::max<std::uint64_t>(1, a->num_key_value_heads);
  if (tp % ranks != 0 || heads * ranks > tp) {
    r.fail(
        "bad_parallelism",
        worded(
            {"--decode-context-parallel-size ", ranks,
             " deals a cache over ranks that hold copies of it, and over --tensor-parallel-size ",
             tp, " the ", heads, " key/value heads leave ", std::max<std::uint64_t>(1, tp / heads),
             "."}),
        "engine.args.decode-context-parallel-size");
  }
}

}  // namespace

void check_divisible(Reading& r) {
  read_partition(r);
  read_context_parallel(r);

  const Parallelism& p = r.settings.parallelism;
  if (p.pipeline > r.model.layers.size()) {
    r.fail("bad_parallelism",
           worded({"--pipeline-parallel-size ", p.pipeline, " is more stages than the ",
                   r.model.layers.size(), " layers of the model; use fewer."}),
           "engine.args.pipeline-parallel-size");
    return;
  }
  for (const model::Layer& layer : r.model.layers) {
    const model::Attention& a = layer.attention;
    const model::FeedForward& f = layer.feed_forward;
    if (!divides_attention(r, a, p.tensor) || !divides_attention(r, layer.cross, p.tensor) ||
        !divides_state(r, layer.state, p.tensor)) {
      return;
    }
    if (!f.moe() && f.intermediate_size % p.tensor != 0) {
      bad_split(r, "intermediate_size", f.intermediate_size, p.tensor, "tensor-parallel-size");
      return;
    }
    if (f.moe() && !p.expert && f.moe_intermediate_size % (p.tensor * p.data) != 0) {
      bad_split(r, "expert width", f.moe_intermediate_size, p.tensor * p.data,
                "tensor-parallel-size");
      return;
    }
  }
  check_quantised_shares(r);
  if (p.expert && !r.model.moe()) {
    r.assume("--enable-expert-parallel has no effect: the model has no experts.");
  }
}

}  // namespace ridgepoint::engine::vllm
