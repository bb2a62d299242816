#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "api/api.hpp"
#include "engine/engine.hpp"
#include "evaluated.hpp"

using tests::Json;

namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

/// The parts of a row's `other_flags`: between semicolons, commas before a blank, and in front of
/// flags; what is in brackets only explains.
std::vector<std::string> phrases_of(const std::string& text) {
  std::vector<std::string> parts(1);
  int brackets = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    brackets += c == '(' ? 1 : (c == ')' ? -1 : 0);
    if (brackets > 0 || c == ')') {
      continue;
    }
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    const bool flag = c == ' ' && next == '-' && !parts.back().ends_with("no");
    if (c == ';' || (c == ',' && next == ' ') || flag) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  std::vector<std::string> phrases;
  for (const std::string& part : parts) {
    const std::size_t first = part.find_first_not_of(' ');
    if (first != std::string::npos) {
      phrases.push_back(part.substr(first, part.find_last_not_of(' ') - first + 1));
    }
  }
  return phrases;
}

/// Words that are numbers become #.
std::string pattern_of(const std::string& phrase) {
  std::string out;
  for (std::size_t i = 0; i < phrase.size();) {
    const bool starts =
        digit(phrase[i]) && (i == 0 || phrase[i - 1] == ' ' || phrase[i - 1] == '=');
    std::size_t end = i;
    while (starts && end < phrase.size() && (digit(phrase[end]) || phrase[end] == '.')) {
      ++end;
    }
    if (end > i && (end == phrase.size() || phrase[end] == ' ')) {
      out += '#';
      i = end;
    } else {
      out += phrase[i++];
    }
  }
  return out;
}

/// The flags and variables that a phrase means; empty text: it means none. No value: nobody knows.
std::optional<std::string> words_of(const std::string& engine, const std::string& phrase,
                                    const Json& table) {
  for (const Json& entry : table["phrases"]) {
    if (entry["engine"] == engine && entry["phrase"] == pattern_of(phrase)) {
      return entry["words"].get<std::string>();
    }
  }
  const std::size_t dashes = phrase.starts_with("--") ? 2 : (phrase.starts_with("-") ? 1 : 0);
  const std::string bare = phrase.substr(dashes);
  const std::string name = bare.substr(0, bare.find_first_of(" =."));
  const std::string dotted = bare.substr(0, bare.find_first_of(" ="));
  const auto& flags = ridgepoint::engine::find_engine(engine)->flags();
  const std::string positive = name.starts_with("no-") ? name.substr(3) : name;
  if (find_flag(flags, name) != nullptr || find_flag(flags, positive) != nullptr ||
      find_flag(flags, dotted) != nullptr) {
    return (name.size() > 3 ? "--" : "-") + bare;
  }
  const bool variable =
      name.size() > 5 && name.find_first_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos;
  return variable ? std::optional(phrase) : std::nullopt;
}

std::string command_of(const std::string& engine, const std::string& words) {
  // Variables stand in front of the program.
  const bool variable = !words.empty() && words[0] >= 'A' && words[0] <= 'Z';
  const std::string program = engine == "vllm"     ? "vllm serve org/model"
                              : engine == "sglang" ? "sglang serve --model-path org/model"
                              : engine == "trtllm" ? "trtllm-serve org/model"
                                                   : "llama-server -m model.gguf";
  return variable ? words + " " + program : program + " " + words;
}

}  // namespace

TEST_CASE("every flag that a measured start names is used, harmless or told as not modelled",
          "[command][truth]") {
  const Json table =
      Json::parse(*tests::read_text(std::string(RIDGEPOINT_FIXTURES) + "/other_flags.json"));
  std::size_t rows = 0;
  for (const std::string engine : {"vllm", "sglang", "trtllm", "llamacpp"}) {
    const auto text = tests::shared_file("truth/" + engine + ".jsonl");
    if (!text) {
      WARN("skipped: the measured starts are not here");
      return;
    }
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
      const Json row = Json::parse(line);
      if (!row.contains("other_flags") || !row["other_flags"].is_string()) {
        continue;
      }
      ++rows;
      for (const std::string& phrase : phrases_of(row["other_flags"].get<std::string>())) {
        INFO(row["id"] << ": " << phrase);
        const auto words = words_of(engine, phrase, table);
        REQUIRE(words);
        const Json answer = Json::parse(
            ridgepoint::api::read_command(Json{{"text", command_of(engine, *words)}}.dump()));
        REQUIRE(answer.contains("request"));
        // One flag or variable at least but the model, unless the phrase names none.
        const std::size_t model = engine == "sglang" || engine == "llamacpp" ? 1 : 0;
        CHECK((words->empty() || answer["flags"].size() + answer["env"].size() > model));
        for (const char* list : {"flags", "env"}) {
          for (const Json& entry : answer[list]) {
            INFO(entry.dump());
            CHECK(entry["use"] != "unknown");
            CHECK((entry["use"] == "used" || !entry["note"].get<std::string>().empty()));
          }
        }
      }
    }
  }
  CHECK(rows > 100);
}

TEST_CASE("the table of wordings names flags that exist", "[command]") {
  const Json table =
      Json::parse(*tests::read_text(std::string(RIDGEPOINT_FIXTURES) + "/other_flags.json"));
  for (const Json& entry : table["phrases"]) {
    INFO(entry.dump());
    const auto words = entry["words"].get<std::string>();
    CHECK((!words.empty() || entry.contains("why")));
    const Json answer = Json::parse(ridgepoint::api::read_command(
        Json{{"text", command_of(entry["engine"].get<std::string>(), words)}}.dump()));
    for (const char* list : {"flags", "env"}) {
      for (const Json& flag : answer[list]) {
        CHECK(flag["use"] != "unknown");
      }
    }
  }
}
