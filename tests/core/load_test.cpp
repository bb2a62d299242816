#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/load_query.hpp"
#include "api/simulation_answer.hpp"
#include "load/demand_source.hpp"
#include "load/presets.hpp"
#include "load/trace.hpp"
#include "simulated.hpp"

using nlohmann::json;
using ridgepoint::api::read_load;
using ridgepoint::api::read_slo;
using ridgepoint::load::ArrivalKind;
using ridgepoint::load::Demand;
using ridgepoint::load::DemandSource;
using ridgepoint::load::LengthKind;
using ridgepoint::load::Load;
using ridgepoint::load::read_trace;
using tests::plain_load;

namespace {

std::vector<Demand> all_of(const Load& load) {
  DemandSource source(load);
  std::vector<Demand> all;
  while (source.next_arrival()) {
    all.push_back(source.next());
  }
  return all;
}

struct Gaps {
  double mean = 0;
  double variation = 0;  ///< deviation over mean
};

Gaps gaps_of(const std::vector<Demand>& all) {
  double sum = 0;
  double squares = 0;
  double before = 0;
  for (const Demand& demand : all) {
    const double gap = demand.arrival_s - before;
    before = demand.arrival_s;
    sum += gap;
    squares += gap * gap;
  }
  const auto n = static_cast<double>(all.size());
  const double mean = sum / n;
  return {mean, std::sqrt(squares / n - mean * mean) / mean};
}

std::string error_of_load(const std::string& text) {
  const json value = json::parse(text);
  const auto read = read_load(&value, {1024, 256});
  return read ? "" : read.error().code + " " + read.error().path;
}

std::string error_of_trace(const std::string& text) {
  const auto read = read_trace(text);
  return read ? "" : read.error().code + ": " + read.error().message;
}

}  // namespace

TEST_CASE("arrivals have the rate and the spread asked for", "[load][simulate]") {
  Load load = plain_load(40000, 5, 10, 10);
  const Gaps poisson = gaps_of(all_of(load));
  CHECK(poisson.mean == Approx(0.2).epsilon(0.02));
  CHECK(poisson.variation == Approx(1).epsilon(0.02));
  load.arrivals.kind = ArrivalKind::gamma;
  for (const double shape : {0.25, 0.5, 1.0, 4.0}) {
    load.arrivals.burstiness = shape;
    const auto all = all_of(load);
    const Gaps gamma = gaps_of(all);
    // The last one comes when n / rate are over, whatever was drawn.
    CHECK(all.back().arrival_s == Approx(40000 / 5.0).epsilon(1e-9));
    CHECK(gamma.variation == Approx(1 / std::sqrt(shape)).epsilon(0.03));
  }
}

TEST_CASE("bursts keep the mean and their shares", "[load][simulate]") {
  Load load = plain_load(60000, 4, 10, 10);
  load.arrivals.kind = ArrivalKind::bursty;
  load.arrivals.on_s = 20;
  load.arrivals.off_s = 40;
  for (const double peak : {0.0, 1.0, 2.5, 3.0}) {
    load.arrivals.peak = peak;
    const auto all = all_of(load);
    CHECK(all.back().arrival_s == Approx(60000 / 4.0).epsilon(0.03));
    const auto on = std::count_if(all.begin(), all.end(), [](const Demand& d) {
      return d.arrival_s - std::floor(d.arrival_s / 60) * 60 < 20;
    });
    CHECK(static_cast<double>(on) / 60000 == Approx(peak / 3).margin(0.01));
    CHECK(std::is_sorted(all.begin(), all.end(), [](const Demand& a, const Demand& b) {
      return a.arrival_s < b.arrival_s;
    }));
  }
}

