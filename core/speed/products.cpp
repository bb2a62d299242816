#include "speed/products.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "arithmetic.hpp"
#include "weights/weights.hpp"
#include "wording.hpp"

namespace ridgepoint::speed {
namespace {

using model::Part;
using model::Split;
using model::Tensor;
using precision::WeightFormat;

/// Tokens by which an expert's part is filled up to whole tiles, in the mean.
constexpr double kTile = 16;
/// Bytes of activations between products.
constexpr double kActivation = 2;

double real(std::uint64_t n) { return static_cast<double>(n); }

/// Whether decoder steps multiply by it for every token.
bool multiplies(const Tensor& tensor) {
  switch (tensor.part) {
    case Part::attention:
    case Part::state_mixer:
    case Part::dense_ffn:
    case Part::shared_experts:
      return tensor.matrix && (tensor.layers == 0 || tensor.in_decoder());
    default:
      return false;
  }
}

std::string name_of(const model::ModelSpec& spec, const Tensor& tensor, std::uint64_t layer) {
  if (!spec.quantization.reads_names()) {
    return {};
  }
  if (tensor.layers == 0) {
    return std::string(tensor.module);
  }
  std::string name(tensor.prefix.empty() ? spec.names.layers : tensor.prefix);
  name += worded({layer, "."});
  name += tensor.block;
  name += tensor.module;
  return name;
}

/// A run of layers in which a tensor has one format.
struct Segment {
  std::uint64_t first = 0;
  std::uint64_t layers = 1;
  WeightFormat format;
};

/// Calls `use` for each run of layers of one format.
template <typename Use>
void for_each_segment(const model::ModelSpec& spec, const Tensor& tensor, Use use) {
  Segment segment{
      tensor.first_layer, std::max<std::uint64_t>(1, tensor.layers),
      spec.quantization.format_of(name_of(spec, tensor, tensor.first_layer), tensor.kind)};
  if (tensor.layers < 2 || !spec.quantization.by_name(tensor.kind)) {
    use(segment);
    return;
  }
  segment.layers = 1;
  const std::uint64_t end = tensor.first_layer + tensor.layers;
  for (std::uint64_t layer = tensor.first_layer + 1; layer < end; ++layer) {
    const WeightFormat format =
        spec.quantization.format_of(name_of(spec, tensor, layer), tensor.kind);
    if (format == segment.format) {
      ++segment.layers;
      continue;
    }
    use(segment);
    segment = {layer, 1, format};
  }
  use(segment);
}

/// A product while the tensors that are launched with it are gathered.
struct Open {
  const Tensor* tensor = nullptr;
  Segment segment;
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
  double weight_bytes = 0;
};

bool equal(const Product& a, const Product& b) {
  return a.cast == b.cast && a.weight_bytes == b.weight_bytes && a.token_bytes == b.token_bytes &&
         a.token_flops == b.token_flops && a.peak.flops == b.peak.flops &&
         a.peak.share == b.peak.share;
}

void add(std::vector<Product>& list, const Product& product) {
  const auto found = std::find_if(list.begin(), list.end(),
                                  [&](const Product& other) { return equal(other, product); });
  if (found != list.end()) {
    found->count += product.count;
  } else {
    list.push_back(product);
  }
}

class Lister {
 public:
  Lister(const Setup& setup, const Kernels& kernels, double weight_scale)
      : setup_(setup), kernels_(kernels), scale_(weight_scale) {}

