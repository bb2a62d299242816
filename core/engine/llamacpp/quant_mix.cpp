#include "engine/llamacpp/quant_mix.hpp"

#include <array>
#include <cctype>

namespace ridgepoint::engine::llamacpp {
namespace {

struct FileType {
  std::string_view name;
  std::string_view base;
};

/// Longer names first where one begins another. The _L and _XL ones are publishers' own: the mix
/// of the same bits is the nearest known.
constexpr FileType kFileTypes[] = {
    {"MXFP4_MOE", "Q8_0"}, {"IQ1_S", "IQ1_S"},  {"IQ1_M", "IQ1_M"}, {"IQ2_XXS", "IQ2_XXS"},
    {"IQ2_XS", "IQ2_XS"},  {"IQ2_S", "IQ2_XS"}, {"IQ2_M", "IQ2_S"}, {"IQ3_XXS", "IQ3_XXS"},
    {"IQ3_XS", "IQ3_S"},   {"IQ3_S", "IQ3_S"},  {"IQ3_M", "IQ3_S"}, {"IQ4_XS", "IQ4_XS"},
    {"IQ4_NL", "IQ4_NL"},  {"Q2_K_S", "Q2_K"},  {"Q2_K", "Q2_K"},   {"Q3_K_S", "Q3_K"},
    {"Q3_K_M", "Q3_K"},    {"Q3_K_L", "Q3_K"},  {"Q4_K_S", "Q4_K"}, {"Q4_K_M", "Q4_K"},
    {"Q5_K_S", "Q5_K"},    {"Q5_K_M", "Q5_K"},  {"Q6_K", "Q6_K"},   {"Q8_0", "Q8_0"},
    {"Q4_0", "Q4_0"},      {"Q4_1", "Q4_1"},    {"Q5_0", "Q5_0"},   {"Q5_1", "Q5_1"},
    {"TQ1_0", "TQ1_0"},    {"TQ2_0", "TQ2_0"},  {"BF16", "BF16"},   {"F16", "F16"},
    {"F32", "F32"},        {"FP16", "F16"},     {"MXFP4", "Q8_0"},  {"NVFP4", "NVFP4"},
};

/// Names that only publishers' own mixes have, and the file type of the same bits.
constexpr std::pair<std::string_view, std::string_view> kPublishers[] = {
    {"IQ1_XXS", "IQ1_S"},  {"Q2_K_XL", "Q2_K"},  {"Q2_K_L", "Q2_K"},    {"Q3_K_XL", "Q3_K_M"},
    {"Q4_K_XL", "Q4_K_M"}, {"Q4_K_L", "Q4_K_M"}, {"Q5_K_XL", "Q5_K_M"}, {"Q5_K_L", "Q5_K_M"},
    {"Q6_K_XL", "Q6_K"},   {"Q6_K_L", "Q6_K"},   {"Q8_K_XL", "Q8_0"},
};

bool letter_or_digit(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// Whether `word` stands in `text` (upper case) with no letter or digit on either side, and nothing
/// appended with an underscore.
bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !letter_or_digit(text[at - 1])) &&
        (end == text.size() || (!letter_or_digit(text[end]) && text[end] != '_'))) {
      return true;
    }
  }
  return false;
}

const GgmlType& type(std::string_view name) { return *find_type(name); }

bool more_bits(std::uint64_t i, std::uint64_t n) {
  return i < n / 8 || i >= 7 * n / 8 || (i >= n / 8 && (i - n / 8) % 3 == 2);
}

bool one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  for (const std::string_view each : names) {
    if (name == each) {
      return true;
    }
  }
  return false;
}

bool two_bits_or_less(std::string_view mix) {
  return one_of(mix, {"IQ1_S", "IQ1_M", "IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ2_M"});
}

std::string_view output_type(std::string_view mix, const MixModel& model, std::string_view base,
                             bool divides) {
  if (one_of(mix, {"MXFP4_MOE", "MXFP4"}) || model.falcon || !divides) {
    return "Q8_0";
  }
  if (two_bits_or_less(mix) || mix == "IQ3_XXS") {
    return "Q5_K";
  }
  return base == "Q8_0" ? "Q8_0" : "Q6_K";
}

std::string_view embedding_type(std::string_view mix, std::string_view base) {
  if (one_of(mix, {"IQ2_XXS", "IQ2_XS", "IQ1_S", "IQ1_M"})) {
    return "Q2_K";
  }
  if (one_of(mix, {"IQ2_S", "IQ2_M", "IQ3_XXS"})) {
    return "IQ3_S";
  }
  return one_of(mix, {"TQ1_0", "TQ2_0"}) ? "Q4_K" : base;
}

