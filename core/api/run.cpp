#include "api/run.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "api/capacity_answer.hpp"
#include "api/choice_answer.hpp"
#include "api/load_query.hpp"
#include "api/report.hpp"
#include "api/request.hpp"
#include "api/simulation_answer.hpp"
#include "hardware/prices.hpp"

namespace ridgepoint::api {
namespace {

using json::Fields;
using json::Value;

constexpr std::uint64_t kMostSeeds = 20;
constexpr std::uint64_t kUsualSeeds = 5;
constexpr std::uint64_t kSlice = 1U << 20U;

/// What went wrong before there was anything to run.
class Failure final : public Run {
 public:
  Failure(const Error& error, const std::string& id) : text_(write_error(error, id)) {}
  std::string advance(std::uint64_t /*steps*/) override { return text_; }
  std::string result() override { return text_; }

 private:
  std::string text_;
};

std::unique_ptr<Run> failure(const Error& error, const std::string& id) {
  return std::make_unique<Failure>(error, id);
}

/// An error of a request that is a member of the query.
Error within(Error error) {
  if (!error.path.starts_with("request") && !error.path.starts_with("load") &&
      !error.path.starts_with("slo")) {
    error.path = error.path.empty() ? "request" : "request." + error.path;
  }
  return error;
}

/// What questions about one setup have in common.
struct Asked {
  std::string id;
  Value request_json;
  plan::Request request;
  LoadQuery load;
  bool requests_given = false;
  simulate::Slo slo;
  std::optional<double> price_per_hour;      ///< of one card
  std::optional<std::string_view> currency;  ///< of the price, where it is the list's
};

/// `load` with what a question that turns it up itself may leave out.
Value turned_up(const Value* given) {
  Value load = given == nullptr ? Value::object() : *given;
  if (!load.is_object()) {
    return load;
  }
  if (!load.contains("arrivals")) {
    load["arrivals"] = {{"kind", "poisson"}};
  }
  Value& arrivals = load["arrivals"];
  const auto kind = arrivals.is_object() ? arrivals.find("kind") : arrivals.end();
  if (!arrivals.is_object() || kind == arrivals.end() || !kind->is_string()) {
    return load;
  }
  const std::string name = kind->get<std::string>();
  const char* key = name == "closed" ? "concurrency" : "rate";
  if (name != "trace" && name != "at_once" && !arrivals.contains(key)) {
    arrivals[key] = 1U;
  }
  return load;
}

Result<Asked> read_asked(const Value& query, bool turns_up) {
  Asked asked;
  asked.id = id_of(query);
  const Fields fields(query, "");
  const Value* request = fields.find("request");
  if (request == nullptr) {
    return Error{"missing_field", "Give the setup as request.", "request"};
  }
  auto read = read_request(*request);
  if (!read) {
    return within(read.error());
  }
  asked.request_json = *request;
  asked.request = std::move(read.value());
  const Value* given = fields.find("load");
  const Value load = turns_up ? turned_up(given) : Value();
  const engine::Workload& workload = asked.request.workload;
  auto load_read = read_load(turns_up ? &load : given, {workload.prompt, workload.output});
  if (!load_read) {
    return load_read.error();
  }
  asked.load = std::move(load_read.value());
  asked.requests_given = given != nullptr && given->is_object() && given->contains("requests");
  auto slo = read_slo(fields.find("slo"));
  if (!slo) {
    return slo.error();
  }
  asked.slo = *slo;
  auto prices = read_prices(query);
  if (!prices) {
    return prices.error();
  }
  for (std::size_t i = 0; i < prices->prices.size(); ++i) {
    if (prices->prices[i].id == asked.request.device.id) {
      asked.price_per_hour = prices->prices[i].per_hour;
      if (i < prices->of_list) {
        asked.currency = hardware::list_prices().currency;
      }
    }
  }
  return asked;
}

std::vector<std::string> assumptions_of(const serve::Deployment& deployment,
                                        const std::vector<std::string>& notes) {
  std::vector<std::string> all = deployment.memory().assumptions;
  all.insert(all.end(), notes.begin(), notes.end());
  return all;
}

/// What follows without a simulation for the load's mean request, to be held against it; empty
/// while no request is over.
std::string closed_forms_of(serve::Deployment& deployment, const simulate::Outcome& outcome) {
  if (outcome.finished == 0 || outcome.output_tokens == 0) {
    return "null";
  }
  const auto requests = static_cast<double>(outcome.finished);
  const auto replicas =
      static_cast<double>(std::max<std::uint64_t>(1, deployment.schedule().replicas));
  const double tokens = outcome.total_tokens_per_s * outcome.duration_s;
  const double output = static_cast<double>(outcome.output_tokens) / requests;
  const double input = std::max(1.0, tokens / requests - output);
  const auto whole = [](double number) {
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::floor(number + 0.5)));
  };
  const engine::Schedule& schedule = deployment.schedule();
  const std::uint64_t step_tokens = schedule.max_num_batched_tokens * schedule.stages;
  const speed::ClosedForms forms = speed::closed_forms(
      deployment.timer(), {whole(input), whole(input + output / 2),
                           whole(outcome.running.mean / replicas), step_tokens});
  Rate steady = speed::steady_tokens_per_s(
      deployment.timer(), {whole(input), whole(output), deployment.schedule().max_num_seqs,
                           deployment.pool().tokens, step_tokens});
  steady.low *= replicas;
  steady.best *= replicas;
  steady.high *= replicas;
  json::Writer out;
  out.begin_object();
  out.member("input", whole(input));
  out.member("output", whole(output));
  write_estimate(out, "ttft_s", forms.ttft_s);
  write_estimate(out, "tpot_s", forms.tpot_s);
  write_estimate(out, "steady_tokens_per_s", steady);
  out.member("ridge_batch", forms.ridge_batch);
  out.member("mfu", forms.mfu);
  out.member("mbu", forms.mbu);
  out.member("dominant", forms.dominant);
  out.end_object();
  return out.take();
}

