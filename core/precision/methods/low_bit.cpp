#include "precision/methods/methods.hpp"

namespace ridgepoint::precision {

void read_aqlm(SchemeReader& reader) {
  json::Fields& fields = reader.fields;
  WeightFormat format;
  format.packing = Packing::aqlm;
  format.bits = static_cast<std::uint32_t>(fields.whole_or({"nbits_per_codebook"}, {1, 16}, 16));
  format.codebooks = static_cast<std::uint8_t>(fields.whole_or({"num_codebooks"}, {1, 64}, 1));
  format.block_rows = static_cast<std::uint32_t>(fields.whole_or({"out_group_size"}, {1, 1024}, 1));
  format.block_cols = static_cast<std::uint32_t>(fields.whole_or({"in_group_size"}, {1, 1024}, 8));
  reader.add(format, kDecoderLinear);
  reader.ignore_all("linear_weights_not_to_quantize");
}

void read_bitnet(SchemeReader& reader) {
  reader.add(make_format(Packing::bitnet, 2), kDecoderLinear);
  reader.ignore_all("modules_to_not_convert");
}

}  // namespace ridgepoint::precision
