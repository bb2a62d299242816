#include "precision/methods/methods.hpp"

namespace ridgepoint::precision {

void read_mxfp4(SchemeReader& reader) {
  reader.add(make_format(Packing::mxfp4, 4, 32), kinds_of(ModuleKind::expert));
  reader.ignore_all("modules_to_not_convert");
}

}  // namespace ridgepoint::precision
