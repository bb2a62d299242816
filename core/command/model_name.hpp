#pragma once

#include <string>
#include <string_view>

namespace ridgepoint::command {

/// What a command says of the model, as a request's model.id.
struct ModelName {
  std::string id;    ///< empty: it cannot be told
  std::string note;  ///< where the id is not what is written: why; empty: it is
};

/// A Hugging Face id stays as it is (without a GGUF's `:Q4_K_M`). Of a path the last part is taken,
/// of a download folder of the Hub the id it is named after; of a GGUF file or repository the name
/// without its quantisation. Where the built-in catalogue has exactly one model of that name, its
/// id is given.
ModelName read_model_name(std::string_view text);

}  // namespace ridgepoint::command
