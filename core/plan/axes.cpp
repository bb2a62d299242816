#include "plan/axes.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "json/fields.hpp"
#include "json/writer.hpp"
#include "plan/weight_choice.hpp"

namespace ridgepoint::plan {
namespace {

struct AxisFacts {
  AxisKind kind;
  std::string_view name;
  std::string_view unit;
};

constexpr AxisFacts kAxes[] = {
    {AxisKind::context, "context", "tokens"},
    {AxisKind::concurrency, "concurrency", "requests"},
    {AxisKind::count, "count", "cards"},
    {AxisKind::utilization, "utilization", "share"},
    {AxisKind::batched_tokens, "batched_tokens", "tokens"},
    {AxisKind::weight_format, "weight_format", "format"},
    {AxisKind::kv_format, "kv_format", "format"},
};

constexpr double kShares[] = {0.80, 0.82, 0.84, 0.85, 0.86, 0.88,
                              0.90, 0.92, 0.94, 0.95, 0.96, 0.98};

const AxisFacts& facts(AxisKind kind) {
  return *std::find_if(std::begin(kAxes), std::end(kAxes),
                       [&](const AxisFacts& axis) { return axis.kind == kind; });
}

std::vector<AxisValue> doubles(std::uint64_t first, std::uint64_t last) {
  std::vector<AxisValue> values;
  for (std::uint64_t value = first; value <= last; value *= 2) {
    values.emplace_back(value);
  }
  return values;
}

/// llama.cpp's length is that of all slots together: with a number of slots given, the engine
/// works it out of the length asked about.
bool length_by_slots(const Request& request) {
  return request.engine->levers.max_length == "ctx-size" &&
         given_flag(request, request.engine->levers.most_requests) != nullptr;
}

Change to_context(const Request& request, std::uint64_t tokens) {
  Change change;
  change.context = tokens;
  const std::string name(request.engine->levers.max_length);
  if (!name.empty() && given_flag(request, name) != nullptr) {
    if (length_by_slots(request)) {
      change.unset.push_back(name);
    } else {
      change.set.push_back({name, static_cast<std::int64_t>(tokens)});
    }
  }
  return change;
}

/// Whether the flag takes a number; of vLLM's, expert parallelism is a switch.
bool takes_number(const Request& request, std::string_view name) {
  const engine::FlagFacts* flag = engine::find_flag(request.engine->flags(), name);
  return flag != nullptr && flag->type == engine::FlagType::integer;
}

Change to_count(const Request& request, std::uint64_t cards) {
  Change change;
  change.gpu_count = cards;
  const engine::Levers& levers = request.engine->levers;
  const auto given = [&](std::string_view name) {
    return !name.empty() && given_flag(request, name) != nullptr;
  };
  const auto number = static_cast<std::int64_t>(cards);
  bool said = given(levers.tensor_parallel);
  for (const std::string_view name : {levers.pipeline_parallel, levers.data_parallel}) {
    if (given(name)) {
      change.unset.emplace_back(name);
      said = true;
    }
  }
  if (given(levers.expert_parallel) && takes_number(request, levers.expert_parallel)) {
    change.set.push_back({std::string(levers.expert_parallel), number});
  }
  // With no flag the engine's tensor parallel size is taken to be the number of cards.
  if (said && !levers.tensor_parallel.empty()) {
    change.set.push_back({std::string(levers.tensor_parallel), number});
  }
  return change;
}

Change to_batched_tokens(const Request& request, std::uint64_t tokens) {
  constexpr std::uint64_t kLogicalBatch = 2048;
  const std::string name(request.engine->levers.batched_tokens);
  Change change;
  change.set.push_back({name, static_cast<std::int64_t>(tokens)});
  // llama.cpp's physical batch is cut to the logical one, which goes along where it is too small.
  if (name == "ubatch-size") {
    const engine::FlagValue* batch = given_flag(request, "batch-size");
    const auto* given = batch == nullptr ? nullptr : std::get_if<std::int64_t>(&batch->value);
    const std::uint64_t logical =
        given != nullptr && *given > 0 ? static_cast<std::uint64_t>(*given) : kLogicalBatch;
    if (tokens > logical) {
      change.set.push_back({"batch-size", static_cast<std::int64_t>(tokens)});
    }
  }
  return change;
}

/// Makes one axis: reads or chooses its values, then writes the edit of each.
class AxisMaker {
 public:
  AxisMaker(const Request& request, const engine::MemoryPlan* memory, const AxisRequest& wanted,
            std::size_t index)
      : request_(request),
        memory_(memory),
        wanted_(wanted),
        path_("axes[" + std::to_string(index) + "]") {}

