// Which file a config really is, the whole library tells. A first answer needs to know only that it
// may be no model's: then it has none.
#include "model/foreign.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace ridgepoint::model {
namespace {

/// Keys that files beside a model's config have, though they name an architecture too.
constexpr std::string_view kForeignKeys[] = {"peft_type",   "_diffusers_version", "weight_map",
                                             "producer",    "draft_vocab_size",   "dflash_config",
                                             "eagle_config"};

bool plain_model(const json::Value& config) {
  const auto names = config.find("architectures");
  return names != config.end() && !names->is_null() &&
         std::none_of(std::begin(kForeignKeys), std::end(kForeignKeys),
                      [&](std::string_view key) { return config.contains(key); });
}

}  // namespace

Check refuse_foreign(const json::Value& config, bool draft) {
  if (draft || !plain_model(config)) {
    return not_here("What reads this config", "model.config");
  }
  return std::nullopt;
}

}  // namespace ridgepoint::model
