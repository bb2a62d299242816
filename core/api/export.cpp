#include <nlohmann/json.hpp>

#include "api/api.hpp"
#include "api/report.hpp"
#include "api/request.hpp"
#include "export/documents.hpp"
#include "export/forms.hpp"

namespace ridgepoint::api {
namespace {

constexpr std::uint64_t kWidth = 80;
constexpr json::Range kWidths{40, 1000};

Result<std::string> exported(const json::Value& query) {
  json::Fields fields(query, "");
  const std::string_view format = fields.text({"format"}).value_or("");
  const std::string_view table = fields.text({"table"}).value_or("");
  const std::uint64_t width = fields.whole_or({"width"}, kWidths, kWidth);
  if (fields.error()) {
    return *fields.error();
  }
  if (format != "csv" && format != "markdown" && format != "text") {
    return Error{"bad_value", "format must be csv, markdown or text.", "format"};
  }
  const json::Value* answer = fields.find("answer");
  if (answer == nullptr) {
    return Error{"missing_field", "answer is missing: pass on the whole answer.", "answer"};
  }
  const auto document = exports::document_of(*answer);
  if (!document) {
    return document.error();
  }
  if (format == "csv") {
    return exports::csv(document.value(), table);
  }
  return format == "markdown" ? exports::markdown(document.value())
                              : exports::text(document.value(), width);
}

}  // namespace

std::string export_answer(std::string_view query_text) {
  const auto query =
      read_query(query_text, {"id", "answer", "format", "width", "table"}, "an export");
  if (!query) {
    return write_error(query.error(), {});
  }
  auto text = exported(query.value());
  return text ? std::move(text.value()) : write_error(text.error(), id_of(query.value()));
}

}  // namespace ridgepoint::api
