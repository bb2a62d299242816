// The parts that know no engine: lines, wordings, ranks, settings.

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "log/line_reader.hpp"
#include "log/rank.hpp"
#include "log/settings.hpp"
#include "log/wording.hpp"

namespace {

using namespace ridgepoint::log;

std::vector<std::string> lines_of(std::string_view text) {
  LineReader reader(text);
  Line line;
  std::vector<std::string> lines;
  while (reader.next(line)) {
    lines.emplace_back(std::to_string(line.number) + ":" + std::string(line.text));
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST_CASE("Lines are split and cleaned", "[log]") {
  CHECK(lines_of("").empty());
  CHECK(lines_of("a\nb") == Lines{"1:a", "2:b"});
  CHECK(lines_of("a\r\nb\r\n") == Lines{"1:a", "1:", "2:b", "2:"});
  CHECK(lines_of("1%\r2%\nc") == Lines{"1:1%", "1:2%", "2:c"});
  CHECK(lines_of("\x1b[31;1mred\x1b[0m \x1b]0;title\x07x\x1b(B") == Lines{"1:red x"});
  // What does not end is no sequence.
  CHECK(lines_of("\x1b[31") == Lines{"1:31"});
  CHECK(lines_of("\x1b]never ends") == Lines{"1:never ends"});
  CHECK(lines_of("\x1b") == Lines{"1:"});
  CHECK(lines_of("a\tb\x01"
                 "c\x7f") == Lines{"1:a b c "});
  CHECK(lines_of("na\xc3\xafve \xff\xc0\xaf \xed\xa0\x80 \xe2\x96\x88") ==
        Lines{"1:na\xc3\xafve ??? ??? \xe2\x96\x88"});
  // UTF-16, as some shells redirect.
  CHECK(lines_of(std::string_view("h\0i\0\n\0x\0", 8)) == Lines{"1:hi", "2:x"});
}

TEST_CASE("A line is cut at 64 KiB, and the next one is whole", "[log]") {
  const std::string text = std::string(200000, 'x') + "\nshort";
  LineReader reader(text);
  Line line;
  REQUIRE(reader.next(line));
  CHECK(line.text.size() == kMostLineBytes);
  CHECK(line.cut);
  REQUIRE(reader.next(line));
  CHECK(line.text == "short");
  CHECK(line.number == 2);
  CHECK_FALSE(line.cut);
  CHECK(reader.cut_any());
  CHECK(head_of("na\xc3\xaf", 3) == "na");
}

TEST_CASE("Ranks by the tag in front of a line", "[log]") {
  const std::pair<const char*, const char*> kTags[] = {
      {"(Worker_TP0 pid=123) INFO", "TP0"},
      {"(Worker_DP1_TP1_EP3 pid=3585771) INFO", "DP1 TP1 EP3"},
      {"(Worker_PP1_TP0 pid=1) INFO", "PP1 TP0"},
      {"(Worker pid=9) INFO", ""},
      {"(VllmWorker rank=1 pid=123) INFO", "rank 1"},
      {"(VllmWorkerProcess pid=2607784) INFO", "pid 2607784"},
      {"(RayWorkerWrapper pid=39, ip=10.0.0.1) INFO", "pid 39"},
      {"(EngineCore_DP0 pid=310) INFO", "DP0"},
      {"(EngineCore_0 pid=310) INFO", "DP0"},
      {"(EngineCore pid=310) INFO", ""},
      {"(APIServer pid=1) INFO", ""},
      {"[2025-03-14 09:20:11 TP3] Load", "TP3"},
      {"[2025-11-04 05:27:13 DP0 TP0 EP0] Load", "DP0 TP0 EP0"},
      {"[2025-03-14 09:20:11] Load", ""},
      {"[TP1] Capture", "TP1"},
      {"[01/16/2026-06:20:17] [TRT-LLM] [RANK 2] [I] x", "rank 2"},
      {"[TRT-LLM] [I] [rank 1] x", "rank 1"},
      {"[rank0]: Traceback", "rank 0"},
      {"[1,3]<stdout>:[TensorRT-LLM][INFO] x", "rank 3"},
      {"pod-7 | (Worker_TP5 pid=1) INFO", "TP5"},
      {"Worker_TP9 alone", ""},
      {"", ""},
  };
  for (const auto& tag : kTags) {
    INFO(tag.first);
    CHECK(rank_of(tag.first) == tag.second);
  }
}

std::vector<Match> matches(const char* pattern, std::string_view line) {
  std::vector<Match> found;
  Wordings({pattern}).search(line, 0, line.size(), [&](const Match& m) { found.push_back(m); });
  return found;
}

TEST_CASE("Placeholders of wordings", "[log]") {
  auto m = matches("took {size} and {n} s", "It took 1.5 GiB and 1,234.5 s.");
  REQUIRE(m.size() == 1);
  CHECK(m[0].captures[0].value == 1.5 * 1073741824.0);
  CHECK(m[0].captures[1].value == 1234.5);
  CHECK(matches("took {size}", "took 3 KB")[0].captures[0].value == 3072);
  CHECK(matches("took {size}", "took 7 bytes")[0].captures[0].value == 7);
  CHECK(matches("took {size}", "took 7 bananas").empty());
  CHECK(matches("took {mib} of", "took 2 of")[0].captures[0].value == 2097152);
  CHECK(matches("took {n}", "took -0.19x")[0].captures[0].value == -0.19);
  CHECK(matches("took {n}", "took 1,2345")[0].captures[0].value == 1);
  CHECK(matches("took {n}", "took .5").empty());
  CHECK(matches("took {w},", "took abc, x")[0].captures[0].text == "abc");
  CHECK(matches("name {name},", "name A B (c), x").empty());
  CHECK(matches("name {name},", "name A B, x")[0].captures[0].text == "A B");
  CHECK(matches("begin {~}end {n}", "begin and so on end 5")[0].captures[0].value == 5);
  CHECK(matches("begin {~}end", "begin " + std::string(400, 'x') + "end").empty());
  CHECK(matches("{<w} buffer = {n}", "x:  CUDA0   buffer = 4")[0].captures[0].text == "CUDA0");
  CHECK(matches("{<w} buffer = {n}", "buffer = 4").empty());
  CHECK(matches("args {rest}", "args a=1, b=2")[0].captures[0].text == "a=1, b=2");
  // Any number of spaces, as columns are padded; and none, where a line was wrapped.
  CHECK(matches("size = {n}", "size      =     12").size() == 1);
  CHECK(matches("size = {n}", "size=12").size() == 1);
  CHECK(matches("size = {n}", "siz").empty());
  CHECK(matches("size = {n}", "size = ").empty());
  CHECK(matches("took {n}", "took 1 took 2 took 3").size() == 3);
}

TEST_CASE("Settings as Python prints them", "[log]") {
  const auto s = read_settings(
      "a=1, b='x, y', c=None, d=True, e=0.5, f=torch.bfloat16, g=[1, 2], h=Foo(bar='z)', q=1), "
      "i=<E.auto: 'auto'>)");
  REQUIRE(s.size() == 9);
  CHECK(std::get<std::int64_t>(s[0].value) == 1);
  CHECK(std::get<std::string>(s[1].value) == "x, y");
  CHECK(std::holds_alternative<Nothing>(s[2].value));
  CHECK(std::get<bool>(s[3].value));
  CHECK(std::get<double>(s[4].value) == 0.5);
  CHECK(std::get<Source>(s[5].value).text == "torch.bfloat16");
  CHECK(std::get<Source>(s[6].value).text == "[1, 2]");
  CHECK(std::get<Source>(s[7].value).text == "Foo(bar='z)', q=1)");
  CHECK(s[8].name == "i");
  const auto d = read_settings("{'k': 'v', 'n': {'m': 2}, 't': False} trailing");
  REQUIRE(d.size() == 3);
  CHECK(d[1].name == "n");
  CHECK(python_as_json("{'m': 2, 'x': None, 'y': [True, 'a\"b']}") ==
        R"({"m": 2, "x": null, "y": [true, "a\"b"]})");
  CHECK(python_as_json("Foo(a=1)").empty());
  CHECK(read_settings("").empty());
  CHECK(read_settings("'never closed").empty());
  CHECK(read_settings(std::string(100000, '{')).empty());
  CHECK(read_settings(std::string(100000, '=')).empty());
  std::string many;
  for (int i = 0; i < 5000; ++i) {
    many += "k=1,";
  }
  CHECK(read_settings(many).size() == 600);
}

}  // namespace
