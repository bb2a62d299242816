#include "command/yaml.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

using Json = nlohmann::json;
using ridgepoint::command::read_yaml;

namespace {

Json read(const std::string& text) {
  auto documents = read_yaml(text, "text");
  if (!documents) {
    FAIL(documents.error().message);
  }
  return documents->empty() ? Json("no document") : documents->front();
}

std::string refusal(const std::string& text) {
  const auto documents = read_yaml(text, "text");
  if (documents) {
    FAIL("it was read");
  }
  CHECK(documents.error().code == "not_yaml");
  return documents.error().message;
}

}  // namespace

// YAML 1.2.2: 10.3 core schema, 7.3 flow scalars, 8.1 block scalars.
TEST_CASE("YAML is read as the specification says", "[command][yaml]") {
  struct Case {
    const char* text;
    const char* json;
  };
  const Case cases[] = {
      {"a: 1\nb: two\n", R"({"a":1,"b":"two"})"},
      {"a: null\nb: ~\nc:\nd: true\ne: False\nf: yes",
       R"({"a":null,"b":null,"c":null,"d":true,"e":false,"f":"yes"})"},
      {"a: 0x1F\nb: 0o17\nc: -3\nd: 1.5e3\ne: .5\nf: 012\ng: 1_000\nh: .inf\ni: 1.\nj: +5",
       R"({"a":31,"b":15,"c":-3,"d":1500.0,"e":0.5,"f":12,"g":"1_000","h":".inf","i":1.0,"j":5})"},
      {"- a\n- b: 1\n  c: 2\n-\n  - d\n- - e\n  - f", R"(["a",{"b":1,"c":2},["d"],["e","f"]])"},
      {"a:\n- 1\n- 2\nb:\n  - 3", R"({"a":[1,2],"b":[3]})"},
      {"a: [1, two, {b: c}, \"d,e\", ]\nb: {x: 1, 'y z': [2], w}",
       R"({"a":[1,"two",{"b":"c"},"d,e"],"b":{"x":1,"y z":[2],"w":null}})"},
      {"a: [1,\n  2, # three\n  3]\nb: 4", R"({"a":[1,2,3],"b":4})"},
      {"{\"a\": {\"b\": [true, null, 1.5]}}", R"({"a":{"b":[true,null,1.5]}})"},
      {"a: 'it''s'\nb: \"x\\n\\u00e9\\x41\\ud83d\\ude00\"",
       "{\"a\":\"it's\",\"b\":\"x\\n\\u00e9A\\ud83d\\ude00\"}"},
      {"a: \"one\n  two\n\n  three\"", R"({"a":"one two\nthree"})"},
      {"a: |\n  x\n    y\n\n  z\n\nb: 1", R"({"a":"x\n  y\n\nz\n","b":1})"},
      {"a: |-\n  x\n  y\nb: |+\n  z\n\nc: 1", R"({"a":"x\ny","b":"z\n\n","c":1})"},
      {"a: >\n  x\n  y\n\n  z\n    w\n  v\nb: >-\n  p\n  q",
       R"({"a":"x y\nz\n  w\nv\n","b":"p q"})"},
      {"a: |2\n    x\n  y\n", R"({"a":"  x\ny\n"})"},
      {"a: one\n  two\n  three # four\nb: 5", R"({"a":"one two three","b":5})"},
      {"# c\na: b # d\n\n# e\nc: 'x # y'\nd: x#y", R"({"a":"b","c":"x # y","d":"x#y"})"},
      {"---\na: 1\n...\n", R"({"a":1})"},
      {"--- [1, 2]\n", "[1,2]"},
      {"a.b/c-d: http://x:80/y\n\"q r\": 1", R"({"a.b/c-d":"http://x:80/y","q r":1})"},
      {"a:\n  b:\n    c: 1\n  d: 2\ne: 3", R"({"a":{"b":{"c":1},"d":2},"e":3})"},
      {"- |\n  x\n- >-\n  y\n  z", R"(["x\n","y z"])"},
      {"- --model\n- x: y\n- -5", R"(["--model",{"x":"y"},-5])"},
      {"plain text", R"("plain text")"},
  };
  for (const Case& each : cases) {
    CAPTURE(each.text);
    CHECK(read(each.text) == Json::parse(each.json));
  }
  const auto several = read_yaml("a: 1\n---\nb: 2\n---\n- c", "text");
  REQUIRE(several);
  CHECK(Json(several.value()) == Json::parse(R"([{"a":1},{"b":2},["c"]])"));
}

TEST_CASE("YAML that could mean more than it says is refused with its line", "[command][yaml]") {
  CHECK(refusal("a: &x 1\nb: *x").find("(line 1)") != std::string::npos);
  CHECK(refusal("a: 1\nb: *x").find("aliases") != std::string::npos);
  CHECK(refusal("b:\n  <<: {c: 1}").find("Merge keys") != std::string::npos);
  CHECK(refusal("a: !!str 1").find("Tags") != std::string::npos);
  CHECK(refusal("a: 1\na: 2").find("twice (line 2)") != std::string::npos);
  CHECK(refusal("a: {b: 1, b: 2}").find("twice") != std::string::npos);
  CHECK(refusal("? a\n: b").find("Complex keys") != std::string::npos);
  CHECK(refusal("a: b: c").find("colon") != std::string::npos);
  CHECK(refusal("a: [1, 2").find("bracket is missing") != std::string::npos);
  CHECK(refusal("a: \"x").find("not closed") != std::string::npos);
  CHECK(refusal("a:\n\tb: 1").find("tab") != std::string::npos);
  CHECK(refusal("a: 1\n  b: 2").find("(line 2)") != std::string::npos);
  CHECK(refusal("a: 1\n b: 2").find("(line 2)") != std::string::npos);
  CHECK(refusal("a:\n    b: 1\n  c: 2").find("indent (line 3)") != std::string::npos);
  CHECK(refusal("a: {{ .Values.x }}").find("template") != std::string::npos);
  CHECK(refusal("a: `b`").find("quoted") != std::string::npos);
  CHECK(refusal("a: \"\\q\"").find("escape") != std::string::npos);
}

TEST_CASE("deep and long YAML is refused or read in time", "[command][yaml]") {
  std::string deep;
  for (int i = 0; i < 200; ++i) {
    deep += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  }
  CHECK(refusal(deep).find("64 levels") != std::string::npos);
  CHECK(refusal(std::string(100000, '[')).find("64 levels") != std::string::npos);
  CHECK(refusal("a: " + std::string(5000, '{')).find("template") != std::string::npos);
  std::string dashes;
  for (int i = 0; i < 5000; ++i) {
    dashes += "- ";
  }
  CHECK(refusal(dashes + "x").find("64 levels") != std::string::npos);
  CHECK_FALSE(read_yaml(std::string(5 << 20, 'a'), "text"));

  // Linear: a megabyte of each shape is read at once.
  const std::string lines[] = {"- 'it''s'\n",  "- [a, {b: c}]\n", "\n", "# x\n", "- a b # c\n",
                               "- |\n  x\n\n", "- >\n  y\n  z\n"};
  for (const std::string& line : lines) {
    std::string text;
    while (text.size() < (1U << 20U)) {
      text += line;
    }
    CHECK(read_yaml(text, "text"));
  }
  CHECK_FALSE(read_yaml("a: " + std::string(1 << 20, '"') + "b", "text"));
  CHECK(read_yaml("a: " + std::string(1 << 20, '\''), "text"));
}
