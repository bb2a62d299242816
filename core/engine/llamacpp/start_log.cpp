#include "engine/llamacpp/start_log.hpp"

#include <algorithm>

#include "engine/llamacpp/log_wordings.hpp"
#include "engine/log_facts.hpp"

namespace ridgepoint::engine::llamacpp {
namespace {

using T = LogTerm;

bool on_host(std::string_view device) {
  for (const std::string_view word : {"CPU", "Host", "AMX", "BLAS", "host"}) {
    if (device.find(word) != std::string_view::npos) {
      return true;
    }
  }
  return device.empty();
}

struct DeviceBuffers {
  double model = 0;
  double cache = 0;
  double compute = 0;       ///< of contexts before the present one
  double compute_here = 0;  ///< the last of the present context
  bool any = false;

  [[nodiscard]] double compute_sum() const { return compute + compute_here; }
  [[nodiscard]] double total() const { return model + cache + compute_sum(); }
};

class Reader {
 public:
  Reader(const LogScan& scan, std::optional<std::uint64_t> total, StartLog& out)
      : scan_(scan), facts_(scan), out_(out), devices_(scan.ranks.size()) {
    out_.total_bytes = whole(facts_.least(T::total));
    if (!out_.total_bytes) {
      out_.total_bytes = total;
    }
  }

  void read() {
    if (const auto build = whole(facts_.most(T::version)); build && *build != 0) {
      out_.version = "b" + std::to_string(*build);
    }
    add_up();
    choose_device();
    read_settings();
  }

 private:
  /// Each buffer is printed once, but for the compute buffer, which a context may reserve again.
  void add_up() {
    for (const LogFact& fact : scan_.facts) {
      DeviceBuffers& device = devices_[fact.rank];
      switch (fact.term) {
        case T::projection_ends:
          std::fill(devices_.begin(), devices_.end(), DeviceBuffers{});
          context_ = 0;
          break;
        case T::context_begins:
          for (DeviceBuffers& each : devices_) {
            each.compute += each.compute_here;
            each.compute_here = 0;
          }
          break;
        case T::model_buffer:
          device.model += fact.value;
          device.any = true;
          break;
        case T::kv_buffer:
          device.cache += fact.value;
          device.any = true;
          break;
        case T::compute_buffer:
          device.compute_here = fact.value;
          device.any = true;
          break;
        case T::max_model_len:
          context_ = context_ == 0 ? fact.value : context_;
          break;
        default:
          break;
      }
    }
  }

  void choose_device() {
    std::uint64_t cards = 0;
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      if (on_host(scan_.ranks[i]) || !devices_[i].any) {
        continue;
      }
      ++cards;
      if (!chosen_ || devices_[i].total() > devices_[*chosen_].total()) {
        chosen_ = i;
      }
    }
    if (cards != 0) {
      out_.gpu_count = cards;
    }
    if (!chosen_) {
      read_table();
      return;
    }
    const DeviceBuffers& device = devices_[*chosen_];
    out_.measured_rank = scan_.ranks[*chosen_];
    put(out_.measured.weights_bytes, device.model);
    put(out_.measured.kv_pool_bytes, device.cache);
    put(out_.measured.activation_bytes, device.compute_sum());
    out_.free_bytes = whole(facts_.last(*chosen_, T::free_at_start));
    if (!out_.free_bytes) {
      out_.free_bytes = whole(facts_.least(T::free_at_start));
    }
    read_unaccounted(*chosen_);
  }

  static void put(std::optional<std::uint64_t>& term, double bytes) {
    if (bytes > 0) {
      term = whole(bytes);
    }
  }

  /// total = free + self + unaccounted: what the driver and libraries took, after a run. Before it
  /// nothing is taken yet, and the difference is below zero.
  void read_unaccounted(std::size_t device) {
    const auto total = facts_.last(device, T::total);
    const auto free = facts_.last(device, T::table_free);
    const auto self = facts_.last(device, T::table_self);
    if (total && free && self && *total - *free - *self > 0) {
      out_.measured.non_torch_bytes = whole(*total - *free - *self);
    }
  }

  /// Without the lines of the buffers the table has them.
  void read_table() {
    for (std::size_t i = 0; i < scan_.ranks.size(); ++i) {
      const auto self = facts_.last(i, T::table_self);
      if (self && !on_host(scan_.ranks[i]) &&
          (!chosen_ || *self > *facts_.last(*chosen_, T::table_self))) {
        chosen_ = i;
      }
    }
    if (chosen_) {
      out_.measured_rank = scan_.ranks[*chosen_];
      out_.measured.weights_bytes = whole(facts_.last(*chosen_, T::table_model));
      out_.measured.kv_pool_bytes = whole(facts_.last(*chosen_, T::table_context));
      out_.measured.activation_bytes = whole(facts_.last(*chosen_, T::table_compute));
      out_.free_bytes = whole(facts_.last(*chosen_, T::table_free));
      read_unaccounted(*chosen_);
    }
  }

  void add(std::string_view flag, std::variant<bool, std::int64_t, double, std::string> value) {
    put_flag(*out_.engine, {std::string(flag), std::move(value)}, out_.args);
  }

  void read_settings() {
    if (context_ > 0) {
      add("ctx-size", static_cast<std::int64_t>(context_));
      out_.tokens = whole(context_);
    }
    const auto slots = whole(facts_.most(T::slots));
    if (slots && *slots > 0 && *slots < 100000) {
      add("parallel", static_cast<std::int64_t>(*slots));
    }
    if (const auto ubatch = whole(facts_.most(T::ubatch)); ubatch && *ubatch > 0) {
      add("ubatch-size", static_cast<std::int64_t>(*ubatch));
    }
    if (const auto layers = whole(facts_.most(T::gpu_layers))) {
      add("n-gpu-layers", std::to_string(*layers));
    }
    const std::string_view keys = facts_.first_text(T::key_type);
    const std::string_view values = facts_.first_text(T::value_type);
    if (!keys.empty() && keys != "f16") {
      add("cache-type-k", std::string(keys));
    }
    if (!values.empty() && values != "f16") {
      add("cache-type-v", std::string(values));
    }
    read_switches();
  }

  void read_switches() {
    const std::string_view flash = facts_.text(T::flash_attention);
    if (flash == "1" || flash == "enabled") {
      add("flash-attn", std::string("on"));
    } else if (flash == "0" || flash == "disabled") {
      add("flash-attn", std::string("off"));
    }
    if (facts_.text(T::unified_cache) == "true") {
      add("kv-unified", true);
    }
  }

  const LogScan& scan_;
  LogFacts facts_;
  StartLog& out_;
  std::vector<DeviceBuffers> devices_;
  std::optional<std::size_t> chosen_;
  double context_ = 0;
};

void conclude(const LogScan& scan, std::optional<std::uint64_t> total, StartLog& out) {
  Reader(scan, total, out).read();
}

}  // namespace

const StartLogRules& start_log_rules() {
  static const StartLogRules kRules{"llamacpp", log_wordings(), conclude};
  return kRules;
}

}  // namespace ridgepoint::engine::llamacpp
