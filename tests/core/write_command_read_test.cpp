#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "api/request.hpp"
#include "command/normal_args.hpp"
#include "command/quote.hpp"
#include "command/yaml.hpp"
#include "sampling.hpp"
#include "write_command_cases.hpp"

using namespace commands;

namespace {

/// What a reader lists and leaves out of its request, for it changes no estimate.
bool is_listed(const Json& list, const char* key, const std::string& name) {
  return std::any_of(list.begin(), list.end(), [&](const Json& entry) {
    return entry[key] == name || (name == "extra-llm-api-options" && entry[key] == "config");
  });
}

/// What a command says of the engine, on the request's own card, model and workload.
Json read_back(const Json& request, const std::string& text) {
  const Json& engine = request["engine"];
  const Json query = {{"text", text},
                      {"engine", {{"name", engine["name"]}, {"version", engine["version"]}}}};
  const Json answer = Json::parse(ridgepoint::api::read_command(query.dump()));
  INFO(text);
  REQUIRE(answer.contains("request"));
  Json again = request;
  again["engine"]["args"] = answer["request"]["engine"].value("args", Json::object());
  again["engine"]["env"] = answer["request"]["engine"].value("env", Json::object());
  for (const auto& item : engine["args"].items()) {
    if (!again["engine"]["args"].contains(item.key())) {
      INFO(item.key());
      CHECK(is_listed(answer["flags"], "name", item.key()));
      again["engine"]["args"][item.key()] = item.value();
    }
  }
  for (const auto& item : engine["env"].items()) {
    if (!again["engine"]["env"].contains(item.key())) {
      INFO(item.key());
      CHECK(is_listed(answer["env"], "name", item.key()));
      again["engine"]["env"][item.key()] = item.value();
    }
  }
  return again;
}

Json without_assumptions(Json report) {
  report.erase("assumptions");
  return report;
}

}  // namespace

TEST_CASE("A written command reads back as the setup, and is estimated alike", "[write_command]") {
  constexpr std::size_t kStride = tests::sampled(11);
  std::size_t unchanged = 0;
  for (std::size_t i = 0; i < setups().size(); i += kStride) {
    const Json& setup = setups()[i];
    const Json request = request_of(setup);
    const Json report = tests::evaluate(request);
    for (const char* form : kForms) {
      INFO(setup.dump() << " as " << form);
      const Json answer = write(request, form);
      INFO(answer.dump().substr(0, 800));
      REQUIRE(answer.contains("text"));
      CHECK(answer["checked"] == true);
      const std::string said = ridgepoint::api::evaluate(answer["request"].dump());
      const Json again = read_back(answer["request"], answer["text"]);
      CHECK(ridgepoint::api::evaluate(again.dump()) == said);
      // What was taken for granted is a flag now, and no assumption any more. llama.cpp's estimate
      // without a length counts what would fit; with it, what is served.
      const Json written = Json::parse(said);
      unchanged += written == report ? 1 : 0;
      if (setup["engine"] == "llamacpp") {
        CHECK(written["memory"] == report["memory"]);
        CHECK(written["verdict"]["limit"] == report["verdict"]["limit"]);
      } else {
        CHECK(without_assumptions(written) == without_assumptions(report));
      }
    }
  }
  CHECK(setups().size() >= 290);
  CHECK(unchanged >= 600 / kStride);
}

TEST_CASE("The setups hold every flag that an estimate follows", "[write_command]") {
  std::set<std::string> said;
  for (const Json& setup : setups()) {
    const auto request = ridgepoint::api::read_request(request_of(setup));
    REQUIRE(request);
    const auto args = ridgepoint::command::normal_args(*request->engine, request->args);
    REQUIRE(args);
    for (const auto& flag : *args) {
      said.insert(setup["engine"].get<std::string>() + " " + flag.name);
    }
  }
  for (const auto& engine : ridgepoint::engine::engines()) {
    for (const auto& flag : engine.flags().flags) {
      if (flag.effect == ridgepoint::engine::FlagEffect::used) {
        INFO(engine.name << " --" << flag.name);
        CHECK(said.count(std::string(engine.name) + " " + std::string(flag.name)) == 1);
      }
    }
  }
}