TEST_CASE("lengths follow their rules", "[load][simulate]") {
  Load load = plain_load(40000, 1, 700, 30);
  CHECK(all_of(load)[77].input == 700);
  load.lengths.kind = LengthKind::uniform;
  load.lengths.input = {10, 20, 0, 0};
  const auto uniform = all_of(load);
  double sum = 0;
  for (const Demand& d : uniform) {
    REQUIRE((d.input >= 10 && d.input <= 20));
    REQUIRE(d.output == 30);
    sum += d.input;
  }
  CHECK(sum / 40000 == Approx(15).epsilon(0.01));
  load.lengths.kind = LengthKind::lognormal;
  load.lengths.input = {1, 100000, 5.0, 0.8};
  load.lengths.output = {1, 200, 5.0, 2.0};
  std::vector<std::uint32_t> inputs;
  std::uint64_t cut = 0;
  for (const Demand& d : all_of(load)) {
    inputs.push_back(d.input);
    REQUIRE((d.output >= 1 && d.output <= 200));
    cut += d.output == 200 ? 1 : 0;
  }
  std::sort(inputs.begin(), inputs.end());
  CHECK(inputs[20000] == Approx(std::exp(5.0)).epsilon(0.03));
  CHECK(inputs[33654] == Approx(std::exp(5.8)).epsilon(0.03));  // one deviation above
  CHECK(cut > 15000);
  load.lengths.kind = LengthKind::pairs;
  load.lengths.pairs = {{1, 2}, {3, 4}};
  std::uint64_t first = 0;
  for (const Demand& d : all_of(load)) {
    REQUIRE(d.output == d.input + 1);
    first += d.input == 1 ? 1 : 0;
  }
  CHECK(static_cast<double>(first) / 40000 == Approx(0.5).margin(0.01));
}

TEST_CASE("a seed draws the same everywhere", "[load][simulate]") {
  // The same figures natively and as wasm.
  Load load = plain_load(3, 4, 1, 1);
  load.lengths.kind = LengthKind::lognormal;
  load.lengths.input = {1, 100000, 6.0, 1.0};
  load.lengths.output = {1, 100000, 5.0, 1.0};
  load.arrivals.kind = ArrivalKind::gamma;
  load.arrivals.burstiness = 0.5;
  std::uint64_t mixed = 14695981039346656037ULL;
  for (load.seed = 0; load.seed < 500; ++load.seed) {
    for (const Demand& d : all_of(load)) {
      std::uint64_t bits = 0;
      static_assert(sizeof bits == sizeof d.arrival_s);
      std::copy_n(reinterpret_cast<const char*>(&d.arrival_s), sizeof bits,
                  reinterpret_cast<char*>(&bits));
      for (const std::uint64_t part : {bits, std::uint64_t{d.input}, std::uint64_t{d.output}}) {
        mixed = (mixed ^ part) * 1099511628211ULL;
      }
    }
  }
  CHECK(mixed == 17094696309626568302ULL);
  load.seed = 1;
  const auto one = all_of(load);
  load.seed = 2;
  CHECK(one[0].arrival_s != all_of(load)[0].arrival_s);
}

TEST_CASE("a closed loop has as many out as users", "[load][simulate]") {
  const Load load = tests::closed_load(10, 3, 10, 10);
  DemandSource source(load);
  for (int i = 0; i < 3; ++i) {
    REQUIRE(source.next_arrival() == 0.0);
    source.next();
  }
  CHECK_FALSE(source.next_arrival());
  source.ended(4);
  source.ended(5);
  CHECK(source.next_arrival() == 4.0);
  source.next();
  CHECK(source.next().arrival_s == 5.0);
  CHECK_FALSE(source.next_arrival());
  CHECK(source.given() == 5);
}

TEST_CASE("prefixes are shares of prompts", "[load][simulate]") {
  Load load = plain_load(1, 1, 1000, 1);
  load.prefix.shared_tokens = 200;
  CHECK(all_of(load)[0].shared == 200);
  CHECK(all_of(load)[0].session == 0);
  load.prefix.session_share = 0.5;
  CHECK(all_of(load)[0].session == 600);
  load.prefix.shared_tokens = 2000;  // longer than the prompt: not part of it
  CHECK(all_of(load)[0].shared == 0);
  CHECK(all_of(load)[0].session == 500);
}

