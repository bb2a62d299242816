#include "model/layer_tensors.hpp"

namespace ridgepoint::model {
namespace {

/// Lists one mixer's tensors; `block` and hidden size are the same for all of them.
class StateTensors {
 public:
  StateTensors(const LayerRun& run, const State& state)
      : run_(run), s_(state), block_(run.spec.names.state), hidden_(run.spec.hidden_size) {}

  void list() const {
    switch (s_.kind) {
      case StateKind::none:
        break;
      case StateKind::mamba1:
        mamba1();
        break;
      case StateKind::mamba2:
        mamba2();
        break;
      case StateKind::gated_delta:
        gated_delta();
        break;
      case StateKind::kda:
        kda();
        break;
      case StateKind::short_conv:
        short_conv();
        break;
      case StateKind::linear:
        linear();
        break;
    }
  }

 private:
  void matrix(Split split, std::string_view module, std::uint64_t rows, std::uint64_t cols) const {
    run_.matrix(Part::state_mixer, split, block_, module, rows, cols);
  }

  void values(Split split, std::uint64_t count) const {
    run_.values(Part::state_mixer, split, count);
  }

  /// Rows by group, of which every rank has at least one.
  void grouped(std::string_view module, std::uint64_t rows, std::uint64_t cols,
               bool is_matrix) const {
    Tensor tensor = model::matrix(Part::state_mixer, Split::key_value, module, rows, cols);
    tensor.matrix = is_matrix;
    tensor.block = block_;
    tensor.heads = s_.groups;
    run_.push(tensor);
  }

  void in_and_out_bias(std::uint64_t in) const {
    if (s_.projection_bias) {
      values(Split::column, in);
      values(Split::replicated, hidden_);
    }
  }

  void mamba1() const {
    const std::uint64_t inner = s_.inner_size;
    matrix(Split::column, "in_proj", 2 * inner, hidden_);
    values(Split::column, inner * s_.conv_kernel + (s_.conv_bias ? inner : 0));
    matrix(Split::row, "x_proj", s_.dt_rank + 2 * s_.state_size, inner);
    matrix(Split::column, "dt_proj", inner, s_.dt_rank);
    values(Split::column, inner);                  // dt_proj.bias
    values(Split::column, inner * s_.state_size);  // A_log
    values(Split::column, inner);                  // D
    matrix(Split::row, "out_proj", hidden_, inner);
    in_and_out_bias(2 * inner);
  }

  /// One projection makes gate, x, B, C and dt; B and C belong to groups.
  void mamba2() const {
    const std::uint64_t inner = s_.inner_size;
    const std::uint64_t bc = 2 * s_.groups * s_.state_size;
    matrix(Split::column, "in_proj", 2 * inner + s_.heads, hidden_);
    grouped("in_proj", bc, hidden_, true);
    values(Split::column, inner * s_.conv_kernel);
    grouped("conv1d", bc, s_.conv_kernel, false);
    if (s_.conv_bias) {
      values(Split::column, inner);
      grouped("conv1d", bc, 1, false);
    }
    values(Split::column, 3 * s_.heads);  // A_log, D, dt_bias
    if (s_.inner_norm) {
      values(Split::column, inner);
    }
    matrix(Split::row, "out_proj", hidden_, inner);
    in_and_out_bias(2 * inner + bc + s_.heads);
  }

  void gated_delta() const {
    const std::uint64_t keys = s_.key_heads * s_.key_head_dim;
    const std::uint64_t values_width = s_.heads * s_.head_dim;
    if (s_.split_inputs) {
      matrix(Split::column, "in_proj_qkv", 2 * keys + values_width, hidden_);
      matrix(Split::column, "in_proj_z", values_width, hidden_);
      matrix(Split::column, "in_proj_b", s_.heads, hidden_);
      matrix(Split::column, "in_proj_a", s_.heads, hidden_);
    } else {
      matrix(Split::column, "in_proj_qkvz", 2 * keys + 2 * values_width, hidden_);
      matrix(Split::column, "in_proj_ba", 2 * s_.heads, hidden_);
    }
    values(Split::column, (2 * keys + values_width) * s_.conv_kernel);
    values(Split::column, 2 * s_.heads);     // A_log, dt_bias
    values(Split::replicated, s_.head_dim);  // norm
    matrix(Split::row, "out_proj", hidden_, values_width);
  }

  /// Kimi delta attention: the decay and the output gate each pass a bottleneck of one head.
  void kda() const {
    const std::uint64_t width = s_.heads * s_.head_dim;
    const std::uint64_t keys = s_.key_heads * s_.key_head_dim;
    matrix(Split::column, "q_proj", keys, hidden_);
    matrix(Split::column, "k_proj", keys, hidden_);
    matrix(Split::column, "v_proj", width, hidden_);
    values(Split::column, (2 * keys + width) * s_.conv_kernel);
    if (s_.full_rank_decay) {
      matrix(Split::column, "f_proj", width, hidden_);
    } else {
      matrix(Split::replicated, "f_a_proj", s_.head_dim, hidden_);
      matrix(Split::column, "f_b_proj", width, s_.head_dim);
    }
    matrix(Split::column, "b_proj", s_.heads, hidden_);
    if (s_.full_rank_gate) {
      matrix(Split::column, "g_proj", width, hidden_);
    } else {
      matrix(Split::replicated, "g_a_proj", s_.head_dim, hidden_);
      matrix(Split::column, "g_b_proj", width, s_.head_dim);
    }
    values(Split::column, s_.heads + width);  // A_log, dt_bias
    values(Split::replicated, s_.head_dim);   // o_norm
    matrix(Split::row, "o_proj", hidden_, width);
  }

  void short_conv() const {
    const std::uint64_t inner = s_.inner_size;
    matrix(Split::column, "in_proj", 3 * inner, hidden_);
    values(Split::column, inner * s_.conv_kernel + (s_.conv_bias ? inner : 0));
    matrix(Split::row, "out_proj", hidden_, inner);
    in_and_out_bias(3 * inner);
  }

  /// Lightning attention: queries, keys, values, an output gate of the same width, its norm.
  void linear() const {
    const std::uint64_t width = s_.heads * s_.head_dim;
    matrix(Split::column, "qkv_proj", 3 * width, hidden_);
    matrix(Split::column, "output_gate", width, hidden_);
    values(Split::column, width);
    matrix(Split::row, "out_proj", hidden_, width);
  }

  const LayerRun& run_;
  const State& s_;
  std::string_view block_;
  std::uint64_t hidden_;
};

}  // namespace

void list_state(const LayerRun& run, const State& state) {
  if (!state.weights_apart) {
    StateTensors(run, state).list();
  }
}

}  // namespace ridgepoint::model
