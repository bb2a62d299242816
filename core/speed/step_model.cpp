#include "speed/step_model.hpp"

#include <algorithm>
#include <cmath>

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
    mixed_s_ += host.mixed_layer_s;
    if (layer.feed_forward.moe()) {
      mixed_s_ += host.mixture_layer_s;
    }
    if (layer.attention.kind == model::AttentionKind::latent) {
      mixed_s_ += host.latent_layer_s;
    }
  }
  bands_ = {kernels.tpot_band, kernels.ttft_band, kernels.measured};
  if (!products_.mixtures.empty()) {
    bands_.tpot += kernels.mixture_band;
    bands_.ttft += kernels.mixture_band;
  }
  if (layout_.tensor > 1) {
    bands_.tpot += links.band;
    bands_.ttft += links.band;
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
  return out;
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

double KernelTimer::peak_time_s(std::uint64_t tokens) const {
  const double m = real(tokens);
  double seconds = 0;
  for (const std::vector<Product>* list : {&products_.linear, &products_.shared}) {
    for (const Product& product : *list) {
      seconds += product.count * m * product.token_flops / product.peak.flops;
    }
  }
  for (const Mixture& mixture : products_.mixtures) {
    seconds += mixture.count * m * mixture.pairs * mixture.pair_flops / mixture.peak.flops;
  }
  return seconds;
}

double KernelTimer::weights_bytes(std::uint64_t tokens) const {
  double bytes = products_.head.weight_bytes;
  for (const std::vector<Product>* list : {&products_.linear, &products_.shared}) {
    for (const Product& product : *list) {
      bytes += product.count * product.weight_bytes;
    }
  }
  for (const Mixture& mixture : products_.mixtures) {
    bytes += mixture.count * mixture.weight_bytes(tokens * layout_.groups);
  }
  return bytes;
}

std::uint64_t KernelTimer::padded(std::uint64_t decoding) const {
  const auto found = std::lower_bound(captured_.begin(), captured_.end(), decoding);
  return found == captured_.end() ? decoding : *found;
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
  const bool decodes_alone = load.chunks.empty();
  const bool recorded =
      graphs_ && decodes_alone && (captured_.empty() || load.decoding <= captured_.back());
  if (recorded) {
    tokens = padded(tokens);
  }
  const ByTokens& by = known_by_tokens(tokens);
  out.linear = by.linear;
  out.experts = by.experts;
  out.communication = by.communication;
  out.elementwise = by.elementwise;
  out.attention = memory_.seconds(load);
  out.head = head(load.sampled);
  const double cards =
      out.linear + out.experts + out.communication + out.elementwise + out.attention + out.head;
  out.host = host_.step_s + ranks_s_ + real(load.sampled) * host_.per_sequence_s;
  if (!recorded) {
    // Kernels launched one by one keep the cards waiting where they are short.
    out.host += std::max(0.0, (graphs_ && !decodes_alone ? mixed_s_ : eager_s_) - cards);
  }
  out.total = cards + out.host;
  return out;
}

}  // namespace ridgepoint::speed
