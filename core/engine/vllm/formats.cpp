#include <algorithm>

#include "engine/vllm/reading.hpp"
#include "json/fields.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::vllm {
namespace {

using precision::Dtype;
using precision::KvFormat;

/// Sparse kernels have rows of their own: FlashMLA's on Hopper and consumer Blackwell take 656
/// bytes a token for any fp8, FlashInfer's on datacentre Blackwell plain fp8 (v0.28
/// v1/attention/backends/mla, models/deepseek_v4).
void choose_sparse_format(Reading& r, bool automatic) {
  const bool compressed = r.model.has(model::AttentionKind::compressed);
  const bool indexed =
      std::any_of(r.model.layers.begin(), r.model.layers.end(),
                  [](const model::Layer& layer) { return layer.attention.indexer.heads != 0; });
  const std::uint32_t generation = r.inputs.device.compute_capability / 10;
  const bool plain_fp8 = generation == 10;
  KvFormat& format = r.settings.kv_format;
  if (compressed && format == KvFormat::model_dtype && automatic) {
    format = plain_fp8 ? KvFormat::fp8 : KvFormat::fp8_ds_mla;
    r.assume(
        worded({"Compressed attention is cached as ", precision::kv_format_name(format), "."}));
  } else if (indexed && format == KvFormat::fp8 && !plain_fp8) {
    format = KvFormat::fp8_ds_mla;
    r.assume("Sparse attention caches fp8 as fp8_ds_mla on this card.");
  } else if (indexed && format == KvFormat::model_dtype && automatic &&
             (generation == 12 || r.minor() == 11)) {
    format = KvFormat::fp8_ds_mla;
    r.assume("This version caches sparse attention as fp8_ds_mla on this card by default.");
  }
}

}  // namespace

void read_dtype(Reading& r) {
  const std::string name = r.flags.text("dtype").value_or("auto");
  const bool bf16_lacking = r.inputs.device.vendor == "nvidia" &&
                            r.inputs.device.compute_capability != 0 &&
                            r.inputs.device.compute_capability < 80;
  if (name == "half" || name == "float16") {
    r.settings.dtype = Dtype::float16;
  } else if (name == "float" || name == "float32") {
    r.settings.dtype = Dtype::float32;
  } else if (name == "bfloat16") {
    r.settings.dtype = Dtype::bfloat16;
    if (bf16_lacking) {
      r.fail("bad_flag",
             "This card has no bfloat16 (compute capability below 8.0); use --dtype half.",
             "engine.args.dtype");
    }
  } else {
    r.settings.dtype = r.model.dtype;
    if (r.model.dtype == Dtype::float32) {
      r.settings.dtype = Dtype::bfloat16;
      r.assume("A float32 checkpoint is loaded in 16 bits, as --dtype auto does.");
    }
    if (r.settings.dtype == Dtype::bfloat16 && bf16_lacking) {
      r.settings.dtype = Dtype::float16;
      r.assume("The card has no bfloat16: float16 instead, as --dtype auto does.");
    }
  }
}

namespace {

/// Bytes of a value by --mamba-cache-dtype and its kind; "auto" is `otherwise`.
std::uint64_t state_value_bytes(Reading& r, std::string_view flag, std::uint64_t otherwise) {
  const std::string name = r.flags.text(flag).value_or("auto");
  if (name == "float32" || name == "float") {
    return 4;
  }
  return name == "auto" ? otherwise : 2;
}

/// Layers that --kv-cache-dtype-skip-layers leaves in the model's dtype, and the first and last two
/// of a dense model under TurboQuant (v0.28 layers/quantization/turboquant,
/// get_boundary_skip_layers).
void read_plain_layers(Reading& r) {
  Settings& s = r.settings;
  const std::string format(precision::kv_format_name(s.kv_format));
  const std::uint64_t layers = r.model.layers.size();
  constexpr std::uint64_t kBoundary = 2;
  if (format.starts_with("turboquant") && !r.model.moe() && layers > 2 * kBoundary) {
    for (std::uint64_t i = 0; i < kBoundary; ++i) {
      s.plain_cache_layers.push_back(i);
      s.plain_cache_layers.push_back(layers - 1 - i);
    }
    r.assume(worded({"TurboQuant leaves the first and last two layers' cache in ",
                     precision::dtype_name(s.dtype), "."}));
  }
  std::sort(s.plain_cache_layers.begin(), s.plain_cache_layers.end());
  if (!r.flags.given("kv-cache-dtype-skip-layers")) {
    return;
  }
  const auto text = r.flags.text("kv-cache-dtype-skip-layers");
  if (text && *text == "sliding_window") {
    s.plain_cache_windows = true;
  } else if (const auto list = r.flags.list("kv-cache-dtype-skip-layers", 0)) {
    s.plain_cache_layers.insert(s.plain_cache_layers.end(), list->begin(), list->end());
  }
  std::sort(s.plain_cache_layers.begin(), s.plain_cache_layers.end());
}

}  // namespace

