#include "command/shell_words.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "command/shell_expansion.hpp"
#include "json/fields.hpp"

namespace ridgepoint::command {
namespace {

constexpr std::size_t kMostGrown = std::size_t{8} << 20U;

bool blank(char c) { return c == ' ' || c == '\t'; }
bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool digit(char c) { return c >= '0' && c <= '9'; }

/// A line of a terminal: what comes before the command. Zero when there is no prompt.
std::size_t prompt_length(std::string_view line, bool root_prompt) {
  std::size_t at = 0;
  while (at < line.size() && blank(line[at])) {
    ++at;
  }
  const std::string_view rest = line.substr(at);
  for (const std::string_view prompt : {"$ ", "> ", "% ", ">>> "}) {
    if (rest.starts_with(prompt)) {
      return at + prompt.size();
    }
  }
  if (root_prompt && rest.starts_with("# ")) {
    return at + 2;
  }
  constexpr std::size_t kLongest = 120;
  const std::string_view head = rest.substr(0, kLongest);
  if (head.starts_with("PS ")) {
    const std::size_t end = head.find("> ");
    return end == std::string_view::npos ? 0 : at + end + 2;
  }
  // user@host:~/x$ and (env) root@host:/x#
  const std::size_t end = std::min(head.find("$ "), head.find("# "));
  const std::size_t sign = head.find('@');
  if (end == std::string_view::npos || sign == std::string_view::npos || sign > end) {
    return 0;
  }
  const std::string_view front = head.substr(0, end);
  const std::size_t name = front.starts_with("(") ? std::min(front.find(") "), end) : 0;
  const std::size_t space = front.find(' ', name == 0 ? 0 : name + 2);
  return space == std::string_view::npos ? at + end + 2 : 0;
}

/// Words of the shell's own grammar that stand in front of a command.
bool reserved(const std::string& word) {
  for (const std::string_view each :
       {"if", "then", "else", "elif", "while", "until", "do", "!", "{", "}", "time"}) {
    if (word == each) {
      return true;
    }
  }
  return false;
}

struct PendingDocument {
  std::size_t redirection;
  std::string end;
  bool strips_tabs;
  bool quoted;
};

class Splitter {
 public:
  Splitter(std::string_view text, const Variables& variables, bool root_prompt)
      : text_(text), expansion_(variables, out_), root_prompt_(root_prompt) {
    windows_ = text.find(".exe") != std::string_view::npos ||
               text.find(":\\") != std::string_view::npos || text.starts_with(".\\");
  }

  Result<ShellText> run() {
    start_line();
    while (at_ < text_.size()) {
      step();
      if (grown_ + expansion_.grown() > kMostGrown) {
        return Error{"too_long",
                     "The variables of the text grow to more than 8 MiB; paste the command with "
                     "its values.",
                     "text"};
      }
    }
    end_command(true);
    out_.variables = expansion_.take_variables();
    return std::move(out_);
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 1) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void step() {
    const char c = text_[at_];
    if (continues()) {
      return;
    }
    if (blank(c)) {
      end_word();
      ++at_;
    } else if (c == '\n') {
      ++at_;
      end_line();
    } else if (c == '#' && !in_word_) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == '\'' || c == '"') {
      quote(c);
    } else if (c == '\\') {
      in_word_ = true;
      quoted_ = true;
      add(windows_ && peek() != '\'' && peek() != '"' ? '\\' : peek());
      at_ += windows_ && peek() != '\'' && peek() != '"' ? 1 : 2;
    } else if (c == '$') {
      dollar();
    } else if (c == '`') {
      const std::size_t end = std::min(text_.find('`', at_ + 1), text_.size());
      keep(text_.substr(at_, end + 1 - at_));
    } else if (!separator(c)) {
      plain(c);
    }
  }

