#include "serve/remedies.hpp"

#include <algorithm>
#include <string_view>

#include "plan/trials.hpp"

namespace ridgepoint::serve {
namespace {

using engine::FlagValue;

/// Collects changes of one deployment.
class List {
 public:
  explicit List(const Deployment& deployment)
      : request_(deployment.request()),
        memory_(deployment.memory()),
        schedule_(deployment.schedule()),
        levers_(request_.engine->levers) {}

  std::vector<Remedy> all() {
    more_requests();
    larger_steps();
    smaller_steps();
    small_cache();
    more_memory();
    smaller_weights();
    more_front_ends();
    more_cards();
    return std::move(list_);
  }

 private:
  void add(std::string_view flag, FlagValue value, const std::string& text, std::string how) {
    Remedy remedy;
    remedy.told = plan::typed(request_, flag, text);
    remedy.how = std::move(how);
    remedy.change.set.push_back(std::move(value));
    list_.push_back(std::move(remedy));
  }

  void add_number(std::string_view flag, std::uint64_t number, std::string how) {
    if (!flag.empty()) {
      add(flag, {std::string(flag), static_cast<std::int64_t>(number)}, std::to_string(number),
          std::move(how));
    }
  }

  void more_requests() {
    // llama.cpp's slots divide one context, which would become too short for the load.
    if (request_.engine->name != "llamacpp") {
      add_number(levers_.most_requests, 2 * schedule_.max_num_seqs,
                 "More requests run at once, and fewer wait.");
    }
  }

  void larger_steps() {
    add_number(levers_.batched_tokens, 2 * schedule_.max_num_batched_tokens,
               "A step takes more of a prompt: first tokens come sooner.");
  }

  void smaller_steps() {
    const std::uint64_t half = schedule_.max_num_batched_tokens / 2;
    if (half >= std::max<std::uint64_t>(256, schedule_.max_num_seqs)) {
      add_number(levers_.batched_tokens, half,
                 "A step takes less of a prompt: those who are answered wait less for it.");
    }
  }

  void small_cache() {
    if (levers_.cache_format.empty() || memory_.kv_format != precision::KvFormat::model_dtype) {
      return;
    }
    const std::string value(levers_.small_cache);
    add(levers_.cache_format, {std::string(levers_.cache_format), value}, value,
        "The cache takes half the memory, and holds twice the requests.");
    list_.back().how_with_room =
        "A step reads half as much of the cache for each request, and so takes less time.";
  }

  void more_memory() {
    const double now = plan::memory_share(request_, memory_);
    constexpr double kMost = 0.95;
    if (levers_.memory_share.empty() || now <= 0 || now >= kMost) {
      return;
    }
    add(levers_.memory_share, {std::string(levers_.memory_share), kMost}, "0.95",
        "The engine fills more of the card, and the cache grows by it.");
  }

  void smaller_weights() {
    if (levers_.quantization.empty() || levers_.online_fp8.empty() ||
        request_.model.quantization.quantized() ||
        plan::given_flag(request_, levers_.quantization) != nullptr) {
      return;
    }
    const std::string value(levers_.online_fp8);
    add(levers_.quantization, {std::string(levers_.quantization), value}, value,
        "The weights take half the memory and are read in half the time.");
  }

  void more_front_ends() {
    add_number(levers_.front_ends, 2 * schedule_.front_ends,
               "Twice the processes read prompts and send tokens.");
  }

  void more_cards() {
    const engine::Parallelism& now = memory_.parallelism;
    engine::Parallelism wider = now;
    wider.tensor *= 2;
    add_parallel(wider, "Each step is split over twice the cards.");
    engine::Parallelism copies = now;
    copies.data *= 2;
    add_parallel(copies, "Twice the replicas share the requests.");
  }

  void add_parallel(const engine::Parallelism& parallel, std::string how) {
    const bool copies = parallel.data != memory_.parallelism.data;
    if (copies && levers_.data_parallel.empty()) {
      return;
    }
    const plan::Situation situation{request_, memory_, plan::Trouble::requests, 1};
    plan::Trial trial;
    trial.parallel = parallel;
    Remedy remedy;
    remedy.change = plan::whole_change(situation, trial);
    const std::uint64_t cards = parallel.tensor * parallel.pipeline * parallel.data;
    remedy.told =
        std::to_string(cards) + " GPUs" +
        (copies ? ", " + plan::typed(request_, levers_.data_parallel, std::to_string(parallel.data))
                : std::string());
    remedy.how = std::move(how);
    list_.push_back(std::move(remedy));
  }

  const plan::Request& request_;
  const engine::MemoryPlan& memory_;
  const engine::Schedule& schedule_;
  const engine::Levers& levers_;
  std::vector<Remedy> list_;
};

}  // namespace

std::vector<Remedy> remedies(const Deployment& deployment) { return List(deployment).all(); }

}  // namespace ridgepoint::serve
