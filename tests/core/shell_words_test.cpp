#include "command/shell_words.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using ridgepoint::command::ShellText;
using ridgepoint::command::split_shell;

namespace {

using Words = std::vector<std::string>;

ShellText split(const std::string& text) {
  auto result = split_shell(text, {});
  REQUIRE(result);
  return result.value();
}

Words words(const std::string& text, std::size_t command = 0) {
  const ShellText result = split(text);
  REQUIRE(result.commands.size() > command);
  return result.commands[command].words;
}

}  // namespace

// POSIX shell command language, 2.2 quoting; bash manual, 3.1.2.4 for $'…'.
TEST_CASE("words are cut and their quotes taken off as a shell does it", "[command][shell]") {
  struct Case {
    const char* text;
    Words words;
  };
  const Case cases[] = {
      {"a b  c", {"a", "b", "c"}},
      {"a 'b c' d", {"a", "b c", "d"}},
      {R"(a "b \"c\" \\ \d" e)", {"a", "b \"c\" \\ \\d", "e"}},
      {R"(a b\ c \$d)", {"a", "b c", "$d"}},
      {R"(a $'x\ty\u00e9\x41\'')",
       {"a",
        "x\ty\xc3\xa9"
        "A'"}},
      {"a'b'\"c\"d", {"abcd"}},
      {"a '' \"\"", {"a", "", ""}},
      {"--x='{\"k\": 1}'", {"--x={\"k\": 1}"}},
      {"a \\\n  b \\\n c", {"a", "b", "c"}},
      {"a \\  \n  b", {"a", "b"}},
      {"a `\n b", {"a", "b"}},
      {"a ^\n b", {"a", "b"}},
      {"a # not b", {"a"}},
      {"a b#c", {"a", "b#c"}},
      {"$ a b", {"a", "b"}},
      {"user@host:~/x$ a b", {"a", "b"}},
      {"(venv) root@host:/# a b", {"a", "b"}},
      {"PS C:\\Users\\x> a b", {"a", "b"}},
      {"a --flag\n--more 1", {"a", "--flag", "--more", "1"}},
      {"a > out.txt 2>&1 b", {"a", "b"}},
      {"a &> out.txt", {"a"}},
      {"a \xe2\x80\x94x 1 \xe2\x80\x93y", {"a", "--x", "1", "--y"}},
      {"--model <your model> x", {"--model", "<your model>", "x"}},
      {"if a b; then c; fi", {"a", "b"}},
      {"it's a b", {"it's", "a", "b"}},
  };
  for (const Case& each : cases) {
    CAPTURE(each.text);
    CHECK(words(each.text) == each.words);
  }
}

TEST_CASE("commands are parted by ; && || | & and lines", "[command][shell]") {
  const ShellText text = split("a 1; b 2 && c 3 || d 4 | e 5 & f 6\ng 7");
  REQUIRE(text.commands.size() == 7);
  CHECK(text.commands[3].words == Words{"d", "4"});
  CHECK(text.commands[6].words == Words{"g", "7"});
}

TEST_CASE("variables are put in where the text sets them", "[command][shell]") {
  CHECK(words("A=1\nx $A ${A} ${B:-2} ${C-3} ${A:+4} ${D:+5}", 1) ==
        Words{"x", "1", "1", "2", "3", "4"});
  CHECK(words("A='1 2'\nx $A \"$A\" '$A'", 1) == Words{"x", "1", "2", "1 2", "$A"});
  CHECK(words("export A=a/b B=$A\nx $B ${A##*/}", 1) == Words{"x", "$A", "b"});
  CHECK(words("A=(1 \"2 3\")\nx \"${A[@]}\" y", 0) == Words{"x", "1", "2 3", "y"});
  CHECK(words("A=1\nA+=2\nx $A", 2) == Words{"x", "12"});
  CHECK(words("$env:A = \"7\"\nx $A", 1) == Words{"x", "7"});
  const ShellText unset = split("x $NONE \"${OTHER}\" $NONE");
  CHECK(unset.commands[0].words == Words{"x", "$NONE", "${OTHER}", "$NONE"});
  CHECK(unset.unresolved == Words{"NONE", "OTHER"});
  const ShellText inner = split("x $(nproc) `date`");
  CHECK(inner.commands[0].words == Words{"x", "$(nproc)", "`date`"});
  REQUIRE(inner.notes.size() == 1);
}

TEST_CASE("assignments in front and exports are kept apart from words", "[command][shell]") {
  const ShellText text = split("export X=1\nA=1 B='2 3' run C=4");
  REQUIRE(text.commands.size() == 2);
  REQUIRE(text.commands[1].assignments.size() == 2);
  CHECK(text.commands[1].assignments[1].value == "2 3");
  CHECK(text.commands[1].words == Words{"run", "C=4"});
  REQUIRE(text.exported.size() == 1);
  CHECK(text.exported[0].name == "X");
}

TEST_CASE("here-documents come with their text", "[command][shell]") {
  const ShellText text = split("N=3\ncat > f.yml <<EOF\na: $N\nb: \"c\"\nEOF\nnext 1");
  REQUIRE(text.commands.size() == 3);
  REQUIRE(text.commands[1].redirections.size() == 2);
  CHECK(text.commands[1].redirections[0].target == "f.yml");
  CHECK(text.commands[1].redirections[1].text == "a: 3\nb: \"c\"\n");
  CHECK(text.commands[2].words == Words{"next", "1"});
  const ShellText quoted = split("cat <<'EOF' > f && run x\na: $N\nEOF\nlast");
  REQUIRE(quoted.commands.size() == 3);
  CHECK(quoted.commands[0].redirections[0].text == "a: $N\n");
  CHECK(quoted.commands[1].words == Words{"run", "x"});
  CHECK(split("cat <<-E\n\ta\n\tE\nx").commands[0].redirections[0].text == "a\n");
  CHECK(split("cat <<EOF\nnever closed").commands[0].redirections[0].text == "never closed\n");
}

TEST_CASE("a variable that doubles on every line is refused", "[command][shell]") {
  std::string text = "A=xxxxxxxxxxxxxxxx\n";
  for (int i = 0; i < 60; ++i) {
    text += "A=$A$A\n";
  }
  const auto result = split_shell(text, {});
  REQUIRE_FALSE(result);
  CHECK(result.error().code == "too_long");
}
