// Every measured vLLM start whose model, card and flags this version covers, against the estimate.
// Prints the error table; fails where the accuracy that is promised is not met.
#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <map>
#include <regex>
#include <vector>

#include "evaluated.hpp"
#include "hardware/device.hpp"

namespace {

using tests::Json;
using tests::kGiB;

/// Rows whose own figures contradict them, or that leave out what decides them, with the reason.
const std::map<std::string, std::string>& excluded() {
  static const Json kRows = [] {
    const auto text = tests::read_text(std::string(RIDGEPOINT_FIXTURES) + "/truth_excluded.json");
    return text ? Json::parse(*text) : Json::object();
  }();
  static const std::map<std::string, std::string> kMap =
      kRows.get<std::map<std::string, std::string>>();
  return kMap;
}

std::optional<Json> quantization_of(const Json& row) {
  const std::string method = row["quantization"];
  const std::string model = row["model"];
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  const auto compressed = [](const char* format, Json weights, bool activations) {
    Json group = {{"targets", {"Linear"}}, {"weights", std::move(weights)}};
    if (activations) {
      group["input_activations"] = {{"num_bits", 8}};
    }
    return Json{{"quant_method", "compressed-tensors"},
                {"format", format},
                {"config_groups", {{"group_0", group}}},
                {"ignore", {"lm_head"}}};
  };
  if (has(method, "awq")) {
    return Json{{"quant_method", "awq"}, {"bits", 4}, {"group_size", 128}, {"zero_point", true}};
  }
  if (has(model, "w4a16")) {
    return compressed(
        "pack-quantized",
        {{"num_bits", 4}, {"type", "int"}, {"strategy", "group"}, {"group_size", 128}}, false);
  }
  if (has(model, "w8a8")) {
    return compressed("int-quantized", {{"num_bits", 8}, {"type", "int"}, {"strategy", "channel"}},
                      true);
  }
  if (has(model, "FP8-dynamic") || has(model, "fp8-dynamic")) {
    return compressed("float-quantized",
                      {{"num_bits", 8}, {"type", "float"}, {"strategy", "channel"}}, true);
  }
  if (has(method, "nvfp4")) {
    return Json{{"quant_method", "modelopt"}, {"quant_algo", "NVFP4"}, {"ignore", {"lm_head"}}};
  }
  return std::nullopt;
}

std::string version_of(const Json& row) {
  static const std::regex kVersion("v?(0\\.[0-9]+(\\.[0-9]+)?)");
  std::smatch match;
  const std::string text = row["engine_version"].is_string() ? row["engine_version"] : "";
  return std::regex_search(text, match, kVersion) ? match[1].str() : "";
}

std::string card_of(const Json& row) {
  std::string name = row["gpu"].is_string() ? row["gpu"] : "";
  for (const char* end : {" (", " /", " 16GB", " 24GB"}) {
    name = name.substr(0, name.find(end));
  }
  const auto* device = ridgepoint::hardware::find_device(name);
  return device == nullptr ? "" : std::string(device->id);
}

void copy_flag(const Json& row, const char* key, const char* flag, Json& args) {
  if (row.contains(key) && !row[key].is_null()) {
    args[flag] = row[key];
  }
}

/// The request of a row, or nothing when the row does not say enough to make one.
std::optional<Json> request_of(const Json& row) {
  const std::string version = version_of(row);
  if (version.empty() || row["outcome"] != "started" || !row["kv_cache_gib"].is_number() ||
      !row["config"].is_string() || !row["util"].is_number() || !row["tp"].is_number()) {
    return std::nullopt;
  }
  if (!row["other_flags"].is_null() &&
      row["other_flags"].get<std::string>().find("--lora") != std::string::npos) {
    return std::nullopt;
  }
  if (row.contains("speculative") && row["speculative"].is_string()) {
    return std::nullopt;  // a draft's weights and cache are in the figures
  }
  const auto text = tests::shared_file("configs/" + row["config"].get<std::string>());
  Json config = text ? Json::parse(*text, nullptr, false) : Json();
  if (!config.is_object()) {
    return std::nullopt;
  }
  if (row["config_is"] != "same" && row["quantization"].is_string() && quantization_of(row)) {
    config.erase("quantization_config");  // the base model's own
  }
  Json model = {{"id", row["model"]}, {"config", config}};
  Json args = {{"gpu-memory-utilization", row["util"]}};
  if (row["config_is"] != "same" && row["quantization"].is_string() &&
      !config.contains("quantization_config")) {
    const auto scheme = quantization_of(row);
    if (scheme) {
      model["quant_config"] = *scheme;
    } else if (row["quantization"] == "fp8") {
      args["quantization"] = "fp8";
    } else {
      return std::nullopt;
    }
  } else if (row["quantization"] == "fp8" && !config.contains("quantization_config")) {
    args["quantization"] = "fp8";
  }
  for (const auto& [key, flag] :
       std::map<const char*, const char*>{{"max_model_len", "max-model-len"},
                                          {"max_num_seqs", "max-num-seqs"},
                                          {"max_num_batched_tokens", "max-num-batched-tokens"},
                                          {"kv_cache_dtype", "kv-cache-dtype"},
                                          {"enforce_eager", "enforce-eager"},
                                          {"dtype", "dtype"},
                                          {"block_size", "block-size"},
                                          {"ep", "enable-expert-parallel"},
                                          {"tp", "tensor-parallel-size"},
                                          {"pp", "pipeline-parallel-size"}}) {
    copy_flag(row, key, flag, args);
  }
  Json gpu = Json::object();
  const std::string card = card_of(row);
  if (!card.empty()) {
    gpu["id"] = card;
  }
  if (row["gpu_total_gib"].is_number()) {
    gpu["total_bytes"] = static_cast<std::uint64_t>(row["gpu_total_gib"].get<double>() * kGiB);
  }
  if (gpu.empty()) {
    return std::nullopt;
  }
  return Json{{"id", row["id"]},
              {"model", model},
              {"gpu", gpu},
              {"engine", {{"name", "vllm"}, {"version", version}, {"args", args}}}};
}

struct Outcome {
  std::string id;
  double error;  ///< of the KV pool, relative
  bool in_range;
  std::optional<double> weights_error;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0.0 : values[values.size() / 2];
}

}  // namespace

