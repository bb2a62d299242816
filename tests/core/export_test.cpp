#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "api/api.hpp"
#include "evaluated.hpp"
#include "export/characters.hpp"
#include "export/numbers.hpp"

using tests::Json;

namespace {

Json exact(double value) {
  return {{"low", value}, {"best", value}, {"high", value}, {"basis", "exact"}, {"starts", 0}};
}

Json between(std::uint64_t low, std::uint64_t best, std::uint64_t high) {
  return {{"low", low}, {"best", best}, {"high", high}, {"basis", "measured"}, {"starts", 8}};
}

std::string exported(const Json& answer, const std::string& format, Json more = Json::object()) {
  more["answer"] = answer;
  more["format"] = format;
  return ridgepoint::api::export_answer(more.dump());
}

Json error_of(const std::string& answer) {
  const Json parsed = Json::parse(answer, nullptr, false);
  REQUIRE(parsed.is_object());
  REQUIRE(parsed.contains("error"));
  return parsed["error"];
}

/// Records of RFC 4180, straight from its grammar.
std::vector<std::vector<std::string>> records(const std::string& csv) {
  std::vector<std::vector<std::string>> all;
  std::vector<std::string> record;
  std::string field;
  bool quoted = false;
  for (std::size_t i = 0; i < csv.size(); ++i) {
    const char c = csv[i];
    if (quoted) {
      if (c == '"' && i + 1 < csv.size() && csv[i + 1] == '"') {
        field += csv[++i];
      } else if (c == '"') {
        quoted = false;
      } else {
        field += c;
      }
    } else if (c == '"') {
      REQUIRE(field.empty());
      quoted = true;
    } else if (c == ',') {
      record.push_back(std::exchange(field, {}));
    } else if (c == '\r') {
      REQUIRE(csv[++i] == '\n');
      record.push_back(std::exchange(field, {}));
      all.push_back(std::exchange(record, {}));
    } else {
      REQUIRE(c != '\n');
      field += c;
    }
  }
  REQUIRE_FALSE(quoted);
  REQUIRE(field.empty());
  REQUIRE(record.empty());
  for (const auto& each : all) {
    REQUIRE(each.size() == all.front().size());
  }
  return all;
}

std::string at(const std::vector<std::vector<std::string>>& csv, const std::string& head,
               std::size_t row) {
  for (std::size_t i = 0; i < csv.front().size(); ++i) {
    if (csv.front()[i] == head) {
      return csv.at(row).at(i);
    }
  }
  FAIL("no column " << head);
  return {};
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  std::size_t start = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', start)) {
    all.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  REQUIRE(start == text.size());
  return all;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Json cell(Json at, double requests) {
  return {{"at", std::move(at)},
          {"serves", requests > 0},
          {"limit", requests > 0 ? "none" : "kv_pool"},
          {"limiting_term", "the KV pool"},
          {"max_requests", exact(requests)},
          {"enough", nullptr},
          {"naive_requests", 90},
          {"max_context", 40000},
          {"tokens", between(460000, 464272, 472144)},
          {"kv_pool", between(60654783948, 60853906965, 61885724375)},
          {"speed", nullptr},
          {"change", Json::object()}};
}

Json scan_of_one() {
  return {
      {"id", ""},
      {"kind", "scan"},
      {"axes", {{{"name", "context"}, {"unit", "tokens"}, {"values", {4096, 131072}}}}},
      {"cells", {cell({0}, 113), {{"at", {1}}, {"error", {{"message", "Too long, by far."}}}}}}};
}

Json scan_of_two() {
  Json answer = scan_of_one();
  answer["axes"].push_back({{"name", "kv_format"}, {"unit", ""}, {"values", {"auto", "fp8"}}});
  answer["cells"] = {cell({0, 0}, 113), cell({0, 1}, 226), cell({1, 0}, 0), cell({1, 1}, 7)};
  answer["cells"][3]["enough"] = false;
  return answer;
}

Json recommendation() {
  return {{"kind", "recommend"},
          {"searched", {{"cards", 3}, {"setups", 40}, {"estimates", 61}}},
          {"prices", {{"currency", "USD"}, {"date", "2026-01-01"}, {"source", "given"}}},
          {"answers",
           {{{"gpu", {{"id", "l4"}, {"name", "L4"}}},
             {"count", 2},
             {"engine", {{"name", "vllm"}, {"version", "0.28.0"}}},
             {"parallelism", {{"tensor", 2}, {"pipeline", 1}, {"data", 1}, {"expert", 1}}},
             {"weight_format", "fp8"},
             {"kv_format", "auto"},
             {"args", {{"tensor-parallel-size", 2}, {"enforce-eager", true}}},
             {"price_per_hour", 1.6},
             {"max_requests", between(30, 32, 33)},
             {"headroom_requests", 12},
             {"max_context", 8192},
             {"kv_pool", exact(1610612736)},
             {"speed", nullptr},
             {"reason", "The fewest cards."},
             {"limiting_term", "kv_pool"},
             {"breaks_first", "the KV pool"},
             {"request", Json::object()}}}},
          {"none", nullptr}};
}

Json comparison() {
  const auto setup = [](const char* label, double requests) {
    return Json{{"label", label},
                {"report",
                 {{"verdict", {{"serves", true}, {"limit", "none"}}},
                  {"capacity", {{"max_requests", exact(requests)}, {"max_context", 8192}}},
                  {"memory", {{"per_gpu", {{"kv_pool", exact(2147483648)}}}}}}}};
  };
  return {
      {"kind", "compare"},
      {"setups", {setup("base", 56), setup("fp8", 112)}},
      {"differences",
       {{{"from", 0},
         {"to", 1},
         {"pool",
          {{"from", 1073741824},
           {"to", 2147483648},
           {"difference", 1073741824},
           {"terms",
            {{{"term", "weights"},
              {"from", 0},
              {"to", -1073741824},
              {"difference", 1073741824},
              {"why", "half the bytes"}}}}}},
         {"requests", {{"from", 56}, {"to", 112}, {"difference", 56}, {"terms", Json::array()}}},
         {"changes",
          {{{"what", "--kv-cache-dtype"},
            {"from", "auto"},
            {"to", "fp8"},
            {"pool_difference", 1073741824},
            {"requests_difference", -3}}}},
         {"text", {"Twice the requests."}}}}}};
}

Json times(double middle) {
  return {{"mean", middle},    {"p50", middle},     {"p90", 2 * middle}, {"p95", 2 * middle},
          {"p99", 3 * middle}, {"max", 4 * middle}, {"count", 995}};
}

Json simulation() {
  return {{"id", ""},
          {"kind", "simulation"},
          {"engine", {{"name", "vllm"}, {"version", "0.29.0"}}},
          {"scheduler", "vllm_v1"},
          {"gpu", {{"id", "l4"}, {"count", 2}}},
          {"requests",
           {{"asked", 1000},
            {"finished", 995},
            {"refused", 5},
            {"refused_why", "5 requests are longer than the engine's maximum length."}}},
          {"stopped", false},
          {"duration_s", 250.5},
          {"latency",
           {{"ttft_s", times(0.25)},
            {"tpot_s", times(0.02)},
            {"itl_s", times(0.02)},
            {"e2e_s", times(5)},
            {"queue_s", times(0)}}},
          {"throughput",
           {{"requests_per_s", 3.97}, {"output_tokens_per_s", 330}, {"total_tokens_per_s", 5200}}},
          {"goodput", {{"requests_per_s", 3.95}, {"share", 0.995}, {"meets", true}}},
          {"kv", {{"tokens", 56096}, {"mean_share", 0.35}, {"peak_share", 0.985}}},
          {"running", {{"mean", 6.8}, {"peak", 16}}},
          {"waiting", {{"mean", 0.2}, {"peak", 4}}},
          {"preemptions", 0},
          {"step_time", {{"total_s", 250}, {"linear_s", 200}, {"attention_s", 50}, {"idle_s", 0}}},
          {"mfu", 0.17},
          {"mbu", 0.68},
          {"series",
           {{"t_s", {1, 3}},
            {"kv_share", {0.25, 0.5}},
            {"running", {4, 8}},
            {"waiting", {0, 1}},
            {"output_tokens_per_s", {300, 360}},
            {"preemptions", {0, 0}}}},
          {"limit", {{"what", "bandwidth"}, {"text", "The steps themselves."}}},
          {"cost_per_million_output_tokens", nullptr},
          {"price_per_hour", nullptr},
          {"assumptions", {"A first start."}}};
}

Json capacity() {
  return {{"kind", "capacity"},
          {"over", "rate"},
          {"best", {{"value", 5.2}, {"low", 5}, {"high", 5.4}, {"seeds", {5, 5.2, 5.4}}}},
          {"curve",
           {{{"value", 0.5},
             {"ttft_s", times(0.25)},
             {"tpot_s", times(0.02)},
             {"e2e_s", times(5)},
             {"output_tokens_per_s", 100},
             {"share_meeting", 0.999},
             {"kv_peak_share", 0.25},
             {"meets", true}}}},
          {"limit", {{"what", "kv_pool"}, {"text", "The KV cache is full."}}},
          {"changes",
           {{{"change", "--kv-cache-dtype fp8"},
             {"how", "The cache takes half the memory."},
             {"cards", 1},
             {"best", 7.75}}}},
          {"cost_per_million_output_tokens", 0.375},
          {"assumptions", {"A first start."}}};
}

std::vector<Json> every_kind() {
  return {
      scan_of_one(),
      scan_of_two(),
      recommendation(),
      comparison(),
      {{"kind", "advise"},
       {"verdict",
        {{"serves", false},
         {"limit", "weights"},
         {"text", "The weights do not fit."},
         {"needed_bytes", 3221225472},
         {"available_bytes", 1073741824}}},
       {"problem", "The weights are too large."},
       {"changes",
        {{{"change", "Quantise the weights to FP8"},
          {"how", "--quantization fp8"},
          {"cost", "some accuracy"},
          {"effect", "it starts"},
          {"max_requests", exact(4)},
          {"max_context", 4096},
          {"kv_pool", exact(1073741824)}}}},
       {"waste", {{{"what", "not_claimed"}, {"bytes", 1073741824}, {"text", "raise the share"}}}}},
      {{"kind", "command"},
       {"form", "docker"},
       {"request", {{"model", {{"id", "org/name"}}}, {"gpu", {{"id", "l4"}, {"count", 2}}}}},
       {"flags",
        {{{"flag", "--max-num-seqs"}, {"value", 64}, {"use", "used"}, {"name", "max-num-seqs"}},
         {{"flag", "-O"}, {"value", {{"mode", 3}}}, {"use", "used"}},
         {{"flag", "--frob"}, {"value", "x"}, {"use", "unknown"}, {"note", "Left out."}}}},
       {"env", {{{"name", "A"}, {"value", "1"}, {"use", "no_effect"}}}},
       {"notes", {"A port is mapped."}}},
      {{"kind", "command_text"},
       {"form", "shell"},
       {"text", "vllm serve org/name \\\n  --max-num-seqs 64\n"},
       {"flags", {{{"flag", "--max-num-seqs"}, {"value", 64}, {"why", "the load"}}}},
       {"notes", Json::array()},
       {"checked", true}},
      {{"kind", "log"},
       {"engine", "vllm"},
       {"version", "0.28.0"},
       {"outcome", "started"},
       {"facts",
        {{{"line", 7},
          {"rank", 0},
          {"term", "kv_pool"},
          {"value", 1073741824},
          {"unit", "bytes"}}}},
       {"measured", {{"kv_pool_bytes", 1073741824}}},
       {"request", nullptr},
       {"comparison",
        {{{"term", "kv_pool"},
          {"measured", 1073741824},
          {"predicted", between(900000000, 1000000000, 1100000000)},
          {"inside", true},
          {"difference", -73741824},
          {"cause", ""}}}},
       {"causes", {"Nothing is wrong."}},
       {"notes", Json::array()}},
      {{"kind", "explain"},
       {"verdict", {{"serves", true}, {"text", "It starts."}}},
       {"steps",
        {{{"number", 1},
          {"group", "memory"},
          {"term", "kv_pool"},
          {"formula", "util x total - weights"},
          {"with_numbers", "0.9 x 80 - 16"},
          {"value", 1073741824},
          {"unit", "bytes"},
          {"rule", "the pool"},
          {"source", "gpu_worker.py"}}}},
       {"assumptions", {"One card."}}},
      simulation(),
      capacity(),
  };
}

}  // namespace

TEST_CASE("numbers are written for people", "[export]") {
  using ridgepoint::exports::fixed;
  using ridgepoint::exports::short_number;
  using ridgepoint::exports::size_text;
  CHECK(fixed(1234.5, 2) == "1,234.50");
  CHECK(fixed(-0.004, 2) == "0.00");
  CHECK(fixed(-12.005, 1) == "-12.0");
  CHECK(fixed(999.999, 2) == "1,000.00");
  CHECK(short_number(0) == "0");
  CHECK(short_number(77.26) == "77.3");
  CHECK(short_number(1234) == "1,230");
  CHECK(short_number(999.9) == "1,000");
  CHECK(short_number(0.0123456) == "0.0123");
  CHECK(short_number(12.0) == "12");
  // 60853906965 / 2^30 = 56.674...; 131072 / 2^10 = 128.
  CHECK(size_text(60853906965.0) == "56.67 GiB");
  CHECK(size_text(131072) == "128.0 KiB");
  CHECK(size_text(-2097152) == "-2.00 MiB");
  CHECK(size_text(12) == "12 B");
  CHECK(fixed(1e300, 2) == "1e+300");
}

TEST_CASE("text is made harmless and broken into lines", "[export]") {
  using namespace ridgepoint::exports;
  CHECK(harmless("a\x1b[31mb\r\nc") == "a [31mb c");
  CHECK(harmless("a\u202Eb\u200Bc\u0085d") == "a b c d");
  CHECK(harmless("a\nb", true) == "a\nb");
  CHECK(harmless("日本 é") == "日本 é");
  CHECK(columns_of("日本 é") == 6);
  CHECK(cut("日本語", 2) == "日本…");
  CHECK(cut("日本", 2) == "日本");
  CHECK(wrapped("one two three", 7) == std::vector<std::string>{"one two", "three"});
  CHECK(wrapped("a 123456789 b", 4) == std::vector<std::string>{"a", "1234", "5678", "9 b"});
  CHECK(wrapped("日本語", 4) == std::vector<std::string>{"日本", "語"});
  CHECK(wrapped("", 4).size() == 1);
}

TEST_CASE("a scan as CSV has the numbers as they came", "[export]") {
  const auto csv = records(exported(scan_of_one(), "csv"));
  REQUIRE(csv.size() == 3);
  CHECK(csv[0][0] == "context_tokens");
  CHECK(csv[1][0] == "4096");
  CHECK(at(csv, "outcome", 1) == "serves");
  CHECK(at(csv, "max_requests", 1) == "113.0");
  CHECK(at(csv, "kv_pool_bytes", 1) == "60853906965");
  CHECK(at(csv, "kv_pool_bytes_low", 1) == "60654783948");
  CHECK(at(csv, "kv_pool_bytes_high", 1) == "61885724375");
  CHECK(at(csv, "ttft_s", 1).empty());
  CHECK(at(csv, "outcome", 2) == "error");
  CHECK(at(csv, "limited_by", 2) == "Too long, by far.");
  CHECK(at(csv, "kv_pool_bytes", 2).empty());
}

TEST_CASE("two axes are a matrix for people and a list for a spreadsheet", "[export]") {
  const auto csv = records(exported(scan_of_two(), "csv"));
  REQUIRE(csv.size() == 5);
  CHECK(csv[0][1] == "kv_format");
  CHECK(at(csv, "kv_format", 2) == "fp8");
  CHECK(at(csv, "outcome", 3) == "no");
  CHECK(at(csv, "limited_by", 3) == "the KV pool");
  CHECK(at(csv, "outcome", 4) == "too few");
  const std::string markdown = exported(scan_of_two(), "markdown");
  CHECK(has(markdown, "## SERVES: at 3 of 4 points over context and KV format\n"));
  CHECK(has(markdown, "| context | auto | fp8 |\n| ---: | ---: | ---: |\n"));
  CHECK(has(markdown, "| 4,096 | 113 | 226 |\n| 131,072 | - | 7 |\n"));
  const std::string text = exported(scan_of_two(), "text");
  CHECK(has(text, "\ncontext  auto  fp8\n  4,096   113  226\n131,072     -    7\n"));
}

TEST_CASE("a place that an axis does not have is an empty cell", "[export]") {
  for (const Json& place : {Json(7), Json(-1), Json("x"), Json(1e300)}) {
    Json answer = scan_of_one();
    answer["cells"][0]["at"] = Json::array({place});
    const auto csv = records(exported(answer, "csv"));
    CHECK(at(csv, "context_tokens", 1).empty());
    CHECK(at(csv, "max_requests", 1) == "113.0");
  }
}

TEST_CASE("what a report says is exported", "[export]") {
  const Json report = tests::evaluate({{"model", {{"id", "meta-llama/Meta-Llama-3-8B"}}},
                                       {"gpu", {{"id", "a100-sxm-80gb"}}},
                                       {"engine", {{"name", "vllm"}, {"version", "0.28.0"}}},
                                       {"workload", {{"context", 8192}}}});
  const auto csv = records(exported(report, "csv"));
  bool found = false;
  for (const auto& record : csv) {
    if (record[1] == "kv_pool") {
      found = true;
      const Json& pool = report["memory"]["per_gpu"]["kv_pool"];
      CHECK(record[2] == "bytes");
      CHECK(record[3] == pool["best"].dump());
      CHECK(record[4] == pool["low"].dump());
      CHECK(record[5] == pool["high"].dump());
    }
  }
  CHECK(found);
  // The terms of one card add up to it: what is not claimed is in the table.
  const auto memory = records(exported(report, "csv", {{"table", "memory"}}));
  std::uint64_t sum = 0;
  for (std::size_t row = 1; row + 1 < memory.size(); ++row) {
    sum += std::stoull(at(memory, "bytes", row));
  }
  CHECK(sum == std::stoull(at(memory, "bytes", memory.size() - 1)));
  CHECK(exported(report, "text").substr(0, 34) == "SERVES  meta-llama/Meta-Llama-3-8B");
  CHECK(exported(report, "markdown").substr(0, 11) == "## SERVES: ");
}

TEST_CASE("a recommendation keeps its ranks, flags and prices", "[export]") {
  const auto csv = records(exported(recommendation(), "csv"));
  REQUIRE(csv.size() == 2);
  CHECK(at(csv, "gpu_id", 1) == "l4");
  CHECK(at(csv, "cards", 1) == "2");
  CHECK(at(csv, "tensor_parallel", 1) == "2");
  CHECK(at(csv, "price_per_hour", 1) == "1.6");
  // A spreadsheet would run what starts with a dash.
  CHECK(at(csv, "args", 1) == "'--enforce-eager --tensor-parallel-size 2");
  const std::string text = exported(recommendation(), "text", {{"width", 200}});
  CHECK(has(text, "FOUND  1 setup, best first: 2 x L4, vllm 0.28.0\n"));
  CHECK(has(text, "Searched 3 cards, 40 setups, 61 estimates.\n"));
  CHECK(has(text, "Flags: --enforce-eager --tensor-parallel-size 2"));
  CHECK_FALSE(has(text, "No price is known"));
  Json unpriced = recommendation();
  unpriced["answers"].push_back(unpriced["answers"][0]);
  unpriced["answers"][1]["gpu"] = {{"id", "l40s"}, {"name", "L40S"}};
  unpriced["answers"][1]["price_per_hour"] = nullptr;
  const std::string with = exported(unpriced, "text", {{"width", 200}});
  CHECK(has(with, "no price"));
  CHECK(has(with,
            "No price is known of L40S; by price such cards come last. Give one per card and hour "
            "in prices, on the command line for example --price l40s=1.50.\n"));
  CHECK(at(records(exported(unpriced, "csv")), "price_per_hour", 2).empty());
  Json none = recommendation();
  none["answers"] = Json::array();
  none["none"] = {{"text", "No card holds it."}, {"limit", "weights"}};
  CHECK(lines(exported(none, "text")).front() == "NOTHING FOUND  No card holds it.");
  CHECK(records(exported(none, "csv")).size() == 1);
}

TEST_CASE("a comparison shows what changed and why", "[export]") {
  const std::string text = exported(comparison(), "text");
  CHECK(has(text, "From base to fp8\n  - Twice the requests.\n"));
  CHECK(has(text, "+1.00 GiB"));
  CHECK(has(text, "half the bytes"));
  const auto terms = records(exported(comparison(), "csv", {{"table", "terms"}}));
  REQUIRE(terms.size() == 2);
  CHECK(at(terms, "from_setup", 1) == "base");
  CHECK(at(terms, "to_setup", 1) == "fp8");
  CHECK(at(terms, "to", 1) == "-1073741824");
  CHECK(at(terms, "difference", 1) == "1073741824");
  const auto changes = records(exported(comparison(), "csv", {{"table", "changes"}}));
  CHECK(at(changes, "requests_difference", 1) == "-3");
  CHECK(records(exported(comparison(), "csv")).size() == 3);
}

TEST_CASE("a command that was written stays as it is", "[export]") {
  const Json command = every_kind()[6];
  const std::string text = exported(command, "text", {{"width", 40}});
  CHECK(has(text, "\nvllm serve org/name \\\n  --max-num-seqs 64\n\n"));
  Json fenced = command;
  fenced["text"] = "echo ```` x\n";
  CHECK(has(exported(fenced, "markdown"), "\n`````sh\necho ```` x\n`````\n"));
}

TEST_CASE("every kind makes every form, in lines of the width", "[export]") {
  for (const Json& answer : every_kind()) {
    INFO(answer["kind"]);
    for (const std::size_t width : {40U, 80U, 200U}) {
      const std::string text = exported(answer, "text", {{"width", width}});
      REQUIRE(text.front() != '{');
      for (const std::string& line : lines(text)) {
        INFO(line);
        CHECK((ridgepoint::exports::columns_of(line) <= width || line.rfind("vllm", 0) == 0));
        CHECK((line.empty() || line.back() != ' '));
      }
    }
    const std::string markdown = exported(answer, "markdown");
    CHECK(markdown.rfind("## ", 0) == 0);
    CHECK(markdown.back() == '\n');
    CHECK_FALSE(records(exported(answer, "csv")).empty());
  }
}

TEST_CASE("every table that a bad name is told of is there", "[export]") {
  for (const Json& answer : every_kind()) {
    const Json error = error_of(exported(answer, "csv", {{"table", "frob"}}));
    CHECK(error["code"] == "unknown_table");
    const std::string message = error["message"];
    const std::string start = "it has ";
    std::string names = message.substr(message.find(start) + start.size());
    names.pop_back();
    while (!names.empty()) {
      const std::string name = names.substr(0, names.find(", "));
      names.erase(0, std::min(names.size(), name.size() + 2));
      INFO(answer["kind"] << " " << name);
      CHECK_FALSE(records(exported(answer, "csv", {{"table", name}})).empty());
    }
  }
}

TEST_CASE("what an answer says makes no markup, no formula and no escape", "[export]") {
  const std::string evil =
      "=cmd|'/C calc'!A0 <script>alert(1)</script> `x` | **b** [a](http://b)\x1b[2J\u202E\nnext";
  Json answer = scan_of_one();
  answer["cells"][1]["error"]["message"] = evil;
  answer["notes"] = {"# heading", "1. list", "- point", evil};

  const auto csv = records(exported(answer, "csv"));
  CHECK(at(csv, "limited_by", 2).rfind("'=cmd|", 0) == 0);
  CHECK_FALSE(has(at(csv, "limited_by", 2), "\x1b"));
  for (const char* start : {"+1", "-1", "@SUM(A1)", "=1", "\t=1", "  =1"}) {
    answer["cells"][1]["error"]["message"] = start;
    CHECK(at(records(exported(answer, "csv")), "limited_by", 2).front() == '\'');
  }
  answer["cells"][1]["error"]["message"] = evil;

  const std::string markdown = exported(answer, "markdown");
  CHECK_FALSE(has(markdown, "<script"));
  CHECK_FALSE(has(markdown, "[a]("));
  CHECK(has(markdown, "&lt;script&gt;"));
  CHECK(has(markdown, "\\`x\\` \\| \\*\\*b\\*\\*"));
  CHECK(has(markdown, "\n- \\# heading\n- 1\\. list\n- \\- point\n"));
  std::size_t rows = 0;
  for (const std::string& line : lines(markdown)) {
    std::size_t bars = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\') ? 1 : 0;
    }
    if (line.rfind("|", 0) == 0) {
      ++rows;
      // One axis, the outcome, seven figures with the speeds and the last: 11 cells.
      CHECK(bars == 12);
    }
  }
  CHECK(rows == 4);

