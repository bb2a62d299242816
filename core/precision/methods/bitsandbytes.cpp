#include "precision/methods/methods.hpp"

namespace ridgepoint::precision {

void read_bitsandbytes(SchemeReader& reader) {
  json::Fields& fields = reader.fields;
  const bool eight = fields.boolean_or({"load_in_8bit", "_load_in_8bit"}, false);
  WeightFormat format =
      eight ? make_format(Packing::bnb_int8, 8) : make_format(Packing::bnb_nf4, 4);
  format.double_quantised = fields.boolean_or({"bnb_4bit_use_double_quant"}, false);
  const std::string_view storage = fields.text({"bnb_4bit_quant_storage"}).value_or("uint8");
  format.storage_bytes = storage.ends_with("32") ? 4 : storage.ends_with("16") ? 2 : 1;
  reader.add(format, kAnyLinear);
  reader.ignore_all("llm_int8_skip_modules");
}

}  // namespace ridgepoint::precision
