#pragma once

#include <cstdint>
#include <vector>

#include "speed/roof.hpp"
#include "speed/setup.hpp"

namespace ridgepoint::speed {

/// Equal matrix products of one rank in one step.
struct Product {
  double count = 0;         ///< launches a step
  double weight_bytes = 0;  ///< read once a launch
  double token_bytes = 0;   ///< of inputs and outputs, each token
  double token_flops = 0;   ///< multiply and add counted as two
  Peak peak;
  bool cast = false;  ///< its inputs are cast to fewer than 16 bits first

  [[nodiscard]] double seconds(double tokens, const Kernels& kernels, double bandwidth) const;
};

/// Equal layers of experts of one rank.
struct Mixture {
  double count = 0;  ///< layers
  double experts = 0;
  double chosen_share = 0;  ///< of the experts, by each token
  std::uint64_t local = 0;  ///< experts of the busiest rank
  double expert_bytes = 0;  ///< of one expert's share on one rank
  double fixed_bytes = 0;   ///< of the router
  double pair_bytes = 0;    ///< inputs and outputs of one token in one expert
  double pair_flops = 0;    ///< of one token in one expert
  bool unpacked = false;    ///< its weights are unpacked into 16 bits on the way
  double pairs = 0;         ///< token-expert pairs on the busiest rank, each token of the layer
  Peak peak;

  /// Of one layer: bytes of the experts that are touched and the router, and seconds of arithmetic.
  [[nodiscard]] double weight_bytes(std::uint64_t tokens) const;
  [[nodiscard]] double compute_s(std::uint64_t tokens, const Kernels& kernels) const;

  /// Of all layers; `tokens` of all groups that share the experts, here and above.
  [[nodiscard]] double seconds(std::uint64_t tokens, const Kernels& kernels,
                               double bandwidth) const;
};

/// Experts that `tokens` tokens touch of `local` ones, each choosing a share on its own.
double touched_experts(double local, double share, std::uint64_t tokens);

/// What one rank of each stage multiplies in a step, all stages together.
struct Products {
  std::vector<Product> linear;  ///< of every token: attention, states, dense layers
  std::vector<Product> shared;  ///< shared experts
  std::vector<Mixture> mixtures;
  Product head;                  ///< of every sampled token; count 0: no head
  double reduced_layers = 0;     ///< outputs that ranks of `tensor` add up
  double reduced_dense = 0;      ///< … and ranks of dense layers and experts
  double elementwise_bytes = 0;  ///< of one token through all layers
  double layers = 0;
};

/// Products as engines launch them: q, k, v as one, gate and up as one. `weight_scale` is what the
/// bytes of weights are multiplied by. Weights of towers, encoders and prediction layers are not
/// read by decoder steps and not in it.
Products list_products(const Setup& setup, const Kernels& kernels, double weight_scale);

/// The bytes of all weights of the model, in the formats that list_products takes.
double whole_weight_bytes(const Setup& setup);

}  // namespace ridgepoint::speed