  Result<Axis> make() {
    if (auto wrong = check_setting()) {
      return *std::move(wrong);
    }
    axis_.kind = wanted_.kind;
    const bool of_formats =
        wanted_.kind == AxisKind::weight_format || wanted_.kind == AxisKind::kv_format;
    Check wrong = of_formats ? add_formats() : add_numbers();
    if (wrong) {
      return *std::move(wrong);
    }
    return std::move(axis_);
  }

 private:
  [[nodiscard]] std::string_view lever() const {
    const engine::Levers& levers = request_.engine->levers;
    return wanted_.kind == AxisKind::utilization ? levers.memory_share : levers.batched_tokens;
  }

  Check check_setting() const {
    const bool by_lever =
        wanted_.kind == AxisKind::utilization || wanted_.kind == AxisKind::batched_tokens;
    if (!by_lever || !lever().empty()) {
      return std::nullopt;
    }
    return Error{"not_supported",
                 std::string(request_.engine->title) + " has no setting for " +
                     std::string(axis_name(wanted_.kind)) +
                     "; take another axis or another engine.",
                 path_ + ".name"};
  }

  Check bad_value(std::size_t at, std::string message) const {
    return Error{"bad_value", std::move(message), path_ + ".values[" + std::to_string(at) + "]"};
  }

  // --- formats

  Check add_formats() {
    std::vector<FormatChoice> choices =
        wanted_.kind == AxisKind::weight_format ? weight_choices(request_) : kv_choices(request_);
    if (wanted_.values.empty()) {
      choices.resize(std::min(choices.size(), kMostAxisValues));
      for (FormatChoice& choice : choices) {
        add_format(choice);
      }
      return std::nullopt;
    }
    for (std::size_t i = 0; i < wanted_.values.size(); ++i) {
      const auto* name = std::get_if<std::string>(&wanted_.values[i]);
      const auto found = std::find_if(choices.begin(), choices.end(), [&](const FormatChoice& c) {
        return name != nullptr && c.name == *name;
      });
      if (found == choices.end()) {
        return bad_value(i, unknown_format(name, choices));
      }
      add_format(*found);
    }
    return std::nullopt;
  }

  void add_format(const FormatChoice& choice) {
    if (choice.change.empty() && !axis_.asked) {
      axis_.asked = axis_.points.size();
    }
    axis_.points.push_back({choice.name, choice.title, choice.change});
  }

  [[nodiscard]] std::string unknown_format(const std::string* name,
                                           const std::vector<FormatChoice>& choices) const {
    std::string known;
    for (const FormatChoice& choice : choices) {
      known += (known.empty() ? "" : ", ") + choice.name;
    }
    const std::string given = name == nullptr ? "A format is a name, and this is a number"
                                              : "\"" + json::excerpt(*name, 40) +
                                                    "\" is no format that this model, "
                                                    "engine and card have";
    return given + "; choose from " + known + ".";
  }

  // --- numbers

  Check add_numbers() {
    std::vector<AxisValue> values = wanted_.values.empty() ? usual_values() : wanted_.values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (auto wrong = wanted_.kind == AxisKind::utilization ? add_share(values[i], i)
                                                             : add_whole(values[i], i)) {
        return wrong;
      }
    }
    mark_asked();
    return std::nullopt;
  }

  Check add_share(const AxisValue& value, std::size_t at) {
    const auto* whole = std::get_if<std::uint64_t>(&value);
    const auto* number = std::get_if<double>(&value);
    const double share = number != nullptr ? *number
                         : whole != nullptr
                             ? static_cast<double>(std::min<std::uint64_t>(*whole, 2))
                             : 0;
    if (!(share > 0 && share <= 1)) {
      return bad_value(at, "utilization is a share of the card above 0 and up to 1, such as 0.9.");
    }
    Change change;
    change.set.push_back({std::string(lever()), share});
    axis_.points.push_back({share, "", std::move(change)});
    return std::nullopt;
  }

  [[nodiscard]] std::uint64_t most() const {
    switch (wanted_.kind) {
      case AxisKind::context:
        return kMostTokens;
      case AxisKind::concurrency:
        return 1ULL << 32U;
      case AxisKind::count:
        return 1ULL << 20U;
      default:
        return 1ULL << 24U;
    }
  }

