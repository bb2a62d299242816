#include "model/catalogue.hpp"

#include <algorithm>

namespace ridgepoint::model {
namespace {

#include "tables/models.inc"

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same(std::string_view left, std::string_view right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

std::string_view after_slash(std::string_view id) {
  const std::size_t slash = id.rfind('/');
  return slash == std::string_view::npos ? id : id.substr(slash + 1);
}

}  // namespace

std::span<const ModelFacts> catalogue() { return kModels; }

const ModelFacts* find_model(std::string_view id) {
  const bool short_name = id.find('/') == std::string_view::npos;
  const ModelFacts* found = nullptr;
  for (const ModelFacts& model : kModels) {
    if (same(model.id, id)) return &model;
    if (!short_name || !same(after_slash(model.id), id)) continue;
    if (found != nullptr) return nullptr;
    found = &model;
  }
  return found;
}

}  // namespace ridgepoint::model