  /// A line that goes on in the next one: `\` of sh, "`" of PowerShell, `^` of cmd.
  bool continues() {
    const char c = text_[at_];
    if (c != '\\' && c != '`' && c != '^') {
      return false;
    }
    if ((c == '`' || c == '^') && in_word_) {
      return false;
    }
    std::size_t end = at_ + 1;
    while (end < text_.size() && blank(text_[end])) {
      ++end;
    }
    if (end < text_.size() && text_[end] != '\n') {
      return false;
    }
    if (end > at_ + 1) {
      // Blanks after it make it no continuation to a shell; it was meant as one.
      end_word();
    }
    at_ = std::min(end + 1, text_.size());
    const std::string_view rest = text_.substr(at_, 80);
    const std::size_t first = rest.find_first_not_of(" \t");
    if (first != std::string_view::npos && rest.substr(first).starts_with("> ")) {
      at_ += first + 2;
    }
    return true;
  }

  void start_line() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view line = text_.substr(at_, end - at_);
    at_ += prompt_length(line, root_prompt_);
    const std::string_view rest = text_.substr(at_, end - at_);
    // PowerShell: $env:NAME = "value"
    const std::size_t equals = rest.find('=');
    if (rest.starts_with("$env:") && equals != std::string_view::npos) {
      command_.words = {"export"};
      word_ = rest.substr(5, equals - 5);
      while (!word_.empty() && blank(word_.back())) {
        word_.pop_back();
      }
      word_ += '=';
      in_word_ = true;
      at_ += equals + 1;
      while (at_ < end && blank(text_[at_])) {
        ++at_;
      }
    }
  }

  void end_line() {
    end_word();
    if (array_) {
      return;
    }
    end_command(true);
    start_line();
  }

  void add(char c) {
    if (c != '\0') {
      word_ += c;
    }
  }

  void keep(std::string_view text) {
    in_word_ = true;
    word_ += text;
    at_ += text.size();
  }

  void quote(char mark) {
    if (mark == '\'' && !quoted_ && !word_.empty() && letter(word_.back()) && contracted()) {
      plain(mark);
      return;
    }
    constexpr std::size_t kMostOpen = 8;  // each is looked for to the end of the text
    if (open_quotes_ >= kMostOpen) {
      plain(mark);
      return;
    }
    std::string inner;
    const std::size_t end = mark == '\'' ? expansion_.single_quoted(text_, at_ + 1, inner)
                                         : expansion_.double_quoted(text_, at_ + 1, inner);
    if (end == std::string_view::npos) {
      if (open_quotes_++ == 0) {
        out_.notes.push_back("A quote is opened and not closed: " +
                             json::excerpt(text_.substr(at_, 40), 40));
      }
      plain(mark);
      return;
    }
    in_word_ = true;
    quoted_ = true;
    // "${list[@]}" is several words.
    auto words = expansion_.take_list();
    for (std::size_t i = 0; i < words.size(); ++i) {
      word_ += words[i];
      if (i + 1 < words.size()) {
        end_word();
        in_word_ = true;
        quoted_ = true;
      }
    }
    word_ += inner;
    at_ = end;
  }

  /// Whether 's, 't, 'll and the like follow: a sentence around the command, and no quote.
  [[nodiscard]] bool contracted() const {
    for (const std::string_view end : {"s", "t", "m", "d", "re", "ve", "ll"}) {
      const char after = peek(end.size() + 1);
      if (text_.substr(at_ + 1, end.size()) == end && !letter(after) && after != '\'') {
        return true;
      }
    }
    return false;
  }

  void dollar() {
    if (peek() == '\'') {
      std::string inner;
      const std::size_t end = expansion_.escaped_quoted(text_, at_ + 2, inner);
      in_word_ = true;
      quoted_ = true;
      word_ += inner;
      at_ = std::min(end, text_.size());
      return;
    }
    std::vector<std::string> words;
    const std::size_t end = expansion_.variable(text_, at_, words);
    at_ = end;
    if (words.empty()) {
      return;
    }
    in_word_ = true;
    const bool exports = !command_.words.empty() && command_.words[0] == "export";
    if (assigning_ || exports) {
      for (std::size_t i = 0; i < words.size(); ++i) {
        word_ += (i == 0 ? "" : " ") + words[i];
      }
      return;
    }
    // Without quotes a value is cut at its blanks.
    for (std::size_t w = 0; w < words.size(); ++w) {
      if (w != 0) {
        end_word();
      }
      for (const char c : words[w]) {
        if (blank(c) || c == '\n') {
          end_word();
        } else {
          in_word_ = true;
          word_ += c;
        }
      }
    }
  }

