#include <nlohmann/json.hpp>
#include <utility>

#include "api/api.hpp"
#include "api/change.hpp"
#include "api/report.hpp"
#include "api/request.hpp"
#include "plan/advice.hpp"
#include "plan/problem.hpp"
#include "plan/waste.hpp"

namespace ridgepoint::api {
namespace {

using json::Writer;

/// The edit, and the request it makes.
void write_edit(Writer& out, const plan::Change& change, const plan::Request& request,
                const json::Value& raw) {
  out.key("edit");
  write_change(out, change);
  out.member("request", apply_change(change, *request.engine, raw));
}

void write_parallelism(Writer& out, const engine::Parallelism& parallelism) {
  out.key("parallelism");
  out.begin_object();
  out.member("tensor", parallelism.tensor);
  out.member("pipeline", parallelism.pipeline);
  out.member("data", parallelism.data);
  out.member("expert", parallelism.expert);
  out.end_object();
}

void write_proposal(Writer& out, const plan::Proposal& proposal, const plan::Request& request,
                    const json::Value& raw) {
  const plan::LevelFacts& level = plan::level_facts(proposal.level);
  out.begin_object();
  out.member("change", proposal.change);
  out.member("how", proposal.how);
  out.member("cost", proposal.cost);
  out.member("effect", proposal.effect);
  out.member("level", level.name);
  out.member("level_number", static_cast<std::uint64_t>(proposal.level));
  out.member("level_reason", level.why);
  write_estimate(out, "max_requests", proposal.max_requests);
  out.member("context", proposal.context);
  out.member("max_context", proposal.max_context);
  write_estimate(out, "kv_pool", proposal.kv_pool);
  write_parallelism(out, proposal.parallelism);
  write_edit(out, proposal.edit, request, raw);
  out.end_object();
}

void write_waste(Writer& out, const plan::Waste& waste, const plan::Request& request,
                 const json::Value& raw) {
  out.begin_object();
  out.member("what", waste.what);
  out.member("bytes", waste.bytes);
  out.member("text", waste.text);
  if (waste.edit) {
    write_edit(out, *waste.edit, request, raw);
  } else {
    out.key("edit");
    out.null();
    out.key("request");
    out.null();
  }
  out.end_object();
}

std::string answer(const plan::Request& request, const plan::Report& report, const json::Value& raw,
                   const std::string& id) {
  const plan::Proposals proposals = plan::propose(request, report.memory, plan::kAdvicePlans);
  const bool short_of_something = proposals.trouble != plan::Trouble::none;
  Writer out;
  out.begin_object();
  out.member("id", id);
  out.member("kind", "advise");
  write_verdict(out, report);
  out.member("problem", plan::problem_text(request, report.memory, proposals));
  out.key("changes");
  out.begin_array();
  for (const plan::Proposal& proposal : proposals.list) {
    write_proposal(out, proposal, request, raw);
  }
  out.end_array();
  out.key("waste");
  out.begin_array();
  if (!short_of_something) {
    for (const plan::Waste& waste : plan::waste(request, report.memory)) {
      write_waste(out, waste, request, raw);
    }
  }
  out.end_array();
  out.end_object();
  return out.take();
}

}  // namespace

std::string advise(std::string_view request_text) {
  auto value = json::parse(request_text, "");
  if (!value) {
    return write_error(value.error(), {});
  }
  const std::string id = id_of(value.value());
  const auto request = read_request(value.value());
  if (!request) {
    return write_error(request.error(), id);
  }
  const auto report = plan::fit_without_advice(request.value());
  if (!report) {
    return write_error(report.error(), id);
  }
  return answer(request.value(), report.value(), value.value(), id);
}

}  // namespace ridgepoint::api
