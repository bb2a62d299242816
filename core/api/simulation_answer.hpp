#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/schedule.hpp"
#include "json/writer.hpp"
#include "simulate/outcome.hpp"
#include "simulate/simulation.hpp"

namespace ridgepoint::api {

/// What the answer to a simulation says beside what was simulated.
struct SimulationAnswer {
  std::string id;
  std::string_view engine;
  std::string version;
  engine::Scheduler scheduler = engine::Scheduler::vllm_v1;
  std::string gpu;
  std::uint64_t gpus = 1;
  std::uint64_t longest = 0;  ///< request that the load may have (load::longest_request)
  std::array<double, 2> ttft_band = {1, 1};  ///< factors of the figures, low and high
  std::array<double, 2> tpot_band = {1, 1};
  std::string_view basis;  ///< of the bands: "measured", "literature", "assumed"
  std::optional<double> mfu;
  std::optional<double> mbu;
  std::string_view limit;  ///< "load", "compute", "bandwidth" …
  std::string limit_text;
  std::optional<double> cost_per_million_output_tokens;
  std::optional<double> price_per_hour;
  std::optional<std::string_view>
      currency;  ///< of a list price; of one that was given it is not known
  std::vector<std::string> assumptions;
};

/// "vllm_v1", "sglang" …
std::string_view scheduler_name(engine::Scheduler scheduler);

/// The answer of the contract as JSON text.
std::string write_simulation(const SimulationAnswer& answer, const simulate::Outcome& outcome);

/// `{"done","share","finished","asked","time_s","steps","running","waiting","kv_share","note"}`;
/// `note` says what is tried, where a question tries several things.
std::string write_progress(const simulate::Progress& progress, std::string_view note);

/// A member of `{"mean","p50","p90","p95","p99","max","count"}`.
void write_distribution(json::Writer& out, std::string_view name,
                        const simulate::Distribution& distribution);

/// The member `bands`, by which figures may be off.
void write_bands(json::Writer& out, const std::array<double, 2>& ttft,
                 const std::array<double, 2>& tpot, std::string_view basis);

}  // namespace ridgepoint::api
