#include "engine/sglang/static_fraction.hpp"

#include <algorithm>
#include <cmath>

namespace ridgepoint::engine::sglang {
namespace {

constexpr double kGiBInMib = 1024.0;
constexpr std::uint64_t kLeastActivationTokens = 2048;
constexpr std::uint64_t kMibInGib = 1024;
constexpr std::uint64_t kHugeCard = 160 * kMibInGib;

double as_double(std::uint64_t value) { return static_cast<double>(value); }

double three_decimals(double value) { return std::round(value * 1000.0) / 1000.0; }

/// Until 0.4.7: more ranks, less for the caches.
double by_ranks(std::uint64_t ranks) {
  if (ranks >= 16) {
    return 0.79;
  }
  if (ranks >= 8) {
    return 0.81;
  }
  if (ranks >= 4) {
    return 0.85;
  }
  return ranks >= 2 ? 0.87 : 0.88;
}

StaticFraction from_table(const FractionInputs& in) {
  const double gpu = as_double(in.gpu_mib);
  const bool speculative = in.speculation != Speculation::none;
  StaticFraction fraction;
  if (in.number < 4006) {
    fraction.value = by_ranks(in.tensor);
    return fraction;
  }
  double value = in.gpu_mib <= 81920 ? by_ranks(in.tensor * in.pipeline) : 0.88;
  const bool reserves_for_drafts = in.number >= 4007 && speculative;
  if (in.number >= 4007 && in.nvidia && in.gpu_mib > 180000) {
    value = 0.79;
  } else if (in.gpu_mib > 96 * kMibInGib) {
    const double reserve = (reserves_for_drafts ? 20 : 18) * kGiBInMib;
    value = std::min(value + 48 * kGiBInMib * (1 - value) / gpu, (gpu - reserve) / gpu);
  } else if (reserves_for_drafts) {
    value *= 0.95;
  }
  fraction.value = value;
  return fraction;
}

/// Sums up what is reserved, part by part.
class Reserve {
 public:
  explicit Reserve(const FractionInputs& in) : in_(in) {}

  StaticFraction fraction() {
    in_.number < 5003 ? by_card() : by_batch();
    StaticFraction fraction;
    const double gpu = as_double(in_.gpu_mib);
    fraction.reserved_mib = sum_;
    fraction.value = three_decimals((gpu - sum_) / gpu);
    fraction.parts = std::move(parts_);
    return fraction;
  }

 private:
  void add(std::string what, double mib) {
    if (mib != 0) {
      sum_ += mib;
      parts_.emplace_back(std::move(what), mib);
    }
  }

  void add_drafts(double usual) {
    if (in_.speculation == Speculation::standalone && in_.number >= 5001) {
      add("a draft model of its own", 6 * kGiBInMib);
    } else if (in_.speculation != Speculation::none &&
               (in_.speculation != Speculation::ngram || in_.number < 5003)) {
      add("drafts", usual);
    }
  }

  void by_card() {
    const double ranks = as_double(in_.tensor * in_.pipeline);
    if (in_.gpu_mib < 35 * kMibInGib) {
      add("cards below 35 GiB", (2.8 + ranks / 10) * kGiBInMib);
    } else if (in_.gpu_mib < 90 * kMibInGib) {
      add("cards below 90 GiB", (9.5 + ranks / 2) * kGiBInMib);
    } else if (in_.gpu_mib < kHugeCard) {
      add("cards below 160 GiB", (12 + ranks / 2) * kGiBInMib);
    } else {
      add("cards of 160 GiB and more", 32 * kGiBInMib);
    }
    add_drafts(2 * kGiBInMib);
    if (in_.attention_data > 1) {
      add("data-parallel attention", 4 * kGiBInMib);
    }
  }

  [[nodiscard]] std::uint64_t activation_tokens() const {
    if (in_.role == Role::decode && in_.number >= 5010) {
      const std::uint64_t requests = in_.max_running_requests.value_or(in_.decode_graph_most);
      return std::max(requests * in_.draft_tokens, kLeastActivationTokens);
    }
    return std::max(in_.chunk == 0 ? in_.max_prefill_tokens : in_.chunk, kLeastActivationTokens);
  }

