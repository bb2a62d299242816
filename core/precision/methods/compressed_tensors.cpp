#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "precision/methods/methods.hpp"
#include "wording.hpp"

namespace ridgepoint::precision {
namespace {

/// One member of config_groups.
class GroupReader {
 public:
  GroupReader(SchemeReader& reader, json::Fields& group, std::string format)
      : reader_(reader), group_(group), container_(std::move(format)) {}

  void read() {
    auto weights = group_.object("weights");
    if (!weights) {
      return;  // activations only: weights stay as they are
    }
    activations_ = group_.has("input_activations");
    const WeightFormat format = read_format(*weights);
    group_.adopt(*weights);
    if (!group_.error()) {
      read_targets(format);
    }
  }

 private:
  void read_targets(const WeightFormat& format) {
    const json::Value* targets = group_.array("targets");
    if (group_.error()) {
      return;
    }
    if (targets == nullptr) {
      reader_.add(format, kAnyLinear);
      return;
    }
    ModuleKinds kinds = 0;
    for (const json::Value& target : *targets) {
      if (!target.is_string()) {
        group_.fail("bad_value", "targets", "targets must hold module names or patterns only.");
        return;
      }
      const std::string_view name = target.get_ref<const std::string&>();
      const bool class_name = name.find_first_of(".:*") == std::string_view::npos;
      if (class_name && name.ends_with("Linear")) {
        // The head is a Linear too. Writers always list what they ignored, so a config without the
        // list was cut short and says nothing of the head.
        kinds |= kAnyLinear;
        if (reader_.fields.has("ignore")) {
          kinds |= kinds_of(ModuleKind::lm_head);
        }
      } else if (class_name && name.ends_with("Embedding")) {
        kinds |= kinds_of(ModuleKind::embedding);
      } else {
        reader_.assign(group_, "targets", name, format);
      }
    }
    if (kinds != 0) {
      reader_.add(format, kinds);
    }
  }

  WeightFormat read_format(json::Fields& weights) {
    WeightFormat out;
    out.bits = static_cast<std::uint32_t>(weights.whole_or({"num_bits"}, {1, 16}, 4));
    out.symmetric = weights.boolean_or({"symmetric"}, true);
    out.static_activation = activations_ && static_inputs();
    out.scale_bytes = weights.text({"scale_dtype"}).value_or("").ends_with("float32") ? 4 : 2;
    out.activation_order = ordered(weights);
    const bool floating = weights.text({"type"}).value_or("int") == "float";
    if (container_ == "dense" || out.bits == 16) {
      return {};
    }
    if (container_.starts_with("nvfp4") || container_.starts_with("mxfp4") ||
        container_.starts_with("mxfp8")) {
      return microscaled(container_);
    }
    if (container_.starts_with("sparse")) {
      refuse(weights, out, floating);
    } else if (container_ == "marlin-24") {
      out.packing = Packing::marlin_24;
      out.group_size = size_of_group(weights);
    } else if (floating) {
      float_format(weights, out);
    } else if (container_ == "pack-quantized" || (!activations_ && !bytewise())) {
      out.packing = Packing::packed_int;
      out.group_size = size_of_group(weights);
    } else {
      // int-quantized and naive-quantized keep narrower integers in whole bytes.
      out.bits = 8;
      by_strategy(weights, out, Packing::int8_tensor, Packing::int8_channel, Packing::int8_block);
    }
    if (!floating && (out.bits < 2 || out.bits > 8)) {
      refuse(weights, out, floating);
    }
    return out;
  }

  void float_format(json::Fields& weights, WeightFormat& out) {
    out.activation_order = false;
    out.symmetric = true;
    if (out.bits == 8) {
      by_strategy(weights, out, Packing::fp8_tensor, Packing::fp8_channel, Packing::fp8_block);
    } else if (out.bits == 4 && !bytewise()) {
      // A mixed-precision config whose group leaves its format out: the group size tells.
      out = microscaled(size_of_group(weights) == 32 ? "mxfp4" : "nvfp4");
    } else {
      refuse(weights, out, true);
    }
  }

  [[nodiscard]] WeightFormat microscaled(std::string_view container) const {
    if (container.starts_with("mxfp8")) {
      return make_format(Packing::mxfp8, 8, 32);
    }
    if (container.starts_with("mxfp4")) {
      return make_format(Packing::mxfp4, 4, 32);
    }
    WeightFormat out = make_format(Packing::nvfp4, 4, 16);
    out.tensor_scales = activations_ ? 2 : 1;
    return out;
  }