/// The mixes of two bits and less have a rule of their own for every kind of tensor.
std::string_view low_bit_type(std::string_view mix, const MixModel& model, const TensorPlace& place,
                              std::string_view base) {
  const bool wide = one_of(mix, {"IQ2_S", "IQ2_M"});
  switch (place.role) {
    case Role::attn_v:
    case Role::attn_qkv:
    case Role::attn_kv_b:
      return model.gqa >= 4 || model.experts >= 4 ? "Q4_K" : (wide ? "IQ3_S" : "Q2_K");
    case Role::attn_k:
      return model.experts == 8 ? "Q4_K" : base;
    case Role::ffn_down:
      return place.layer < model.layers / 8 ? (wide ? "IQ3_S" : "Q2_K") : base;
    case Role::attn_output:
      if (model.experts == 8) {
        return "Q5_K";
      }
      return one_of(mix, {"IQ1_S", "IQ1_M"}) ? "IQ2_XXS" : (wide ? "IQ3_S" : base);
    default:
      return base;
  }
}

std::string_view value_type(std::string_view mix, const MixModel& model, const TensorPlace& place,
                            std::string_view base) {
  const bool grouped = model.gqa >= 4;
  std::string_view chosen = base;
  if (mix == "Q2_K") {
    chosen = grouped ? "Q4_K" : "Q3_K";
  } else if ((one_of(mix, {"Q2_K_S", "IQ3_XS", "IQ3_S", "IQ3_XXS"}) && grouped) || mix == "IQ3_M") {
    chosen = "Q4_K";
  } else if (mix == "Q3_K_M") {
    chosen = place.attention_index < 2 ? "Q5_K" : "Q4_K";
  } else if (mix == "Q3_K_L" || (one_of(mix, {"IQ4_NL", "IQ4_XS"}) && grouped) ||
             (mix == "Q4_K_S" && place.attention_index < 4)) {
    chosen = "Q5_K";
  } else if (one_of(mix, {"Q4_K_M", "Q5_K_M"}) &&
             more_bits(place.attention_index, model.attention_count)) {
    chosen = "Q6_K";
  }
  if (model.seventy_billion && one_of(chosen, {"Q3_K", "Q4_K"})) {
    chosen = "Q5_K";
  }
  return model.experts == 8 ? "Q8_0" : chosen;
}

/// Fused query, key and value matrices had a rule of their own in the years most files are from.
std::string_view fused_type(std::string_view mix, std::string_view base) {
  if (one_of(mix, {"Q3_K_M", "Q3_K_L", "IQ3_M"})) {
    return "Q4_K";
  }
  if (mix == "Q4_K_M") {
    return "Q5_K";
  }
  return mix == "Q5_K_M" ? "Q6_K" : base;
}

std::string_view down_type(std::string_view mix, const MixModel& model, const TensorPlace& place,
                           std::string_view base) {
  const std::uint64_t i = place.layer;
  const std::uint64_t n = model.layers;
  if (mix == "Q2_K") {
    return "Q3_K";
  }
  if (mix == "Q2_K_S") {
    return i < n / 8 ? "Q4_K" : base;
  }
  if (mix == "IQ3_XXS" && !model.imatrix) {
    return i < n / 8 ? "Q4_K" : "Q3_K";
  }
  if (mix == "Q3_K_M") {
    if (i < n / 16) {
      return "Q5_K";
    }
    return !model.falcon || more_bits(i, n) ? "Q4_K" : "Q3_K";
  }
  if (mix == "IQ3_M") {
    return i < n / 8 || (model.experts == 8 && more_bits(i, n)) ? "Q4_K" : base;
  }
  if (mix == "Q3_K_L") {
    return model.falcon ? "Q4_K" : "Q5_K";
  }
  if (mix == "Q4_K_M" && model.falcon) {
    return i < n / 16 ? "Q6_K" : (more_bits(i, n) ? "Q5_K" : "Q4_K");
  }
  if (one_of(mix, {"Q4_K_M", "Q5_K_M"})) {
    return more_bits(i, n) ? "Q6_K" : base;
  }
  if (one_of(mix, {"IQ4_NL", "IQ4_XS"})) {
    return i < n / 8 && !model.imatrix ? "Q5_K" : base;
  }
  if (mix == "Q4_K_S") {
    return !model.falcon && i < n / 8 ? "Q5_K" : base;
  }
  if (one_of(mix, {"Q4_0", "Q5_0"}) && model.imatrix && i < n / 8) {
    return mix == "Q4_0" ? "Q4_1" : "Q5_1";
  }
  return base;
}