TEST_CASE("every length by name has its source and its mean", "[load][simulate]") {
  for (const auto& preset : ridgepoint::load::presets()) {
    INFO(preset.name);
    CHECK(preset.source.size() > 30);
    CHECK(ridgepoint::load::find_preset(preset.name) == &preset);
    Load load = plain_load(100, 1, 1, 1);
    load.lengths = {LengthKind::lognormal, preset.input, preset.output, {}};
    CHECK_FALSE(ridgepoint::load::check(load));
  }
  CHECK(ridgepoint::load::find_preset("nothing") == nullptr);
  const auto mean = [](const std::string& name, bool output) {
    const auto* preset = ridgepoint::load::find_preset(name);
    Load load = plain_load(30000, 1, 1, 1);
    load.lengths = {LengthKind::lognormal, preset->input, preset->output, {}};
    double sum = 0;
    for (const Demand& d : all_of(load)) {
      sum += output ? d.output : d.input;
    }
    return sum / 30000;
  };
  CHECK(mean("batch", false) == Approx(871).epsilon(0.05));
  CHECK(mean("rag", false) == Approx(9429).epsilon(0.1));
  CHECK(mean("reasoning", true) == Approx(4043).epsilon(0.1));
}

TEST_CASE("traces of several kinds are read", "[load][simulate]") {
  const auto own = read_trace("arrival_s,input_toks,output_toks\n2.5,10,20\n3,30,40\n");
  REQUIRE(own);
  REQUIRE(own->rows.size() == 2);
  CHECK(own->rows[1].arrival_s == 0.5);
  CHECK(own->rows[1].input == 30);
  CHECK(own->rows[1].output == 40);
  CHECK(own->notes == std::vector<std::string>{
                          "Times of the column arrival_s are taken as seconds, as its name says."});

  const auto azure = read_trace(
      "TIMESTAMP,ContextTokens,GeneratedTokens\r\n"
      "2023-11-16 23:59:59.5000000,374,44\r\n"
      "2023-11-17 00:00:01.2500000,396,109\r\n");
  REQUIRE(azure);
  CHECK(azure->rows[1].arrival_s == 1.75);
  CHECK(azure->rows[1].output == 109);

  const auto mooncake = read_trace(
      R"({"timestamp": 1000, "input_length": 1300, "output_length": 52, "hash_ids": [46, 47, 48]}
{"timestamp": 3500, "input_length": 1500, "output_length": 2, "hash_ids": [46, 47, 90]}

{"timestamp": 4000, "input_length": 600, "output_length": 2, "hash_ids": [46, 90]})");
  REQUIRE(mooncake);
  REQUIRE(mooncake->rows.size() == 3);
  CHECK(mooncake->rows[1].arrival_s == 2.5);
  CHECK(mooncake->rows[0].repeated == 0);
  CHECK(mooncake->rows[1].repeated == 1024);
  CHECK(mooncake->rows[2].repeated == 600);
  CHECK(mooncake->notes.size() == 2);
  CHECK(mooncake->notes.front() ==
        "Times of the column timestamp are taken as milliseconds, for they go with hash_ids; a "
        "column named timestamp_s would say seconds.");

  const auto burst = read_trace(
      "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
      "5,ChatGPT,472,18,490,Conversation log\n"
      "45,\"Chat,GPT \"\"4\"\"\",1087,0,1087,Conversation log\n"
      "118,GPT-4,417,276,693,Conversation log\n");
  REQUIRE(burst);
  REQUIRE(burst->rows.size() == 2);
  CHECK(burst->rows[1].arrival_s == 113);
  CHECK(burst->notes.size() == 3);

  const auto lengths = read_trace("prompt_len\toutput_len\n5\t6\n7\t8\n");
  REQUIRE(lengths);
  CHECK_FALSE(lengths->has_times);
  CHECK(lengths->rows[1].arrival_s == 0);
  const auto times = read_trace("time_ms\n1000\n1700\n");
  REQUIRE(times);
  CHECK_FALSE(times->has_lengths);
  CHECK(times->rows[1].arrival_s == Approx(0.7));
  const auto epoch =
      read_trace("timestamp,input_len,output_len\n1700000000000,1,1\n1700000002500,1,1");
  REQUIRE(epoch);
  CHECK(epoch->rows[1].arrival_s == 2.5);

  const auto turns = read_trace(
      R"([{"id":"a","conversations":[{"from":"human","value":"12345678"},{"from":"gpt","value":"123456789"}]},
          {"id":"b","conversations":[{"from":"human","value":"1"}]}])");
  REQUIRE(turns);
  REQUIRE(turns->rows.size() == 1);
  CHECK(turns->rows[0].input == 2);
  CHECK(turns->rows[0].output == 3);
  CHECK(turns->notes.size() == 3);

  const auto unsorted = read_trace("t_s;input_tokens;output_tokens\n9;1;1\n7;2;2\n8;3;3\n");
  REQUIRE(unsorted);
  CHECK(unsorted->rows[0].input == 2);
  CHECK(unsorted->rows[2].arrival_s == 2);
  CHECK(unsorted->notes.size() == 2);

  const auto zones = read_trace(
      "timestamp,input_len,output_len\n2024-05-10T00:00:00Z,1,1\n2024-05-10T02:00:01+02:00,1,1\n"
      "2024-02-29,1,1\n2024-03-01,1,1\n");
  REQUIRE(zones);
  CHECK(zones->rows[1].arrival_s == 86400);
  CHECK(zones->rows[3].arrival_s - zones->rows[2].arrival_s == 1);
}

