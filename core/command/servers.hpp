#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/engine.hpp"

namespace ridgepoint::command {

/// How an engine's server is reached and where its image keeps things; core/data/images.json.
struct ServerFacts {
  std::string_view engine;
  std::uint32_t port;             ///< it listens on when none is given
  std::string_view health;        ///< path that answers once it serves
  std::string_view workdir;       ///< of its image
  std::string_view caches;        ///< folders of ~/.cache that hold downloaded weights, by spaces
  bool local_host;                ///< listens to its own machine only, unless --host says otherwise
  bool shared_memory;             ///< its processes talk through /dev/shm
  bool ulimits;                   ///< wants its memory locked and a large stack
  std::string_view negatives;     ///< switches with a `--no-` form; empty: all or none have one
  std::string_view command_line;  ///< flags of its command, the rest being options of a file;
                                  ///< empty: all are
  std::string_view not_served;    ///< flags of other programs than the server
};

/// An image of some versions of an engine. `{version}` stands for the version in texts.
struct ImageFacts {
  std::string_view engine;
  std::string_view vendor;
  std::string_view architecture;  ///< of cards; empty: all of the vendor's
  std::string_view image;
  std::uint32_t since;          ///< as FlagFacts numbers versions; 0: always
  std::uint32_t until;          ///< 0: still
  std::string_view program;     ///< words to start inside; empty: the entrypoint does
  std::string_view model_flag;  ///< what the entrypoint calls the model; empty: as the engine does
  std::string_view note;
};

/// Whether a list of words divided by spaces holds this one.
bool has_word(std::string_view list, std::string_view word);

const ServerFacts& server_facts(const engine::Engine& engine);

/// An image with the version put in.
struct ServerImage {
  const ImageFacts* facts = nullptr;
  std::string name;     ///< "vllm/vllm-openai:v0.28.0"
  std::string version;  ///< in its name; empty: its name does not tell
  std::string note;     ///< what is to be known of it; empty: nothing
};

/// The image of a version as engine::MemoryPlan tells it. A card of unknown vendor counts as
/// NVIDIA's. A development build has none: the release it comes before or after is taken, which the
/// note says. Error `not_supported` (gpu.id): there is no image for such cards, as for a Mac's.
Result<ServerImage> image_for(const engine::Engine& engine, const hardware::Device& device,
                              std::string_view version);

/// A version as FlagFacts numbers them (vLLM 0.28.0: 28, SGLang 0.5.17: 5017, TensorRT-LLM 1.2.0:
/// 1002, llama.cpp b6300: 6300); 0 when it is none.
std::uint32_t version_number(const engine::Engine& engine, std::string_view version);

}  // namespace ridgepoint::command
