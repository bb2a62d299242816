#include <nlohmann/json.hpp>

#include "precision/methods/methods.hpp"

namespace ridgepoint::precision {
namespace {

WeightFormat read_weight(json::Fields& from) {
  const auto bits = static_cast<std::uint32_t>(from.whole_or({"nbits", "bits"}, {1, 8}, 4));
  if (bits > 4 && bits != 8) {
    from.fail("bad_value", "nbits", "hqq packs 1, 2, 3, 4 or 8 bits.");
  }
  const bool by_row = from.raw().contains("group_size") && !from.has("group_size");
  return make_format(Packing::hqq, bits,
                     by_row ? 0 : SchemeReader::group_size(from, {"group_size"}, 64));
}

/// Settings of hqq's BaseQuantizeConfig; scales may be quantised again, to 8 bits.
WeightFormat read_settings(json::Fields& from) {
  auto weight = from.object("weight_quant_params");
  if (!weight) {
    return read_weight(from);
  }
  WeightFormat format = read_weight(*weight);
  from.adopt(*weight);
  format.scale_bytes = from.has("scale_quant_params") ? 1 : 0;
  return format;
}

}  // namespace

void read_hqq(SchemeReader& reader) {
  json::Fields& fields = reader.fields;
  // transformers skips the head by default, and writes what it skipped.
  const ModuleKinds kinds =
      kAnyLinear | (fields.has("skip_modules") ? kinds_of(ModuleKind::lm_head) : 0);
  auto settings = fields.object("quant_config");
  json::Fields& from = settings ? *settings : fields;
  const bool by_tag = settings && !from.has("weight_quant_params") && !from.has("nbits");
  if (!by_tag) {
    reader.add(read_settings(from), kinds);
  } else {
    for (const auto& item : from.raw().items()) {
      auto own = from.object(item.key());
      if (own) {
        const WeightFormat format = read_settings(*own);
        from.adopt(*own);
        reader.assign(from, item.key(), item.key(), format);
      }
    }
  }
  if (settings) {
    fields.adopt(*settings);
  }
  reader.ignore_all("skip_modules");
}

}  // namespace ridgepoint::precision