namespace {

/// Cache formats by the first minor version that has them (config/cache.py).
struct FormatSince {
  std::string_view prefix;
  std::uint32_t minor;
};

constexpr FormatSince kFormatSince[] = {
    {"nvfp4_4over6", 28},       {"nvfp4", 21},
    {"turboquant", 20},         {"int8_per_token_head", 20},
    {"fp8_per_token_head", 20}, {"int4_per_token_head", 25},
};

void check_format_version(Reading& r, std::string_view name) {
  for (const FormatSince& entry : kFormatSince) {
    if (name.starts_with(entry.prefix)) {
      if (r.minor() < entry.minor) {
        r.flags.fail("bad_flag", "kv-cache-dtype",
                     worded({"--kv-cache-dtype ", name, " came with vLLM 0.", entry.minor, "."}));
      }
      return;
    }
  }
}

}  // namespace

void read_kv_format(Reading& r) {
  const std::string name = r.flags.text("kv-cache-dtype").value_or("auto");
  if (name == "auto") {
    r.settings.kv_format = r.model.quantization.kv_cache.value_or(KvFormat::model_dtype);
    if (r.model.quantization.kv_cache) {
      r.assume(worded({"The checkpoint asks for a ",
                       precision::kv_format_name(r.settings.kv_format), " KV cache."}));
    }
  } else if (const auto format = precision::parse_kv_format(name)) {
    r.settings.kv_format = *format;
  } else {
    r.flags.fail("bad_flag", "kv-cache-dtype",
                 worded({"--kv-cache-dtype ", json::excerpt(name, 40), " is not known."}));
  }
  check_format_version(r, name);
  choose_sparse_format(r, name == "auto");
  const bool latent = r.model.latent();
  const bool compressed = r.model.has(model::AttentionKind::compressed);
  if (latent && !precision::latent_bytes(r.settings.kv_format, Dtype::bfloat16, 576)) {
    r.flags.fail(
        "bad_flag", "kv-cache-dtype",
        worded({"--kv-cache-dtype ", name, " does not exist for latent (MLA) attention."}));
  }
  if (!latent && !compressed && r.settings.kv_format == KvFormat::fp8_ds_mla) {
    r.flags.fail("bad_flag", "kv-cache-dtype",
                 "--kv-cache-dtype fp8_ds_mla is for DeepSeek's latent attention only.");
  }
  read_plain_layers(r);
}

void read_state_format(Reading& r) {
  cache::StateFormat& format = r.settings.state_format;
  const std::uint64_t value = precision::dtype_bytes(r.settings.dtype);
  format.convolution_bytes = state_value_bytes(r, "mamba-cache-dtype", value);
  format.recurrent_bytes = state_value_bytes(r, "mamba-ssm-cache-dtype",
                                             r.model.state_float32 ? 4 : format.convolution_bytes);
  const bool keeps_drafted =
      r.model.architecture.starts_with("NemotronH") ||
      r.model.architecture == "Mamba2ForCausalLM" ||
      std::any_of(r.model.layers.begin(), r.model.layers.end(), [](const model::Layer& layer) {
        return layer.state.kind == model::StateKind::gated_delta ||
               layer.state.kind == model::StateKind::kda;
      });
  format.draft_tokens = keeps_drafted ? r.settings.speculation.tokens : 0;
}

void read_quantization(Reading& r) {
  const auto name = r.flags.text("quantization");
  if (!name) {
    return;
  }
  r.settings.quantization = *name;
  const std::string& method = r.model.quantization.method;
  if (method.empty()) {
    if (*name != "fp8" && *name != "bitsandbytes") {
      r.flags.fail("bad_flag", "quantization",
                   worded({"The config has no quantization_config, and --quantization ", *name,
                           " does not quantise while loading (fp8 and bitsandbytes do). Give the "
                           "config of the quantised checkpoint."}));
    }
    return;
  }
  const bool same = name->starts_with(method) || method.starts_with(*name) ||
                    (method == "modelopt" && name->starts_with("modelopt")) ||
                    name->find(method) != std::string::npos;
  if (!same) {
    r.flags.fail("bad_flag", "quantization",
                 worded({"The checkpoint is quantised by ", method, ", and --quantization says ",
                         *name, "."}));
  }
}

}  // namespace ridgepoint::engine::vllm
