#include "precision/methods/methods.hpp"

namespace ridgepoint::precision {

void read_fp8(SchemeReader& reader) {
  json::Fields& fields = reader.fields;
  WeightFormat format =
      make_format(reader.method() == "w8a8_fp8" ? Packing::fp8_channel : Packing::fp8_tensor, 8);
  if (fields.has("weight_block_size")) {
    format.packing = Packing::fp8_block;
    SchemeReader::block(fields, "weight_block_size", format);
  } else {
    format.static_activation = fields.text({"activation_scheme"}).value_or("") == "static";
  }
  reader.add(format, kAnyLinear);
  if (fields.has("quantized_layers")) {
    // The rest keeps the FP8 it came in, also what ModelOpt lists as not touched.
    read_quantized_layers(reader);
    return;
  }
  reader.ignore_all("modules_to_not_convert");
  reader.ignore_all("ignored_layers");
}

void read_fbgemm_fp8(SchemeReader& reader) {
  reader.add(make_format(Packing::fp8_channel, 8), kAnyLinear);
  reader.ignore_all("modules_to_not_convert");
}

void read_int8(SchemeReader& reader) {
  WeightFormat format = make_format(Packing::int8_channel, 8);
  if (reader.method() == "blockwise_int8") {
    format.packing = Packing::int8_block;
    format.block_rows = 128;
    format.block_cols = 128;
    SchemeReader::block(reader.fields, "weight_block_size", format);
  } else if (reader.method() == "eetq") {
    format.scale_bytes = 2;
  }
  reader.add(format, kAnyLinear);
  reader.ignore_all("modules_to_not_convert");
  reader.ignore_all("ignored_layers");
}

}  // namespace ridgepoint::precision
