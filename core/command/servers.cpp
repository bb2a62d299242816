#include "command/servers.hpp"

#include <algorithm>

#include "engine/python_version.hpp"

namespace ridgepoint::command {
namespace {

#include "tables/images.inc"

struct Tag {
  std::string version;
  bool exact = true;
};

/// What the version is called in a tag. Images are built of releases; TensorRT-LLM's also of
/// release candidates.
Tag tag_of(const engine::Engine& engine, std::string_view version) {
  if (engine.name == "llamacpp") {
    return {std::string(version), true};
  }
  const auto parsed = engine::parse_python_version(version);
  if (!parsed) {
    return {std::string(version), false};
  }
  const bool candidate = engine.name == "trtllm" && parsed->text.find("dev") == std::string::npos &&
                         parsed->text.find('+') == std::string::npos;
  if (parsed->patch && (!parsed->development || candidate) &&
      parsed->text.find('+') == std::string::npos) {
    return {parsed->text, true};
  }
  return {std::to_string(parsed->major) + "." + std::to_string(parsed->minor) + "." +
              std::to_string(parsed->patch.value_or(0)),
          !parsed->development};
}

std::string with_version(std::string_view text, const std::string& version) {
  constexpr std::string_view kPlace = "{version}";
  std::string all(text);
  for (std::size_t at = all.find(kPlace); at != std::string::npos;
       at = all.find(kPlace, at + version.size())) {
    all.replace(at, kPlace.size(), version);
  }
  return all;
}

}  // namespace

bool has_word(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (list.substr(0, end) == word) {
      return true;
    }
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

const ServerFacts& server_facts(const engine::Engine& engine) {
  const auto* found =
      std::find_if(std::begin(kServers), std::end(kServers),
                   [&](const ServerFacts& facts) { return facts.engine == engine.name; });
  return found == std::end(kServers) ? kServers[0] : *found;
}

std::uint32_t version_number(const engine::Engine& engine, std::string_view version) {
  const auto number = engine.flags().version_number(version);
  return number ? *number : 0;
}

Result<ServerImage> image_for(const engine::Engine& engine, const hardware::Device& device,
                              std::string_view version) {
  const std::string_view vendor =
      device.vendor.empty() ? std::string_view("nvidia") : std::string_view(device.vendor);
  const Tag tag = tag_of(engine, version);
  const std::uint32_t number = version_number(engine, version);
  for (const ImageFacts& facts : kImages) {
    const bool covers =
        (facts.since == 0 || number >= facts.since) && (facts.until == 0 || number <= facts.until);
    const bool card = facts.vendor == vendor &&
                      (facts.architecture.empty() || facts.architecture == device.architecture);
    if (facts.engine != engine.name || !covers || !card) {
      continue;
    }
    ServerImage image{
        &facts, with_version(facts.image, tag.version), {}, with_version(facts.note, tag.version)};
    if (image.name != facts.image) {
      image.version = tag.version;
    }
    if (!tag.exact) {
      image.note += (image.note.empty() ? "" : " ") + std::string("No image is built of ") +
                    std::string(engine.title) + " " + std::string(version) +
                    ", a build between releases: the image of " + tag.version +
                    " stands in its place.";
    }
    return image;
  }
  return Error{"not_supported",
               std::string(engine.title) + " has no image for " + device.name +
                   (vendor == "apple" ? ": containers on a Mac do not reach its GPU" : "") +
                   ". Ask for the form shell.",
               "gpu.id"};
}

}  // namespace ridgepoint::command
