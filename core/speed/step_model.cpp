#include "speed/step_model.hpp"

#include <algorithm>
#include <cmath>

#include "arithmetic.hpp"
#include "speed/collectives.hpp"

namespace ridgepoint::speed {
namespace {

/// Steps of more tokens are worked out anew each time.
constexpr std::uint64_t kTableTokens = 65536;
constexpr std::uint64_t kTableHeads = 4096;

bool known(double rate) { return std::isfinite(rate) && rate > 0; }

double real(std::uint64_t n) { return static_cast<double>(n); }

}  // namespace

Layout layout_of(const engine::Parallelism& parallelism, const model::ModelSpec& model,
                 Sharing sharing) {
  Layout layout;
  layout.tensor = parallelism.tensor;
  layout.pipeline = parallelism.pipeline;
  if (sharing == Sharing::all_ranks) {
    layout.groups = std::clamp<std::uint64_t>(parallelism.data, 1, parallelism.tensor);
    layout.tensor = parallelism.tensor / layout.groups;
    layout.dense = parallelism.tensor;
  } else if (sharing == Sharing::experts && model.moe()) {
    layout.groups = parallelism.data;
  }
  const std::uint64_t ranks = layout.tensor * layout.groups;
  layout.expert_ranks = parallelism.expert ? ranks : 1;
  layout.expert_split = parallelism.expert ? 1 : ranks;
  return layout;
}

std::optional<KernelTimer> KernelTimer::make(const Setup& setup) {
  const double peak = std::max(setup.device.bf16_flops, setup.device.fp16_flops);
  if (!known(setup.device.bandwidth_bytes_per_s) || !known(peak)) {
    return std::nullopt;
  }
  return KernelTimer(setup, setup.kernels != nullptr ? *setup.kernels : kernels_of(setup.device),
                     setup.links != nullptr ? *setup.links : links_of(setup.device),
                     setup.host != nullptr ? *setup.host : host_of(setup.engine, setup.version));
}

KernelTimer::KernelTimer(const Setup& setup, const Kernels& kernels, const Links& links,
                         const Host& host)
    : kernels_(kernels),
      links_(links),
      host_(host),
      layout_(setup.layout),
      bandwidth_(setup.device.bandwidth_bytes_per_s),
      hidden_bytes_(2.0 * real(setup.model.hidden_size)),
      batch_tokens_(setup.batch_tokens),
      graphs_(setup.graphs),
      captured_(setup.captured),
      products_(list_products(
          setup, kernels,
          setup.weight_bytes ? real(*setup.weight_bytes) / whole_weight_bytes(setup) : 1.0)),
      memory_(setup, kernels) {
  kernels_.experts_launch_s *= host.experts_scale;
  for (std::uint64_t ranks = layout_.tensor * layout_.pipeline; ranks > 1; ranks /= 2) {
    ranks_s_ += host.ranks_s;
  }
  for (const model::Layer& layer : setup.model.layers) {
    chosen_ = std::max(chosen_, real(layer.feed_forward.num_experts_per_tok));
    eager_s_ += host.eager_layer_s;
    gaps_s_ += host.eager_gap_s;
    mixed_s_ += host.mixed_layer_s;
    if (layer.feed_forward.moe()) {
      mixed_s_ += host.mixture_layer_s;
    }
    if (layer.attention.kind == model::AttentionKind::latent) {
      mixed_s_ += host.latent_layer_s;
    }
  }
  bands_ = {kernels.tpot_band, kernels.ttft_band, kernels.queue_band, kernels.measured};
  if (!products_.mixtures.empty()) {
    bands_.tpot += kernels.mixture_band;
    bands_.ttft += kernels.mixture_band;
    bands_.queued += kernels.mixture_band;
  }
  if (layout_.tensor > 1) {
    bands_.tpot += links.band;
    bands_.ttft += links.band;
    bands_.queued += links.band;
  }
  front_end_ = {host.request_s, host.queued_request_s, host.queued_token_s, host.queued_output_s};
}

KernelTimer::ByTokens KernelTimer::by_tokens(std::uint64_t tokens) const {
  ByTokens out;
  out.linear = 0;
  const double m = real(tokens);
  for (const Product& product : products_.linear) {
    out.linear += product.seconds(m, kernels_, bandwidth_) + cast_s(product);
  }
  const std::uint64_t shared_tokens = tokens * layout_.groups;
  for (const Product& product : products_.shared) {
    out.experts += product.seconds(m, kernels_, bandwidth_) + cast_s(product);
  }
  for (const Mixture& mixture : products_.mixtures) {
    out.experts += mixture.seconds(shared_tokens, kernels_, bandwidth_);
  }
  const double bytes = m * hidden_bytes_;
  out.communication = products_.reduced_layers * all_reduce_s(links_, layout_.tensor, bytes);
  if (layout_.groups == 1) {
    out.communication +=
        products_.reduced_dense * all_reduce_s(links_, layout_.dense_ranks(), bytes);
  } else {
    // Tokens go to the ranks of their experts in 8 bits and come back in 16.
    const std::uint64_t ranks = layout_.tensor * layout_.groups;
    const double copies = std::min(chosen_, real(ranks)) / real(layout_.tensor);
    for (const Mixture& mixture : products_.mixtures) {
      out.communication += mixture.count * (all_to_all_s(links_, ranks, bytes / 2 * copies) +
                                            all_to_all_s(links_, ranks, bytes * copies));
    }
  }
  if (layout_.pipeline > 1) {
    out.communication += real(layout_.pipeline - 1) * hand_over_s(links_, bytes);
  }
  constexpr double kLaunches = 5;
  constexpr double kStreamShare = 0.8;
  out.elementwise = products_.layers * kLaunches * kernels_.elementwise_launch_s +
                    m * products_.elementwise_bytes / (kStreamShare * bandwidth_);
  add_ideal(out, tokens);
  return out;
}

void KernelTimer::add_ideal(ByTokens& out, std::uint64_t tokens) const {
  const std::uint64_t shared_tokens = tokens * layout_.groups;
  const auto add = [&](const std::vector<Product>& list, double m) {
    for (const Product& product : list) {
      out.read += product.count * product.weight_bytes / bandwidth_;
      out.compute += product.count * m * product.token_flops / product.peak.flops;
    }
  };
  add(products_.linear, real(tokens));
  add(products_.shared, real(tokens));
  for (const Mixture& mixture : products_.mixtures) {
    out.read += mixture.count * mixture.weight_bytes(shared_tokens) / bandwidth_;
    out.compute += mixture.count * real(shared_tokens) * mixture.pairs * mixture.pair_flops /
                   mixture.peak.flops;
  }
}

const KernelTimer::ByTokens& KernelTimer::known_by_tokens(std::uint64_t tokens) {
  if (tokens >= kTableTokens) {
    beyond_ = by_tokens(tokens);
    return beyond_;
  }
  if (tokens >= table_.size()) {
    table_.resize(std::min(kTableTokens, std::max<std::uint64_t>(2 * table_.size(), tokens + 1)));
  }
  ByTokens& entry = table_[tokens];
  if (entry.linear < 0) {
    entry = by_tokens(tokens);
  }
  return entry;
}

double KernelTimer::head(std::uint64_t sampled) {
  const auto worked_out = [&] {
    return products_.head.count == 0 ? 0.0
                                     : products_.head.seconds(real(sampled), kernels_, bandwidth_) +
                                           all_reduce_s(links_, layout_.tensor, 0);
  };
  if (sampled == 0) {
    return 0;
  }
  if (sampled >= kTableHeads) {
    return worked_out();
  }
  if (sampled >= heads_.size()) {
    heads_.resize(std::min(kTableHeads, std::max<std::uint64_t>(2 * heads_.size(), sampled + 1)),
                  -1.0);
  }
  double& entry = heads_[sampled];
  if (entry < 0) {
    entry = worked_out();
  }
  return entry;
}

double KernelTimer::products_compute_s(std::uint64_t tokens) const {
  const double m = real(tokens);
  double seconds = 0;
  for (const std::vector<Product>* list : {&products_.linear, &products_.shared}) {
    for (const Product& product : *list) {
      seconds += product.count * m * product.token_flops / product.peak.reached();
    }
  }
  for (const Mixture& mixture : products_.mixtures) {
    seconds += mixture.count * mixture.compute_s(tokens * layout_.groups, kernels_);
  }
  return seconds;
}

double KernelTimer::weights_read_s(std::uint64_t tokens) const {
  double seconds = 0;
  for (const std::vector<Product>* list : {&products_.linear, &products_.shared}) {
    for (const Product& product : *list) {
      seconds += product.count * product.weight_bytes / (kernels_.weight_share * bandwidth_);
    }
  }
  for (const Mixture& mixture : products_.mixtures) {
    seconds += mixture.count * mixture.weight_bytes(tokens * layout_.groups) /
               (kernels_.expert_share * bandwidth_);
  }
  return seconds;
}

std::uint64_t KernelTimer::padded(std::uint64_t decoding) const {
  const auto found = std::lower_bound(captured_.begin(), captured_.end(), decoding);
  return found == captured_.end() ? decoding : *found;
}

std::uint64_t KernelTimer::parts_of(const StepLoad& load) const {
  if (layout_.in_flight <= 1) {
    return 1;
  }
  std::uint64_t pieces = load.decoding;
  for (const Chunk& chunk : load.chunks) {
    pieces += batch_tokens_ == 0 ? 1 : ceil_div(chunk.tokens, batch_tokens_);
  }
  return std::clamp<std::uint64_t>(pieces, 1, layout_.in_flight);
}

void KernelTimer::overlap_stages(StepTime& time, const StepLoad& load, std::uint64_t parts) const {
  const double stages = real(layout_.pipeline);
  const double batches = real(parts);
  time.read *= batches / stages;
  time.compute *= batches / stages;
  // Batches follow each other at the pace of the slowest stage, which has the head.
  const double longest = std::ceil(products_.layers / stages) / std::max(1.0, products_.layers);
  double total = std::max(time.total, batches * ((time.total - time.head) * longest + time.head));
  if (load.decoding == 0 && load.chunks.size() == 1) {
    // A prompt alone is done when its last batch has passed the stages that the first has left.
    total = time.total * (1.0 + (batches - 1.0) / stages);
  }
  time.communication += total - time.total;
  time.total = total;
}

double KernelTimer::launched_s(double cards_s, const StepLoad& load, bool recorded) const {
  if (recorded) {
    return cards_s;
  }
  const bool decodes_alone = load.chunks.empty();
  if (decodes_alone) {
    return std::max(cards_s + (graphs_ ? 0.0 : gaps_s_), eager_s_);
  }
  return std::max(cards_s, graphs_ ? mixed_s_ : eager_s_);
}

StepTime KernelTimer::time(const StepLoad& load) {
  StepTime out;
  std::uint64_t tokens = load.decoding;
  for (const Chunk& chunk : load.chunks) {
    tokens += chunk.tokens;
  }
  if (tokens == 0) {
    return out;
  }
  const std::uint64_t parts = parts_of(load);
  tokens = ceil_div(tokens, parts);
  const std::uint64_t sampled = ceil_div(load.sampled, parts);
  const bool decodes_alone = load.chunks.empty();
  const bool recorded =
      graphs_ && decodes_alone && (captured_.empty() || tokens <= captured_.back());
  if (recorded) {
    tokens = padded(tokens);
  }
  const ByTokens& by = known_by_tokens(tokens);
  const Spent memory = memory_.spent(load, parts);
  out.linear = by.linear;
  out.experts = by.experts;
  out.communication = by.communication;
  out.elementwise = by.elementwise;
  out.attention = memory.seconds;
  out.head = head(sampled);
  out.read = by.read + memory.read;
  out.compute = by.compute + memory.compute;
  if (sampled != 0) {
    out.read += products_.head.count * products_.head.weight_bytes / bandwidth_;
  }
  const double cards =
      out.linear + out.experts + out.communication + out.elementwise + out.attention + out.head;
  out.total = launched_s(cards, load, recorded) + host_.step_s + ranks_s_ +
              real(sampled) * host_.per_sequence_s;
  out.host = out.total - cards;
  if (layout_.pipeline > 1) {
    overlap_stages(out, load, parts);
  }
  return out;
}

}  // namespace ridgepoint::speed
