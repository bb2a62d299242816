#include "export/documents.hpp"

namespace ridgepoint::exports {
namespace {

std::string use_text(const std::string& use) {
  return use == "unmodelled" ? "not modelled" : spoken(use);
}

Table read_flags(const Part& answer) {
  Table table;
  table.name = "flags";
  table.title = "Flags";
  table.columns = {{"flag", "flag"},
                   {"value", "value"},
                   {"use", "use", false, false, Shown::data},
                   {"said_use", "use", false, false, Shown::reading},
                   {"name", "name", false, false, Shown::data},
                   {"note", "note"}};
  for (const Part& flag : answer.parts("flags")) {
    table.rows.push_back({words(flag.text("flag")), words(flag.said("value")),
                          words(flag.text("use")), words(use_text(flag.text("use"))),
                          words(flag.text("name")), words(flag.text("note"))});
  }
  return table;
}

Table read_environment(const Part& answer) {
  Table table;
  table.name = "env";
  table.title = "Environment";
  table.columns = {{"name", "variable"},
                   {"value", "value"},
                   {"use", "use", false, false, Shown::data},
                   {"said_use", "use", false, false, Shown::reading},
                   {"note", "note"}};
  for (const Part& variable : answer.parts("env")) {
    table.rows.push_back({words(variable.text("name")), words(variable.said("value")),
                          words(variable.text("use")), words(use_text(variable.text("use"))),
                          words(variable.text("note"))});
  }
  return table;
}

Table written_flags(const Part& answer) {
  Table table;
  table.name = "flags";
  table.title = "Why these flags";
  table.columns = {{"flag", "flag"}, {"value", "value"}, {"why", "why"}};
  for (const Part& flag : answer.parts("flags")) {
    table.rows.push_back(
        {words(flag.text("flag")), words(flag.said("value")), words(flag.text("why"))});
  }
  return table;
}

std::string_view language_of(const std::string& form) {
  return form == "compose" || form == "kubernetes" ? "yaml" : "sh";
}

}  // namespace

Document command_document(const Part& answer) {
  Document document;
  const std::string form = answer.text("form");
  document.status = "READ";
  document.title = (form.empty() ? std::string("a") : "a " + form) +
                   " command: " + setup_text(answer.part("request"));
  document.main_table = "flags";
  add_table(document, read_flags(answer));
  add_table(document, read_environment(answer));
  add_list(document, "Notes", answer.texts("notes"));
  return document;
}

Document command_text_document(const Part& answer) {
  Document document;
  const std::string form = answer.text("form");
  document.status = "COMMAND";
  document.title = (form.empty() ? std::string("shell") : form) +
                   (answer.flag("checked") ? ", read back and checked" : "");
  document.main_table = "flags";
  document.blocks.emplace_back(Code{std::string(language_of(form)), answer.text("text")});
  add_table(document, written_flags(answer));
  add_list(document, "Notes", answer.texts("notes"));
  return document;
}

}  // namespace ridgepoint::exports
