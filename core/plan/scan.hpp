#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plan/axes.hpp"
#include "plan/limiting.hpp"

namespace ridgepoint::plan {

inline constexpr std::size_t kMostCells = 1024;

/// What a scan says of one point of its grid.
struct Cell {
  std::vector<std::size_t> at;  ///< the point on each axis
  Change change;                ///< of the request, that leads here
  std::optional<Error> error;   ///< the engine's own; what follows is then empty
  bool serves = false;
  engine::Limit limit = engine::Limit::none;
  LimitingTerm limiting;
  Count max_requests;
  std::optional<bool> enough;  ///< whether workload.concurrency, where given, is served at once
  std::uint64_t naive_requests = 0;
  std::uint64_t max_context = 0;
  Count tokens;
  Bytes kv_pool;
  speed::ClosedForms speed;
};

struct Scan {
  std::vector<Axis> axes;
  std::vector<Cell> cells;         ///< the last axis running fastest
  std::vector<std::string> notes;  ///< what of the request holds an axis still
};

/// The request over one or two axes. Each cell is what plan::fit says of the request with the
/// cell's change. Errors: those of make_axis, and `too_many_cells` (axes) beyond kMostCells.
Result<Scan> scan(const Request& request, const std::vector<AxisRequest>& axes);

}  // namespace ridgepoint::plan