TEST_CASE("Two spellings of a setup have one normal form", "[write_command]") {
  const auto normal = [](const Json& args) {
    const Json value = Json::parse(commands::request("vllm", "0.28.0", args).dump());
    const auto read = ridgepoint::api::read_request(value);
    REQUIRE(read);
    const auto flags = ridgepoint::command::normal_args(*read->engine, read->args);
    REQUIRE(flags);
    std::string text;
    for (const auto& flag : *flags) {
      text += flag.name + "=" + ridgepoint::command::value_word(flag) + ";";
    }
    return text;
  };
  const std::string plain = normal({{"tensor-parallel-size", 2},
                                    {"max-model-len", 8192},
                                    {"enforce-eager", true},
                                    {"cudagraph-capture-sizes", "[1,2,4]"},
                                    {"speculative-config", "{\"method\":\"ngram\"}"},
                                    {"enable-prefix-caching", false}});
  // 8K is 8 x 1,024; no-x true is x false
  CHECK(normal({{"tp", "2"},
                {"max_model_len", "8K"},
                {"enforce-eager", "True"},
                {"cudagraph_capture_sizes", {1, 2, 4}},
                {"sc", {{"method", "ngram"}}},
                {"no-enable-prefix-caching", true}}) == plain);
  CHECK(plain ==
        "max-model-len=8192;tensor-parallel-size=2;enforce-eager=true;"
        "cudagraph-capture-sizes=[1,2,4];enable-prefix-caching=false;"
        "speculative-config={\"method\":\"ngram\"};");
}

namespace {

/// Words that go wrong where something is not quoted.
const std::vector<std::string>& hostile() {
  static const std::vector<std::string> words = {"",
                                                 " ",
                                                 "it's",
                                                 "a b",
                                                 "$HOME",
                                                 "$(exit 1)",
                                                 "`exit 1`",
                                                 "\\",
                                                 "a\\nb",
                                                 "\"",
                                                 "a\nb",
                                                 "a\\\nb",
                                                 "!x",
                                                 "#c",
                                                 "a #b",
                                                 "*",
                                                 "~/x",
                                                 "{a,b}",
                                                 "é漢",
                                                 "a\tb",
                                                 "a\rb",
                                                 "\x01",
                                                 "\u201cq\u201d",
                                                 "\u00a0n",
                                                 "\u2028z",
                                                 "```\nx",
                                                 "EOF",
                                                 "null",
                                                 "true",
                                                 "on",
                                                 "1e3",
                                                 "0x1",
                                                 "012",
                                                 "2024-01-01",
                                                 ": ",
                                                 "a: b",
                                                 "- a",
                                                 "%x",
                                                 "@y",
                                                 "&z",
                                                 "[1",
                                                 "{\"a\":\"$b\"}",
                                                 "$$",
                                                 "$$$(A)",
                                                 "=x",
                                                 "a=b",
                                                 "a;b",
                                                 "a|b>c",
                                                 "'''",
                                                 "'\\''",
                                                 "\xef\xbb\xbfx",
                                                 "-1",
                                                 "x:",
                                                 ":x",
                                                 "?",
                                                 "| x"};
  return words;
}

}  // namespace

TEST_CASE("Hostile words survive every form", "[write_command]") {
  const auto& words = hostile();
  for (std::size_t i = 0; i < words.size(); i += tests::sampled(5)) {
    const std::string& word = words[i];
    INFO("[" << word << "]");
    for (const char* engine : {"vllm", "trtllm", "llamacpp"}) {
      const char* version = std::string(engine) == "vllm"     ? "0.28.0"
                            : std::string(engine) == "trtllm" ? "1.2.0"
                                                              : "b10470";
      Json request = commands::request(engine, version, {{"chat-template", word}});
      request["engine"]["env"] = {{"MY_VARIABLE", word}};
      for (const char* form : kForms) {
        const Json answer = write(request, form);
        INFO(answer.dump());
        CHECK(answer["checked"] == true);
      }
    }
  }
}

TEST_CASE("A quoted word is the same word in YAML", "[write_command]") {
  for (const std::string& word : hostile()) {
    const std::string text = "- " + ridgepoint::command::quoted_for_yaml(word, false) + "\n";
    INFO(text);
    const auto read = ridgepoint::command::read_yaml(text, "text");
    REQUIRE(read);
    REQUIRE(read->size() == 1);
    CHECK((*read)[0][0] == Json(word));
  }
}

#ifndef __EMSCRIPTEN__
TEST_CASE("A quoted word is the same word in bash", "[write_command]") {
  if (std::system("bash -c true 2>/dev/null") != 0) {
    WARN("no bash here: skipped");
    return;
  }
  std::string script = "export LC_ALL=C.UTF-8\nprintf '%s\\0'";
  for (const std::string& word : hostile()) {
    script += " \\\n  " + ridgepoint::command::quoted_for_shell(word);
  }
  char path[] = "/tmp/ridgepoint-words-XXXXXX";
  const int file = mkstemp(path);
  REQUIRE(file >= 0);
  std::FILE* out = fdopen(file, "w");
  REQUIRE(std::fwrite(script.data(), 1, script.size(), out) == script.size());
  std::fclose(out);
  std::FILE* in = popen(("bash " + std::string(path)).c_str(), "r");
  REQUIRE(in != nullptr);
  std::string words;
  for (int c = std::fgetc(in); c != EOF; c = std::fgetc(in)) {
    words += static_cast<char>(c);
  }
  CHECK(pclose(in) == 0);
  std::remove(path);
  std::string expected;
  for (const std::string& word : hostile()) {
    expected += word + std::string(1, '\0');
  }
  CHECK(words == expected);
}
#endif