  for (const char c : exported(answer, "text")) {
    CHECK((c == '\n' || static_cast<unsigned char>(c) >= 0x20));
  }
  CHECK_FALSE(has(exported(answer, "text"), "\u202E"));
}

TEST_CASE("a wrong query is refused with the field", "[export]") {
  const Json good = scan_of_one();
  CHECK(error_of(ridgepoint::api::export_answer("{"))["code"] == "not_json");
  CHECK(error_of(ridgepoint::api::export_answer("[]"))["code"] == "bad_request");
  CHECK(error_of(exported(good, "pdf"))["path"] == "format");
  CHECK(error_of(exported(good, "text", {{"width", 10}}))["path"] == "width");
  CHECK(error_of(exported(good, "text", {{"wide", 80}}))["code"] == "unknown_field");
  CHECK(error_of(exported(Json(nullptr), "csv"))["code"] == "missing_field");
  CHECK(error_of(exported(Json(3), "csv"))["code"] == "not_an_answer");
  CHECK(error_of(exported(Json::object(), "csv"))["code"] == "not_an_answer");
  CHECK(error_of(exported({{"kind", "frob"}}, "csv"))["code"] == "not_an_answer");
  const Json failed = {{"error", {{"code", "x"}, {"message", "No such card."}, {"path", ""}}}};
  CHECK(has(error_of(exported(failed, "text"))["message"], "No such card."));
  const std::string named = exported(Json(3), "csv", {{"id", "mine"}});
  CHECK(Json::parse(named)["id"] == "mine");
}