TEST_CASE("a trace says which unit its times are of, and why", "[load][simulate]") {
  using ridgepoint::load::TimeUnit;
  const auto read = [](const std::string& name, const std::string& second,
                       std::optional<TimeUnit> stated = std::nullopt) {
    return read_trace(name + ",input_len,output_len\n0,1,1\n" + second + ",1,1\n", stated);
  };
  for (const std::string name : {"start_time", "request_time", "arrival_time", "arrived_at",
                                 "created_at", "timestamp", "Arrival Time", "arrivals"}) {
    INFO(name);
    const auto trace = read(name, "3000");
    REQUIRE(trace);
    CHECK(trace->has_times);
    CHECK(trace->rows[1].arrival_s == 3000);
    CHECK(trace->notes.front() == "Times of the column " + name +
                                      " are taken as seconds, as nothing names another unit; a "
                                      "column named timestamp_ms would.");
  }
  const std::pair<std::string, double> named[] = {
      {"arrival_s", 3000},     {"timestamp_ms", 3},      {"start_time_us", 3e-3},
      {"created_at_ns", 3e-6}, {"timestamp [ms]", 3},    {"arrivalTimeMs", 3},
      {"t_s", 3000},           {"time (seconds)", 3000}, {"tms", 3}};
  for (const auto& [name, seconds] : named) {
    INFO(name);
    const auto trace = read(name, "3000");
    REQUIRE(trace);
    CHECK(trace->rows[1].arrival_s == Approx(seconds));
    CHECK(trace->notes.front().find("as its name says.") != std::string::npos);
  }
  // What is stated wins over a name, and over hash_ids.
  const auto stated = read("timestamp_ms", "3000", TimeUnit::seconds);
  REQUIRE(stated);
  CHECK(stated->rows[1].arrival_s == 3000);
  CHECK(stated->notes.front() ==
        "Times of the column timestamp_ms are taken as seconds, as was stated.");
  const std::string blocks =
      R"({"T": 0, "input_length": 9, "output_length": 2, "hash_ids": [1]}
{"T": 3000, "input_length": 9, "output_length": 2, "hash_ids": [2]})";
  const auto with = [&blocks](const std::string& name) {
    std::string text = blocks;
    for (std::size_t at = text.find("\"T\""); at != std::string::npos; at = text.find("\"T\"")) {
      text.replace(at + 1, 1, name);
    }
    return text;
  };
  CHECK(read_trace(with("timestamp"))->rows[1].arrival_s == 3);
  CHECK(read_trace(with("timestamp_s"))->rows[1].arrival_s == 3000);
  CHECK(read_trace(with("timestamp"), TimeUnit::seconds)->rows[1].arrival_s == 3000);
  // 2023-11-14 22:13:20 in milliseconds, microseconds and nanoseconds, 2.5 seconds apart.
  for (const std::string zeros : {"000", "000000", "000000000"}) {
    INFO(zeros);
    const std::string rest = zeros.substr(1);
    const auto epoch = read_trace("timestamp,input_len,output_len\n1700000000" + zeros +
                                  ",1,1\n17000000025" + rest + ",1,1\n");
    REQUIRE(epoch);
    CHECK(epoch->rows[1].arrival_s == Approx(2.5).margin(1e-6));
    CHECK(epoch->notes.front().find("for numbers so large count from 1970") != std::string::npos);
  }
}

