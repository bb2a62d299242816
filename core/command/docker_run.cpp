#include <algorithm>
#include <cstddef>

#include "command/containers.hpp"

namespace ridgepoint::command {
namespace {

/// Options of `docker run` that take no value; every other one does.
bool is_switch(std::string_view name) {
  constexpr std::string_view kSwitches[] = {
      "--detach",      "--interactive",
      "--tty",         "--rm",
      "--init",        "--privileged",
      "--read-only",   "--no-healthcheck",
      "--publish-all", "--oom-kill-disable",
      "--quiet",       "--sig-proxy",
      "--help",        "--disable-content-trust",
      "--replace",     "--tls-verify",
      "--no-hosts",    "--rmi",
      "--env-host",    "--http-proxy",
      "--all",         "--latest",
      "--no-hostname",
  };
  return std::find(std::begin(kSwitches), std::end(kSwitches), name) != std::end(kSwitches);
}

constexpr std::string_view kShortSwitches = "ditPq";

std::string_view without_quotes(std::string_view text) {
  while (text.size() > 1 && (text.front() == '"' || text.front() == '\'') &&
         text.front() == text.back()) {
    text = text.substr(1, text.size() - 2);
  }
  return text;
}

/// all, 2, device=0,1, "device=0,1", count=2.
std::optional<std::uint64_t> gpus_of(std::string_view text) {
  text = without_quotes(text);
  for (const std::string_view key : {"device=", "count="}) {
    const std::size_t at = text.find(key);
    if (at == std::string_view::npos) {
      continue;
    }
    std::string_view rest = without_quotes(text.substr(at + key.size()));
    if (key == "count=") {
      return gpus_of(rest.substr(0, rest.find(',')));
    }
    // Other keys may follow: device=0,1,capabilities=utility
    const std::size_t next = rest.find('=');
    if (next != std::string_view::npos) {
      rest = rest.substr(0, std::min(rest.rfind(',', next), rest.size()));
    }
    while (!rest.empty() && (rest.back() == '"' || rest.back() == '\'')) {
      rest.remove_suffix(1);
    }
    return visible_devices(rest);
  }
  const bool digits = !text.empty() && text.size() < 6 &&
                      text.find_first_not_of("0123456789") == std::string_view::npos;
  return digits ? std::optional<std::uint64_t>(std::stoul(std::string(text))) : std::nullopt;
}

class Options {
 public:
  Options(std::span<const std::string> words, const Variables& variables)
      : words_(words), variables_(variables) {}

  std::optional<Container> read() {
    for (at_ = 0; at_ < words_.size(); ++at_) {
      const std::string& word = words_[at_];
      if (word == "--") {
        ++at_;
        break;
      }
      if (word.size() < 2 || word[0] != '-') {
        break;
      }
      word[1] == '-' ? long_option(word) : short_options(word);
    }
    if (at_ >= words_.size()) {
      return std::nullopt;
    }
    out_.image = words_[at_];
    if (!entrypoint_.empty()) {
      out_.words.push_back(entrypoint_);
    }
    out_.words.insert(out_.words.end(), words_.begin() + static_cast<std::ptrdiff_t>(at_) + 1,
                      words_.end());
    return std::move(out_);
  }

 private:
  std::string next() { return at_ + 1 < words_.size() ? words_[++at_] : std::string(); }

  void long_option(const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    if (equals == std::string::npos && is_switch(name)) {
      return;
    }
    apply(name, equals == std::string::npos ? next() : word.substr(equals + 1));
  }

  /// -it, -dit, -p8000:8000, -e NAME=value.
  void short_options(const std::string& word) {
    for (std::size_t i = 1; i < word.size(); ++i) {
      if (kShortSwitches.find(word[i]) != std::string_view::npos) {
        continue;
      }
      std::string value = word.substr(i + 1);
      if (value.starts_with('=')) {
        value.erase(0, 1);
      }
      apply(word[i] == 'e' ? "--env" : std::string(1, word[i]), value.empty() ? next() : value);
      return;
    }
  }

  void apply(const std::string& name, const std::string& value) {
    if (name == "--env") {
      add_variable(value);
    } else if (name == "--env-file") {
      out_.notes.push_back(
          "The variables of --env-file are not in the text; add those that matter.");
    } else if (name == "--gpus") {
      out_.gpus = gpus_of(value);
      out_.gpus_said_by = "--gpus " + value;
    } else if (name == "--device" && value.starts_with("nvidia.com/gpu=")) {
      add_device(value.substr(value.find('=') + 1));
    } else if (name == "--entrypoint") {
      out_.own_entrypoint = true;
      entrypoint_ = value;
    } else if (name == "--name") {
      out_.name = value;
    }
  }

  void add_variable(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos) {
      out_.env.push_back({text.substr(0, equals), text.substr(equals + 1)});
      return;
    }
    const auto found = variables_.find(text);
    if (found != variables_.end() && !found->second.empty()) {
      out_.env.push_back({text, found->second[0]});
    } else {
      out_.env.push_back({text, "$" + text});
      out_.unresolved.push_back(text);
    }
  }

  void add_device(const std::string& which) {
    out_.gpus_said_by = "--device";
    if (which != "all") {
      out_.gpus = out_.gpus.value_or(0) + 1;
    }
  }

  std::span<const std::string> words_;
  const Variables& variables_;
  std::size_t at_ = 0;
  std::string entrypoint_;
  Container out_;
};

}  // namespace

std::optional<std::uint64_t> visible_devices(std::string_view text) {
  text = without_quotes(text);
  if (text.empty() || text == "all" || text == "void" || text == "none" || text.starts_with('-') ||
      text.starts_with('$')) {
    return std::nullopt;
  }
  return 1 + static_cast<std::uint64_t>(std::count(text.begin(), text.end(), ','));
}

std::optional<Container> read_docker_run(std::span<const std::string> words,
                                         const Variables& variables) {
  return Options(words, variables).read();
}

}  // namespace ridgepoint::command