TEST_CASE("an answer with a field of a wrong type is refused with its path", "[export]") {
  const auto refused = [](Json answer, const Json::json_pointer& where, const Json& value) {
    answer[where] = value;
    const Json error = error_of(exported(answer, "markdown"));
    CHECK(error["code"] == "bad_value");
    return error["path"].get<std::string>();
  };
  using Pointer = Json::json_pointer;
  const Json scan = scan_of_one();
  CHECK(refused(scan, Pointer("/cells"), 3) == "answer.cells");
  CHECK(refused(scan, Pointer("/cells/0"), "x") == "answer.cells[0]");
  CHECK(refused(scan, Pointer("/cells/0/at"), "x") == "answer.cells[0].at");
  CHECK(refused(scan, Pointer("/cells/0/serves"), 1) == "answer.cells[0].serves");
  CHECK(refused(scan, Pointer("/cells/0/max_requests"), Json::array()) ==
        "answer.cells[0].max_requests");
  CHECK(refused(scan, Pointer("/cells/0/kv_pool/low"), "x") == "answer.cells[0].kv_pool.low");
  CHECK(refused(scan, Pointer("/axes/0/name"), Json::object()) == "answer.axes[0].name");
  CHECK(refused(comparison(), Pointer("/differences/0/text"), "x") == "answer.differences[0].text");
  Json large = scan;
  large["cells"] = Json(20001, Json::object());
  CHECK(error_of(exported(large, "csv"))["code"] == "too_large");
}