TEST_CASE("a trace that is wrong says where", "[load][simulate]") {
  CHECK(error_of_trace("timestamp,created_at,input_len,output_len\n0,0,1,1\n")
            .find("The trace says the same twice, in timestamp and created_at") !=
        std::string::npos);
  CHECK(error_of_trace("input_tokens,prompt_len,output_len\n1,1,1\n")
            .find("twice, in input_tokens and prompt_len") != std::string::npos);
  CHECK(error_of_trace(R"({"timestamp":0,"arrived_at":0,"input_len":1,"output_len":1})")
            .find("The trace says the same twice") != std::string::npos);
  CHECK(error_of_trace(R"({"arrival_s":0,"input_len":1,"output_len":1}
{"arrival_ms":9,"input_len":1,"output_len":1})")
            .find("Line 2 of the trace: its time is called arrival_ms, and that of the first line "
                  "arrival_s.") != std::string::npos);
  CHECK(error_of_trace("timestamp,input_len,output_len\n0,0,1\n1,1,0\n") ==
        "empty_trace: No line of the trace has both prompt and output tokens, and those without "
        "are left out: no request remains.");

  CHECK(error_of_trace("") == "empty_trace: The trace is empty.");
  CHECK(error_of_trace(" \n\n") == "empty_trace: The trace is empty.");
  CHECK(error_of_trace("timestamp,input_len,output_len\n") ==
        "empty_trace: The trace has no requests.");
  const std::string head = "timestamp,input_len,output_len\n0,1,1\n";
  CHECK(error_of_trace(head + "1,2\n").find("Line 3 of the trace: it has 2 columns") !=
        std::string::npos);
  CHECK(error_of_trace(head + "\n\nx,2,2\n").find("Line 5 of the trace: \"x\" is no time") !=
        std::string::npos);
  for (const std::string bad : {"-1", "1.5", "nan", "1e9", "", "1e999", "0x10", "99999999999999"}) {
    INFO(bad);
    CHECK(error_of_trace(head + "1," + bad + ",2\n")
              .find("Line 3 of the trace: \"" + bad + "\" is no length of the prompt") !=
          std::string::npos);
  }
  for (const std::string bad : {"", "inf", "2023-13-01 00:00:00", "2023-01-01 25:00:00",
                                "2023-01-01 00:00", "2023-01-01 00:00:00x", "1e300"}) {
    INFO(bad);
    CHECK(error_of_trace(head + bad + ",1,2\n").find("is no time") != std::string::npos);
  }
  CHECK(error_of_trace(head + "1,\"2,2\n").find("Line 3 of the trace: a quote is not closed") !=
        std::string::npos);
  CHECK(error_of_trace("a,b\n1,2\n").find("names the columns") != std::string::npos);
  CHECK(error_of_trace("timestamp,input_len\n1,2\n").find("not the outputs") != std::string::npos);
  CHECK(error_of_trace("{\"timestamp\":1,\"input_len\":1,\"output_len\":1}\n{")
            .find("Line 2 of the trace: it is not JSON") != std::string::npos);
  CHECK(error_of_trace("{\"timestamp\":1,\"input_len\":1,\"output_len\":1}\n[]")
            .find("Line 2 of the trace: an object is expected") != std::string::npos);
  CHECK(error_of_trace("{\"timestamp\":1,\"input_len\":1,\"output_len\":1}\n{\"timestamp\":1}")
            .find("Line 2 of the trace: it does not say how long the prompt is") !=
        std::string::npos);
  CHECK(error_of_trace("[1]").find("Line 1 of the trace: an object") != std::string::npos);
  CHECK(error_of_trace("{\"hash_ids\":[-1],\"input_len\":1,\"output_len\":1}").find("hash_ids") !=
        std::string::npos);
  std::string many = "input_len,output_len\n";
  for (int i = 0; i < 1'000'001; ++i) {
    many += "1,1\n";
  }
  CHECK(error_of_trace(many).substr(0, 17) == "too_many_requests");
}

