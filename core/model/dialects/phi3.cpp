#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::phi3 {
namespace {

constexpr std::string_view kArchitectures[] = {"Phi3ForCausalLM", "Phi3ForSequenceClassification",
                                               "Phi3ForTokenClassification"};
constexpr std::string_view kModelTypes[] = {"phi3"};
/// Phi-3, 3.5, 4 and 4-mini. Projections are fused in the checkpoint (qkv_proj, gate_up_proj); the
/// sizes are the same.
constexpr DecoderProfile kProfile;

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, nullptr, &kProfile};

}  // namespace ridgepoint::model::phi3