  static void by_strategy(json::Fields& weights, WeightFormat& out, Packing tensor, Packing channel,
                          Packing block) {
    const std::string_view strategy = weights.text({"strategy"}).value_or("");
    const std::uint32_t group = size_of_group(weights);
    if (strategy == "block") {
      out.packing = block;
      out.block_rows = 128;
      out.block_cols = 128;
      SchemeReader::block(weights, "block_structure", out);
    } else if (strategy == "channel") {
      out.packing = channel;
    } else if (strategy == "group" || (strategy.empty() && group != 0)) {
      out.packing = block;
      out.block_rows = 1;
      out.block_cols = group == 0 ? 128 : group;
    } else {
      out.packing = tensor;
    }
  }

  static std::uint32_t size_of_group(json::Fields& weights) {
    const std::string_view strategy = weights.text({"strategy"}).value_or("");
    const std::uint32_t fallback = strategy == "group" || strategy == "tensor_group" ? 128 : 0;
    return weights.has("group_size") ? SchemeReader::group_size(weights, {"group_size"}, 128)
                                     : fallback;
  }

  static bool ordered(json::Fields& weights) {
    const json::Value* order = weights.find("actorder");
    if (order == nullptr || !order->is_string()) {
      return order != nullptr && order->is_boolean() && order->get<bool>();
    }
    const std::string_view name = order->get_ref<const std::string&>();
    return name == "group" || name == "dynamic";
  }

  bool static_inputs() {
    auto inputs = group_.object("input_activations");
    if (!inputs) {
      return false;
    }
    const json::Value* dynamic = inputs->find("dynamic");
    return dynamic == nullptr || (dynamic->is_boolean() && !dynamic->get<bool>());
  }

  [[nodiscard]] bool bytewise() const {
    return container_ == "int-quantized" || container_ == "naive-quantized" ||
           container_ == "float-quantized";
  }

  void refuse(json::Fields& weights, const WeightFormat& format, bool floating) const {
    SchemeReader::refuse(
        weights, "num_bits",
        worded({"compressed-tensors weights of ", format.bits, "-bit ",
                (floating ? "float" : "int"), " in the format \"", json::excerpt(container_, 40),
                "\" are not sized by this version."}));
  }

  SchemeReader& reader_;
  json::Fields& group_;
  std::string container_;
  bool activations_ = false;
};

bool known_container(std::string_view format) {
  constexpr std::string_view kKnown[] = {
      "",          "dense",          "int-quantized",  "naive-quantized", "float-quantized",
      "marlin-24", "pack-quantized", "mixed-precision"};
  return std::find(std::begin(kKnown), std::end(kKnown), format) != std::end(kKnown) ||
         format.starts_with("nvfp4") || format.starts_with("mxfp4") ||
         format.starts_with("mxfp8") || format.starts_with("sparse");
}

/// A bitmask format keeps only what is not zero, and no config says how much that is.
void refuse_sparsity(json::Fields& fields) {
  auto sparsity = fields.object("sparsity_config");
  if (!sparsity) {
    return;
  }
  const std::string_view format = sparsity->text({"format"}).value_or("dense");
  if (format != "dense") {
    SchemeReader::refuse(
        *sparsity, "format",
        worded({"compressed-tensors' sparse format \"", json::excerpt(format, 40),
                "\" leaves the zeros out of the file, and how many there are does not "
                "stand in the config."}));
  }
  fields.adopt(*sparsity);
}

}  // namespace

void read_compressed_tensors(SchemeReader& reader) {
  json::Fields& fields = reader.fields;
  refuse_sparsity(fields);
  reader.kv_cache_scheme();
  auto groups = fields.object("config_groups");
  if (fields.text({"format"}).value_or("") == "dense" && (!groups || groups->raw().empty())) {
    return;  // sparse only in name: all weights are there, in 16 bits
  }
  if (!groups || groups->raw().empty()) {
    fields.fail("bad_value", "config_groups",
                "config_groups is missing or empty, so the weight format is unknown.");
    return;
  }
  const std::string top_format(fields.text({"format"}).value_or(""));
  if (!known_container(top_format)) {
    SchemeReader::refuse(fields, "format",
                         worded({"compressed-tensors' format \"", json::excerpt(top_format, 40),
                                 "\" is not known to this version."}));
    return;
  }
  for (const auto& item : groups->raw().items()) {
    auto group = groups->object(item.key());
    if (group) {
      GroupReader(reader, *group, std::string(group->text({"format"}).value_or(top_format))).read();
      groups->adopt(*group);
    }
    if (groups->error()) {
      break;
    }
  }
  fields.adopt(*groups);
  reader.ignore_all("ignore");
}

}  // namespace ridgepoint::precision
