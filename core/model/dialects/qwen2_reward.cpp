#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::qwen2_reward {
namespace {

constexpr std::string_view kArchitectures[] = {"Qwen2ForRewardModel", "Qwen2ForProcessRewardModel"};

/// Qwen2 with two layers in place of the head (vLLM 0.28 models/qwen2_rm.py): hidden_size square,
/// then one value, or two where steps are judged, both with biases.
void read(json::Fields& config, ModelSpec& spec) {
  read_by(*dialect_of_model_type("qwen2"), config, spec);
  const std::uint64_t absent = spec.architecture == "Qwen2ForProcessRewardModel" ? 2 : 1;
  const std::uint64_t values_out = config.whole_or({"num_labels"}, kWidthRange, absent);
  const std::uint64_t hidden = spec.hidden_size;
  spec.lm_head = false;
  spec.extra.push_back(matrix(Part::lm_head, Split::column, "score.0", hidden, hidden));
  spec.extra.push_back(matrix(Part::lm_head, Split::row, "score.2", values_out, hidden));
  spec.extra.push_back(values(Part::lm_head, "score.2", hidden + values_out));
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, {}, read};

}  // namespace ridgepoint::model::qwen2_reward