TEST_CASE("the load of a query is read", "[load][simulate]") {
  const json value = json::parse(R"({"arrivals":{"kind":"gamma","rate":4.0,"burstiness":0.5},
    "requests":50,"lengths":{"kind":"uniform","input":[819,1024],"output":[5,9]},
    "prefix":{"shared_tokens":64,"session_share":0.25},"seed":9,"warmup":0.1})");
  const auto read = read_load(&value, {});
  REQUIRE(read);
  CHECK(read->load.arrivals.kind == ArrivalKind::gamma);
  CHECK(read->load.arrivals.burstiness == 0.5);
  CHECK(read->load.requests == 50);
  CHECK(read->load.lengths.input.least == 819);
  CHECK(read->load.lengths.output.most == 9);
  CHECK(read->load.prefix.shared_tokens == 64);
  CHECK(read->load.seed == 9);
  CHECK(read->load.warmup == 0.1);

  const auto usual = [](const std::string& text) {
    const json given = json::parse(text);
    return read_load(&given, {1024, 256})->load;
  };
  CHECK(usual(R"({"arrivals":{"kind":"at_once"}})").requests == 1000);
  CHECK(usual(R"({"arrivals":{"kind":"at_once"}})").lengths.output.least == 256);
  CHECK(usual(R"({"arrivals":{"kind":"closed","concurrency":64}})").requests == 640);
  CHECK(usual(R"({"arrivals":{"kind":"closed","concurrency":2}})").requests == 200);
  const Load trace =
      usual(R"({"arrivals":{"kind":"trace","text":"t_s,input_len,output_len\n1,2,3\n5,6,7"}})");
  CHECK(trace.requests == 2);
  CHECK(all_of(trace)[1].arrival_s == 4);
  CHECK(all_of(trace)[1].output == 7);
  CHECK(all_of(usual(R"({"arrivals":{"kind":"trace","text":"t_s\n1\n5","speed_up":2}})"))[1]
            .arrival_s == 2);
  const Load preset =
      usual(R"({"arrivals":{"kind":"poisson","rate":1},"lengths":{"kind":"preset","name":"rag"}})");
  CHECK(preset.lengths.input.mu == 9.03);
  CHECK(preset.prefix.session_share == 0);
  const std::string chat =
      R"({"arrivals":{"kind":"poisson","rate":1},"lengths":{"kind":"preset","name":"chat"})";
  CHECK(usual(chat + "}").prefix.session_share == 0.4);
  const std::string fresh = chat + R"(,"prefix":{"session_share":0}})";
  CHECK(usual(fresh).prefix.session_share == 0);
  const std::string shared = chat + R"(,"prefix":{"shared_tokens":9}})";
  CHECK(usual(shared).prefix.session_share == 0.4);
  CHECK(usual(R"({"arrivals":{"kind":"bursty","rate":1,"on_s":1,"off_s":2,"peak":3},
                  "lengths":{"kind":"pairs","pairs":[[1,2],[3,4]]}})")
            .lengths.pairs.size() == 2);
}