class SimulateRun final : public Run {
 public:
  static std::unique_ptr<Run> make(const Value& query) {
    auto asked = read_asked(query, false);
    if (!asked) {
      return failure(asked.error(), id_of(query));
    }
    auto deployment =
        serve::Deployment::serving(std::move(asked.value().request), asked->load.load);
    if (!deployment) {
      return failure(within(deployment.error()), asked->id);
    }
    auto simulation =
        simulate::Simulation::create((*deployment)->inputs(asked->load.load, asked->slo));
    if (!simulation) {
      return failure(simulation.error(), asked->id);
    }
    return std::unique_ptr<Run>(new SimulateRun(
        std::move(asked.value()), std::move(deployment.value()), std::move(simulation.value())));
  }

  std::string advance(std::uint64_t steps) override {
    if (auto error = simulation_->advance(std::max<std::uint64_t>(1, steps))) {
      return write_error(*error, asked_.id);
    }
    return write_progress(simulation_->progress(), "");
  }

  std::string result() override {
    // An error of the simulation is told again.
    if (auto error = simulation_->advance(0)) {
      return write_error(*error, asked_.id);
    }
    simulate::Outcome outcome = simulation_->outcome();
    count_refused(outcome);
    SimulationAnswer answer = setup_answer(*deployment_, outcome, asked_.id, asked_.price_per_hour,
                                           assumptions_of(*deployment_, asked_.load.notes));
    answer.currency = asked_.currency;
    answer.longest = load::longest_request(asked_.load.load);
    std::string text = write_simulation(answer, outcome);
    text.pop_back();
    return text + ",\"closed_forms\":" + closed_forms_of(*deployment_, outcome) + "}";
  }

 private:
  /// A request that is refused gets no answer, and so none in time.
  void count_refused(simulate::Outcome& outcome) const {
    if (!outcome.goodput || outcome.refused == 0) {
      return;
    }
    simulate::Goodput& goodput = *outcome.goodput;
    goodput.share *= static_cast<double>(outcome.finished) /
                     static_cast<double>(outcome.finished + outcome.refused);
    goodput.meets = goodput.meets && goodput.share >= asked_.slo.percentile;
  }

  SimulateRun(Asked asked, std::unique_ptr<serve::Deployment> deployment,
              std::unique_ptr<simulate::Simulation> simulation)
      : asked_(std::move(asked)),
        deployment_(std::move(deployment)),
        simulation_(std::move(simulation)) {}

  Asked asked_;
  std::unique_ptr<serve::Deployment> deployment_;
  std::unique_ptr<simulate::Simulation> simulation_;
};

class CapacityRun final : public Run {
 public:
  static std::unique_ptr<Run> make(const Value& query) {
    auto asked = read_asked(query, true);
    if (!asked) {
      return failure(asked.error(), id_of(query));
    }
    auto read = read_capacity(query, asked.value());
    if (!read) {
      return failure(read.error(), asked->id);
    }
    auto capacity =
        serve::Capacity::make(std::move(asked.value().request), std::move(read.value()));
    if (!capacity) {
      return failure(within(capacity.error()), asked->id);
    }
    return std::unique_ptr<Run>(
        new CapacityRun(std::move(asked.value()), std::move(capacity.value())));
  }

  std::string advance(std::uint64_t steps) override {
    if (auto error = capacity_->advance(std::max<std::uint64_t>(1, steps))) {
      failed_ = write_error(*error, asked_.id);
    }
    if (!failed_.empty()) {
      return failed_;
    }
    simulate::Progress progress;
    progress.done = capacity_->done();
    progress.share = capacity_->share();
    progress.finished = capacity_->answer().runs;
    return write_progress(progress, capacity_->note());
  }

  std::string result() override {
    return failed_.empty()
               ? write_capacity({*capacity_, asked_.id, asked_.request_json, asked_.price_per_hour,
                                 asked_.currency,
                                 assumptions_of(capacity_->deployment(), asked_.load.notes)})
               : failed_;
  }

 private:
  CapacityRun(Asked asked, std::unique_ptr<serve::Capacity> capacity)
      : asked_(std::move(asked)), capacity_(std::move(capacity)) {}

