#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"
#include "model/mixers.hpp"
#include "wording.hpp"

namespace ridgepoint::model::nemotron_h {
namespace {

constexpr std::string_view kArchitectures[] = {"NemotronHForCausalLM", "NemotronHModel",
                                               "NemotronHPuzzleForCausalLM"};
constexpr std::string_view kModelTypes[] = {"nemotron_h", "nemotron_h_puzzle"};

/// Every layer is one block behind one norm: M Mamba-2, * attention, - feed-forward, E mixture.
char letter_of(std::string_view name) {
  constexpr std::pair<std::string_view, char> kLetters[] = {
      {"mamba", 'M'}, {"mamba2", 'M'}, {"attention", '*'}, {"mlp", '-'}, {"moe", 'E'}};
  for (const auto& [word, letter] : kLetters) {
    if (word == name) {
      return letter;
    }
  }
  return '?';
}

/// One letter a layer, from a list of names or a string of letters.
std::string pattern(json::Fields& config, std::string_view list_key, std::string_view text_key) {
  std::string letters;
  if (const json::Value* list = config.find(list_key); list != nullptr && list->is_array()) {
    for (const json::Value& entry : *list) {
      letters += entry.is_string() ? letter_of(entry.get_ref<const std::string&>()) : '?';
    }
  } else {
    letters = std::string(config.text({text_key}).value_or(""));
  }
  if (const std::size_t unknown = letters.find_first_not_of("M*-E"); unknown != std::string::npos) {
    config.fail("unknown_architecture", config.has(list_key) ? list_key : text_key,
                worded({"Layer ", unknown,
                        " is of a kind that this architecture's reader does not know."}));
    letters.clear();
  }
  if (letters.size() > kLayersRange.most) {
    config.fail("bad_value", config.has(list_key) ? list_key : text_key,
                worded({"More than ", kLayersRange.most, " layers."}));
    letters.clear();
  }
  return letters;
}

/// Reads one kind of block at a time, as not every model has all keys.
class Blocks {
 public:
  Blocks(json::Fields& config, const ModelSpec& spec) : config_(config), spec_(spec) {}

  Layer read(char letter) {
    Layer layer;
    layer.norms = 1;
    switch (letter) {
      case 'M':
        layer.state = read_mamba2(config_, {"mamba_head_dim", 0, 128, 8, 128});
        break;
      case '*':
        layer.attention = attention();
        break;
      case '-':
        layer.feed_forward = dense();
        break;
      default:
        mixture("", layer);
    }
    return layer;
  }

  /// `prefix` "mtp_": sizes that the prediction module of a Puzzle model has for itself.
  void mixture(const std::string& prefix, Layer& layer) {
    const auto key = [&](const char* name) {
      return config_.has(prefix + name) ? prefix + name : std::string(name);
    };
    const std::string count = key("n_routed_experts");
    const std::string chosen = key("num_experts_per_tok");
    const std::string width = key("moe_intermediate_size");
    const std::string shared = key("moe_shared_expert_intermediate_size");
    FeedForward& f = layer.feed_forward;
    f = read_experts(config_, {count}, {chosen}, {width});
    f.experts_gated = false;
    f.score_correction_bias = true;
    f.shared_intermediate_size = config_.whole_or({"n_shared_experts"}, {0, 1024}, 1) *
                                 config_.require_whole({shared}, kWidthRange);
    f.expert_hidden_size = config_.whole_or({"moe_latent_size"}, kOptionalWidthRange, 0);
    if (f.expert_hidden_size != 0) {
      for (Tensor projection : {matrix(Part::experts, Split::replicated, "fc1_latent_proj",
                                       f.expert_hidden_size, spec_.hidden_size),
                                matrix(Part::experts, Split::replicated, "fc2_latent_proj",
                                       spec_.hidden_size, f.expert_hidden_size)}) {
        projection.block = "mixer.";
        layer.extra.push_back(projection);
      }
    }
    if (config_.boolean_or({"mlp_bias"}, false)) {
      config_.fail("unknown_architecture", "mlp_bias",
                   "Biases of Nemotron-H's experts are not known to this reader.");
    }
  }

 private:
  Attention attention() {
    DecoderProfile profile;
    profile.head_dim = 128;
    profile.key_value_heads = 8;
    Attention a = read_attention(config_, profile, spec_);
    if (const std::uint64_t window = config_.whole_or({"sliding_window"}, {0, 1ULL << 40U}, 0)) {
      a.kind = AttentionKind::sliding;
      a.window = window;
    }
    return a;
  }

