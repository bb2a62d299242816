#include "precision/methods/methods.hpp"

namespace ridgepoint::precision {

void read_awq(SchemeReader& reader) {
  json::Fields& fields = reader.fields;
  WeightFormat format = make_format(Packing::awq, SchemeReader::bits(fields, {"bits", "w_bit"}, 4));
  format.group_size = SchemeReader::group_size(fields, {"group_size", "q_group_size"}, 128);
  format.symmetric = !fields.boolean_or({"zero_point"}, true);
  const bool head = fields.boolean_or({"lm_head"}, false);
  reader.add(format, kDecoderLinear | (head ? kinds_of(ModuleKind::lm_head) : 0));
  reader.ignore_all("modules_to_not_convert");
}

}  // namespace ridgepoint::precision