  bool separator(char c) {
    if (c == ')' && array_) {
      end_word();
      end_array();
      ++at_;
      return true;
    }
    if (c == '(' && assigning_ && word_.ends_with('=')) {
      array_ = true;
      array_name_ = word_.substr(0, word_.size() - 1);
      word_.clear();
      in_word_ = assigning_ = false;
      ++at_;
      return true;
    }
    if (c == '<' || c == '>') {
      return redirection(c);
    }
    if (c == '&' && peek() == '>') {
      end_word();
      at_ += peek(2) == '>' ? 3 : 2;
      pending_ = ">";
      return true;
    }
    if (c == ';' || c == '&' || c == '|' || c == '(' || c == ')') {
      if ((c == '(' || c == ')') && in_word_) {
        return false;
      }
      end_word();
      end_command(false);
      while (at_ < text_.size() && text_[at_] == c) {
        ++at_;
      }
      return true;
    }
    return false;
  }

  bool redirection(char c) {
    if (c == '<' && (letter(peek()) || peek() == '$')) {
      // <your-model>: a gap to be filled in, and no redirection.
      const std::string_view rest = text_.substr(at_, 80);
      const std::size_t close = rest.find('>');
      if (close != std::string_view::npos && rest.substr(0, close).find('\n') == rest.npos) {
        keep(rest.substr(0, close + 1));
        return true;
      }
    }
    if (in_word_ && !quoted_ && std::all_of(word_.begin(), word_.end(), digit)) {
      word_.clear();  // the number of a stream
      in_word_ = false;
    }
    end_word();
    std::string op(1, c);
    ++at_;
    while (at_ < text_.size() && op.size() < 3 && text_[at_] == c) {
      op += text_[at_++];
    }
    if (op == "<<" && at_ < text_.size() && text_[at_] == '-') {
      op += '-';
      ++at_;
    }
    if (at_ < text_.size() && (text_[at_] == '&' || text_[at_] == '|') && op == ">") {
      ++at_;
    }
    pending_ = op;
    return true;
  }

  void plain(char c) {
    const bool sets = (c == '=' || (c == '+' && peek() == '=')) && command_.words.empty() &&
                      pending_.empty() && !array_ && !quoted_ && !assigning_;
    if (sets && is_variable_name(word_)) {
      assigning_ = true;
      appending_ = c == '+';
      at_ += appending_ ? 1 : 0;
      c = '=';
    }
    in_word_ = true;
    word_ += c;
    ++at_;
  }

  void end_word() {
    if (!in_word_) {
      return;
    }
    std::string word = std::move(word_);
    const bool was_quoted = quoted_;
    const bool assigns = assigning_;
    const bool appends = appending_;
    word_.clear();
    in_word_ = quoted_ = assigning_ = appending_ = false;
    grown_ += word.size() + 1;
    if (array_) {
      array_words_.push_back(std::move(word));
    } else if (!pending_.empty()) {
      end_redirection(std::move(word), was_quoted);
    } else if (assigns) {
      const std::size_t equals = word.find('=');
      Assignment made{word.substr(0, equals), word.substr(equals + 1)};
      if (appends) {
        made.value = expansion_.value_of(made.name) + made.value;
        grown_ += made.value.size();
      }
      command_.assignments.push_back(std::move(made));
    } else if (!(command_.words.empty() && reserved(word) && !was_quoted)) {
      command_.words.push_back(straight_dashes(std::move(word)));
    }
  }

  /// Editors make one long dash of two.
  std::string straight_dashes(std::string word) {
    for (const std::string_view dash : {"\xe2\x80\x93", "\xe2\x80\x94"}) {
      if (word.starts_with(dash)) {
        if (!noted_dash_) {
          out_.notes.push_back("A long dash is read as two dashes: " + json::excerpt(word, 60));
          noted_dash_ = true;
        }
        word.replace(0, dash.size(), "--");
      }
    }
    return word;
  }

  void end_redirection(std::string target, bool was_quoted) {
    const std::string op = std::exchange(pending_, {});
    if (op == "<<" || op == "<<-") {
      documents_.push_back({command_.redirections.size(), target, op == "<<-", was_quoted});
      command_.redirections.push_back({"<<", std::move(target), {}});
    } else if (op == "<<<") {
      command_.redirections.push_back({op, {}, std::move(target)});
    } else {
      command_.redirections.push_back({op, std::move(target), {}});
    }
  }