TEST_CASE("an answer may lack any field, or have more", "[export]") {
  for (const Json& answer : every_kind()) {
    for (const auto& item : answer.items()) {
      if (item.key() == "kind") {
        continue;
      }
      Json less = answer;
      less.erase(item.key());
      less["surprise"] = {{"a", 1}};
      INFO(answer["kind"] << " without " << item.key());
      for (const char* format : {"csv", "markdown", "text"}) {
        CHECK(exported(less, format).front() != '{');
      }
    }
  }
}

TEST_CASE("a table that is too wide for its cells is written as records", "[export]") {
  Json answer = comparison();
  answer["setups"][0]["label"] = std::string(500, 'x');
  const std::string text = exported(answer, "text", {{"width", 40}});
  CHECK(has(text, "\n  requests         56\n"));
}

TEST_CASE("a simulation is its times, its figures, its steps and its course", "[export]") {
  const Json answer = simulation();
  const std::string text = exported(answer, "text", {{"width", 80}});
  CHECK(text.rfind("MEETS THE SLO  2 x l4, vllm 0.29.0\n", 0) == 0);
  CHECK(has(text, "5 requests are longer"));
  CHECK_FALSE(has(text, "kv_share"));
  const auto times = records(exported(answer, "csv"));
  REQUIRE(times.size() == 6);
  CHECK(times[0] == std::vector<std::string>{"time", "mean_s", "p50_s", "p90_s", "p95_s", "p99_s",
                                             "max_s", "count"});
  CHECK(times[1] == std::vector<std::string>{"first token", "0.25", "0.25", "0.5", "0.5", "0.75",
                                             "1.0", "995"});
  const auto steps = records(exported(answer, "csv", {{"table", "steps"}}));
  CHECK(steps == std::vector<std::vector<std::string>>{
                     {"part", "time_s"}, {"linear layers", "200"}, {"attention", "50"}});
  const auto series = records(exported(answer, "csv", {{"table", "series"}}));
  REQUIRE(series.size() == 3);
  CHECK(series[2] == std::vector<std::string>{"3", "0.5", "8", "1", "360", "0"});
  Json free = answer;
  free["goodput"] = nullptr;
  CHECK(exported(free, "text").rfind("SIMULATED  ", 0) == 0);
}

