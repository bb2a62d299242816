#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plan/bounds.hpp"
#include "plan/layouts.hpp"
#include "plan/weight_choice.hpp"

namespace ridgepoint::plan {

/// What must be carried: requests of a length at once, in seconds if that matters.
struct Load {
  std::uint64_t context = 0;
  std::uint64_t concurrency = 1;
  std::optional<double> ttft_s;  ///< of the best guess, as the next
  std::optional<double> tpot_s;
};

/// What a search may change beside the cards.
struct Freedom {
  std::vector<std::string> weight_formats;  ///< names of weight_choices; empty: all
  std::vector<std::string> kv_formats;      ///< names of kv_choices; empty: all
  bool pipeline = true;
  bool tune = true;  ///< smaller batches, more of the memory, no CUDA graphs
};

/// Steps away from the engine's defaults, the smallest change first. All are taken only where the
/// same number of cards does not do without them.
struct Steps {
  bool small_cache = false;  ///< an 8-bit KV cache
  bool batched = false;      ///< 2,048 tokens of one step
  bool share = false;        ///< 0.95 of the memory
  bool no_graphs = false;

  [[nodiscard]] std::uint32_t count() const {
    return (small_cache ? 1U : 0U) + (batched ? 1U : 0U) + (share ? 1U : 0U) +
           (no_graphs ? 1U : 0U);
  }
};

inline constexpr std::int64_t kBatchedTokens = 2048;
inline constexpr double kMemoryShare = 0.95;

/// All sixteen sets of steps in the order in which they are tried: fewest first, and of as many the
/// one whose steps come first in Steps.
const std::array<Steps, 16>& ladder();

/// A counter of work with an end, so that no query can ask for hours.
struct Work {
  std::uint64_t setups = 0;     ///< combinations looked at, those passed over too
  std::uint64_t estimates = 0;  ///< plans computed
  std::uint64_t cost = 0;       ///< of them, by Setups::cost_of_one
  std::uint64_t most_cost = 60000;

  void add(std::uint64_t of_one) {
    ++estimates;
    cost += of_one;
  }
  [[nodiscard]] bool spent() const { return cost >= most_cost; }
};

/// A format of the weights on one kind of card.
struct WeightOption {
  std::size_t rank = 0;  ///< place in weight_choices; 0: the checkpoint as published
  FormatChoice choice;
  const model::ModelSpec* model = nullptr;  ///< with the format put in
  LeastBytes least;
};

/// The formats allowed on a card.
struct Options {
  std::vector<WeightOption> weights;
  std::vector<FormatChoice> kv;  ///< the request's own, and the 8-bit one where it is allowed
  bool own_kv_allowed = true;
};

/// One setup of a card.
struct CardSetup {
  const hardware::Device& device;
  const WeightOption& weights;
  const FormatChoice& kv;
  Steps steps;
  const Layout& layout;
  std::uint64_t count;
};

struct Estimated {
  Result<engine::MemoryPlan> plan;
  std::vector<engine::FlagValue> flags;  ///< set beside the request's own
};

/// The setups of one engine and load, and their plans.
class Setups {
 public:
  /// `request` is the query's for this engine, its card left aside; it must outlive this.
  Setups(const Request& request, const Load& load, const Freedom& freedom);

  [[nodiscard]] const Options& options_for(const hardware::Device& device);
  [[nodiscard]] const std::vector<Layout>& layouts_of(std::uint64_t count);

  /// Which steps the request leaves to be taken; the cache is the options' matter.
  [[nodiscard]] const Steps& free_steps() const { return free_; }
  /// Whether the flag of requests at once may be set.
  [[nodiscard]] bool may_raise_requests() const { return may_raise_requests_; }
  /// Whether the engine makes its cache for the slots and length that flags say (llama.cpp).
  [[nodiscard]] bool slots_by_flag() const { return slots_by_flag_; }
  /// Whether a setup's flags make a slot for each of the load's requests at once.
  [[nodiscard]] bool makes_slots() const;

  /// The plan of a setup. The flag of requests at once is set where the engine's own limit would
  /// keep some of the load's in the queue.
  [[nodiscard]] Estimated estimate(const CardSetup& setup, Work& work) const;
  /// The same with a flag more, and nothing raised.
  [[nodiscard]] Result<engine::MemoryPlan> estimate_with(const CardSetup& setup,
                                                         engine::FlagValue flag, Work& work) const;
  /// The plan of one card as it comes.
  [[nodiscard]] Result<engine::MemoryPlan> probe(const hardware::Device& device, Work& work) const;
  /// The plan of `count` cards with these flags and weights, at any length.
  [[nodiscard]] Result<engine::MemoryPlan> plan_at(const hardware::Device& device,
                                                   std::vector<engine::FlagValue> flags,
                                                   const FormatChoice& weights, std::uint64_t count,
                                                   std::uint64_t context, Work& work);

  [[nodiscard]] speed::ClosedForms speed_of_plan(const hardware::Device& device,
                                                 const FormatChoice& weights,
                                                 const std::vector<engine::FlagValue>& flags,
                                                 const engine::MemoryPlan& plan);

 private:
  /// What cards have in common as far as formats are concerned.
  struct CardKind {
    explicit CardKind(const hardware::Device& device);
    friend bool operator==(const CardKind&, const CardKind&) = default;
    std::string vendor;
    std::string architecture;
    std::uint32_t compute_capability;
    bool fp8;
  };

  /// One, more where the model is of many tensors, and twenty times that on llama.cpp, whose plan
  /// lays out the graph of a step tensor by tensor.
  [[nodiscard]] std::uint64_t cost_of_one() const;
  [[nodiscard]] bool leaves_free(std::string_view lever) const;
  const model::ModelSpec* model_of(const std::string& quant_config);
  [[nodiscard]] std::vector<engine::FlagValue> length_flags(std::uint64_t context) const;
  [[nodiscard]] std::vector<engine::FlagValue> flags_of(const CardSetup& setup) const;
  [[nodiscard]] engine::Inputs inputs(const hardware::Device& device, const model::ModelSpec& model,
                                      std::vector<engine::FlagValue> flags, std::uint64_t count,
                                      std::uint64_t context, bool explain) const;

  const Request& request_;
  Load load_;
  Freedom freedom_;
  std::vector<model::Tensor> tensors_;
  model::ParameterCounts parameters_;
  std::string own_format_;
  Steps free_;
  bool may_raise_requests_ = false;
  bool slots_by_flag_ = false;
  // Made once for each of their keys.
  std::vector<std::pair<std::uint64_t, std::unique_ptr<std::vector<Layout>>>> layouts_;
  std::vector<std::pair<std::string, std::unique_ptr<Request>>> models_;
  std::vector<std::pair<CardKind, std::unique_ptr<Options>>> options_;
};

}  // namespace ridgepoint::plan