TEST_CASE("a load that is wrong names its field", "[load][simulate]") {
  const std::string open = R"({"arrivals":{"kind":"poisson","rate":1})";
  CHECK(error_of_load("[]") == "bad_value load");
  CHECK(read_load(nullptr, {}).error().code == "missing_field");
  CHECK(error_of_load("{}") == "missing_field load.arrivals");
  CHECK(error_of_load(R"({"arrivals":{}})") == "missing_field load.arrivals.kind");
  CHECK(error_of_load(R"({"arrivals":{"kind":"often"}})") == "bad_value load.arrivals.kind");
  CHECK(error_of_load(R"({"arrivals":{"kind":"poisson"}})") == "missing_field load.arrivals.rate");
  CHECK(error_of_load(R"({"arrivals":{"kind":"poisson","rate":0}})") ==
        "bad_value load.arrivals.rate");
  CHECK(error_of_load(R"({"arrivals":{"kind":"poisson","rate":"4"}})") ==
        "bad_value load.arrivals.rate");
  const json text_rate = json::parse(R"({"arrivals":{"kind":"poisson","rate":"4"}})");
  CHECK(read_load(&text_rate, {1024, 256}).error().message ==
        "rate must be a number, and this is a string.");
  const json no_requests = json::parse(open + R"(,"requests":0})");
  CHECK(read_load(&no_requests, {1024, 256}).error().message.find("from 1 to 1000000,") !=
        std::string::npos);
  CHECK(error_of_load(R"({"arrivals":{"kind":"trace","time_unit":"min","text":"t_s\n1"}})") ==
        "bad_value load.arrivals.time_unit");
  const json in_ms =
      json::parse(R"({"arrivals":{"kind":"trace","time_unit":"ms","text":"time\n0\n3000"}})");
  CHECK(read_load(&in_ms, {1024, 256})->load.trace.back().arrival_s == 3);
  CHECK(error_of_load(R"({"arrivals":{"kind":"poisson","rate":1,"peak":2}})") ==
        "unknown_field load.arrivals.peak");
  CHECK(error_of_load(R"({"arrivals":{"kind":"gamma","rate":1,"burstiness":0}})") ==
        "bad_value load.arrivals.burstiness");
  CHECK(error_of_load(R"({"arrivals":{"kind":"bursty","rate":1,"on_s":1,"off_s":1,"peak":2.5}})") ==
        "bad_value load.arrivals.peak");
  CHECK(error_of_load(R"({"arrivals":{"kind":"closed","concurrency":0}})") ==
        "bad_value load.arrivals.concurrency");
  CHECK(error_of_load(R"({"arrivals":{"kind":"trace"}})") == "missing_field load.arrivals.text");
  CHECK(error_of_load(R"({"arrivals":{"kind":"trace","text":""}})") ==
        "empty_trace load.arrivals.text");
  CHECK(error_of_load(R"({"arrivals":{"kind":"trace","text":"t_s,input_len,output_len\n1,1,1"},
                          "lengths":{"kind":"fixed","input":1,"output":1}})") ==
        "bad_value load.lengths");
  CHECK(
      error_of_load(
          R"({"arrivals":{"kind":"trace","text":"t_s,input_len,output_len\n1,1,1"},"requests":2})") ==
      "bad_value load.requests");
  CHECK(error_of_load(open + R"(,"requests":1000000000})") == "too_many_requests load.requests");
  CHECK(error_of_load(open + R"(,"requests":0})") == "bad_value load.requests");
  CHECK(error_of_load(open + R"(,"speed":1})") == "unknown_field load.speed");
  CHECK(error_of_load(open + R"(,"warmup":0.95})") == "bad_value load.warmup");
  CHECK(error_of_load(open + R"(,"prefix":{"session_share":2}})") ==
        "bad_value load.prefix.session_share");
  CHECK(error_of_load(open + R"(,"prefix":{"shared":2}})") == "unknown_field load.prefix.shared");
  CHECK(error_of_load(open + R"(,"lengths":{"kind":"fixed","input":1}})") ==
        "missing_field load.lengths.output");
  CHECK(error_of_load(open + R"(,"lengths":{"kind":"fixed","input":1,"output":1e12}})") ==
        "bad_value load.lengths.output");
  CHECK(error_of_load(open + R"(,"lengths":{"kind":"uniform","input":[9,1],"output":[1,1]}})") ==
        "bad_value load.lengths.input");
  CHECK(error_of_load(open + R"(,"lengths":{"kind":"uniform","input":[1,2,3],"output":[1,1]}})") ==
        "bad_value load.lengths.input");
  CHECK(error_of_load(
            open +
            R"(,"lengths":{"kind":"lognormal","input":{"mu":1,"max":9},"output":{"mu":1}}})") ==
        "missing_field load.lengths.input.sigma");
  CHECK(error_of_load(open + R"(,"lengths":{"kind":"preset","name":"x"}})") ==
        "unknown_preset load.lengths.name");
  CHECK(error_of_load(open + R"(,"lengths":{"kind":"pairs","pairs":[[1,2],[0,1]]}})") ==
        "bad_value load.lengths.pairs[1]");
  CHECK(error_of_load(open + R"(,"lengths":{"kind":"pairs","pairs":[]}})") ==
        "bad_value load.lengths.pairs");
  const json plain = json::parse(open + "}");
  CHECK(read_load(&plain, {}).error().path == "load.lengths");
}

