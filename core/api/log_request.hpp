#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/start_log.hpp"
#include "json/fields.hpp"
#include "plan/fit.hpp"

namespace ridgepoint::api {

/// The setup of a start: what its log shows, with what the asker knows put over it.
// json::Value says noexcept and checks itself. NOLINTNEXTLINE(bugprone-exception-escape)
struct LogRequest {
  json::Value shown;  ///< a request of what the log alone shows; it may lack the model and the card
  json::Value request;  ///< the whole request, without measured terms; null: not enough is known
  std::optional<plan::Request> typed;
  std::optional<plan::Report> report;  ///< what the whole request predicts
  std::vector<std::string> notes;      ///< what was left out, and what is missing
};

/// `given` is a request or a part of one (null: none); its model and card win, and its flags where
/// it has any. Flags of the log that the engine's rules refuse are left out and noted. Errors:
/// those of a request, when what is wrong with it was given; `wrong_engine` (request.engine.name)
/// when the log is another engine's.
Result<LogRequest> request_of_log(const engine::StartLog& log, const json::Value& given);

}  // namespace ridgepoint::api
