#include <algorithm>
#include <cstddef>
#include <string>

#include "command/programs.hpp"
#include "engine/python_version.hpp"

namespace ridgepoint::command {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

/// The first part of a tag, between dashes and underscores, that is a version in numbers; packages
/// that stand in the tag by their own name (cuda12.4, rocm6.3, py312, torch2.7) are none.
std::string version_in(std::string_view tag) {
  for (std::size_t at = 0; at < tag.size();) {
    std::size_t end = std::min(tag.find_first_of("-_", at), tag.size());
    const std::string_view part = tag.substr(at, end - at);
    const std::string_view bare = part.starts_with('v') ? part.substr(1) : part;
    const bool number = !bare.empty() && digit(bare[0]) && bare.find('.') != bare.npos;
    if (number && engine::parse_python_version(bare)) {
      return std::string(bare);
    }
    at = end + 1;
  }
  return {};
}

/// vLLM's tag of a ROCm build names vLLM's version behind its own: rocm6.4.1_vllm_0.10.1_20250909.
std::string named_version(std::string_view tag, std::string_view name) {
  const std::size_t at = tag.find(name);
  if (at == std::string_view::npos) {
    return {};
  }
  std::string_view rest = tag.substr(at + name.size());
  while (!rest.empty() && (rest[0] == '_' || rest[0] == '-' || rest[0] == 'v')) {
    rest.remove_prefix(1);
  }
  return version_in(rest);
}

/// server-cuda-b4719, b6300, full-b5000: the number of the build.
std::string build_in(std::string_view tag) {
  for (std::size_t at = 0; at < tag.size();) {
    const std::size_t end = std::min(tag.find_first_of("-_", at), tag.size());
    const std::string_view part = tag.substr(at, end - at);
    const bool digits = part.size() > 1 && std::all_of(part.begin() + 1, part.end(), digit);
    if (part.starts_with('b') && digits) {
      return std::string(part);
    }
    at = end + 1;
  }
  return {};
}

bool newest(std::string_view tag) {
  return tag.empty() || tag.starts_with("latest") || tag.starts_with("nightly") || tag == "main";
}

}  // namespace

Image read_image(std::string_view name) {
  Image image;
  std::string text = lower(name.substr(0, std::min(name.find('@'), name.size())));
  const std::size_t slash = text.rfind('/');
  const std::size_t colon = text.find(':', slash == std::string::npos ? 0 : slash);
  image.tag = colon == std::string::npos ? std::string() : text.substr(colon + 1);
  const std::string repository = text.substr(0, std::min(colon, text.size()));
  const auto holds = [&](std::string_view part) {
    return repository.find(part) != std::string::npos;
  };
  if (holds("llama.cpp") || holds("llama-cpp") || holds("llamacpp")) {
    image.engine = "llamacpp";
    image.version = build_in(image.tag);
    const bool full = image.tag.starts_with("full");
    image.program = full                             ? "llama.cpp full"
                    : image.tag.starts_with("light") ? "llama-cli"
                                                     : "llama-server";
  } else if (holds("tensorrt-llm") || holds("tensorrt_llm") || holds("trtllm")) {
    image.engine = "trtllm";
    image.version = newest(image.tag) ? std::string() : version_in(image.tag);
    if (image.version.empty()) {
      image.version = named_version(image.tag, "trtllm");
    }
  } else if (holds("sglang") || holds("sgl-dev")) {
    image.engine = "sglang";
    image.version = newest(image.tag) ? std::string() : version_in(image.tag);
  } else if (holds("vllm")) {
    image.engine = "vllm";
    image.version = named_version(image.tag, "vllm");
    if (image.version.empty() && !newest(image.tag) && !holds("nvcr.io")) {
      image.version = version_in(image.tag);
    }
    image.program = holds("vllm-openai") || holds("vllm-cpu") ? "vllm serve" : "";
  }
  return image;
}

std::string installed_version(std::span<const std::string> words, std::string_view engine) {
  const std::string_view package = engine == "trtllm" ? "tensorrt_llm" : engine;
  bool installs = false;
  bool pip = false;
  for (const std::string& word : words) {
    pip = pip || word == "pip" || word == "pip3" || word == "uv" || word.ends_with("/pip") ||
          word == "uvx" || word == "conda";
    installs = installs || word == "install" || word == "add" || word == "uvx" || word == "--with";
    if (!pip || !installs) {
      continue;
    }
    std::string text = lower(word);
    std::replace(text.begin(), text.end(), '-', '_');
    if (!text.starts_with(package)) {
      continue;
    }
    std::string_view rest = std::string_view(text).substr(package.size());
    if (rest.starts_with('[')) {
      rest = rest.substr(std::min(rest.find(']'), rest.size() - 1) + 1);
    }
    if (rest.starts_with("==") && engine::parse_python_version(rest.substr(2))) {
      return std::string(rest.substr(2));
    }
    if (rest.starts_with("@") && engine::parse_python_version(rest.substr(1))) {
      return std::string(rest.substr(1));
    }
  }
  return {};
}

}  // namespace ridgepoint::command