  Check add_whole(const AxisValue& value, std::size_t at) {
    const auto* whole = std::get_if<std::uint64_t>(&value);
    if (whole == nullptr || *whole == 0 || *whole > most()) {
      return bad_value(at, std::string(axis_name(wanted_.kind)) +
                               " takes whole numbers from 1 to " + std::to_string(most()) + ".");
    }
    Change change;
    switch (wanted_.kind) {
      case AxisKind::context:
        change = to_context(request_, *whole);
        break;
      case AxisKind::concurrency:
        change.concurrency = *whole;
        break;
      case AxisKind::count:
        change = to_count(request_, *whole);
        break;
      default:
        change = to_batched_tokens(request_, *whole);
        break;
    }
    axis_.points.push_back({*whole, "", std::move(change)});
    return std::nullopt;
  }

  /// The request's own value of this axis, where it is known.
  [[nodiscard]] std::optional<AxisValue> own() const {
    if (wanted_.kind == AxisKind::utilization) {
      const engine::FlagValue* flag = given_flag(request_, lever());
      const auto* share = flag == nullptr ? nullptr : std::get_if<double>(&flag->value);
      return share == nullptr ? std::nullopt : std::make_optional(AxisValue(*share));
    }
    const auto whole = own_whole();
    return whole ? std::make_optional(AxisValue(*whole)) : std::nullopt;
  }

  [[nodiscard]] std::optional<std::uint64_t> own_whole() const {
    switch (wanted_.kind) {
      case AxisKind::context:
        return memory_ == nullptr ? request_.workload.context : memory_->context;
      case AxisKind::concurrency:
        return request_.workload.concurrency;
      case AxisKind::count: {
        if (request_.gpu_count || memory_ == nullptr) {
          return request_.gpu_count;
        }
        const engine::Parallelism& p = memory_->parallelism;
        return p.tensor * p.pipeline * p.data;
      }
      case AxisKind::batched_tokens:
        // llama.cpp's plan tells the logical batch, and this is the physical one.
        if (memory_ == nullptr || lever() == "ubatch-size") {
          return std::nullopt;
        }
        return memory_->max_num_batched_tokens;
      default:
        return std::nullopt;
    }
  }

  [[nodiscard]] std::uint64_t longest() const {
    const std::uint64_t claimed = model::claimed_context(request_.model);
    const std::uint64_t planned = memory_ == nullptr ? 0 : memory_->max_model_len;
    const std::uint64_t most = std::max(claimed, planned);
    constexpr std::uint64_t kUsual = 32768;
    return most == 0 ? kUsual : std::min(most, kMostTokens);
  }

  [[nodiscard]] std::vector<AxisValue> usual_values() const {
    std::vector<AxisValue> values;
    switch (wanted_.kind) {
      case AxisKind::context:
        values = doubles(1024, longest());
        values.emplace_back(longest());
        break;
      case AxisKind::concurrency:
        values = doubles(1, 1024);
        break;
      case AxisKind::count:
        values = doubles(1, 8);
        break;
      case AxisKind::utilization:
        values.assign(std::begin(kShares), std::end(kShares));
        break;
      default:
        values = doubles(512, 32768);
        break;
    }
    if (const auto asked = own(); asked && in_range(*asked)) {
      values.push_back(*asked);
    }
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
  }

  [[nodiscard]] bool in_range(const AxisValue& value) const {
    if (const auto* whole = std::get_if<std::uint64_t>(&value)) {
      return *whole > 0 && *whole <= most();
    }
    const auto* share = std::get_if<double>(&value);
    return share != nullptr && *share > 0 && *share <= 1;
  }

  void mark_asked() {
    const auto asked = own();
    for (std::size_t i = 0; asked && i < axis_.points.size() && !axis_.asked; ++i) {
      if (axis_.points[i].value == *asked) {
        axis_.asked = i;
      }
    }
  }

  const Request& request_;
  const engine::MemoryPlan* memory_;
  const AxisRequest& wanted_;
  std::string path_;
  Axis axis_;
};

}  // namespace

std::optional<AxisKind> find_axis(std::string_view name) {
  for (const AxisFacts& axis : kAxes) {
    if (axis.name == name) {
      return axis.kind;
    }
  }
  return std::nullopt;
}

std::string_view axis_name(AxisKind kind) { return facts(kind).name; }
std::string_view axis_unit(AxisKind kind) { return facts(kind).unit; }

std::string axis_names() {
  std::string names;
  for (const AxisFacts& axis : kAxes) {
    names += (names.empty() ? "" : ", ") + std::string(axis.name);
  }
  return names;
}

Result<Axis> make_axis(const Request& request, const engine::MemoryPlan* memory,
                       const AxisRequest& wanted, std::size_t index) {
  return AxisMaker(request, memory, wanted, index).make();
}

}  // namespace ridgepoint::plan
