#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plan/change.hpp"

namespace ridgepoint::plan {

/// A number format that the weights or the cache of a request may have, as an edit of it.
struct FormatChoice {
  std::string name;   ///< "checkpoint", "fp8", "int4"; of a cache "auto", "fp8"
  std::string title;  ///< for people: "FP8, made while loading"
  Change change;      ///< empty for the first choice, which is the request as it is
  std::string cost;   ///< what one gives up or has to do, a sentence; empty for the first choice
};

/// What the weights of a request may be on its engine, version, model and card, the smallest change
/// first: `checkpoint` (as published) always; of a 16-bit checkpoint also `fp8` (by the engine's
/// flag where it quantises while loading, else a published checkpoint), `int8`, `int4` (AWQ, the
/// largest group up to 128 that the matrices divide into), `nvfp4`, `mxfp4`; on llama.cpp the
/// mixes of llama-quantize by their names. A checkpoint that is quantised already, a GGUF, and a
/// request that names its quantisation by a flag have `checkpoint` alone. Formats whose kernels the
/// card does not have are left out: FP8 wants compute capability 8.0 (8.9 for its speed), INT8 7.5
/// to 9.0, AWQ 7.5, NVFP4 8.0 (10.0 for its speed), MXFP4 of a 16-bit model a CDNA4.
/// Source: vLLM docs/features/quantization/supported_hardware.md, SGLang docs quantization.md,
/// TensorRT-LLM docs/source/features/quantization.md.
std::vector<FormatChoice> weight_choices(const Request& request);

/// What the cache may be: `auto` (as the request has it) always, and a cache of 8 bits where no
/// flag and no checkpoint says what it is: `fp8` from compute capability 8.9 and on CDNA3 and newer
/// or RDNA4, `q8_0` on llama.cpp.
std::vector<FormatChoice> kv_choices(const Request& request);

/// The name of a checkpoint's own format: "bf16", "fp16", "fp32", "fp8", "int8", "int4", "mxfp4",
/// "nvfp4", "gguf", or the method's name. A constraint may call the checkpoint by it.
std::string own_format(const model::ModelSpec& model);

}  // namespace ridgepoint::plan
