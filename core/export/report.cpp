#include "export/documents.hpp"
#include "export/numbers.hpp"

namespace ridgepoint::exports {
namespace {

/// One figure of a report: where it is and how it is written.
struct Figure {
  std::string_view part;
  std::string_view key;
  std::string_view title;
  std::string_view unit;
  bool reading = true;  ///< shown to people; every figure is in the data
};

constexpr Figure kMemory[] = {
    {"per_gpu", "weights", "weights", "bytes"},
    {"per_gpu", "activation", "activation peak", "bytes"},
    {"per_gpu", "cuda_graphs_charged", "CUDA graphs", "bytes"},
    {"per_gpu", "non_torch", "outside PyTorch", "bytes"},
    {"per_gpu", "kv_pool", "KV pool", "bytes"},
    {"per_gpu", "total", "whole card", "bytes"},
};

constexpr Figure kFigures[] = {
    {"capacity", "max_requests", "requests at once", "requests"},
    {"capacity", "max_concurrency", "concurrency the engine prints", "x"},
    {"capacity", "max_context", "longest context of one request", "tokens"},
    {"capacity", "context", "context asked about", "tokens"},
    {"cache", "tokens", "KV pool in tokens", "tokens"},
    {"cache", "bytes_per_token", "KV cache of one token", "bytes"},
    {"cache", "state_bytes_per_request", "state of one request", "bytes", false},
    {"cache", "bytes_per_request", "KV cache of one request", "bytes"},
    {"cache", "blocks", "blocks in the pool", "blocks", false},
    {"cache", "block_tokens", "tokens of a block", "tokens", false},
    {"naive", "max_requests", "requests by the usual formula", "requests"},
    {"naive", "bytes_per_token", "token by the usual formula", "bytes", false},
};

constexpr Figure kSpeed[] = {
    {"speed", "ttft_s", "first token", "seconds"},
    {"speed", "tpot_s", "then a token every", "seconds"},
    {"speed", "decode_tokens_per_s", "all requests while they decode", "tokens/s"},
    {"speed", "ridge_batch", "compute-bound from", "requests"},
};

Cell cell_of(const Part& part, const Figure& figure) {
  if (figure.unit == "x") {
    return part.cell(figure.key, Measure::decimal, figure.unit);
  }
  // What is counted stands behind the number only where the title does not say it.
  const bool said = figure.title.find(figure.unit) != std::string_view::npos;
  return part.cell(figure.key, measure_of(figure.unit),
                   said ? std::string_view() : counted_of(figure.unit));
}

std::string basis_of(const Part& estimate) {
  const double starts = estimate.number("starts");
  std::string text = estimate.text("basis");
  if (starts > 0.0) {
    text += ", " + fixed(starts, 0) + (starts == 1.0 ? " start" : " starts");
  }
  return text;
}

/// The basis of a figure that is an estimate.
Part estimate_at(const Part& part, std::string_view key) {
  const json::Value* value = part.find(key);
  const bool range = value != nullptr && part.cell(key).kind == Cell::Kind::range;
  return range ? part.part(key) : part.part("");
}

template <std::size_t N>
void add_figures(Table& table, const Figure (&figures)[N], const Part& answer, const Part& gpu) {
  for (const Figure& figure : figures) {
    const Part part = figure.part == "per_gpu" ? gpu : answer.part(figure.part);
    if (!part.has(figure.key)) {
      continue;
    }
    const Part estimate = estimate_at(part, figure.key);
    table.rows.push_back({words(std::string(figure.part == "per_gpu" ? "memory" : figure.part)),
                          words(std::string(figure.key)), words(std::string(figure.unit)),
                          cell_of(part, figure), words(estimate.text("basis")),
                          estimate.cell("starts")});
  }
}

Table figures(const Part& answer, const Part& gpu) {
  Table table;
  table.name = "figures";
  table.shown = Shown::data;
  table.columns = {{"part", "part"},   {"figure", "figure"},
                   {"unit", "unit"},   {"value", "value", true, true},
                   {"basis", "basis"}, {"starts", "starts", true}};
  add_figures(table, kMemory, answer, gpu);
  add_figures(table, kFigures, answer, gpu);
  add_figures(table, kSpeed, answer, gpu);
  return table;
}

template <std::size_t N>
Table pairs(std::string name, const Figure (&figures)[N], const Part& answer) {
  Table table;
  table.name = std::move(name);
  table.style = Table::Style::pairs;
  table.shown = Shown::reading;
  table.columns = {{"figure", "figure"}, {"value", "value"}};
  for (const Figure& figure : figures) {
    const Part part = answer.part(figure.part);
    if (figure.reading && part.has(figure.key)) {
      table.rows.push_back({words(std::string(figure.title)), cell_of(part, figure)});
    }
  }
  return table;
}

Cell share(double bytes, double total) {
  return total > 0.0 ? words(fixed(100.0 * bytes / total, 1) + " %") : Cell{};
}

Table memory(const Part& gpu) {
  Table table;
  table.name = "memory";
  table.title = "Memory of one GPU";
  table.columns = {{"term", "term"},
                   {"bytes", "size", true, true},
                   {"share", "share", true},
                   {"basis", "basis"}};
  const double total = gpu.number("total");
  double used = 0.0;
  for (const Figure& figure : kMemory) {
    if (!gpu.has(figure.key)) {
      continue;
    }
    const Cell cell = cell_of(gpu, figure);
    if (figure.key != "total") {
      used += cell.best.value;
    } else if (used < total) {
      // vLLM and SGLang leave a part of the card outside what they claim.
      const bool claims = gpu.has("requested");
      const Cell rest = whole_number(static_cast<std::uint64_t>(total - used), Measure::bytes);
      table.rows.push_back({words(claims ? "not claimed" : "left over"), rest,
                            share(rest.best.value, total), Cell{}});
    }
    table.rows.push_back({words(std::string(figure.title)), cell, share(cell.best.value, total),
                          words(basis_of(estimate_at(gpu, figure.key)))});
  }
  return table;
}

std::string naive_text(const Part& naive) {
  if (naive.empty()) {
    return {};
  }
  std::string text = "The usual formula says: ";
  if (!naive.flag("fits")) {
    text += "it does not fit.";
  } else if (naive.number("bytes_per_token") > 0.0) {
    text += "it fits, " + fixed(naive.number("max_requests"), 0) + " requests at " +
            size_text(naive.number("bytes_per_token")) + " a token.";
  } else {
    text += "it fits, and no token takes any memory.";
  }
  const std::string why = naive.text("why");
  return why.empty() ? text : text + " " + why;
}

/// "gqa" is an abbreviation, "hybrid" a word.
std::string attention(std::string label) {
  if (label.size() == 3) {
    for (char& c : label) {
      c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
  }
  return label;
}

std::string model_text(const Part& model) {
  std::string text = attention(model.text("attention"));
  const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
  if (model.has("layers")) {
    add(fixed(model.number("layers"), 0) + " layers");
  }
  if (model.number("parameters") > 0.0) {
    add(short_number(model.number("parameters") / 1e9) + " billion parameters");
  }
  if (model.flag("moe")) {
    add(short_number(model.number("active_parameters") / 1e9) + " billion of them active");
  }
  if (model.has("checkpoint_bytes")) {
    add("checkpoint " + size_text(model.number("checkpoint_bytes")));
  }
  return text.empty() ? text : "Model: " + text + ".";
}

std::string title_of(const Part& answer) {
  const Part engine = answer.part("engine");
  const Part gpu = answer.part("gpu");
  const double cards = engine.number("tensor_parallel_size", 1.0) *
                       engine.number("pipeline_parallel_size", 1.0) *
                       engine.number("data_parallel_size", 1.0);
  std::string model = answer.part("model").text("id");
  std::string card = gpu.text("name").empty() ? gpu.text("id") : gpu.text("name");
  if (card.empty()) {
    card = "a card of " + size_text(answer.part("memory").part("per_gpu").number("total"));
  }
  return (model.empty() ? "the given model" : model) + " on " + fixed(cards, 0) + " x " + card +
         ", " + engine.text("name") + " " + engine.text("version");
}

Table advice(const Part& answer) {
  Table table;
  table.name = "advice";
  table.title = "To change it";
  table.columns = {{"change", "change"}, {"effect", "effect"}};
  for (const Part& entry : answer.parts("advice")) {
    table.rows.push_back({words(entry.text("change")), words(entry.text("effect"))});
  }
  return table;
}

}  // namespace

Document report_document(const Part& answer) {
  Document document;
  const Part gpu = answer.part("memory").part("per_gpu");
  document.status = verdict_status(answer.part("verdict"));
  document.title = title_of(answer);
  document.main_table = "figures";
  add_verdict(document, answer.part("verdict"));
  add_paragraph(document, model_text(answer.part("model")));
  add_table(document, figures(answer, gpu));
  add_table(document, pairs("capacity", kFigures, answer));
  add_table(document, memory(gpu));
  add_paragraph(document, naive_text(answer.part("naive")));
  // The speed of what does not start is a number about nothing.
  if (answer.part("verdict").flag("serves")) {
    add_table(document, pairs("speed", kSpeed, answer));
  }
  add_table(document, advice(answer));
  add_list(document, "Notes on the model", answer.part("model").texts("notes"));
  add_list(document, "Assumed", answer.texts("assumptions"));
  return document;
}

}  // namespace ridgepoint::exports
