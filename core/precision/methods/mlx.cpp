#include <nlohmann/json.hpp>

#include "precision/methods/methods.hpp"
#include "wording.hpp"

namespace ridgepoint::precision {
namespace {

/// The three numbers of the whole model, or of one module.
WeightFormat read_mode(json::Fields& fields, const WeightFormat& base) {
  const std::string_view mode = fields.text({"mode"}).value_or("affine");
  if (mode == "mxfp4") {
    return make_format(Packing::mxfp4, 4, 32);
  }
  if (mode == "mxfp8") {
    return make_format(Packing::mxfp8, 8, 32);
  }
  if (mode == "nvfp4") {
    WeightFormat format = make_format(Packing::nvfp4, 4, 16);
    format.tensor_scales = 0;
    return format;
  }
  if (mode != "affine") {
    SchemeReader::refuse(
        fields, "mode",
        worded({"MLX's quantization mode \"", json::excerpt(mode, 40),
                "\" is not sized by this version. Known: affine, mxfp4, mxfp8, nvfp4."}));
  }
  return make_format(Packing::mlx, SchemeReader::bits(fields, {"bits"}, base.bits),
                     SchemeReader::group_size(fields, {"group_size"}, base.group_size));
}

}  // namespace

void read_mlx(SchemeReader& reader) {
  json::Fields& fields = reader.fields;
  const WeightFormat format = read_mode(fields, make_format(Packing::mlx, 4, 64));
  // mlx quantises whatever has to_quantized: linear layers, routers, embeddings and the head.
  // mlx_vlm leaves the towers alone.
  reader.add(format, kinds_of(ModuleKind::linear, ModuleKind::expert, ModuleKind::router,
                              ModuleKind::embedding, ModuleKind::lm_head, ModuleKind::projector));
  for (const auto& item : fields.raw().items()) {
    if (item.value().is_object()) {
      auto own = fields.object(item.key());
      const WeightFormat module = read_mode(*own, make_format(Packing::mlx, 4, 64));
      fields.adopt(*own);
      reader.assign(fields, item.key(), item.key(), module);
    } else if (item.value().is_boolean() && !item.value().get<bool>() &&
               (item.key().find('.') != std::string::npos || item.key() == "lm_head")) {
      reader.ignore(fields, item.key(), item.key());
    }
    if (reader.failed()) {
      return;
    }
  }
}

}  // namespace ridgepoint::precision
