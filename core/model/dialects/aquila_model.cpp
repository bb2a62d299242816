#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::aquila_model {
namespace {

constexpr std::string_view kArchitectures[] = {"AquilaModel"};
/// A language model with its head, despite the name (vLLM models/registry.py, until 0.24).
constexpr DecoderProfile kProfile;

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, {}, nullptr, &kProfile};

}  // namespace ridgepoint::model::aquila_model
