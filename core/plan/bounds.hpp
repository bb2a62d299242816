#pragma once

#include <cstdint>
#include <vector>

#include "plan/layouts.hpp"
#include "plan/weight_choice.hpp"

namespace ridgepoint::plan {

/// The least bytes that a load takes of all cards together, whatever the engine adds: what lets a
/// search pass over setups without an estimate of them. Proof, for a plan that starts:
/// - Every engine's plan has weights + cache <= memory on each card (vLLM: what it requests;
/// SGLang:
///   what is free before the weights; TensorRT-LLM: the card; llama.cpp: what is free), so that it
///   holds for the sums over the cards of one deployment.
/// - Cutting a matrix over ranks never makes the sum of the pieces smaller: rows, columns, groups
///   and vocabularies are rounded up (weights::loaded_bytes). Key and value matrices, whose heads
///   may be rounded down, towers, which flags may leave out, and on llama.cpp the table of tokens,
///   which stays with the processor, are not counted. Each replica has all but the experts.
/// - n requests of c tokens hold at least n x c x the bytes of a token in the layers that keep
///   every token; heads that ranks copy, windows, states and whole blocks only add to it.
/// Both hold for requests whose flags are none but `free_to_bound` knows, and nothing measured.
class LeastBytes {
 public:
  /// `model` is the request's with the weight format put in; `online_fp8`: a flag makes FP8 of it.
  LeastBytes(const Request& request, const model::ModelSpec& model,
             const std::vector<model::Tensor>& tensors, const FormatChoice& weights);

  /// Of a layout with `requests` requests of `context` tokens cached as `kv`.
  [[nodiscard]] std::uint64_t of(const Layout& layout, const FormatChoice& kv,
                                 std::uint64_t context, std::uint64_t requests) const;

 private:
  [[nodiscard]] std::uint64_t token_bytes(const FormatChoice& kv) const;

  bool holds_ = false;
  std::uint64_t experts_ = 0;
  std::uint64_t others_ = 0;
  std::uint64_t token_as_chosen_ = 0;
  std::uint64_t token_small_ = 0;
};

/// Whether the request's own flags leave the proof of LeastBytes, and of a search's other rules, as
/// it is: the length, memory share, batch limits and graphs do.
bool free_to_bound(const Request& request);

/// The most that the engine takes of one card when its memory share is raised to `share`.
std::uint64_t most_bytes(const Request& request, const hardware::Device& device, double share);

}  // namespace ridgepoint::plan
