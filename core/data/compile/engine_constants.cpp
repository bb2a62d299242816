#include <ostream>
#include <stdexcept>
#include <string>

#include "json_text.hpp"
#include "tables.hpp"

namespace {

std::string source_of(const nlohmann::json& document, const nlohmann::json& entry,
                      const std::string& name) {
  const auto& sources = document.at("sources");
  const std::string key = entry.at("source");
  if (!sources.contains(key)) {
    throw std::runtime_error(name + ": unknown source \"" + key + "\"");
  }
  return sources.at(key);
}

void check_span(const nlohmann::json& entry, const std::string& name) {
  if (entry.at("since").get<int>() > entry.at("until").get<int>()) {
    throw std::runtime_error(name + ": since is after until");
  }
}

void write_constant(const nlohmann::json& document, const nlohmann::json& entry, std::ostream& out,
                    Length length) {
  const std::string name = entry.at("name");
  check_span(entry, name);
  const std::string source = source_of(document, entry, name);
  const double low = entry.at("low");
  const double best = entry.at("best");
  const double high = entry.at("high");
  if (!(low <= best && best <= high)) {
    throw std::runtime_error(name + ": low, best and high are out of order");
  }
  out << "    {" << cpp_string(name) << ", " << entry.at("since") << ", " << entry.at("until")
      << ", " << cpp_double(low) << ", " << cpp_double(best) << ", " << cpp_double(high)
      << ", Basis::" << entry.at("basis").get<std::string>() << ", " << entry.at("starts") << ", "
      << cpp_string(length == Length::whole ? source : "") << "},\n";
}

void write_batch_defaults(const nlohmann::json& document, const nlohmann::json& entry,
                          std::ostream& out) {
  check_span(entry, "batch_defaults");
  source_of(document, entry, "batch_defaults");
  out << "    {" << entry.at("since") << ", " << entry.at("until") << ", "
      << entry.at("least_gib").get<unsigned long long>() << "ULL << 30U, " << entry.at("not_a100")
      << ", " << entry.value("hopper_only", false) << ", " << entry.at("max_num_batched_tokens")
      << ", " << entry.at("max_num_seqs") << "},\n";
}

}  // namespace

void compile_engine_constants(const nlohmann::json& document, std::ostream& out, Length length) {
  out << "constexpr Constant kConstants[] = {\n";
  for (const auto& entry : document.at("constants")) {
    write_constant(document, entry, out, length);
  }
  out << "};\n";
  if (document.contains("media")) {
    out << "\nconstexpr MediaFacts kMedia[] = {\n";
    for (const auto& entry : document.at("media")) {
      source_of(document, entry, "media");
      out << "    {" << cpp_string(entry.at("architecture").get<std::string>()) << ", "
          << entry.at("item_tokens") << ", " << entry.at("patches_per_token") << "},\n";
    }
    out << "};\n";
  }
  if (document.contains("batch_defaults")) {
    out << "\nconstexpr BatchDefaults kBatchDefaults[] = {\n";
    for (const auto& entry : document.at("batch_defaults")) {
      write_batch_defaults(document, entry, out);
    }
    out << "};\n";
  }
}