  FeedForward dense() {
    DecoderProfile profile;
    profile.gated = false;
    return read_dense(config_, profile, spec_);
  }

  json::Fields& config_;
  const ModelSpec& spec_;
};

/// A Puzzle model's blocks differ in the size, number and choice of their experts; the sizes that
/// a block leaves out are the whole model's.
Layer read_own_block(json::Fields& config, const json::Value& block, const ModelSpec& spec) {
  json::Fields fields(block, worded({config.path(), ".block_configs"}));
  for (const auto& item : block.items()) {
    const std::string_view key = item.key();
    if (key != "block_type" && key != "moe_intermediate_size" && key != "num_experts_per_tok" &&
        key != "n_routed_experts" && !item.value().is_null()) {
      fields.fail("unknown_architecture", key,
                  worded({"The setting \"", json::excerpt(key, 40),
                          "\" of a block is not known to this architecture's reader."}));
      break;
    }
  }
  fields.fall_back_to(config.raw());
  Layer layer = Blocks(fields, spec).read('E');
  config.adopt(fields);
  return layer;
}

void read_blocks(json::Fields& config, const std::string& letters, ModelSpec& spec) {
  Blocks blocks(config, spec);
  const std::string kinds = "M*-E";
  std::array<std::optional<Layer>, 4> known;
  const json::Value* settings = config.array("block_configs");
  const bool by_block = settings != nullptr && settings->size() == letters.size();
  spec.layers.reserve(letters.size());
  for (std::size_t i = 0; i < letters.size() && !config.error(); ++i) {
    const json::Value* block = by_block ? &(*settings)[i] : nullptr;
    if (block != nullptr && letters[i] == 'E' && block->is_object()) {
      spec.layers.push_back(read_own_block(config, *block, spec));
      continue;
    }
    auto& layer = known[kinds.find(letters[i])];
    if (!layer) {
      layer = blocks.read(letters[i]);
    }
    spec.layers.push_back(*layer);
  }
}

/// The module's blocks, the join in front of the first and a norm after the last (vLLM
/// models/nemotron_h_mtp.py).
void read_module(json::Fields& config, ModelSpec& spec) {
  const std::string letters =
      pattern(config, "mtp_layers_block_type", "mtp_hybrid_override_pattern");
  spec.mtp.modules =
      letters.empty() ? 0 : config.whole_or({"num_nextn_predict_layers"}, {0, 16}, 1);
  Blocks blocks(config, spec);
  for (std::uint64_t module = 0; module < spec.mtp.modules && !config.error(); ++module) {
    for (const char letter : letters) {
      Layer layer;
      layer.norms = 1;
      if (letter == 'E') {
        blocks.mixture("mtp_", layer);
      } else {
        layer = blocks.read(letter);
      }
      spec.mtp.layers.push_back(std::move(layer));
    }
  }
}

void read(json::Fields& config, ModelSpec& spec) {
  spec.hidden_size = config.require_whole(keys::kHidden, kHiddenRange);
  spec.vocab_size = config.require_whole({"vocab_size"}, kVocabRange);
  spec.tie_word_embeddings = config.boolean_or(keys::kTied, false);
  const std::string letters = pattern(config, "layers_block_type", "hybrid_override_pattern");
  if (letters.empty()) {
    config.fail("missing_field", "hybrid_override_pattern",
                "hybrid_override_pattern (or layers_block_type) is missing: it says what each "
                "layer is.");
    return;
  }
  if (config.whole_or({"num_hidden_layers"}, kLayersRange, letters.size()) != letters.size()) {
    config.fail("bad_value", "num_hidden_layers",
                worded({"num_hidden_layers and the list of the layers' kinds (", letters.size(),
                        ") differ."}));
    return;
  }
  read_blocks(config, letters, spec);
  // vLLM keeps this state in float32 unless the config says otherwise.
  const std::string_view cache = config.text({"mamba_ssm_cache_dtype"}).value_or("float32");
  spec.state_float32 = cache == "float32";
  read_module(config, spec);
  spec.names = {"backbone.layers.", "mixer.",     "mixer.",    "mixer.",  "mixer.shared_experts.",
                "mixer.experts.0.", "mixer.gate", "gate_proj", "up_proj", "down_proj"};
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read, nullptr, true};

}  // namespace ridgepoint::model::nemotron_h