TEST_CASE("a capacity is its curve, and what carries more", "[export]") {
  const Json answer = capacity();
  const std::string text = exported(answer, "text", {{"width", 80}});
  CHECK(text.rfind("CARRIES  5.2 requests a second (5 to 5.4, by the draw)\n", 0) == 0);
  CHECK(has(text, "A million output tokens cost 0.38 there."));
  const auto curve = records(exported(answer, "csv"));
  REQUIRE(curve.size() == 2);
  CHECK(curve[0].front() == "requests_per_s");
  CHECK(curve[1].front() == "0.5");
  const auto changes = records(exported(answer, "csv", {{"table", "changes"}}));
  REQUIRE(changes.size() == 2);
  CHECK(changes[1][2] == "7.75");
  Json none = answer;
  none["best"] = nullptr;
  none["over"] = "concurrency";
  CHECK(exported(none, "text").rfind("CARRIES NOTHING", 0) == 0);
  CHECK(records(exported(none, "csv"))[0].front() == "concurrency");
}

TEST_CASE("setups that were tried with a load say what it did", "[export]") {
  Json answer = recommendation();
  CHECK_FALSE(has(exported(answer, "csv"), "load_"));
  answer["answers"][0]["load"] = {
      {"share_meeting", 0.995}, {"ttft_s", times(0.25)},
      {"tpot_s", times(0.02)},  {"output_tokens_per_s", 330},
      {"kv_peak_share", 0.5},   {"cost_per_million_output_tokens", 0.375}};
  CHECK(has(exported(answer, "csv"), "load_ttft_p99_s"));
  CHECK(has(exported(answer, "markdown"), "99.5 % keep to the wishes"));
}
