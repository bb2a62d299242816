#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::hunyuan_dense {
namespace {

constexpr std::string_view kArchitectures[] = {"HunYuanDenseV1ForCausalLM"};
constexpr std::string_view kModelTypes[] = {"hunyuan_v1_dense"};
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.qk_norm = QkNorm::per_head;
  profile.qk_norm_key = "use_qk_norm";
  return profile;
}();

void read(json::Fields& config, ModelSpec& spec) {
  if (config.boolean_or({"use_cla"}, false) &&
      config.whole_or({"cla_share_factor"}, kLayersRange, 1) > 1) {
    config.fail("unknown_architecture", "use_cla",
                "Layers that take over the keys and values of the one before them (cross-layer "
                "attention) are not known to this reader, and vLLM does not start such a model.");
    return;
  }
  read_decoder(config, kProfile, spec);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::hunyuan_dense
