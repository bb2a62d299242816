#include "model/tensors.hpp"

#include "model/layer_tensors.hpp"

namespace ridgepoint::model {
namespace {

using precision::ModuleKind;

Tensor vocabulary_matrix(const ModelSpec& spec, Part part, ModuleKind kind,
                         std::string_view module) {
  const std::uint64_t width = spec.embedding_size == 0 ? spec.hidden_size : spec.embedding_size;
  Tensor tensor = matrix(part, Split::vocabulary, module, spec.vocab_size, width);
  tensor.kind = kind;
  return tensor;
}

void list_mtp(const ModelSpec& spec, std::vector<Tensor>& out) {
  const Mtp& mtp = spec.mtp;
  for (std::size_t i = 0; i < mtp.layers.size(); ++i) {
    list_layer({spec, mtp.layers[i], spec.layers.size() + i, 1, true, out});
  }
  if (mtp.modules == 0) {
    return;
  }
  const auto push = [&](Tensor tensor) {
    tensor.part = Part::mtp;
    tensor.copies = mtp.modules;
    out.push_back(tensor);
  };
  if (mtp.copies_embedding) {
    push(vocabulary_matrix(spec, Part::mtp, ModuleKind::embedding, "embed_tokens"));
  }
  if (mtp.copies_lm_head) {
    push(vocabulary_matrix(spec, Part::mtp, ModuleKind::lm_head, "shared_head.head"));
  }
  Tensor join =
      matrix(Part::mtp, Split::replicated, "eh_proj", spec.hidden_size, 2 * spec.hidden_size);
  join.kind = ModuleKind::router;
  push(join);
  push(values(Part::mtp, "enorm", mtp.join_norms * spec.hidden_size));
}

}  // namespace

std::string_view part_name(Part part) {
  constexpr std::string_view kNames[kParts] = {"embedding",      "per_layer_embedding",
                                               "lm_head",        "attention",
                                               "state_mixer",    "dense_ffn",
                                               "router",         "experts",
                                               "shared_experts", "norms",
                                               "encoder",        "vision",
                                               "audio",          "mtp"};
  return kNames[static_cast<std::size_t>(part)];
}

std::vector<Tensor> tensors(const ModelSpec& spec) {
  std::vector<Tensor> out;
  out.reserve(48);
  out.push_back(
      vocabulary_matrix(spec, Part::embedding, ModuleKind::embedding, "model.embed_tokens"));
  for (std::size_t first = 0; first < spec.layers.size();) {
    std::size_t end = first + 1;
    while (end < spec.layers.size() && spec.layers[end] == spec.layers[first]) {
      ++end;
    }
    list_layer({spec, spec.layers[first], first, end - first, false, out});
    first = end;
  }
  if (spec.final_norms != 0) {
    out.push_back(values(Part::norms, "model.norm", spec.final_norms * spec.hidden_size));
  }
  if (spec.lm_head && !spec.tie_word_embeddings) {
    out.push_back(vocabulary_matrix(spec, Part::lm_head, ModuleKind::lm_head, "lm_head"));
  }
  if (spec.lm_head && spec.lm_head_bias) {
    out.push_back(values(Part::lm_head, "lm_head", spec.vocab_size, Split::vocabulary));
  }
  out.insert(out.end(), spec.extra.begin(), spec.extra.end());
  list_mtp(spec, out);
  return out;
}

ParameterCounts count_parameters(const std::vector<Tensor>& list) {
  ParameterCounts counts;
  for (const Tensor& tensor : list) {
    const std::uint64_t elements = tensor.elements();
    const std::uint64_t active =
        tensor.chosen == 0 ? elements : elements / tensor.copies * tensor.chosen;
    const auto part = static_cast<std::size_t>(tensor.part);
    counts.by_part[part] += elements;
    if (tensor.part == Part::mtp) {
      counts.mtp += elements;
      continue;
    }
    counts.active_by_part[part] += active;
    counts.total += elements;
    counts.active += active;
  }
  return counts;
}

}  // namespace ridgepoint::model