  void by_batch() {
    add("constant", 512);
    add("1.5 x activation tokens", 1.5 * as_double(activation_tokens()));
    add("ranks / 8 GiB", as_double(in_.tensor * in_.pipeline) / 8 * kGiBInMib);
    const double most = as_double(in_.decode_graph_most);
    if (in_.role != Role::prefill) {
      add("2 x largest decode graph", 2 * most);
      if (in_.attention_data > 1) {
        const double groups = as_double(in_.attention_data);
        add("3 x largest decode graph x attention groups", 3 * most * groups);
        add("the same beyond 300", in_.decode_graph_most > 300 ? 1.5 * most * groups : 0);
      }
    }
    add_prefill_graphs();
    constexpr double kFloor = 10 * kGiBInMib;
    if (in_.gpu_mib > 60 * kMibInGib && sum_ < kFloor) {
      add("up to 10 GiB on cards above 60 GiB", kFloor - sum_);
    }
    if (in_.deepep && in_.number >= 5013 && in_.decode_graph_most != 0 &&
        in_.role != Role::prefill) {
      add("DeepEP's buffers", 2 * kGiBInMib);
    }
    if (in_.number < 5013) {
      add_drafts((in_.number >= 5010 ? 4 : 2) * kGiBInMib);
    }
  }

  void add_prefill_graphs() {
    if (in_.prefill_graphs == 0 || in_.role == Role::decode) {
      return;
    }
    if (in_.latent) {
      add("prompt graphs of latent attention", 1536);
    } else {
      add("8 x prompt graphs", 8 * as_double(in_.prefill_graphs));
    }
  }

  const FractionInputs& in_;
  double sum_ = 0;
  std::vector<std::pair<std::string, double>> parts_;
};

/// A tower the size of CLIP's ViT-L/14 costs 5 percent; larger ones more.
double tower_factor(const VisionSize& vision) {
  const double layers = vision.layers == 0 ? 24.0 : as_double(vision.layers);
  const double hidden = vision.hidden_size == 0 ? 1024.0 : as_double(vision.hidden_size);
  const double ratio = layers * hidden * hidden / (24.0 * 1024.0 * 1024.0);
  return 0.95 * std::clamp(1.0 - 0.1 * (ratio - 1.0), 0.8, 1.05);
}

}  // namespace

StaticFraction default_static_fraction(const FractionInputs& inputs) {
  StaticFraction fraction = inputs.number < 4008 ? from_table(inputs) : Reserve(inputs).fraction();
  if (inputs.vision && inputs.number >= 4009 && inputs.role != Role::decode) {
    fraction.multimodal_factor = inputs.number >= 4010 ? tower_factor(*inputs.vision) : 0.9;
    fraction.value *= fraction.multimodal_factor;
  }
  return fraction;
}

double old_multimodal_factor(std::uint32_t number) {
  if (number >= 4009) {
    return 1.0;
  }
  return number >= 4005 ? 0.90 : 0.95;
}

std::uint64_t default_chunk(std::uint32_t number, std::uint64_t gpu_mib) {
  if (number < 4008) {
    return gpu_mib < 25000 ? 2048 : 8192;
  }
  if (gpu_mib < 35 * kMibInGib) {
    return 2048;
  }
  if (number >= 5003 && gpu_mib < 60 * kMibInGib) {
    return 4096;
  }
  return gpu_mib < kHugeCard ? 8192 : 16384;
}

std::uint64_t default_graph_most(std::uint32_t number, std::uint64_t gpu_mib,
                                 std::uint64_t tensor) {
  const bool few = tensor < 4;
  if (number < 4008) {
    return gpu_mib >= 25000 ? 160 : (few ? 8 : 80);
  }
  if (number < 5003) {
    if (gpu_mib < 35 * kMibInGib) {
      return few ? 8 : 80;
    }
    return gpu_mib < 90 * kMibInGib ? 160 : (gpu_mib < kHugeCard ? 256 : 512);
  }
  if (gpu_mib < 20 * kMibInGib) {
    return 8;
  }
  if (gpu_mib < 35 * kMibInGib) {
    return few ? (number >= 5004 ? 24 : 16) : 80;
  }
  if (gpu_mib < 60 * kMibInGib) {
    return few ? 32 : 160;
  }
  return gpu_mib < kHugeCard && few ? 256 : 512;
}

}  // namespace ridgepoint::engine::sglang
