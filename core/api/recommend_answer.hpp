#pragma once

#include "api/recommend_query.hpp"
#include "json/writer.hpp"

namespace ridgepoint::api {

/// The members of one answer of recommend, within an object that is open.
void write_recommended(json::Writer& out, const plan::Answer& answer, const RecommendRead& read);

/// The member `prices`.
void write_prices(json::Writer& out, const RecommendRead& read);

/// The member `left_out`.
void write_left_out(json::Writer& out, const std::vector<plan::LeftOut>& list);

}  // namespace ridgepoint::api
