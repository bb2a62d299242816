#include "plan/scan.hpp"

#include <map>
#include <utility>

#include "model/tensors.hpp"
#include "plan/timing.hpp"
#include "wording.hpp"

namespace ridgepoint::plan {
namespace {

void add_change(const Change& more, Change& change) {
  change.set.insert(change.set.end(), more.set.begin(), more.set.end());
  change.unset.insert(change.unset.end(), more.unset.begin(), more.unset.end());
  if (more.gpu_count) {
    change.gpu_count = more.gpu_count;
  }
  if (more.context) {
    change.context = more.context;
  }
  if (more.concurrency) {
    change.concurrency = more.concurrency;
  }
  if (!more.quant_config.empty()) {
    change.quant_config = more.quant_config;
  }
}

void fill(const Request& changed, const std::vector<model::Tensor>& tensors,
          const Result<Report>& report, Cell& cell) {
  if (!report) {
    cell.error = report.error();
    return;
  }
  const engine::MemoryPlan& memory = report->memory;
  cell.serves = memory.limit == engine::Limit::none;
  cell.limit = memory.limit;
  cell.limiting = limiting_term(*changed.engine, memory);
  cell.max_requests = memory.max_requests;
  if (changed.workload.concurrency) {
    cell.enough = cell.serves && memory.max_requests.best >= *changed.workload.concurrency;
  }
  cell.naive_requests = report->naive.max_requests;
  cell.max_context = memory.max_context;
  cell.tokens = memory.tokens;
  cell.kv_pool = memory.kv_pool;
  // A plan that is known holds for other numbers of requests too, and its speed does not.
  if (report->speed.known) {
    cell.speed = speed_of({changed, changed.model, tensors, changed.device}, memory);
  }
}

/// What a request fixes is fixed in every cell; a reader would wonder.
std::vector<std::string> notes_of(const Request& request, const std::vector<Axis>& axes) {
  std::vector<std::string> notes;
  const engine::Measured& measured = request.measured;
  if (measured.kv_pool_bytes) {
    notes.emplace_back(
        "measured.kv_pool_bytes holds the pool still in every cell; leave it out to see what moves "
        "it.");
  } else if (measured.activation_bytes || measured.weights_bytes || measured.non_torch_bytes ||
             measured.cuda_graphs_bytes) {
    notes.emplace_back(
        "Measured terms of the request hold in every cell, whether or not they were measured with "
        "its settings.");
  }
  for (const Axis& axis : axes) {
    if (axis.kind == AxisKind::context && !axis.points.empty() &&
        (!axis.points.front().change.set.empty() || !axis.points.front().change.unset.empty())) {
      notes.push_back("--" + std::string(request.engine->levers.max_length) +
                      " moves with the context.");
    }
  }
  return notes;
}

/// Works the cells out. The requests that are asked for at once change the speed and no memory, so
/// that cells which differ in them alone share one answer of the engine.
class Scanner {
 public:
  Scanner(const Request& request, const std::vector<model::Tensor>& tensors,
          const std::vector<Axis>& axes)
      : request_(request), tensors_(tensors), axes_(axes) {}

  Cell cell(std::size_t number) {
    Cell cell;
    cell.at.resize(axes_.size());
    for (std::size_t i = axes_.size(); i-- > 0;) {
      cell.at[i] = number % axes_[i].points.size();
      number /= axes_[i].points.size();
    }
    std::size_t key = 0;
    bool shared = false;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      add_change(axes_[i].points[cell.at[i]].change, cell.change);
      shared = shared || axes_[i].kind == AxisKind::concurrency;
      key =
          axes_[i].kind == AxisKind::concurrency ? key : key * axes_[i].points.size() + cell.at[i];
    }
    Request changed = request_;
    if (auto refused = apply(cell.change, changed)) {
      cell.error = std::move(refused);
      return cell;
    }
    if (!shared) {
      fill(changed, tensors_, estimate(changed, tensors_), cell);
      return cell;
    }
    auto known = answers_.find(key);
    if (known == answers_.end()) {
      known = answers_.emplace(key, estimate(changed, tensors_)).first;
    }
    fill(changed, tensors_, known->second, cell);
    return cell;
  }

 private:
  const Request& request_;
  const std::vector<model::Tensor>& tensors_;
  const std::vector<Axis>& axes_;
  std::map<std::size_t, Result<Report>> answers_;
};

}  // namespace

Result<Scan> scan(const Request& request, const std::vector<AxisRequest>& axes) {
  const std::vector<model::Tensor> tensors = model::tensors(request.model);
  const auto own = estimate(request, tensors);
  Scan scan;
  std::size_t cells = 1;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    auto axis = make_axis(request, own ? &own->memory : nullptr, axes[i], i);
    if (!axis) {
      return axis.error();
    }
    cells *= axis->points.size();
    scan.axes.push_back(std::move(axis.value()));
  }
  if (cells > kMostCells) {
    return Error{"too_many_cells",
                 "The axes have " + grouped(cells) + " cells together, and a scan has at most " +
                     grouped(kMostCells) + "; give fewer values.",
                 "axes"};
  }
  scan.notes = notes_of(request, scan.axes);
  Scanner scanner(request, tensors, scan.axes);
  scan.cells.reserve(cells);
  for (std::size_t i = 0; i < cells; ++i) {
    scan.cells.push_back(scanner.cell(i));
  }
  return scan;
}

}  // namespace ridgepoint::plan
