#include <array>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>

#include "json_text.hpp"
#include "tables.hpp"

namespace {

using nlohmann::json;

constexpr double kMicro = 1e-6;

/// A number of an entry: its key, what it is multiplied by, and the range outside of which it is a
/// slip of the pen.
struct Number {
  const char* key;
  double unit;
  double low;
  double high;
};

constexpr std::array kKernelNumbers{
    Number{"launch_us", kMicro, 0, 200},
    Number{"weight_share", 1, 0.05, 1},
    Number{"mfu_16", 1, 0.02, 1},
    Number{"mfu_8", 1, 0.02, 1},
    Number{"mfu_4", 1, 0.02, 1},
    Number{"attention_launch_us", kMicro, 0, 500},
    Number{"cache_share", 1, 0.05, 1},
    Number{"cache_share_8", 1, 0.05, 1},
    Number{"scores_share", 1, 0.02, 1},
    Number{"prefill_mfu_512", 1, 0.01, 1},
    Number{"prefill_mfu_16384", 1, 0.01, 1},
    Number{"experts_launch_us", kMicro, 0, 2000},
    Number{"expert_share", 1, 0.05, 1},
    Number{"expert_mfu", 1, 0.02, 1},
    Number{"unpacked_mfu", 1, 0.02, 1},
    Number{"state_share", 1, 0.05, 1},
    Number{"elementwise_launch_us", kMicro, 0, 100},
    Number{"tpot_band", 1, 0.01, 0.9},
    Number{"mixture_band", 1, 0, 0.9},
    Number{"ttft_band", 1, 0.01, 2},
    Number{"queue_band", 1, 0.01, 3},
};

constexpr std::array kHostNumbers{
    Number{"step_us", kMicro, 0, 20000},
    Number{"per_sequence_us", kMicro, 0, 1000},
    Number{"ranks_us", kMicro, 0, 5000},
    Number{"eager_layer_us", kMicro, 0, 5000},
    Number{"eager_gap_us", kMicro, 0, 5000},
    Number{"mixed_layer_us", kMicro, 0, 5000},
    Number{"mixture_layer_us", kMicro, 0, 5000},
    Number{"latent_layer_us", kMicro, 0, 5000},
    Number{"cast_us", kMicro, 0, 50},
    Number{"experts_scale", 1, 0.1, 10},
    Number{"request_us", kMicro, 0, 500000},
    Number{"queued_request_us", kMicro, 0, 100000},
    Number{"queued_token_us", kMicro, 0, 1000},
    Number{"queued_output_us", kMicro, 0, 1000},
};

void check_source(const json& document, const json& entry, const std::string& name) {
  if (!document.at("sources").contains(entry.at("source").get<std::string>())) {
    throw std::runtime_error(name + ": unknown source");
  }
}

double number_of(const json& entry, const Number& number, const std::string& name) {
  const double value = entry.at(number.key);
  // Written so that it refuses a NaN too.
  if (!(value >= number.low && value <= number.high)) {
    throw std::runtime_error(name + ": " + number.key + " is out of its range");
  }
  return value * number.unit;
}

template <std::size_t kCount>
void check_keys(const json& entry, const std::array<Number, kCount>& numbers,
                std::set<std::string> others, const std::string& name) {
  for (const Number& number : numbers) others.insert(number.key);
  for (const auto& [key, value] : entry.items()) {
    if (!others.contains(key))
      throw std::runtime_error(std::string(name).append(": unknown key ").append(key));
  }
}

/// An entry, over what the one that it is like says.
json completed(const json& entries, const json& entry, const std::string& name) {
  if (!entry.contains("like")) return entry;
  for (const json& other : entries) {
    if (other.at("name") == entry.at("like")) {
      json whole = &other < &entry ? completed(entries, other, name) : other;
      whole["cards"] = json::array();
      whole["architecture"] = "";
      whole["capability"] = 0;
      whole["measured"] = false;
      whole.update(entry);
      return whole;
    }
  }
  throw std::runtime_error(name + ": like an entry that is not there");
}

/// The ids of an entry as one text; `seen` are those of the entries before it.
std::string joined_cards(const json& entry, std::set<std::string>& seen, const std::string& name) {
  std::string joined;
  for (const std::string card : entry.at("cards")) {
    if (!seen.insert(card).second)
      throw std::runtime_error(
          std::string(name).append(": ").append(card).append(" is there twice"));
    joined += (joined.empty() ? "" : " ") + card;
  }
  return joined;
}

void write_kernels(const json& document, std::ostream& out) {
  const json& entries = document.at("kernels");
  std::set<std::string> cards;
  out << "constexpr Kernels kKernels[] = {\n";
  for (const json& given : entries) {
    const std::string name = given.at("name");
    const json entry = completed(entries, given, name);
    check_source(document, entry, name);
    check_keys(
        entry, kKernelNumbers,
        {"name", "like", "cards", "architecture", "capability", "measured", "source", "note"},
        name);
    std::string joined;
    for (const std::string card : entry.at("cards")) {
      if (!cards.insert(card).second)
        throw std::runtime_error(
            std::string(name).append(": ").append(card).append(" is there twice"));
      joined += (joined.empty() ? "" : " ") + card;
    }
    out << "    {" << cpp_string(name) << ", " << cpp_string(joined) << ", "
        << cpp_string(entry.at("architecture").get<std::string>()) << ", "
        << entry.at("capability");
    for (const Number& number : kKernelNumbers) {
      out << ", " << cpp_double(number_of(entry, number, name));
    }
    out << ", " << (entry.at("measured").get<bool>() ? "true" : "false") << "},\n";
  }
  out << "};\n";
}

void write_links(const json& document, std::ostream& out) {
  std::set<std::string> cards;
  out << "\nconstexpr Links kLinks[] = {\n";
  for (const json& entry : document.at("links")) {
    const std::string name = entry.at("name");
    check_source(document, entry, name);
    check_keys(entry, std::array<Number, 0>{},
               {"name", "cards", "least_gb_per_s", "architecture", "floor_us", "bus_gb_per_s",
                "band", "source", "note"},
               name);
    const auto four = [&](const char* key, double unit) {
      const json& values = entry.at(key);
      if (values.size() != 4) throw std::runtime_error(name + ": " + key + " needs four values");
      out << ", {";
      for (const double value : values) {
        if (!(value > 0)) throw std::runtime_error(name + ": " + key + " is not above zero");
        out << cpp_double(value * unit) << ", ";
      }
      out << "}";
    };
    out << "    {" << cpp_string(name) << ", " << cpp_string(joined_cards(entry, cards, name))
        << ", " << cpp_double(entry.at("least_gb_per_s").get<double>() * 1e9) << ", "
        << cpp_string(entry.at("architecture").get<std::string>());
    four("floor_us", kMicro);
    four("bus_gb_per_s", 1e9);
    out << ", " << cpp_double(entry.at("band")) << "},\n";
  }
  out << "};\n";
}

void write_hosts(const json& document, std::ostream& out) {
  out << "\nconstexpr Host kHosts[] = {\n";
  for (const json& entry : document.at("hosts")) {
    const std::string name = entry.at("engine").get<std::string>() + " " +
                             std::to_string(entry.at("since").get<std::uint64_t>());
    check_source(document, entry, name);
    check_keys(entry, kHostNumbers, {"engine", "since", "until", "source", "note"}, name);
    out << "    {" << cpp_string(entry.at("engine").get<std::string>()) << ", " << entry.at("since")
        << "ULL, " << entry.at("until") << "ULL";
    for (const Number& number : kHostNumbers) {
      out << ", " << cpp_double(number_of(entry, number, name));
    }
    out << "},\n";
  }
  out << "};\n";
}

}  // namespace

void compile_speed_constants(const json& document, std::ostream& out, Length) {
  write_kernels(document, out);
  write_links(document, out);
  write_hosts(document, out);
}
