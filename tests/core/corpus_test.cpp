// Real config.json files against what is published of them. Absent corpora are skipped by name.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "evaluated.hpp"
#include "soundness.hpp"

namespace {

using tests::Json;

struct Row {
  Json facts;
  Json answer;

  [[nodiscard]] std::string file() const { return facts["file"].get<std::string>(); }
  [[nodiscard]] bool sized() const { return !answer.contains("error"); }
  [[nodiscard]] std::uint64_t figure(const char* key) const { return answer["model"][key]; }
};

Json request_for(const Json& config) {
  return {{"model", {{"config", config}}},
          {"gpu", {{"id", "b200"}, {"total_bytes", 1ULL << 46U}}},
          {"workload", {{"context", 512}}}};
}

/// Why a file is left out of a comparison, or counts otherwise, with the reason.
Json reasons(const char* part) {
  const auto text = tests::read_text(std::string(RIDGEPOINT_FIXTURES) + "/corpus_reasons.json");
  REQUIRE(text);
  return Json::parse(*text)[part];
}

/// The corpus, each file answered once.
const std::vector<Row>& corpus() {
  static const std::vector<Row> rows = [] {
    std::vector<Row> all;
    const auto index = tests::shared_file("configs/INDEX.jsonl");
    std::istringstream lines(index.value_or(""));
    for (std::string line; std::getline(lines, line);) {
      const Json facts = Json::parse(line);
      const auto text = tests::shared_file("configs/" + facts["file"].get<std::string>());
      if (text) {
        all.push_back({facts, tests::evaluate(request_for(*text))});
      }
    }
    return all;
  }();
  if (rows.empty()) {
    WARN("skipped: configs/INDEX.jsonl is not here");
  }
  return rows;
}

std::uint64_t published(const Json& facts) {
  for (const char* key : {"params_total", "params_from_bytes"}) {
    if (facts.contains(key) && facts[key].is_number()) {
      return facts[key];
    }
  }
  return 0;
}

}  // namespace

TEST_CASE("a config whose published parameter count is known to be right is counted to the unit") {
  std::size_t compared = 0;
  for (const Row& row : corpus()) {
    if (!row.facts.value("computed_matches_truth", false)) {
      continue;
    }
    INFO(row.file());
    REQUIRE(row.sized());
    const std::uint64_t total = row.figure("parameters");
    const std::uint64_t with_mtp = total + row.figure("mtp_parameters");
    const std::uint64_t truth = published(row.facts);
    CHECK((truth == total || truth == with_mtp));
    ++compared;
  }
  CHECK((corpus().empty() || compared == 97));
}

TEST_CASE("what a published count has besides the parameters is known") {
  const Json besides = reasons("parameters");
  std::size_t equal = 0;
  std::size_t explained = 0;
  for (const Row& row : corpus()) {
    const std::uint64_t truth = published(row.facts);
    if (!row.sized() || truth == 0) {
      continue;
    }
    INFO(row.file());
    const std::uint64_t total = row.figure("parameters");
    if (truth == total || truth == total + row.figure("mtp_parameters")) {
      ++equal;
      continue;
    }
    INFO("published " << truth << ", counted " << total << " and " << row.figure("mtp_parameters"));
    CHECK(besides.contains(row.file()));
    if (besides.contains(row.file())) {
      // What the report says may be stored besides, and what no config tells.
      std::int64_t stored = besides[row.file()]["extra"];
      for (const Json& key : besides[row.file()]["besides"]) {
        stored += row.answer["model"]["may_also_store"][key.get<std::string>()].get<std::int64_t>();
      }
      const std::int64_t counted = static_cast<std::int64_t>(total) + stored;
      const auto mtp = static_cast<std::int64_t>(row.figure("mtp_parameters"));
      const auto said = static_cast<std::int64_t>(truth);
      CHECK((counted == said || counted + mtp == said));
    }
    ++explained;
  }
  std::cout << "published parameter counts: " << equal << " equal, " << explained
            << " with a reason\n";
}

TEST_CASE("checkpoint bytes of real files are met within half a percent") {
  const Json excluded = reasons("checkpoint_bytes");
  std::size_t compared = 0;
  std::size_t met = 0;
  std::vector<std::string> missed;
  for (const Row& row : corpus()) {
    if (!row.sized() || !row.facts["checkpoint_bytes"].is_number()) {
      continue;
    }
    const double error = row.answer["model"]["checkpoint_bytes"].get<double>() /
                             row.facts["checkpoint_bytes"].get<double>() -
                         1.0;
    const bool close = std::abs(error) <= 0.005;
    if (excluded.contains(row.file())) {
      INFO(row.file() << " is excluded without need");
      CHECK(!close);
      continue;
    }
    ++compared;
    met += close ? 1 : 0;
    if (!close) {
      missed.push_back(row.file() + " " + std::to_string(100 * error) + " %");
    }
  }
  std::cout << "checkpoint bytes: " << met << " of " << compared << " within 0.5 %, "
            << excluded.size() << " excluded\n";
  for (const std::string& line : missed) {
    std::cout << "  missed: " << line << "\n";
  }
  CHECK(met * 100 >= compared * 95);
}

TEST_CASE("every real file is sized soundly or refused by its own message") {
  std::map<std::string, int> outcomes;
  for (const Row& row : corpus()) {
    INFO(row.file());
    CHECK(soundness::unsound(row.answer) == "");
    if (row.sized()) {
      CHECK(row.figure("layers") > 0);
      CHECK(row.figure("parameters") > 0);
      ++outcomes["sized"];
      continue;
    }
    const Json& error = row.answer["error"];
    const std::string code = error["code"];
    ++outcomes[code];
    if (row.facts["kind"] == "hf_quant_config") {
      CHECK(code == "not_a_model");
      CHECK(error["message"].get<std::string>().find("quant_config") != std::string::npos);
    }
    CHECK((code == "not_a_model" || code == "unknown_architecture" || code == "bad_value" ||
           code == "missing_field" || code == "unsupported_quantization"));
  }
  for (const auto& [outcome, count] : outcomes) {
    std::cout << outcome << ": " << count << "\n";
  }
}

TEST_CASE("configs cut to a few keys run through") {
  const auto text = tests::shared_file("configs/aux/stripped_configs.json");
  if (!text) {
    WARN("skipped: configs/aux/stripped_configs.json is not here");
    return;
  }
  std::size_t sized = 0;
  std::size_t refused = 0;
  const Json configs = Json::parse(*text);
  for (const auto& [name, config] : configs.items()) {
    INFO(name);
    const Json answer = tests::evaluate(request_for(config));
    CHECK(soundness::unsound(answer) == "");
    ++(answer.contains("error") ? refused : sized);
  }
  std::cout << "configs cut to a few keys: " << sized << " sized, " << refused << " refused\n";
}
