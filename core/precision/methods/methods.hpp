#pragma once

#include <span>
#include <string_view>

#include "precision/scheme_reader.hpp"

/// One reader a method of quantisation. Each adds to `reader.scheme`; what is wrong or not sized
/// goes into the Fields it was found in.
namespace ridgepoint::precision {

void read_fp8(SchemeReader& reader);         ///< fp8, w8a8_fp8
void read_fbgemm_fp8(SchemeReader& reader);  ///< FP8 by output row
void read_int8(SchemeReader& reader);        ///< w8a8_int8, blockwise_int8, eetq
void read_awq(SchemeReader& reader);         ///< AutoAWQ
void read_gptq(SchemeReader& reader);        ///< AutoGPTQ, GPTQModel
void read_auto_round(SchemeReader& reader);  ///< Intel AutoRound
void read_bitsandbytes(SchemeReader& reader);
void read_compressed_tensors(SchemeReader& reader);
void read_modelopt(SchemeReader& reader);
void read_mxfp4(SchemeReader& reader);  ///< gpt-oss
void read_mlx(SchemeReader& reader);
void read_torchao(SchemeReader& reader);
void read_quark(SchemeReader& reader);
void read_hqq(SchemeReader& reader);
void read_aqlm(SchemeReader& reader);
void read_bitnet(SchemeReader& reader);

struct Method {
  std::string_view name;  ///< `quant_method`, lower case
  void (*read)(SchemeReader&);
};

/// Those that this program has.
std::span<const Method> known_methods();

/// False in a program that is built with some of them (core/answer).
bool all_methods_here();

/// ModelOpt's `quantized_layers`: a format by name; which also stands in fp8 configs whose experts
/// ModelOpt has quantised again.
void read_quantized_layers(SchemeReader& reader);

}  // namespace ridgepoint::precision
