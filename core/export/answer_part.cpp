#include "export/answer_part.hpp"

#include <nlohmann/json.hpp>

#include "json/writer.hpp"

namespace ridgepoint::exports {
namespace {

using json::Value;

Number number_of(const Value& value) {
  if (value.is_number_unsigned()) {
    return {value.get<double>(), std::to_string(value.get<std::uint64_t>())};
  }
  if (value.is_number_integer()) {
    return {value.get<double>(), std::to_string(value.get<std::int64_t>())};
  }
  return {value.get<double>(), json::number_text(value.get<double>())};
}

std::string compact(const Value& value) {
  json::Writer out;
  out.value(value);
  return out.take();
}

std::optional<std::string> scalar_text(const Value& value) {
  if (value.is_string()) {
    return value.get_ref<const std::string&>();
  }
  if (value.is_number()) {
    return number_of(value).digits;
  }
  if (value.is_boolean()) {
    return value.get<bool>() ? "true" : "false";
  }
  return std::nullopt;
}

}  // namespace

bool Part::empty() const { return object_ == nullptr || object_->empty(); }

const Value* Part::find(std::string_view key) const {
  if (object_ == nullptr) {
    return nullptr;
  }
  const auto it = object_->find(key);
  return it == object_->end() || it->is_null() ? nullptr : &*it;
}

std::string Part::path_of(std::string_view key) const { return path_ + "." + std::string(key); }

void Part::refuse(const std::string& path, std::string_view wanted, const Value& found) const {
  if (!*error_) {
    *error_ = Error{"bad_value",
                    json::excerpt(path, 200) + " must be " + std::string(wanted) + ", and it is " +
                        std::string(json::kind_of(found)) + ". Pass the answer on as it came.",
                    json::excerpt(path, 200)};
  }
}

std::string Part::text(std::string_view key) const {
  const Value* value = find(key);
  if (value == nullptr) {
    return {};
  }
  auto text = scalar_text(*value);
  if (!text) {
    refuse(path_of(key), "text", *value);
  }
  return text.value_or("");
}

std::string Part::said(std::string_view key) const {
  const Value* value = find(key);
  return value == nullptr ? std::string() : scalar_text(*value).value_or(compact(*value));
}

double Part::number(std::string_view key, double fallback) const {
  const Value* value = find(key);
  if (value == nullptr) {
    return fallback;
  }
  if (!value->is_number()) {
    refuse(path_of(key), "a number", *value);
    return fallback;
  }
  return value->get<double>();
}

bool Part::flag(std::string_view key) const {
  const Value* value = find(key);
  if (value != nullptr && !value->is_boolean()) {
    refuse(path_of(key), "true or false", *value);
    return false;
  }
  return value != nullptr && value->get<bool>();
}

Cell Part::cell_of(const Value& value, const std::string& path, Measure measure,
                   std::string_view counted) const {
  Cell cell;
  if (value.is_number()) {
    cell.kind = Cell::Kind::number;
    cell.measure = measure;
    cell.text = counted;
    cell.best = number_of(value);
  } else if (value.is_string()) {
    cell = words(value.get_ref<const std::string&>());
  } else if (value.is_boolean()) {
    cell.kind = Cell::Kind::flag;
    cell.flag = value.get<bool>();
  } else if (value.is_object() && value.contains("best")) {
    cell.kind = Cell::Kind::range;
    cell.measure = measure;
    cell.text = counted;
    const Part estimate(&value, path, *error_);
    const auto end = [&](std::string_view key) {
      const Value* found = estimate.find(key);
      if (found == nullptr) {
        return cell.best;
      }
      if (!found->is_number()) {
        refuse(path + "." + std::string(key), "a number", *found);
        return Number{};
      }
      return number_of(*found);
    };
    cell.best = end("best");
    cell.low = end("low");
    cell.high = end("high");
    if (cell.best.digits.empty()) {
      return {};
    }
  } else if (!value.is_null()) {
    refuse(path, "a value or an estimate", value);
  }
  return cell;
}

Cell Part::cell(std::string_view key, Measure measure, std::string_view counted) const {
  const Value* value = find(key);
  return value == nullptr ? Cell{} : cell_of(*value, path_of(key), measure, counted);
}

Part Part::part(std::string_view key) const {
  const Value* value = find(key);
  if (value != nullptr && !value->is_object()) {
    refuse(path_of(key), "an object", *value);
    value = nullptr;
  }
  return {value, path_of(key), *error_};
}

const Value* Part::array(std::string_view key) const {
  const Value* value = find(key);
  if (value == nullptr) {
    return nullptr;
  }
  if (!value->is_array()) {
    refuse(path_of(key), "an array", *value);
    return nullptr;
  }
  if (value->size() > kMostRows) {
    if (!*error_) {
      *error_ = Error{"too_large",
                      path_of(key) + " has " + std::to_string(value->size()) +
                          " entries, and a table takes " + std::to_string(kMostRows) + ".",
                      path_of(key)};
    }
    return nullptr;
  }
  return value;
}

std::vector<Part> Part::parts(std::string_view key) const {
  std::vector<Part> all;
  const Value* list = array(key);
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const std::string path = path_of(key) + "[" + std::to_string(i) + "]";
    const Value& entry = (*list)[i];
    if (!entry.is_object()) {
      refuse(path, "an object", entry);
      break;
    }
    all.emplace_back(&entry, path, *error_);
  }
  return all;
}

std::vector<std::string> Part::texts(std::string_view key) const {
  std::vector<std::string> all;
  const Value* list = array(key);
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    auto text = scalar_text((*list)[i]);
    if (!text) {
      refuse(path_of(key) + "[" + std::to_string(i) + "]", "text", (*list)[i]);
      break;
    }
    if (!text->empty()) {
      all.push_back(*std::move(text));
    }
  }
  return all;
}

std::vector<Cell> Part::cells(std::string_view key, Measure measure) const {
  std::vector<Cell> all;
  const Value* list = array(key);
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    all.push_back(cell_of((*list)[i], path_of(key) + "[" + std::to_string(i) + "]", measure, {}));
  }
  return all;
}

std::vector<std::string> Part::flags(std::string_view key) const {
  std::vector<std::string> all;
  const Part args = part(key);
  if (args.object_ != nullptr) {
    for (const auto& item : args.object_->items()) {
      if (!item.value().is_null()) {
        all.push_back(flag_text(item.key(), item.value()));
      }
    }
  }
  return all;
}

std::vector<std::string> Part::keys() const {
  std::vector<std::string> all;
  if (object_ != nullptr) {
    for (const auto& item : object_->items()) {
      all.push_back(item.key());
    }
  }
  return all;
}

std::string flag_text(std::string_view name, const Value& value) {
  const std::string flag = (name.size() == 1 ? "-" : "--") + std::string(name);
  if (value.is_boolean()) {
    return value.get<bool>() ? flag : "--no-" + std::string(name);
  }
  const auto text = scalar_text(value);
  return text ? flag + " " + *text : flag + " '" + compact(value) + "'";
}

}  // namespace ridgepoint::exports
