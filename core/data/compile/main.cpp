// compile_tables <table> <facts.json> <table.inc> [short]

#include <exception>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tables.hpp"

namespace {

using nlohmann::json;

struct Table {
  std::string_view name;
  void (*compile)(const json& document, std::ostream& out, Length length);
};

constexpr Table kTables[] = {
    {"gpus", compile_gpus},
    {"models", compile_models},
    {"flags", compile_engine_flags},
    {"constants", compile_engine_constants},
    {"images", compile_images},
    {"prices", compile_prices},
    {"environment", compile_environment},
    {"speed_constants", compile_speed_constants},
};

/// Tables of an engine carry its name in front: vllm_flags.
const Table* find_table(std::string_view name) {
  for (const Table& table : kTables) {
    if (table.name == name) return &table;
  }
  const std::size_t engine = name.rfind('_');
  if (engine != std::string_view::npos) name.remove_prefix(engine + 1);
  for (const Table& table : kTables) {
    if (table.name == name) return &table;
  }
  return nullptr;
}

/// A JSON parser keeps the last of two equal keys, so that a fact written twice would be lost
/// without a word. Here it is an error.
json parse_facts(std::istream& in) {
  std::vector<std::set<std::string>> open_objects;
  const auto refuse_repeated_keys = [&open_objects](int, json::parse_event_t event, json& parsed) {
    if (event == json::parse_event_t::object_start) {
      open_objects.emplace_back();
    } else if (event == json::parse_event_t::object_end) {
      open_objects.pop_back();
    } else if (event == json::parse_event_t::key) {
      const auto key = parsed.get<std::string>();
      if (!open_objects.back().insert(key).second) {
        throw std::runtime_error("the key '" + key + "' is there twice in one object");
      }
    }
    return true;
  };
  return json::parse(in, refuse_repeated_keys);
}

void compile(const Table& table, const std::string& facts_path, const std::string& table_path,
             Length length) {
  std::ifstream facts(facts_path);
  if (!facts) throw std::runtime_error("cannot be read");

  // Whole or not at all: a half-written table would pass for an up-to-date one in the next build.
  std::ostringstream text;
  table.compile(parse_facts(facts), text, length);
  std::ofstream out(table_path, std::ios::binary);
  out << text.str();
  out.close();
  if (!out) throw std::runtime_error("cannot write " + table_path);
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_short = argc == 5 && std::string_view(argv[4]) == "short";
  if (argc != 4 && !is_short) {
    std::cerr << "usage: compile_tables <table> <facts.json> <table.inc> [short]\n";
    return 1;
  }
  const Table* table = find_table(argv[1]);
  if (table == nullptr) {
    std::cerr << "compile_tables: there is no table '" << argv[1] << "'\n";
    return 1;
  }
  try {
    compile(*table, argv[2], argv[3], is_short ? Length::short_ : Length::whole);
  } catch (const std::exception& error) {
    std::cerr << argv[2] << ": " << error.what() << '\n';
    return 1;
  }
  return 0;
}
