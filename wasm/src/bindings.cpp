#include <emscripten/bind.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "api/api.hpp"
#include "api/run.hpp"

namespace {

std::string evaluate(const std::string& request) { return ridgepoint::api::evaluate(request); }
std::string kv_plan(const std::string& line) { return ridgepoint::api::kv_plan(line); }
std::string scan(const std::string& query) { return ridgepoint::api::scan(query); }
std::string recommend(const std::string& query) { return ridgepoint::api::recommend(query); }
std::string compare(const std::string& query) { return ridgepoint::api::compare(query); }
std::string advise(const std::string& query) { return ridgepoint::api::advise(query); }
std::string read_command(const std::string& query) { return ridgepoint::api::read_command(query); }
std::string write_command(const std::string& query) {
  return ridgepoint::api::write_command(query);
}
std::string explain(const std::string& query) { return ridgepoint::api::explain(query); }
std::string export_answer(const std::string& query) {
  return ridgepoint::api::export_answer(query);
}
std::string read_log(const std::string& log, const std::string& query) {
  return ridgepoint::api::read_log(log, query);
}
std::string catalogue() { return ridgepoint::api::catalogue(); }
std::string version() { return std::string(ridgepoint::api::version()); }

/// A run with no type of the core in it: that is built without the type names embind asks for.
class BoundRun {
 public:
  BoundRun(const std::string& kind, const std::string& query)
      : run_(ridgepoint::api::Run::create(kind, query)) {}

  std::string advance(double steps) {
    constexpr double kMost = 1U << 30U;
    return run_->advance(static_cast<std::uint64_t>(std::clamp(steps, 1.0, kMost)));
  }
  std::string result() { return run_->result(); }

 private:
  std::unique_ptr<ridgepoint::api::Run> run_;
};

BoundRun* create_run(const std::string& kind, const std::string& query) {
  return new BoundRun(kind, query);
}

// Text on this side of the boundary and bytes on the other: JavaScript passes a Uint8Array.
std::string read_checkpoint_header(const std::string& bytes) {
  return ridgepoint::api::read_checkpoint_header(
      std::as_bytes(std::span(bytes.data(), bytes.size())));
}

}  // namespace

EMSCRIPTEN_BINDINGS(ridgepoint) {
  emscripten::function("evaluate", &evaluate);
  emscripten::function("kvPlan", &kv_plan);
  emscripten::function("scan", &scan);
  emscripten::function("recommend", &recommend);
  emscripten::function("compare", &compare);
  emscripten::function("advise", &advise);
  emscripten::function("readCommand", &read_command);
  emscripten::function("writeCommand", &write_command);
  emscripten::function("explain", &explain);
  emscripten::function("exportAnswer", &export_answer);
  emscripten::function("readLog", &read_log);
  emscripten::function("catalogue", &catalogue);
  emscripten::function("version", &version);
  emscripten::function("readCheckpointHeader", &read_checkpoint_header);
  emscripten::class_<BoundRun>("Run")
      .class_function("create", &create_run, emscripten::allow_raw_pointers())
      .function("advance", &BoundRun::advance)
      .function("result", &BoundRun::result);
}