TEST_CASE("measured vLLM starts are met by the estimate") {
  const auto text = tests::shared_file("truth/vllm.jsonl");
  if (!text) {
    WARN("skipped: truth/vllm.jsonl is not here");
    return;
  }
  std::vector<Outcome> outcomes;
  std::map<std::string, int> refused;
  std::ostringstream table;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    const Json row = Json::parse(line);
    if (excluded().count(row["id"]) != 0) {
      continue;
    }
    const auto request = request_of(row);
    if (!request) {
      continue;
    }
    const Json report = tests::evaluate(*request);
    if (report.contains("error")) {
      ++refused[report["error"]["code"]];
      continue;
    }
    const Json& gpu = report["memory"]["per_gpu"];
    const double measured = row["kv_cache_gib"];
    const double best = gpu["kv_pool"]["best"].get<double>() / kGiB;
    Outcome outcome;
    outcome.id = row["id"];
    outcome.error = best / measured - 1.0;
    // Logs print two decimals.
    outcome.in_range = gpu["kv_pool"]["low"].get<double>() / kGiB <= measured + 0.01 &&
                       gpu["kv_pool"]["high"].get<double>() / kGiB >= measured - 0.01;
    if (row["weights_gib"].is_number()) {
      outcome.weights_error =
          gpu["weights"]["best"].get<double>() / kGiB / row["weights_gib"].get<double>() - 1.0;
    }
    table << std::left << std::setw(34) << outcome.id << std::right << std::fixed
          << std::setprecision(2) << std::setw(9) << measured << std::setw(9) << best
          << std::setw(8) << outcome.error * 100.0 << " %" << (outcome.in_range ? "" : "  outside")
          << "\n";
    outcomes.push_back(outcome);
  }
  std::vector<double> errors;
  std::vector<double> weights_errors;
  std::size_t inside = 0;
  for (const Outcome& outcome : outcomes) {
    errors.push_back(std::abs(outcome.error));
    inside += outcome.in_range ? 1 : 0;
    if (outcome.weights_error) {
      weights_errors.push_back(std::abs(*outcome.weights_error));
    }
  }
  std::cout << "start                              measured     here   error (KV pool, GiB)\n"
            << table.str() << outcomes.size() << " starts, " << inside
            << " within the range; median error " << median(errors) * 100.0
            << " %; weights, median " << median(weights_errors) * 100.0 << " %\n";
  for (const auto& [code, count] : refused) {
    std::cout << "refused: " << code << " x " << count << "\n";
  }
  CHECK(outcomes.size() >= 50);
  CHECK(median(errors) < 0.003);
  CHECK(median(weights_errors) < 0.002);
  CHECK(static_cast<double>(inside) >= 0.9 * static_cast<double>(outcomes.size()));
}
