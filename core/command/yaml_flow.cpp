#include "command/yaml_flow.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "command/yaml.hpp"
#include "command/yaml_scalars.hpp"
#include "json/writer.hpp"

namespace ridgepoint::command {
namespace {

constexpr std::string_view kBlank = " \t\n";
constexpr std::string_view kIndicators = ",[]{}";

class Flow {
 public:
  Flow(std::string_view text, std::size_t& at) : text_(text), at_(at) {}

  Result<json::Value> node(std::size_t levels) {
    skip();
    if (at_ >= text_.size()) {
      return wrong("A bracket is opened and not closed");
    }
    const char c = text_[at_];
    if (c == '"' || c == '\'') {
      auto inner = yaml_quoted(text_, at_);
      if (!inner) {
        return inner.error();
      }
      return json::Value(std::move(inner.value()));
    }
    if (c != '[' && c != '{') {
      return plain();
    }
    if (levels == 0) {
      return wrong("The text is nested more than 64 levels deep");
    }
    if (text_.substr(at_, 2) == "{{") {
      return wrong("{{ … }} is a template: render it first, and paste what comes out");
    }
    ++at_;
    return c == '[' ? list(levels - 1) : object(levels - 1);
  }

 private:
  static Error wrong(const char* message) { return {"not_yaml", message, ""}; }

  void skip() {
    while (at_ < text_.size()) {
      const bool comment =
          text_[at_] == '#' && at_ != 0 && kBlank.find(text_[at_ - 1]) != std::string_view::npos;
      if (comment) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (kBlank.find(text_[at_]) == std::string_view::npos) {
        return;
      } else {
        ++at_;
      }
    }
  }

  bool take(char c) {
    skip();
    if (at_ < text_.size() && text_[at_] == c) {
      ++at_;
      return true;
    }
    return false;
  }

  /// A scalar without quotes ends at a comma, a bracket, a colon before a blank, or a comment.
  Result<json::Value> plain() {
    if (std::string_view("&*!").find(text_[at_]) != std::string_view::npos) {
      return wrong("Anchors, aliases and tags (&, *, !) are not read; write the values out");
    }
    std::string scalar;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (kIndicators.find(c) != std::string_view::npos) {
        break;
      }
      const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : '\n';
      if (c == ':' && (kBlank.find(next) != std::string_view::npos ||
                       kIndicators.find(next) != std::string_view::npos)) {
        break;
      }
      if (kBlank.find(c) != std::string_view::npos) {
        skip();
        scalar += ' ';
        continue;
      }
      scalar += c;
      ++at_;
    }
    const std::size_t last = scalar.find_last_not_of(' ');
    scalar.resize(last == std::string::npos ? 0 : last + 1);
    return yaml_scalar(scalar);
  }

  Result<json::Value> list(std::size_t levels) {
    json::Value items = json::Value::array();
    while (!take(']')) {
      const std::size_t before = at_;
      auto item = node(levels);
      if (!item) {
        return item;
      }
      if (take(':')) {
        // [a: 1] is a list of one mapping.
        auto value = node(levels);
        if (!value) {
          return value;
        }
        json::Value pair = json::Value::object();
        pair[key_of(item.value())] = std::move(value.value());
        item = std::move(pair);
      }
      items.push_back(std::move(item.value()));
      if (!take(',') && !(at_ < text_.size() && text_[at_] == ']')) {
        return wrong("In a list [ … ] a comma or the closing bracket is missing");
      }
      if (at_ == before) {
        return wrong("A bracket is opened and not closed");
      }
    }
    return items;
  }

  Result<json::Value> object(std::size_t levels) {
    json::Value members = json::Value::object();
    while (!take('}')) {
      const std::size_t before = at_;
      auto key = node(0);
      if (!key) {
        return key;
      }
      const std::string name = key_of(key.value());
      if (members.contains(name)) {
        return wrong("A key in { … } is there twice");
      }
      json::Value& member = members[name];
      if (take(':')) {
        skip();
        const bool empty = at_ < text_.size() && (text_[at_] == ',' || text_[at_] == '}');
        auto value = empty ? Result<json::Value>(json::Value()) : node(levels);
        if (!value) {
          return value;
        }
        member = std::move(value.value());
      }
      if (!take(',') && !(at_ < text_.size() && text_[at_] == '}')) {
        return wrong("In { … } a comma or the closing bracket is missing");
      }
      if (at_ == before) {
        return wrong("A bracket is opened and not closed");
      }
    }
    return members;
  }

  static std::string key_of(const json::Value& key) {
    if (key.is_string()) {
      return key.get<std::string>();
    }
    json::Writer writer;
    writer.value(key);
    return writer.take();
  }

  std::string_view text_;
  std::size_t& at_;
};

}  // namespace

Result<json::Value> yaml_flow(std::string_view text, std::size_t& at, std::size_t levels) {
  return Flow(text, at).node(levels);
}

}  // namespace ridgepoint::command