TEST_CASE("wishes are read", "[load][simulate]") {
  CHECK_FALSE(read_slo(nullptr)->any());
  const json value = json::parse(R"({"ttft_s":0.5,"itl_s":0.04,"percentile":0.9})");
  const auto slo = read_slo(&value);
  REQUIRE(slo);
  CHECK(slo->ttft_s == 0.5);
  CHECK(slo->itl_s == 0.04);
  CHECK(slo->tpot_s == 0);
  CHECK(slo->percentile == 0.9);
  const json bad = json::parse(R"({"ttft_s":-1})");
  CHECK(read_slo(&bad).error().path == "slo.ttft_s");
  const json unknown = json::parse(R"({"ttft":1})");
  CHECK(read_slo(&unknown).error().path == "slo.ttft");
  const json none = json::parse("3");
  CHECK(read_slo(&none).error().path == "slo");
}

TEST_CASE("an answer has the members of the contract", "[load][simulate]") {
  tests::PlainTimer timer;
  auto inputs = tests::plain_inputs(timer, plain_load(100, 5, 100, 20));
  inputs.slo.ttft_s = 1;
  const auto outcome = tests::run(inputs);
  ridgepoint::api::SimulationAnswer answer;
  answer.id = "a";
  answer.engine = "vllm";
  answer.version = "0.28.0";
  answer.gpu = "h100";
  answer.basis = "literature";
  answer.mfu = 0.5;
  answer.limit = "load";
  answer.assumptions = {"One."};
  const json out = json::parse(ridgepoint::api::write_simulation(answer, outcome));
  for (const char* key : {"id",
                          "kind",
                          "engine",
                          "scheduler",
                          "gpu",
                          "requests",
                          "duration_s",
                          "latency",
                          "bands",
                          "throughput",
                          "goodput",
                          "kv",
                          "running",
                          "waiting",
                          "preemptions",
                          "recomputed_tokens",
                          "prefix_hit_tokens",
                          "steps",
                          "step_time",
                          "mfu",
                          "mbu",
                          "series",
                          "limit",
                          "cost_per_million_output_tokens",
                          "price_per_hour",
                          "currency",
                          "assumptions"}) {
    INFO(key);
    CHECK(out.contains(key));
  }
  CHECK(out["kind"] == "simulation");
  CHECK(out["scheduler"] == "vllm_v1");
  CHECK(out["requests"]["finished"] == 100);
  CHECK(out["latency"]["itl_s"]["count"] == 1900);
  CHECK(out["latency"]["ttft_s"]["p99"].get<double>() == outcome.ttft_s.p99);
  CHECK(out["goodput"]["meets"] == true);
  CHECK(out["mbu"].is_null());
  CHECK(out["series"]["t_s"].size() == out["series"]["preemptions"].size());
  auto simulation = ridgepoint::simulate::Simulation::create(inputs);
  (*simulation)->advance(5);
  const json progress = json::parse(ridgepoint::api::write_progress((*simulation)->progress(), ""));
  CHECK(progress["done"] == false);
  CHECK(progress["asked"] == 100);
  CHECK(progress["steps"] == 5);
}
