#include "api/log_names.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

namespace ridgepoint::api {
namespace {

bool is_hub_word(std::string_view word) {
  if (word.empty() || word.size() > 96 || word.front() == '.' || word.front() == '-') {
    return false;
  }
  return std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  });
}

/// Folders that people keep models in, and that look like an organisation in a relative path.
bool is_folder(std::string_view word) {
  for (const std::string_view folder :
       {"models",  "model", "data",       "checkpoints", "checkpoint", "ckpt",      "ckpts",
        "weights", "mnt",   "home",       "root",        "tmp",        "workspace", "workdir",
        "hf",      "local", "snapshots",  "opt",         "srv",        "users",     "var",
        "hub",     "cache", "output",     "outputs",     "merged",     "engines",   "huggingface",
        "llm",     "llms",  "modelscope", "Users",       "gguf",       "storage",   "volume",
        "volumes", "repo"}) {
    if (word == folder) {
      return true;
    }
  }
  return false;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text + " ") {
    if (c != ' ' && c != '(' && c != ')') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  return words;
}

}  // namespace

std::string hub_id(const std::string& model) {
  constexpr std::string_view kCache = "models--";
  if (const std::size_t at = model.find(kCache); at != std::string::npos) {
    const std::size_t end = std::min(model.find('/', at), model.size());
    const std::string folder = model.substr(at + kCache.size(), end - at - kCache.size());
    const std::size_t mark = folder.find("--");
    if (mark != std::string::npos) {
      const std::string id = folder.substr(0, mark) + "/" + folder.substr(mark + 2);
      return is_hub_word(folder.substr(0, mark)) && is_hub_word(folder.substr(mark + 2))
                 ? id
                 : std::string();
    }
  }
  const std::size_t slash = model.find('/');
  if (slash == std::string::npos || model.ends_with(".gguf")) {
    return {};
  }
  const std::string org = model.substr(0, slash);
  const std::string name = model.substr(slash + 1);
  return is_hub_word(org) && is_hub_word(name) && !is_folder(org) ? model : std::string();
}

const hardware::DeviceFacts* card_of_name(const std::string& name,
                                          std::optional<std::uint64_t> total_bytes) {
  const std::vector<std::string> words = words_of(name);
  const bool laptop = name.find("Laptop") != std::string::npos;
  for (std::size_t begin = 0; begin < words.size() && begin < 4; ++begin) {
    // A laptop's card is not the one of the same number.
    for (std::size_t end = words.size(); end > begin && (!laptop || end == words.size()); --end) {
      std::string part;
      for (std::size_t i = begin; i < end && i < begin + 8; ++i) {
        part += (part.empty() ? "" : " ") + words[i];
      }
      const hardware::DeviceFacts* card = hardware::find_device(part);
      if (card == nullptr) {
        continue;
      }
      const double ratio =
          total_bytes ? static_cast<double>(*total_bytes) / static_cast<double>(card->total_bytes)
                      : 1.0;
      if (std::abs(ratio - 1.0) < 0.06) {
        return card;
      }
    }
  }
  return nullptr;
}

}  // namespace ridgepoint::api
