#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "command/shell_words.hpp"
#include "json/fields.hpp"

namespace ridgepoint::command {

/// What a container starts and with what.
struct Container {
  std::string name;  ///< of the service or container; empty: it has none
  std::string image;
  bool own_entrypoint = false;     ///< the image's own program does not start
  std::vector<std::string> words;  ///< entrypoint, command and arguments
  std::vector<Assignment> env;
  std::optional<std::uint64_t> gpus;    ///< how many it may use; absent: not said, or all
  std::string gpus_said_by;             ///< "--gpus", "deploy.resources", "nvidia.com/gpu"
  std::string gpu_product;              ///< the card a node selector asks for; empty: none
  std::vector<std::string> unresolved;  ///< variables that are set nowhere
  std::set<std::string> put_in;         ///< variables whose value stands in some word
  std::vector<std::string> notes;
};

/// Files that come with a manifest: name and text (a ConfigMap's data).
using Files = std::vector<std::pair<std::string, std::string>>;

/// `docker run` and its kin: `words` are those behind `run`. Variables give `-e NAME` its value.
/// Empty when there is no image.
std::optional<Container> read_docker_run(std::span<const std::string> words,
                                         const Variables& variables);

/// The services of a compose file, by name; `${NAME:-default}` is put in from `variables`.
std::vector<Container> read_compose(const json::Value& document, const Variables& variables);

/// Files whose text a compose file holds (`configs` with a `content`), by the names under which the
/// services see them.
Files compose_files(const json::Value& document, const Variables& variables);

/// The containers of a Kubernetes document of any kind that holds some (Pod, Deployment,
/// StatefulSet, Job, List, LeaderWorkerSet, InferenceService …), init containers left out.
std::vector<Container> read_kubernetes(const json::Value& document);

/// A ConfigMap's data; empty for another kind of document.
Files config_map_files(const json::Value& document);

/// How many GPUs "0,1", "GPU-1234…,GPU-5678…" names; empty for "all", "" and a lone number below
/// zero, which switch nothing or everything on.
std::optional<std::uint64_t> visible_devices(std::string_view text);

}  // namespace ridgepoint::command