  void end_array() {
    array_ = false;
    expansion_.set(array_name_, std::exchange(array_words_, {}));
  }

  void end_command(bool line_ends) {
    end_word();
    pending_.clear();
    if (line_ends && !documents_.empty()) {
      read_documents();
    }
    if (!documents_.empty()) {
      // `cat <<EOF && next`: the text comes after the line; what follows is another command.
      held_.push_back(out_.commands.size());
    }
    const std::vector<std::string>& words = command_.words;
    if (words.empty()) {
      for (const Assignment& made : command_.assignments) {
        expansion_.set(made.name, {made.value});
      }
    } else {
      note_exports();
    }
    const bool flag_first =
        !words.empty() && words[0].size() > 1 && words[0][0] == '-' &&
        (letter(words[0][1]) || (words[0][1] == '-' && words[0].size() > 2 && letter(words[0][2])));
    if (flag_first && begins_line_ && !out_.commands.empty() && command_.assignments.empty()) {
      auto& before = out_.commands.back().words;
      before.insert(before.end(), words.begin(), words.end());
    } else if (!words.empty() || !command_.assignments.empty() || !command_.redirections.empty()) {
      out_.commands.push_back(std::move(command_));
    }
    command_ = {};
    begins_line_ = line_ends;
  }

  /// The texts of `<<EOF`, which begin on the line after it.
  void read_documents() {
    for (const PendingDocument& document : documents_) {
      std::string body;
      while (at_ < text_.size()) {
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        std::string_view line = text_.substr(at_, end - at_);
        at_ = std::min(end + 1, text_.size());
        while (document.strips_tabs && line.starts_with('\t')) {
          line.remove_prefix(1);
        }
        if (line == document.end) {
          break;
        }
        body += line;
        body += '\n';
      }
      std::string text = document.quoted ? std::move(body) : expansion_.in_text(body);
      grown_ += text.size();
      ShellCommand& owner = held_.empty() ? command_ : out_.commands[held_.front()];
      if (document.redirection < owner.redirections.size()) {
        owner.redirections[document.redirection].text = std::move(text);
      }
    }
    documents_.clear();
    held_.clear();
  }

  void note_exports() {
    const std::vector<std::string>& words = command_.words;
    const std::string& verb = words[0];
    const bool fish = verb == "set" && words.size() > 2 && words[1].starts_with('-') &&
                      words[1].find('x') != std::string::npos;
    if (fish && words.size() > 3) {
      export_variable({words[2], words[3]});
    }
    if (verb != "export" && verb != "declare" && verb != "typeset" && verb != "set" &&
        verb != "readonly" && verb != "local") {
      return;
    }
    for (std::size_t i = 1; i < words.size() && !fish; ++i) {
      const std::size_t equals = words[i].find('=');
      const std::string name = words[i].substr(0, equals);
      if (!is_variable_name(name)) {
        continue;
      }
      if (equals != std::string::npos) {
        export_variable({name, words[i].substr(equals + 1)});
      } else if (verb == "export" && expansion_.is_set(name)) {
        export_variable({name, expansion_.value_of(name)});
      }
    }
  }

  void export_variable(Assignment made) {
    expansion_.set(made.name, {made.value});
    grown_ += made.value.size();
    out_.exported.push_back(std::move(made));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  ShellText out_;
  Expansion expansion_;
  bool root_prompt_;
  bool windows_ = false;
  bool begins_line_ = true;
  std::size_t open_quotes_ = 0;
  bool noted_dash_ = false;
  std::size_t grown_ = 0;

  ShellCommand command_;
  std::string word_;
  bool in_word_ = false;
  bool quoted_ = false;
  bool assigning_ = false;
  bool appending_ = false;
  std::string pending_;  ///< a redirection whose target is to come
  std::vector<PendingDocument> documents_;
  std::vector<std::size_t> held_;
  bool array_ = false;
  std::string array_name_;
  std::vector<std::string> array_words_;
};

}  // namespace

Result<ShellText> split_shell(std::string_view text, const Variables& variables, bool root_prompt) {
  return Splitter(text, variables, root_prompt).run();
}

}  // namespace ridgepoint::command
