// The ways of quantising of the catalogue's models.
#include "precision/methods/methods.hpp"

namespace ridgepoint::precision {
namespace {

constexpr Method kMethods[] = {
    {"fp8", read_fp8},     {"awq", read_awq},
    {"gptq", read_gptq},   {"compressed-tensors", read_compressed_tensors},
    {"mxfp4", read_mxfp4},
};

}  // namespace

std::span<const Method> known_methods() { return kMethods; }

bool all_methods_here() { return false; }

}  // namespace ridgepoint::precision
