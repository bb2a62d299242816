#include "api/choice_answer.hpp"

#include "api/capacity_answer.hpp"
#include "api/recommend_answer.hpp"
#include "api/simulation_answer.hpp"

namespace ridgepoint::api {
namespace {

using json::Writer;

void write_load(Writer& out, const serve::Chosen& chosen) {
  const simulate::Outcome& outcome = chosen.point.outcome;
  out.key("load");
  out.begin_object();
  out.member("share_meeting", chosen.point.share_meeting);
  out.key("share_by_draw");
  out.begin_object();
  out.member("low", chosen.low);
  out.member("high", chosen.high);
  out.key("seeds");
  out.begin_array();
  for (const double share : chosen.by_seed) {
    out.value(share);
  }
  out.end_array();
  out.end_object();
  write_distribution(out, "ttft_s", outcome.ttft_s);
  write_distribution(out, "tpot_s", outcome.tpot_s);
  write_distribution(out, "e2e_s", outcome.e2e_s);
  out.member("output_tokens_per_s", outcome.output_tokens_per_s);
  out.member("kv_peak_share", outcome.kv_share.peak);
  out.member("cost_per_million_output_tokens",
             cost_per_million(chosen.answer.price_per_hour, outcome.output_tokens_per_s));
  out.end_object();
}

}  // namespace

std::string write_choice(const serve::Choosing& choosing, const RecommendRead& read,
                         const std::vector<std::string>& assumed, const std::string& id) {
  const serve::Choice& choice = choosing.choice();
  Writer out;
  out.begin_object();
  out.member("id", id);
  out.member("kind", "recommend");
  out.key("searched");
  out.begin_object();
  out.member("cards", choice.cards);
  out.member("setups", choice.work.setups);
  out.member("estimates", choice.work.estimates);
  out.member("simulations", choice.runs);
  out.member("carriers", choice.carriers);
  out.end_object();
  write_prices(out, read);
  out.key("answers");
  out.begin_array();
  for (const serve::Chosen& chosen : choice.answers) {
    out.begin_object();
    write_recommended(out, chosen.answer, read);
    write_load(out, chosen);
    out.end_object();
  }
  out.end_array();
  write_left_out(out, choice.left_out);
  out.key("none");
  if (choice.none.empty()) {
    out.null();
  } else {
    out.begin_object();
    out.member("text", choice.none);
    out.member("limit", "latency");
    out.end_object();
  }
  out.key("notes");
  out.begin_array();
  for (const auto* list : {&assumed, &choice.notes}) {
    for (const std::string& note : *list) {
      out.value(note);
    }
  }
  out.end_array();
  out.end_object();
  return out.take();
}

}  // namespace ridgepoint::api
