#include <algorithm>
#include <cmath>

#include "engine/log_facts.hpp"
#include "plan/measured_causes.hpp"
#include "wording.hpp"

namespace ridgepoint::plan {
namespace {

using engine::LogFacts;
using engine::LogTerm;
using engine::Outcome;
using engine::StartLog;

constexpr double kGiB = 1073741824.0;

/// What a card has less of before the engine counts, though nothing else runs on it: the context of
/// one process, and on several GPUs what their links take before the snapshot. Measured starts on
/// H100 show 0.51 GiB and 1.43 to 1.53 GiB; an engine of TensorRT-LLM has itself to count.
double own_use(const StartLog& log) { return (log.gpu_count.value_or(1) > 1 ? 2.6 : 1.1) * kGiB; }

std::string flag_of(std::string_view name) { return "--" + std::string(name); }

void say_others(const StartLog& log, std::vector<std::string>& out) {
  const std::uint64_t others = held_by_others(log);
  if (others == 0) {
    return;
  }
  std::string text = in_gib(others) + " of the card's " + in_gib(*log.total_bytes) +
                     " were taken before " + std::string(log.engine->title) +
                     " began to count: by other processes on the card, or, where the card shares "
                     "its memory with the machine, by any program. Stop them (nvidia-smi lists "
                     "them)";
  const std::string_view share = log.engine->levers.memory_share;
  if (log.engine->name == "vllm" && log.total_bytes && log.free_bytes) {
    const double most = std::floor(static_cast<double>(*log.free_bytes) /
                                   static_cast<double>(*log.total_bytes) * 100) /
                        100;
    text += ", or lower " + flag_of(share) + " to " + decimal(most) + " at most";
  }
  out.push_back(text + ".");
}

void say_other_process(const LogFacts& facts, std::vector<std::string>& out) {
  const auto other = engine::whole(facts.most(LogTerm::used_by_other));
  if (other && *other > 256U << 20U) {
    out.push_back("Another process held " + in_gib(*other) +
                  " of the card when the memory ran out. Stop it and start again.");
  }
}

/// What an allocation was for, by what the log had got to.
std::string oom_stage(const StartLog& log, const LogFacts& facts) {
  if (facts.has(LogTerm::started)) {
    return "while serving";
  }
  if (log.measured.cuda_graphs_bytes || facts.has(LogTerm::free_after_graphs)) {
    return "after the CUDA graphs were recorded";
  }
  if (log.measured.kv_pool_bytes || log.tokens || log.blocks) {
    return "after the cache was sized, in the warm-up or while CUDA graphs were recorded";
  }
  if (log.measured.weights_bytes) {
    return "after the weights were loaded, in the profiling run or while the cache was made";
  }
  return "while the weights were loaded";
}

void say_oom(const StartLog& log, const LogFacts& facts, std::vector<std::string>& out) {
  if (log.outcome != Outcome::oom) {
    return;
  }
  const std::string stage = oom_stage(log, facts);
  std::string text = "The memory ran out " + stage;
  const auto wanted = engine::whole(facts.most(LogTerm::wanted));
  const auto free = engine::whole(facts.least(LogTerm::free_then));
  if (wanted && free) {
    text += ": " + in_gib(*wanted) + " were asked for and " + in_gib(*free) + " were free";
  } else if (wanted) {
    text += ": " + in_gib(*wanted) + " were asked for";
  }
  text += ". ";
  const engine::Levers& levers = log.engine->levers;
  if (stage == "while the weights were loaded") {
    text +=
        "The weights alone do not fit: spread them over more GPUs, or take a checkpoint of "
        "fewer bits.";
  } else if (!levers.memory_share.empty()) {
    text += "What is allocated outside the claim has no room: lower " +
            flag_of(levers.memory_share) + ", or " + flag_of(levers.most_requests) +
            (levers.no_graphs.empty() ? "" : ", or give " + flag_of(levers.no_graphs)) + ".";
  } else {
    text += "Lower " + flag_of(levers.max_length) + " or " + flag_of(levers.most_requests) +
            ", or leave layers in the machine's memory.";
  }
  out.push_back(std::move(text));
}

void say_fragments(const LogFacts& facts, std::vector<std::string>& out) {
  const auto unused = engine::whole(facts.most(LogTerm::reserved_unused));
  if (unused && *unused > 1ULL << 30U) {
    out.push_back(in_gib(*unused) +
                  " lay in PyTorch's allocator, reserved and not used: fragments of earlier "
                  "allocations. Set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True and start "
                  "again.");
  }
}

std::string refusal(const StartLog& log) {
  const std::string title(log.engine->title);
  const engine::Levers& levers = log.engine->levers;
  if (log.needed_bytes && log.available_bytes) {
    std::string text =
        title + " refused: one request of the longest length needs " + in_gib(*log.needed_bytes) +
        " of cache and " + in_gib(*log.available_bytes) + " were left, " +
        in_gib(*log.needed_bytes - std::min(*log.needed_bytes, *log.available_bytes)) + " too few.";
    if (log.fits_tokens && *log.fits_tokens != 0) {
      text += " " + grouped(*log.fits_tokens) + " tokens fit: give " + flag_of(levers.max_length) +
              " " + std::to_string(*log.fits_tokens) + " or less.";
    }
    return text;
  }
  if (log.fits_tokens) {
    return title + " refused: the cache holds " + grouped(*log.fits_tokens) +
           " tokens, fewer than the longest request. Give " + flag_of(levers.max_length) + " " +
           std::to_string(*log.fits_tokens) + " or less.";
  }
  if (log.free_bytes && log.requested_bytes && *log.free_bytes < *log.requested_bytes &&
      log.engine->name == "vllm") {
    return title + " refused before it loaded anything: it claims " + in_gib(*log.requested_bytes) +
           " and " + in_gib(*log.free_bytes) + " were free, " +
           in_gib(*log.requested_bytes - *log.free_bytes) + " too few.";
  }
  const std::string_view share = levers.memory_share;
  return title +
         " refused: nothing is left for the cache once the weights and what a step needs "
         "are taken off." +
         (share.empty() ? std::string()
                        : " Raise " + flag_of(share) +
                              ", use more GPUs, or take a checkpoint of fewer bits.");
}

void say_least_fraction(const LogFacts& facts, const StartLog& log, std::vector<std::string>& out) {
  if (const auto least = facts.most(LogTerm::least_fraction)) {
    out.push_back("The weights alone take " + decimal(*least) +
                  " of what was free before they were loaded. Raise " +
                  flag_of(log.engine->levers.memory_share) +
                  " above that by the share the cache "
                  "is to have, or use more GPUs.");
  }
}

void say_negative_pool(const LogFacts& facts, std::vector<std::string>& out) {
  const auto pool = facts.least(LogTerm::kv_pool);
  if (pool && *pool < 0) {
    out.push_back("The claim is " + in_gib(static_cast<std::uint64_t>(-*pool)) +
                  " short before the cache has anything.");
  }
}

void say_ranks(const StartLog& log, const LogFacts& facts, std::vector<std::string>& out) {
  const auto least = facts.least(LogTerm::kv_pool);
  const auto most = facts.most(LogTerm::kv_pool);
  if (least && most && *most - *least > 0.02 * kGiB && *least > 0) {
    out.push_back("The ranks have pools of " + in_gib(static_cast<std::uint64_t>(*least)) + " to " +
                  in_gib(static_cast<std::uint64_t>(*most)) + ". All of them follow the smallest" +
                  (log.measured_rank.empty() ? "" : ", that of " + log.measured_rank) +
                  ", and the terms are of that rank.");
  }
}

}  // namespace

std::uint64_t held_by_others(const StartLog& log) {
  if (!log.total_bytes || !log.free_bytes || log.engine->name == "trtllm") {
    return 0;
  }
  const double missing =
      static_cast<double>(*log.total_bytes) - static_cast<double>(*log.free_bytes);
  return missing > own_use(log) ? static_cast<std::uint64_t>(missing) : 0;
}

std::string signed_gib(double bytes) {
  const auto size = static_cast<std::uint64_t>(std::llround(std::min(std::abs(bytes), 9e18)));
  return (bytes < 0 ? "-" : "+") + in_gib(size);
}

std::vector<std::string> causes_in_log(const StartLog& log) {
  const LogFacts facts(log.scan);
  std::vector<std::string> out;
  if (log.outcome == Outcome::refused) {
    out.push_back(refusal(log));
    say_negative_pool(facts, out);
    say_least_fraction(facts, log, out);
  }
  say_oom(log, facts, out);
  say_fragments(facts, out);
  say_other_process(facts, out);
  say_others(log, out);
  say_ranks(log, facts, out);
  return out;
}

}  // namespace ridgepoint::plan
