#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model {
namespace {

constexpr std::string_view kArchitectures[] = {"Phi3ForCausalLM"};
constexpr std::string_view kModelTypes[] = {"phi3"};
/// Projections are fused in the checkpoint (qkv_proj, gate_up_proj); the sizes are the same.
constexpr DecoderProfile kProfile;

}  // namespace

extern const Dialect dialect_phi3;
const Dialect dialect_phi3 = {kArchitectures, kModelTypes, nullptr, &kProfile};

}  // namespace ridgepoint::model
