#include "precision/methods/methods.hpp"

namespace ridgepoint::precision {
namespace {

constexpr Method kMethods[] = {
    {"fp8", read_fp8},
    {"w8a8_fp8", read_fp8},
    {"fbgemm_fp8", read_fbgemm_fp8},
    {"awq", read_awq},
    {"awq_marlin", read_awq},
    {"gptq", read_gptq},
    {"gptq_marlin", read_gptq},
    {"auto-round", read_auto_round},
    {"auto_round", read_auto_round},
    {"autoround", read_auto_round},
    {"bitsandbytes", read_bitsandbytes},
    {"compressed-tensors", read_compressed_tensors},
    {"modelopt", read_modelopt},
    {"modelopt_fp4", read_modelopt},
    {"modelopt_mxfp8", read_modelopt},
    {"modelopt_mixed", read_modelopt},
    {"mxfp4", read_mxfp4},
    {"mlx", read_mlx},
    {"torchao", read_torchao},
    {"quark", read_quark},
    {"hqq", read_hqq},
    {"aqlm", read_aqlm},
    {"bitnet", read_bitnet},
    {"eetq", read_int8},
    {"w8a8_int8", read_int8},
    {"blockwise_int8", read_int8},
};

}  // namespace

std::span<const Method> known_methods() { return kMethods; }

bool all_methods_here() { return true; }

}  // namespace ridgepoint::precision
