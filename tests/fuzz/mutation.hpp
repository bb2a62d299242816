#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

/// Changes to configs that people and attackers make, drawn from a seed and nothing else.
namespace mutation {

using Json = nlohmann::json;

/// A small generator with the same numbers everywhere.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ULL + 1) {}

  std::uint64_t next() {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return state_;
  }

  std::size_t below(std::size_t limit) {
    return limit == 0 ? 0 : static_cast<std::size_t>(next() % limit);
  }

 private:
  std::uint64_t state_;
};

inline Json hostile_value(Dice& dice) {
  static const Json kValues = Json::parse(R"([
    0, 1, -1, 2, 3, 7, 64, 127, 128, 1000, 65535, 65536, 1048576, 4294967295, 4294967296,
    9007199254740993, 18446744073709551615, -9223372036854775808, 0.0, 0.5, -0.0, 1e308, 1e-308,
    4096.0, 4096.5, true, false, null, "", "4096", "auto", "re:(((", "re:.*", "NaN", [], {}, [[]],
    [0], [1, 2, 3], [null], [-1], [18446744073709551615], {"a": 1}, {"": null},
    ["full_attention", "sliding_attention"], ["mamba", "attention"], [0, 1, 0, 1], "M*-E", "LLLG",
    {"quant_method": "fp8", "weight_block_size": [0, 0]},
    {"quant_method": "gptq", "bits": 4, "group_size": -1},
    {"rope_type": "yarn", "factor": 1e300}
  ])");
  return kValues[dice.below(kValues.size())];
}

/// Every place in a value that can be changed.
inline void collect(Json& value, std::vector<Json*>& places) {
  places.push_back(&value);
  if (value.is_structured()) {
    for (Json& inner : value) {
      collect(inner, places);
    }
  }
}

inline void rename_member(Json& object, Dice& dice) {
  static const std::vector<std::string> kKeys = {"layer_types",
                                                 "num_experts",
                                                 "kv_lora_rank",
                                                 "head_dim",
                                                 "sliding_window",
                                                 "num_hidden_layers",
                                                 "n_layer",
                                                 "text_config",
                                                 "vision_config",
                                                 "n_routed_experts",
                                                 "block_configs",
                                                 "hybrid_override_pattern",
                                                 "quantization_config",
                                                 "index_topk",
                                                 "compress_ratios",
                                                 "intermediate_size",
                                                 "moe_intermediate_size",
                                                 "num_key_value_heads",
                                                 "linear_attn_config",
                                                 "mamba_n_heads"};
  if (!object.is_object() || object.empty()) {
    return;
  }
  auto member = object.begin();
  std::advance(member, static_cast<std::ptrdiff_t>(dice.below(object.size())));
  Json value = member.value();
  if (dice.below(2) == 0) {
    object.erase(member);
  }
  object[kKeys[dice.below(kKeys.size())]] = std::move(value);
}

inline void change_number(Json& value, Dice& dice) {
  if (!value.is_number_unsigned()) {
    return;
  }
  const auto number = value.get<std::uint64_t>();
  switch (dice.below(5)) {
    case 0:
      value = number + 1;
      break;
    case 1:
      value = number == 0 ? 0 : number - 1;
      break;
    case 2:
      value = number * 2;
      break;
    case 3:
      value = number / 2;
      break;
    default:
      value = number << (dice.below(40));
  }
}

/// One change somewhere in `config`; `other` is another config to take a member from.
inline void mutate(Json& config, const Json& other, Dice& dice) {
  std::vector<Json*> places;
  collect(config, places);
  Json& place = *places[dice.below(places.size())];
  switch (dice.below(6)) {
    case 0:
      place = hostile_value(dice);
      break;
    case 1:
      rename_member(place, dice);
      break;
    case 2:
      if (place.is_structured() && !place.empty()) {
        if (place.is_array()) {
          place.erase(dice.below(place.size()));
        } else {
          auto member = place.begin();
          std::advance(member, static_cast<std::ptrdiff_t>(dice.below(place.size())));
          place.erase(member);
        }
      }
      break;
    case 3:
      if (config.is_object() && other.is_object() && !other.empty()) {
        auto member = other.begin();
        std::advance(member, static_cast<std::ptrdiff_t>(dice.below(other.size())));
        config[member.key()] = member.value();
      }
      break;
    case 4:
      if (place.is_array() && !place.empty() && place.size() < 2000) {
        place.push_back(Json(place[dice.below(place.size())]));
      }
      break;
    default:
      change_number(place, dice);
  }
}

}  // namespace mutation
