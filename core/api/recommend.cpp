#include "plan/recommend.hpp"

#include <nlohmann/json.hpp>
#include <string>

#include "api/api.hpp"
#include "api/recommend_answer.hpp"
#include "api/recommend_query.hpp"
#include "api/report.hpp"
#include "api/request.hpp"

namespace ridgepoint::api {
namespace {

using json::Writer;

std::string write(const plan::Recommendation& result, const RecommendRead& read,
                  const std::string& id) {
  Writer out;
  out.begin_object();
  out.member("id", id);
  out.member("kind", "recommend");
  out.key("searched");
  out.begin_object();
  out.member("cards", result.cards);
  out.member("setups", result.work.setups);
  out.member("estimates", result.work.estimates);
  out.member("carriers", result.carriers);
  out.end_object();
  write_prices(out, read);
  out.key("answers");
  out.begin_array();
  for (const plan::Answer& answer : result.answers) {
    out.begin_object();
    write_recommended(out, answer, read);
    out.end_object();
  }
  out.end_array();
  write_left_out(out, result.left_out);
  out.key("none");
  if (result.none) {
    out.begin_object();
    out.member("text", result.none->text);
    out.member("limit", result.none->limit);
    out.end_object();
  } else {
    out.null();
  }
  out.end_object();
  return out.take();
}

}  // namespace

std::string recommend(std::string_view query) {
  const auto value = read_query(query,
                                {"id", "model", "engines", "workload", "constraints", "prices",
                                 "use_list_prices", "rank_by", "limit"},
                                "A query");
  if (!value) {
    return write_error(value.error(), "");
  }
  const std::string id = id_of(*value);
  const auto read = read_recommend(*value);
  if (!read) {
    return write_error(read.error(), id);
  }
  const auto result = plan::recommend(read->query);
  return result ? write(*result, *read, id) : write_error(of_query(result.error(), *read), id);
}

}  // namespace ridgepoint::api
