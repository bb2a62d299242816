#include "model/catalogue.hpp"

#include <algorithm>
#include <vector>

#include "table_text.hpp"

namespace ridgepoint::model {
namespace {

#include "tables/models.inc"

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same(std::string_view left, std::string_view right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

std::vector<ModelFacts> read_models(std::string_view table) {
  std::vector<ModelFacts> models;
  for (TableText fields(table); !fields.done();) {
    ModelFacts& model = models.emplace_back();
    model.id = fields.text();
    model.config = fields.text();
    model.parameters = fields.number();
    model.source = fields.text();
  }
  return models;
}

std::string_view after_slash(std::string_view id) {
  const std::size_t slash = id.rfind('/');
  return slash == std::string_view::npos ? id : id.substr(slash + 1);
}

}  // namespace

std::span<const ModelFacts> catalogue() {
  static const std::vector<ModelFacts> kFacts = read_models(kModels);
  return kFacts;
}

const ModelFacts* find_model(std::string_view id) {
  const bool short_name = id.find('/') == std::string_view::npos;
  const ModelFacts* found = nullptr;
  for (const ModelFacts& model : catalogue()) {
    if (same(model.id, id)) return &model;
    if (!short_name || !same(after_slash(model.id), id)) continue;
    if (found != nullptr) return nullptr;
    found = &model;
  }
  return found;
}

}  // namespace ridgepoint::model
