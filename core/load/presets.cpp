#include "load/presets.hpp"

#include <cstdint>
#include <iterator>
#include <string>

namespace ridgepoint::load {
namespace {

constexpr LengthRule log_normal(double mu, double sigma, std::uint64_t most) {
  return {1, most, mu, sigma};
}

// mu and sigma are of the natural logarithm of tokens. Where a source has quantiles alone, mu is
// that of the median and sigma the one that meets the 99th of a hundred: (ln p99 - mu) / 2.3263.
constexpr Preset kPresets[] = {
    {"chat", "Chat", log_normal(6.833, 0.8487, 32768), log_normal(3.7136, 1.216, 4096), 0.4,
     "Azure LLM inference trace 2024, conversations: prompts p50 928, p99 6,683, outputs p50 41, "
     "p99 694 tokens; hit rates of chats 0.35 to 0.5"},
    {"coding_agent", "Coding agent", log_normal(8.7556, 0.9728, 131072),
     log_normal(3.4012, 1.4611, 8192), 0.9,
     "Mooncake tool-and-agent trace: prompts p50 6,346, p99 61,000, outputs p50 30, p99 898 "
     "tokens; "
     "hit rates of coding agents up to 0.95"},
    {"rag", "Retrieval", log_normal(9.03, 0.56, 131072), log_normal(6.41, 0.58, 8192), 0,
     "MLPerf Inference llama3.1-405b (LongBench, RULER, GovReport), 8,313 samples: means 9,429 and "
     "685 tokens"},
    {"batch", "Batch summaries", log_normal(6.65, 0.50, 8192), log_normal(4.33, 0.37, 1024), 0,
     "MLPerf Inference llama3.1-8b (CNN/DailyMail), 13,368 samples: means 871 and 82 tokens"},
    {"reasoning", "Reasoning", log_normal(6.43, 0.87, 16384), log_normal(7.75, 1.04, 32768), 0,
     "MLPerf Inference DeepSeek-R1, 4,388 samples: means 804 and 4,043 tokens"},
    {"sharegpt", "ShareGPT turns", log_normal(4.19, 1.25, 32768), log_normal(6.76, 1.06, 32768), 0,
     "ShareGPT vicuna, unfiltered turns, 81,494: means 122 and 1,211 tokens"},
    {"openorca", "OpenOrca", log_normal(5.17, 0.65, 1024), log_normal(4.96, 1.11, 1024), 0,
     "MLPerf Inference llama2-70b (OpenOrca), 24,576 samples: means 222 and 219 tokens"},
    {"mlperf_mixtral", "MLPerf mix", log_normal(5.74, 0.83, 2048), log_normal(4.74, 0.69, 1024), 0,
     "MLPerf Inference mixtral-8x7b (OpenOrca, GSM8K, MBXP), 15,000 samples: means 427 and 145 "
     "tokens"},
    {"azure_code", "Azure code", log_normal(7.5653, 0.594, 32768), log_normal(2.0794, 1.5143, 4096),
     0,
     "Azure LLM inference trace 2024, code, 16.8 million requests: prompts p50 1,930, p99 7,685, "
     "outputs p50 8, p99 271 tokens"},
    {"azure_chat", "Azure chat", log_normal(6.833, 0.8487, 32768), log_normal(3.7136, 1.216, 4096),
     0,
     "Azure LLM inference trace 2024, conversations, 27.3 million requests: prompts p50 928, p99 "
     "6,683, outputs p50 41, p99 694 tokens"},
    {"mooncake_chat", "Mooncake chat", log_normal(8.8406, 1.0789, 131072),
     log_normal(5.8579, 0.5, 8192), 0,
     "Mooncake conversation trace, 12,031 requests: prompts p50 6,909, p99 85,000, outputs p50 "
     "350, "
     "p99 1,120 tokens"},
    {"mooncake_agent", "Mooncake tools and agents", log_normal(8.7556, 0.9728, 131072),
     log_normal(3.4012, 1.4611, 8192), 0,
     "Mooncake tool-and-agent trace, 23,608 requests: prompts p50 6,346, p99 61,000, outputs p50 "
     "30, p99 898 tokens"},
};

}  // namespace

std::span<const Preset> presets() { return kPresets; }

const Preset* find_preset(std::string_view name) {
  for (const Preset& preset : kPresets) {
    if (preset.name == name) {
      return &preset;
    }
  }
  return nullptr;
}

std::string preset_names() {
  std::string names;
  for (const Preset& preset : kPresets) {
    names += names.empty() ? "" : ", ";
    names += preset.name;
  }
  return names;
}

}  // namespace ridgepoint::load
