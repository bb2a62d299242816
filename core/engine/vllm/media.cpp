#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/vllm/reading.hpp"
#include "estimate_sums.hpp"

namespace ridgepoint::engine::vllm {
namespace {

/// `{"image": 2, "audio": 0}`: a kind may also be an object with its count.
void read_limits(Reading& r) {
  json::Value parsed;
  const auto limits = object_of(r, "limit-mm-per-prompt", parsed);
  if (!limits) {
    return;
  }
  std::uint64_t most = 0;
  for (const auto& item : parsed.items()) {
    const json::Value& value = item.value();
    const json::Value* count = &value;
    if (value.is_object()) {
      const auto found = value.find("count");
      count = found == value.end() ? nullptr : &*found;
    }
    if (count == nullptr || !count->is_number_integer() || count->get<std::int64_t>() < 0) {
      r.fail("bad_flag",
             "--limit-mm-per-prompt takes counts by kind, such as {\"image\": 2, \"video\": 0}.",
             "engine.args.limit-mm-per-prompt");
      return;
    }
    most = std::max(most, count->get<std::uint64_t>());
  }
  // A kind that is left out keeps its own limit; with every kind at nothing no tower is loaded.
  constexpr std::string_view kKinds[] = {"image", "video", "audio"};
  const bool all_named = std::all_of(std::begin(kKinds), std::end(kKinds),
                                     [&](auto kind) { return parsed.contains(std::string(kind)); });
  r.settings.media.items = most;
  if (most == 0 && (all_named || (parsed.contains("image") && parsed.contains("video")))) {
    r.settings.media.enabled = false;
  }
}

}  // namespace

void read_media(Reading& r) {
  Media& media = r.settings.media;
  read_limits(r);
  if (r.flags.boolean("language-model-only").value_or(false)) {
    media.enabled = false;
  }
  media.profiled = !r.flags.boolean("skip-mm-profiling").value_or(false);
  media.encoder_whole = r.flags.text("mm-encoder-tp-mode").value_or("weights") == "data" ||
                        r.flags.boolean("enable-multimodal-encoder-data-parallel").value_or(false);
  media.ipc_bytes = static_cast<std::uint64_t>(
      r.flags.number("mm-ipc-gpu-memory-gb", 0.0, 1e6).value_or(0.0) * kGiB);
}

}  // namespace ridgepoint::engine::vllm