  static Result<serve::CapacityQuery> read_capacity(const Value& query, const Asked& asked) {
    Fields fields(query, "");
    serve::CapacityQuery read;
    const bool closed = asked.load.load.arrivals.kind == load::ArrivalKind::closed;
    const std::string_view over = fields.text({"over"}).value_or(closed ? "concurrency" : "rate");
    read.over = over == "concurrency" ? serve::Over::concurrency : serve::Over::rate;
    if (over != "concurrency" && over != "rate") {
      fields.fail("bad_value", "over", "over is rate or concurrency.");
    }
    read.seeds = fields.whole_or({"seeds"}, {1, kMostSeeds}, kUsualSeeds);
    read.most = fields.number({"max"}, load::kLeastRate, load::kMostRate).value_or(0.0);
    read.changes = fields.boolean_or({"changes"}, true);
    if (fields.error()) {
      return *fields.error();
    }
    read.load = asked.load.load;
    read.requests_given = asked.requests_given;
    read.slo = asked.slo;
    return read;
  }

  Asked asked_;
  std::unique_ptr<serve::Capacity> capacity_;
  std::string failed_;
};

class ChooseRun final : public Run {
 public:
  static std::unique_ptr<Run> make(const Value& query) {
    const std::string id = id_of(query);
    const Fields fields(query, "");
    UsualLengths usual;
    if (const Value* workload = fields.find("workload");
        workload != nullptr && workload->is_object()) {
      Fields lengths(*workload, "workload");
      constexpr json::Range kTokens{1, load::kMostTokens};
      usual.prompt = lengths.whole({"prompt"}, kTokens);
      usual.output = lengths.whole({"output"}, kTokens);
      if (lengths.error()) {
        return failure(*lengths.error(), id);
      }
    }
    auto load = read_load(fields.find("load"), usual);
    if (!load) {
      return failure(load.error(), id);
    }
    auto slo = read_slo(fields.find("slo"));
    if (!slo) {
      return failure(slo.error(), id);
    }
    const std::uint64_t longest = load::longest_request(load->load);
    auto read = read_recommend(query, longest);
    if (!read) {
      return failure(read.error(), id);
    }
    // What is longer than the model takes is refused, and the rest is served.
    const std::uint64_t claimed = model::claimed_context(read->query.engines.front().model);
    if (claimed > 0 && claimed < longest && read->query.load.context == longest) {
      read = read_recommend(query, claimed);
      if (!read) {
        return failure(read.error(), id);
      }
    }
    auto choosing = serve::Choosing::make({read->query, load->load, *slo});
    if (!choosing) {
      return failure(of_query(choosing.error(), *read), id);
    }
    return std::unique_ptr<Run>(new ChooseRun(
        id, std::move(read.value()), std::move(load.value().notes), std::move(choosing.value())));
  }

  std::string advance(std::uint64_t steps) override {
    if (auto error = choosing_->advance(std::max<std::uint64_t>(1, steps))) {
      failed_ = write_error(*error, id_);
    }
    if (!failed_.empty()) {
      return failed_;
    }
    simulate::Progress progress;
    progress.done = choosing_->done();
    progress.share = choosing_->share();
    progress.finished = choosing_->choice().runs;
    return write_progress(progress, "setup");
  }

  std::string result() override {
    return failed_.empty() ? write_choice(*choosing_, read_, notes_, id_) : failed_;
  }

 private:
  ChooseRun(std::string id, RecommendRead read, std::vector<std::string> notes,
            std::unique_ptr<serve::Choosing> choosing)
      : id_(std::move(id)),
        read_(std::move(read)),
        notes_(std::move(notes)),
        choosing_(std::move(choosing)) {}

  std::string id_;
  RecommendRead read_;
  std::vector<std::string> notes_;
  std::unique_ptr<serve::Choosing> choosing_;
  std::string failed_;
};

}  // namespace

std::unique_ptr<Run> Run::create(std::string_view kind, std::string_view query) {
  const bool simulates = kind == "simulate";
  const bool turns_up = kind == "capacity";
  if (!simulates && !turns_up && kind != "recommend") {
    return failure({"bad_kind", "A run is of kind simulate, capacity or recommend.", ""}, {});
  }
  auto value =
      simulates  ? read_query(query, {"id", "request", "load", "slo", "prices", "use_list_prices"},
                              "A query")
      : turns_up ? read_query(query,
                              {"id", "request", "load", "slo", "prices", "use_list_prices", "over",
                               "seeds", "max", "changes"},
                              "A query")
                 : read_query(query,
                              {"id", "model", "engines", "workload", "constraints", "prices",
                               "use_list_prices", "rank_by", "limit", "load", "slo"},
                              "A query");
  if (!value) {
    return failure(value.error(), {});
  }
  if (simulates) {
    return SimulateRun::make(*value);
  }
  return turns_up ? CapacityRun::make(*value) : ChooseRun::make(*value);
}

std::string run(std::string_view kind, std::string_view query) {
  const std::unique_ptr<Run> made = Run::create(kind, query);
  while (true) {
    const std::string progress = made->advance(kSlice);
    if (!progress.starts_with("{\"done\":false")) {
      return made->result();
    }
  }
}

}  // namespace ridgepoint::api