std::string_view attention_output_type(std::string_view mix, const MixModel& model,
                                       std::string_view base) {
  if (model.falcon) {
    return mix == "Q3_K_L" ? "Q4_K" : base;
  }
  if (model.experts == 8) {
    return one_of(mix, {"Q2_K", "IQ3_XS", "IQ3_XXS", "Q3_K_S", "Q3_K_M", "IQ4_NL", "Q4_K_S",
                        "Q4_K_M", "IQ3_S", "IQ3_M", "IQ4_XS"})
               ? "Q5_K"
               : base;
  }
  if (mix == "Q2_K") {
    return "Q3_K";
  }
  if (mix == "IQ3_XXS") {
    return "IQ3_S";
  }
  if (one_of(mix, {"Q3_K_M", "IQ3_M"})) {
    return "Q4_K";
  }
  return mix == "Q3_K_L" ? "Q5_K" : base;
}

std::string_view query_key_type(std::string_view mix, std::string_view base) {
  if (mix == "IQ3_XS") {
    return "IQ3_XXS";
  }
  return mix == "IQ3_XXS" ? "IQ2_S" : base;
}

std::string_view chosen_type(const Mix& mix, const MixModel& model, const TensorPlace& place) {
  const std::string_view base = mix.base->name;
  const std::string_view name = mix.name;
  if (mix.base->block == 1) {
    return base;
  }
  if (place.role == Role::output || (model.tied && place.role == Role::token_embd)) {
    return output_type(name, model, base, place.cols % mix.base->block == 0);
  }
  if (one_of(name, {"MXFP4_MOE", "MXFP4"})) {
    return place.expert ? "MXFP4" : "Q8_0";
  }
  if (place.role == Role::token_embd) {
    return embedding_type(name, base);
  }
  if (two_bits_or_less(name)) {
    return low_bit_type(name, model, place, base);
  }
  const bool middle = place.layer >= model.layers / 8 && place.layer < 7 * model.layers / 8;
  switch (place.role) {
    case Role::attn_v:
      return value_type(name, model, place, base);
    case Role::attn_qkv:
      return fused_type(name, base);
    case Role::attn_k:
      return model.experts == 8 ? "Q8_0" : query_key_type(name, base);
    case Role::attn_q:
      return query_key_type(name, base);
    case Role::ffn_down:
      return down_type(name, model, place, base);
    case Role::attn_output:
      return attention_output_type(name, model, base);
    case Role::ffn_gate:
    case Role::ffn_up:
      return name == "IQ3_XS" && middle ? "IQ3_XXS" : base;
    default:
      return base;
  }
}

/// A format of smaller blocks, where a row does not divide into those chosen.
std::string_view fallback(std::string_view chosen) {
  if (one_of(chosen, {"Q2_K", "Q3_K", "TQ1_0", "TQ2_0"})) {
    return "Q4_0";
  }
  if (chosen == "Q4_K") {
    return "Q5_0";
  }
  if (chosen == "Q5_K") {
    return "Q5_1";
  }
  if (chosen == "Q6_K") {
    return "Q8_0";
  }
  return chosen.starts_with("IQ") ? "IQ4_NL" : "F16";
}

}  // namespace

std::optional<Mix> find_mix(std::string_view name) {
  std::string upper;
  for (const char c : name.substr(0, 4096)) {
    upper += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  // A shard's number and the ending stand behind the name of the mix.
  for (char& c : upper) {
    if (c == '.' || c == '/' || c == '\\' || c == ':') {
      c = '-';
    }
  }
  for (const auto& [publishers, nearest] : kPublishers) {
    if (has_word(upper, publishers)) {
      for (const FileType& known : kFileTypes) {
        if (known.name == nearest) {
          return Mix{std::string(known.name), find_type(known.base), true};
        }
      }
    }
  }
  for (const FileType& known : kFileTypes) {
    if (has_word(upper, known.name)) {
      return Mix{std::string(known.name), find_type(known.base), has_word(upper, "UD")};
    }
  }
  return std::nullopt;
}

const GgmlType& tensor_type(const Mix& mix, const MixModel& model, const TensorPlace& place) {
  const GgmlType& chosen = type(chosen_type(mix, model, place));
  if (place.cols % chosen.block == 0) {
    return chosen;
  }
  const GgmlType& other = type(fallback(chosen.name));
  return place.cols % other.block == 0 ? other : type("F16");
}

}  // namespace ridgepoint::engine::llamacpp
