// What comes in is somebody's text: bounded time and memory whatever it is, and no word of whose it
// was in the row that may be sent on.

#include "engine/start_log.hpp"
#include "start_logs.hpp"

namespace {

using start_logs::Json;
using start_logs::mentions;
using start_logs::read;

std::string repeated(std::string_view text, std::size_t size) {
  std::string out;
  out.reserve(size + text.size());
  while (out.size() < size) {
    out += text;
  }
  return out;
}

/// The answer without the query, for long texts.
Json answer_to(const std::string& text) { return Json::parse(ridgepoint::api::read_log(text, "")); }

TEST_CASE("Fifty megabytes of one line, and then a figure", "[read_log]") {
  std::string text(50U << 20U, 'x');
  text += "\nINFO Model loading took 1.00 GiB and 1 seconds\n";
  const Json a = answer_to(text);
  CHECK(a["measured"]["weights_bytes"] == 1073741824);
  CHECK(a["facts"][0]["line"] == 2);
  CHECK(mentions(a["notes"], "64 KiB"));
}

TEST_CASE("Long texts that are no log", "[read_log]") {
  const std::size_t size = 3U << 20U;
  for (const std::string_view piece :
       {std::string_view("\n"), std::string_view("\r"), std::string_view("\0", 1),
        std::string_view("\xff\xfe\x80"), std::string_view("\x1b"), std::string_view("\x1b["),
        std::string_view("\x1b]"), std::string_view("\x1b]0;\n"), std::string_view("{"),
        std::string_view("\xf0\x9f"), std::string_view("a\n"), std::string_view("took took "),
        std::string_view("(Worker_TP(Worker_TP\n")}) {
    INFO(piece);
    CHECK(answer_to(repeated(piece, size))["error"]["code"] == "not_a_log");
  }
}

TEST_CASE("Wordings that almost match, over and over", "[read_log]") {
  const std::size_t size = 2U << 20U;
  for (const char* piece :
       {"KV Cache is allocated. ", "Load weight end. \n", "Model loading took 1",
        "GPU KV cache size: 1,2,3 ", "server_args=ServerArgs(\n", "server_args=ServerArgs(a='",
        "non-default args: {'a': {'b': [\n", "size = 1 MiB (1 cells, 1 layers, 1 seqs), ",
        "breakdown_print: | - a (b) | 1 = 1 + (", "cuda graph end. cuda graph end. ",
        "max seq len (1), max seq len (1), ", "Free memory on device Free memory on device ",
        "1234567890123456789012345678901234567890", "n_ctx = ", "x KV buffer size = y "}) {
    INFO(piece);
    const Json a = answer_to(repeated(piece, size));
    CHECK((a.contains("error") || a.contains("kind")));
  }
}

TEST_CASE("Facts, ranks and settings are capped", "[read_log]") {
  std::string many;
  for (int i = 0; i < 60000; ++i) {
    many += "(Worker_TP" + std::to_string(i) + " pid=1) INFO Model loading took 1.00 GiB\n";
  }
  const Json a = answer_to(many);
  CHECK(a["facts"].size() <= 4096);
  CHECK(a["ranks"].size() <= 256);
  CHECK(mentions(a["notes"], "4,096"));
  // A figure beyond any machine is none.
  const Json b =
      answer_to(repeated("INFO Available KV cache memory: 9e999 GiB\n"
                         "INFO Available KV cache memory: "
                         "9999999999999999999999999999 GiB\n",
                         1U << 20U));
  CHECK(b["engine"] == "vllm");
  CHECK(b["measured"]["kv_pool_bytes"].is_null());
}

TEST_CASE("A text beyond the limit is refused with what to do", "[read_log]") {
  const std::string text(ridgepoint::engine::kMostLogBytes + 1, '\n');
  const Json a = answer_to(text);
  CHECK(a["error"]["code"] == "log_too_long");
  CHECK(a["error"]["message"].get<std::string>().find("first 10,000") != std::string::npos);
  CHECK(answer_to("")["error"]["code"] == "not_a_log");
}

TEST_CASE("Any byte of a log may be another", "[read_log]") {
  std::uint64_t seed = 7;
  for (const auto& log : start_logs::all()) {
    for (int i = 0; i < 12; ++i) {
      std::string text = log.text;
      for (int j = 0; j < 20; ++j) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        text[(seed >> 33U) % text.size()] = static_cast<char>(seed >> 20U);
      }
      INFO(log.name);
      const Json a = answer_to(text);
      CHECK((a.contains("error") || a.contains("kind")));
    }
  }
}

TEST_CASE("The row tells nothing of whose start it was", "[read_log]") {
  for (const auto& log : start_logs::all()) {
    INFO(log.name);
    const Json row = read(log.text)["row"];
    CHECK(row["id"] == "");
    CHECK(row["source"].is_null());
    CHECK(row["date"].is_null());
    const std::string text = row.dump();
    for (const char* secret : {"10.1.2.3", "sk-not-to-be-kept", "/srv", "/data", "kim", "lee",
                               "people", "node-3", "8123", "0.0.0.0", "127.0.0.1", "/x"}) {
      INFO(secret);
      CHECK(text.find(secret) == std::string::npos);
    }
  }
  const char* const kModels[][2] = {
      {"org/name-8B", "org/name-8B"},
      {"/home/user/models/x", nullptr},
      {"./models/x", nullptr},
      {"models/x", nullptr},
      {"a/b/c", nullptr},
      {"C:\\\\models\\\\x", nullptr},
      {"s3://bucket/x", nullptr},
      {"org/x.gguf", nullptr},
      {"local-name", nullptr},
      {"~/x/y", nullptr},
      {"/root/.cache/models--org--name/snapshots/0", "org/name"},
  };
  for (const auto& model : kModels) {
    INFO(model[0]);
    const Json a = read(std::string("INFO Initializing a V1 LLM engine (v0.11.0) with config: "
                                    "model='") +
                        model[0] + "', max_seq_len=8\nINFO Model loading took 1.0 GiB\n");
    CHECK(a["row"]["model"] == (model[1] == nullptr ? Json() : Json(model[1])));
  }
}

}  // namespace
