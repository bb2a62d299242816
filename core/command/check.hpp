#pragma once

#include "command/write.hpp"

namespace ridgepoint::command {

/// Reads a written command back: it must name the same engine, flags and variables as what was to
/// be said, and its estimate, on the request's card, model and workload, must be the same to the
/// byte. Error `internal` names the first difference: a command that says something else than the
/// estimate is worse than none.
Check check_written(const WrittenCommand& written, ReportText report_of);

}  // namespace ridgepoint::command
