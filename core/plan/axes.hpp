#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "plan/change.hpp"

namespace ridgepoint::plan {

/// What a scan may go over.
enum class AxisKind : std::uint8_t {
  context,         ///< tokens of one request
  concurrency,     ///< requests at once that are asked for
  count,           ///< cards
  utilization,     ///< the share of the card that the engine claims
  batched_tokens,  ///< tokens of one step
  weight_format,   ///< by plan::weight_choices
  kv_format,       ///< by plan::kv_choices
};

std::optional<AxisKind> find_axis(std::string_view name);
std::string_view axis_name(AxisKind kind);
/// "tokens", "requests", "cards", "share", "format".
std::string_view axis_unit(AxisKind kind);
/// All names, for messages: "context, concurrency, …".
std::string axis_names();

using AxisValue = std::variant<std::uint64_t, double, std::string>;

/// Lengths beyond are refused by every engine.
inline constexpr std::uint64_t kMostTokens = 1ULL << 32U;
inline constexpr std::size_t kMostAxisValues = 64;

/// One point of an axis and the edit that leads there.
struct AxisPoint {
  AxisValue value;
  std::string title;  ///< of a format, for people; else empty
  Change change;
};

/// One axis of a scan of one request.
struct Axis {
  AxisKind kind = AxisKind::context;
  std::vector<AxisPoint> points;
  std::optional<std::size_t> asked;  ///< the point that is the request's own, where one is known
};

/// An axis as it is asked for; no values: the usual ones and the request's own.
struct AxisRequest {
  AxisKind kind = AxisKind::context;
  std::vector<AxisValue> values;
};

/// The axis over a request. `memory` is what the request itself gives, null where it gives an
/// error.
///
/// - context: 1,024 and its doubles up to the model's own length, and the length asked about. A
///   length flag of the request moves with it (the question is how the setup would be sized for
///   that length); without one workload.context is the length already. Longer than the model's own
///   is the engine's to refuse.
/// - concurrency: 1 to 1,024 in doubles. Changes the speed and `enough`, not the pool.
/// - count: 1, 2, 4, 8. All cards work as one tensor-parallel group: with flags that say otherwise
///   those are replaced; expert parallelism that is given as a number moves with it.
/// - utilization: 0.80 to 0.98; batched_tokens: 512 to 32,768 in doubles.
/// - formats: what the engine, version, model and card have.
///
/// Errors, at `axes[<index>].name`: `not_supported` where the engine has no such setting; at
/// `axes[<index>].values[<n>]`: `bad_value`.
Result<Axis> make_axis(const Request& request, const engine::MemoryPlan* memory,
                       const AxisRequest& wanted, std::size_t index);

}  // namespace ridgepoint::plan
