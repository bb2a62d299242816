#pragma once

#include "export/answer_part.hpp"
#include "export/table.hpp"

namespace ridgepoint::exports {

/// An answer of the contract as a document. Errors: `not_an_answer` for a value of no known kind,
/// `not_an_answer` with the words of it for an error, `bad_value` for a field of a wrong type.
Result<Document> document_of(const json::Value& answer);

// One of each kind; what is wrong with the answer is in the Check that its parts share.
Document report_document(const Part& answer);
Document scan_document(const Part& answer);
Document recommend_document(const Part& answer);
Document compare_document(const Part& answer);
Document advise_document(const Part& answer);
Document command_document(const Part& answer);
Document command_text_document(const Part& answer);
Document log_document(const Part& answer);
Document explain_document(const Part& answer);
Document simulation_document(const Part& answer);
Document capacity_document(const Part& answer);

/// "SERVES" or "DOES NOT SERVE", with the sentence and, of what does not, what is short.
std::string verdict_status(const Part& verdict);
void add_verdict(Document& document, const Part& verdict);

/// How a value of a unit of the contract ("bytes", "tokens", "seconds" …) is written.
Measure measure_of(std::string_view unit);
/// What is said behind a number of that unit; nothing where the number's own form says it.
std::string_view counted_of(std::string_view unit);

/// `org/name on 2 x h100, vllm 0.28.0` of a request, as far as it says.
/// With `engine` false the engine is left out.
std::string setup_text(const Part& request, bool engine = true);

/// The columns of speed, keyed as in a report; `cells` of `speed`, which may be empty.
void add_speed_columns(std::vector<Column>& columns, Shown shown);
void add_speed_cells(Row& row, const Part& speed);

}  // namespace ridgepoint::exports
