#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/latent.hpp"

namespace ridgepoint::model::axk1 {
namespace {

constexpr std::string_view kArchitectures[] = {"AXK1ForCausalLM"};
constexpr std::string_view kModelTypes[] = {"axk1", "AXK1"};

/// A.X K1: a third norm follows the feed-forward (vLLM 0.28 models/AXK1.py).
void read(json::Fields& config, ModelSpec& spec) {
  LatentProfile profile;
  profile.decoder.norms = 3;
  read_latent_decoder(config, profile, spec);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::axk1