  Products run() {
    out_.layers = real(setup_.model.layers.size());
    for (const Tensor& tensor : setup_.tensors) {
      if (multiplies(tensor)) {
        for_each_segment(setup_.model, tensor,
                         [&](const Segment& segment) { gather(tensor, segment); });
        count_reductions(tensor);
      } else if (tensor.part == Part::experts && tensor.matrix && tensor.in_decoder()) {
        for_each_segment(setup_.model, tensor,
                         [&](const Segment& segment) { gather_experts(tensor, segment); });
      }
    }
    flush();
    list_head();
    list_elementwise();
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::uint64_t ranks_of(const Tensor& tensor) const {
    return tensor.part == Part::dense_ffn || tensor.part == Part::shared_experts
               ? setup_.layout.dense_ranks()
               : setup_.layout.tensor;
  }

  [[nodiscard]] double bytes(const WeightFormat& format, std::uint64_t rows,
                             std::uint64_t cols) const {
    return scale_ * real(precision::loaded_bytes(format, setup_.dtype, rows, cols));
  }

  void gather(const Tensor& tensor, const Segment& segment) {
    const std::uint64_t ranks = ranks_of(tensor);
    std::uint64_t rows = tensor.rows;
    std::uint64_t cols = tensor.cols;
    if (tensor.split == Split::column) {
      rows = ceil_div(rows, ranks);
    } else if (tensor.split == Split::key_value) {
      rows = rows / tensor.heads * std::max<std::uint64_t>(1, tensor.heads / ranks);
    } else if (tensor.split == Split::row) {
      cols = ceil_div(cols, ranks);
    }
    const double weight_bytes = bytes(segment.format, rows, cols);
    // Products of one input are launched as one; outputs that ranks add up stand alone.
    const auto same_launch = [&](const Open& open) {
      return tensor.split != Split::row && open.tensor->split != Split::row &&
             open.tensor->part == tensor.part && open.tensor->block == tensor.block &&
             open.segment.first == segment.first && open.segment.layers == segment.layers &&
             open.segment.format == segment.format && open.cols == cols && tensor.layers != 0 &&
             open.tensor->first_layer == tensor.first_layer;
    };
    const auto found = std::find_if(open_.begin(), open_.end(), same_launch);
    if (found != open_.end()) {
      found->rows += rows;
      found->weight_bytes += weight_bytes;
    } else {
      open_.push_back({&tensor, segment, rows, cols, weight_bytes});
    }
  }

  void flush() {
    for (const Open& open : open_) {
      Product product;
      product.count = real(open.segment.layers);
      product.weight_bytes = open.weight_bytes;
      product.token_bytes = kActivation * real(open.rows + open.cols);
      product.token_flops = 2.0 * real(open.rows) * real(open.cols);
      const Math math = math_of(open.segment.format, setup_.device);
      product.peak = peak_of(math, setup_.device, kernels_);
      product.cast = math != Math::bits16;
      add(open.tensor->part == Part::shared_experts ? out_.shared : out_.linear, product);
    }
  }

  /// The tensors of one expert, which one layer's mixture reads together.
  void gather_experts(const Tensor& tensor, const Segment& segment) {
    const Layout& layout = setup_.layout;
    const bool outputs = tensor.split == Split::expert_row;
    const std::uint64_t rows = outputs ? tensor.rows : ceil_div(tensor.rows, layout.expert_split);
    const std::uint64_t cols = outputs ? ceil_div(tensor.cols, layout.expert_split) : tensor.cols;
    const auto same = [&](const Seen& seen) {
      return seen.first == segment.first && seen.layers == segment.layers;
    };
    auto found = std::find_if(seen_.begin(), seen_.end(), same);
    if (found == seen_.end()) {
      seen_.push_back({segment.first, segment.layers, out_.mixtures.size()});
      found = std::prev(seen_.end());
      Mixture mixture;
      mixture.count = real(segment.layers);
      mixture.experts = real(tensor.copies);
      const std::uint64_t chosen = tensor.chosen == 0 ? tensor.copies : tensor.chosen;
      mixture.chosen_share = real(chosen) / real(tensor.copies);
      mixture.local = ceil_div(tensor.copies, layout.expert_ranks);
      mixture.pairs = real(chosen) / real(layout.expert_ranks);
      mixture.fixed_bytes = kActivation * real(tensor.copies) * real(setup_.model.hidden_size);
      const Math math = math_of(segment.format, setup_.device);
      mixture.peak = peak_of(math, setup_.device, kernels_);
      mixture.unpacked =
          math == Math::bits16 && segment.format.packing != precision::Packing::plain;
      out_.mixtures.push_back(mixture);
    }
    Mixture& mixture = out_.mixtures[found->index];
    mixture.expert_bytes += bytes(segment.format, rows, cols);
    mixture.pair_bytes += kActivation * real(rows + cols);
    mixture.pair_flops += 2.0 * real(rows) * real(cols);
  }

  void count_reductions(const Tensor& tensor) {
    if (tensor.split != Split::row) {
      return;
    }
    if (tensor.part == Part::dense_ffn) {
      out_.reduced_dense += real(std::max<std::uint64_t>(1, tensor.layers));
    } else if (tensor.part != Part::shared_experts) {
      out_.reduced_layers += real(tensor.layers);
    }
  }

  void list_head() {
    const Tensor* head = nullptr;
    for (const Tensor& tensor : setup_.tensors) {
      const bool table = tensor.part == Part::lm_head && tensor.matrix;
      const bool tied = setup_.model.tie_word_embeddings && setup_.model.lm_head &&
                        tensor.part == Part::embedding && tensor.split == Split::vocabulary;
      if (table || (tied && head == nullptr)) {
        head = &tensor;
      }
    }
    if (head == nullptr || !setup_.model.lm_head) {
      return;
    }
    const std::uint64_t rows =
        weights::vocabulary_rows(head->rows, std::max<std::uint64_t>(1, setup_.layout.tensor));
    const WeightFormat format = setup_.model.quantization.format_of(head->module, head->kind);
    out_.head.count = 1;
    out_.head.weight_bytes = bytes(format, rows, head->cols);
    out_.head.token_bytes = kActivation * real(rows + head->cols);
    out_.head.token_flops = 2.0 * real(rows) * real(head->cols);
    out_.head.peak = peak_of(math_of(format, setup_.device), setup_.device, kernels_);
  }

  /// Norms, residuals, rotations, activations read and write each token some times over.
  void list_elementwise() {
    constexpr double kHiddenPasses = 16;
    constexpr double kInnerPasses = 6;
    const double hidden = real(setup_.model.hidden_size);
    for (const model::Layer& layer : setup_.model.layers) {
      const model::FeedForward& f = layer.feed_forward;
      const double inner = real(f.intermediate_size + f.shared_intermediate_size) /
                               real(setup_.layout.dense_ranks()) +
                           real(f.num_experts_per_tok * f.moe_intermediate_size) /
                               real(setup_.layout.expert_split * setup_.layout.expert_ranks);
      out_.elementwise_bytes += kHiddenPasses * hidden + kInnerPasses * inner;
    }
    for (const Mixture& mixture : out_.mixtures) {
      out_.reduced_dense += mixture.count;
    }
  }

  struct Seen {
    std::uint64_t first;
    std::uint64_t layers;
    std::size_t index;
  };

  const Setup& setup_;
  const Kernels& kernels_;
  double scale_;
  Products out_;
  std::vector<Open> open_;
  std::vector<Seen> seen_;
};

}  // namespace

double Product::seconds(double tokens, const Kernels& kernels, double bandwidth) const {
  const double memory = (weight_bytes + tokens * token_bytes) / (kernels.weight_share * bandwidth);
  const double compute = tokens * token_flops / peak.reached();
  return count * (kernels.launch_s + rounded_roof(memory, compute));
}

double touched_experts(double local, double share, std::uint64_t tokens) {
  double untouched = 1.0;
  double base = 1.0 - share;
  for (std::uint64_t n = tokens; n != 0; n >>= 1U) {
    if ((n & 1U) != 0) {
      untouched *= base;
    }
    base *= base;
  }
  return local * (1.0 - untouched);
}

double Mixture::weight_bytes(std::uint64_t tokens) const {
  return touched_experts(real(local), chosen_share, tokens) * expert_bytes + fixed_bytes;
}

double Mixture::compute_s(std::uint64_t tokens, const Kernels& kernels) const {
  const double filled = kTile * touched_experts(real(local), chosen_share, tokens);
  const double share = unpacked ? kernels.unpacked_mfu : kernels.expert_mfu;
  return (real(tokens) * pairs + filled) * pair_flops / (share * peak.reached());
}

double Mixture::seconds(std::uint64_t tokens, const Kernels& kernels, double bandwidth) const {
  const double memory = (weight_bytes(tokens) + real(tokens) * pairs * pair_bytes) /
                        (kernels.expert_share * bandwidth);
  return count * (kernels.experts_launch_s + rounded_roof(memory, compute_s(tokens, kernels)));
}

Products list_products(const Setup& setup, const Kernels& kernels, double weight_scale) {
  return Lister(setup, kernels, weight_scale).run();
}

double whole_weight_bytes(const Setup& setup) {
  weights::Shard shard;
  shard.end_layer = setup.model.layers.size();
  return static_cast<double>(
      weights::loaded_bytes(setup.model, setup.tensors, shard, setup.dtype).total);
}

}  // namespace ridgepoint::speed
