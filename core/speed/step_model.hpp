#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/engine.hpp"
#include "speed/attention.hpp"
#include "speed/products.hpp"
#include "speed/setup.hpp"
#include "speed/step.hpp"

namespace ridgepoint::speed {

/// What data-parallel groups of a deployment have in common.
enum class Sharing : std::uint8_t {
  nothing,    ///< replicas apart
  experts,    ///< replicas of a mixture, each on ranks of its own (vLLM)
  all_ranks,  ///< groups of data-parallel attention on the ranks of one replica
};

/// The layout of an engine's parallelism; what only mixtures share, a dense model has apart.
Layout layout_of(const engine::Parallelism& parallelism, const model::ModelSpec& model,
                 Sharing sharing = Sharing::experts);

/// Half the width of the range around each figure, relative.
struct Bands {
  double tpot = 0;
  double ttft = 0;        ///< of a prompt alone
  double queued = 0;      ///< of the first token of a load, its queue included
  bool measured = false;  ///< false: of cards whose kernels were not measured
};

/// Times of steps from what kernels were measured to reach (core/data/speed_constants.json): each
/// layer's products, caches, experts and collectives, and what the engine's own processes add.
class KernelTimer final : public StepTimer {
 public:
  /// Empty where the card's bandwidth or 16-bit peak is not known, or no finite number.
  static std::optional<KernelTimer> make(const Setup& setup);

  [[nodiscard]] const ContextCaps& caps() const override { return memory_.caps(); }
  StepTime time(const StepLoad& load) override;

  [[nodiscard]] const Bands& bands() const { return bands_; }
  [[nodiscard]] const FrontEnd& front_end() const { return front_end_; }

  /// Seconds in which products of so many tokens reach what they reach of the peaks, without the
  /// head, and in which the weights they take are read. Of all stages, one rank each.
  [[nodiscard]] double products_compute_s(std::uint64_t tokens) const;
  [[nodiscard]] double weights_read_s(std::uint64_t tokens) const;

  /// Bytes of caches and states that one request of `context` tokens reads in a step, on one rank
  /// of each stage.
  [[nodiscard]] double request_bytes(std::uint64_t context) const {
    return memory_.request_bytes(context);
  }

 private:
  /// What depends on the number of tokens alone.
  struct ByTokens {
    double linear = -1;  ///< below zero: not worked out yet
    double experts = 0;
    double communication = 0;
    double elementwise = 0;
    double read = 0;
    double compute = 0;
  };

  KernelTimer(const Setup& setup, const Kernels& kernels, const Links& links, const Host& host);

  [[nodiscard]] double cast_s(const Product& product) const {
    return product.cast ? product.count * host_.cast_s : 0.0;
  }
  [[nodiscard]] ByTokens by_tokens(std::uint64_t tokens) const;
  void add_ideal(ByTokens& out, std::uint64_t tokens) const;
  const ByTokens& known_by_tokens(std::uint64_t tokens);
  [[nodiscard]] double head(std::uint64_t sampled);
  /// The time of the cards' kernels where they are launched one by one, or as a recorded graph.
  [[nodiscard]] double launched_s(double cards_s, const StepLoad& load, bool recorded) const;
  /// Batches in flight that a load makes.
  [[nodiscard]] std::uint64_t parts_of(const StepLoad& load) const;
  /// What stages that work at the same time make of the time of one batch.
  void overlap_stages(StepTime& time, const StepLoad& load, std::uint64_t parts) const;
  /// Tokens that a step of decodes alone computes: graphs are recorded for some sizes.
  [[nodiscard]] std::uint64_t padded(std::uint64_t decoding) const;

  Kernels kernels_;
  Links links_;
  Host host_;
  Layout layout_;
  double bandwidth_;
  double hidden_bytes_;  ///< of one token between layers
  double chosen_ = 0;
  double ranks_s_ = 0;
  double gaps_s_ = 0;   ///< of decode steps of an engine without graphs
  double eager_s_ = 0;  ///< launching a step's kernels one by one …
  double mixed_s_ = 0;  ///< … and of one with prompts
  std::uint64_t batch_tokens_;
  bool graphs_;
  std::vector<std::uint64_t> captured_;
  Products products_;
  Memory memory_;
  Bands bands_;
  FrontEnd front_end_;
  std::vector<ByTokens> table_;
  ByTokens beyond_;  ///< of more tokens than the table has
  std::vector<double> heads_;
};

}  // namespace ridgepoint::speed
