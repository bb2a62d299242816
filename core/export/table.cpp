#include "export/table.hpp"

#include <string_view>
#include <utility>

namespace ridgepoint::exports {
namespace {

struct Name {
  std::string_view term;
  std::string_view said;
};

constexpr Name kNames[] = {
    {"kv_pool", "KV pool"},
    {"cuda_graphs", "CUDA graphs"},
    {"cuda_graphs_charged", "CUDA graphs"},
    {"non_torch", "outside PyTorch"},
    {"activation", "activation peak"},
    {"kv_format", "KV format"},
    {"kv_cache", "KV cache"},
    {"batched_tokens", "tokens of a step"},
    {"count", "cards"},
    {"ttft_s", "first token"},
    {"tpot_s", "a token every"},
    {"decode_tokens_per_s", "tokens/s"},
};

}  // namespace

Cell words(std::string text) {
  Cell cell;
  cell.kind = text.empty() ? Cell::Kind::empty : Cell::Kind::text;
  cell.text = std::move(text);
  return cell;
}

Cell whole_number(std::uint64_t number, Measure measure) {
  Cell cell;
  cell.kind = Cell::Kind::number;
  cell.measure = measure;
  cell.best = {static_cast<double>(number), std::to_string(number)};
  return cell;
}

std::string spoken(std::string_view name) {
  for (const Name& known : kNames) {
    if (known.term == name) {
      return std::string(known.said);
    }
  }
  std::string said(name);
  for (char& c : said) {
    c = c == '_' ? ' ' : c;
  }
  return said;
}

void add_paragraph(Document& document, std::string text) {
  if (!text.empty()) {
    document.blocks.emplace_back(Paragraph{std::move(text)});
  }
}

void add_list(Document& document, std::string title, std::vector<std::string> items) {
  if (!items.empty()) {
    document.blocks.emplace_back(List{std::move(title), std::move(items)});
  }
}

void add_table(Document& document, Table table) { document.blocks.emplace_back(std::move(table)); }

}  // namespace ridgepoint::exports
