#pragma once

#include "engine/start_log.hpp"
#include "json/writer.hpp"

namespace ridgepoint::api {

/// The member `row`: a start as one line of a corpus of measured starts, sizes in GiB. Nothing that
/// tells whose it is: no path, host, user or address; the model as a hub's id or null, flags by
/// known names with numbers and known words only.
void write_log_row(json::Writer& out, const engine::StartLog& log);

}  // namespace ridgepoint::api
