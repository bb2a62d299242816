// A first answer is a report without its keys `advice` and `explain`: what fills them is not
// linked.
#include "api/report.hpp"
#include "engine/llamacpp/report_steps.hpp"
#include "engine/sglang/report_steps.hpp"
#include "engine/trtllm/report_steps.hpp"
#include "engine/vllm/report_steps.hpp"
#include "plan/advice.hpp"
#include "plan/fit_steps.hpp"

namespace ridgepoint::engine {

std::vector<Step> vllm::explain(const Inputs& /*inputs*/, const Settings& /*settings*/,
                                const StageBudget& /*budget*/, const MemoryPlan& /*plan*/,
                                std::uint64_t /*requested*/, const BlockFacts& /*block*/) {
  return {};
}

std::vector<Step> sglang::explain(const Inputs& /*inputs*/, const Settings& /*settings*/,
                                  const StageBudget& /*budget*/, const PoolLayout& /*layout*/,
                                  const PoolSizes& /*sizes*/, const Slack& /*slack*/,
                                  const MemoryPlan& /*plan*/) {
  return {};
}

std::vector<Step> trtllm::explain(const Inputs& /*inputs*/, const Settings& /*settings*/,
                                  const StageBudget& /*budget*/, const CachePools& /*pools*/,
                                  const MemoryPlan& /*plan*/) {
  return {};
}

std::vector<Step> llamacpp::explain(const Inputs& /*inputs*/, const Settings& /*settings*/,
                                    const Projection& /*projection*/, const Fitted& /*fitted*/,
                                    const LoadedModel& /*model*/, const MemoryPlan& /*plan*/) {
  return {};
}

}  // namespace ridgepoint::engine

namespace ridgepoint::plan {

std::vector<Advice> advise(const Request& /*request*/, const engine::MemoryPlan& /*memory*/) {
  return {};
}

void add_steps(const Request& /*request*/, Report& /*report*/) {}

}  // namespace ridgepoint::plan

namespace ridgepoint::api {

void write_reasons(json::Writer& /*out*/, const plan::Report& /*report*/) {}

}  // namespace ridgepoint::api
