#include "command/model_name.hpp"

#include <algorithm>
#include <cstddef>

#include "json/fields.hpp"
#include "model/catalogue.hpp"

namespace ridgepoint::command {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }
bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return out;
}

bool is_path(std::string_view text) {
  const bool drive = text.size() > 2 && letter(text[0]) && text[1] == ':';
  return text.starts_with('/') || text.starts_with('.') || text.starts_with('~') || drive ||
         text.find('\\') != std::string_view::npos ||
         std::count(text.begin(), text.end(), '/') > 1 || text.ends_with(".gguf");
}

std::string_view last_part(std::string_view text) {
  const std::size_t slash = text.find_last_of("/\\");
  return slash == std::string_view::npos ? text : text.substr(slash + 1);
}

/// Q4_K_M, IQ2_XS, UD-Q4_K_XL, F16, BF16, MXFP4, MXFP4_MOE.
bool is_quantisation(std::string_view part) {
  std::string text = upper(part);
  for (const std::string_view whole : {"F16", "F32", "BF16", "FP16", "MXFP4", "MXFP4_MOE"}) {
    if (text == whole) {
      return true;
    }
  }
  std::string_view rest = text;
  for (const std::string_view front : {"UD-", "I1-"}) {
    if (rest.starts_with(front)) {
      rest.remove_prefix(front.size());
    }
  }
  for (const std::string_view front : {"IQ", "TQ", "Q"}) {
    if (rest.starts_with(front) && rest.size() > front.size() && digit(rest[front.size()])) {
      return rest.substr(front.size()).find_first_not_of("0123456789_KSMLXN") ==
             std::string_view::npos;
    }
  }
  return false;
}

/// A name without what says that it is a GGUF, and which: -00001-of-00003, .Q4_K_M, -GGUF.
std::string_view without_gguf(std::string_view name) {
  if (name.ends_with(".gguf")) {
    name.remove_suffix(5);
  }
  const std::size_t of = name.rfind("-of-");
  if (of != std::string_view::npos && of >= 6 && name.size() - of == 9) {
    name = name.substr(0, of - 6);
  }
  for (const char separator : {'.', '-'}) {
    const std::size_t at = name.rfind(separator);
    if (at != std::string_view::npos && is_quantisation(name.substr(at + 1))) {
      name = name.substr(0, at);
      if (name.ends_with("-UD") || name.ends_with(".i1")) {
        name.remove_suffix(3);
      }
      break;
    }
  }
  const std::string text = upper(name);
  for (const std::string_view end : {"-GGUF", "_GGUF", ".GGUF"}) {
    if (text.ends_with(end)) {
      name.remove_suffix(end.size());
      break;
    }
  }
  return name;
}

ModelName known(std::string_view name, std::string_view written) {
  const model::ModelFacts* facts = model::find_model(name);
  // Publishers of GGUFs put their own name or the family's in front of the model's.
  const std::size_t underscore = name.find('_');
  if (facts == nullptr && underscore != std::string_view::npos) {
    facts = model::find_model(name.substr(underscore + 1));
  }
  const std::string id(facts == nullptr ? name : facts->id);
  return {id, id == written ? std::string()
                            : "The model is written as " + json::excerpt(written, 120) +
                                  "; its id is taken to be " + json::excerpt(id, 80) + "."};
}

}  // namespace

ModelName read_model_name(std::string_view text) {
  constexpr std::size_t kLongest = 1000;
  while (text.size() > 1 && (text.ends_with('/') || text.ends_with('\\'))) {
    text.remove_suffix(1);
  }
  for (const std::string_view front : {"https://huggingface.co/", "http://huggingface.co/",
                                       "hf.co/", "huggingface.co/", "hf://"}) {
    if (text.starts_with(front)) {
      text.remove_prefix(front.size());
      const std::size_t tree =
          std::min({text.find("/tree/"), text.find("/resolve/"), text.find("/blob/"), text.size()});
      return read_model_name(text.substr(0, tree));
    }
  }
  if (text.empty() || text.size() > kLongest) {
    return {};
  }
  // models--org--name/snapshots/… is how the Hub's own folder is named.
  const std::size_t hub = text.find("models--");
  if (hub != std::string_view::npos) {
    std::string_view folder = text.substr(hub + 8);
    folder = folder.substr(0, folder.find_first_of("/\\"));
    const std::size_t middle = folder.find("--");
    if (middle != std::string_view::npos) {
      const std::string id =
          std::string(folder.substr(0, middle)) + "/" + std::string(folder.substr(middle + 2));
      return known(id, text);
    }
  }
  std::string_view repository = text;
  const std::size_t colon = text.rfind(':');
  if (colon != std::string_view::npos && colon > 1 &&
      text.find_first_of("/\\", colon) == std::string_view::npos) {
    repository = text.substr(0, colon);
  }
  if (is_path(repository)) {
    const std::string_view name = last_part(repository);
    const std::string_view folder = repository.substr(0, repository.size() - name.size());
    const std::string_view owner =
        folder.empty() ? folder : last_part(folder.substr(0, folder.size() - 1));
    if (!owner.empty()) {
      const std::string whole = std::string(owner) + "/" + std::string(name);
      if (model::find_model(whole) != nullptr) {
        return known(whole, text);
      }
    }
    return known(without_gguf(name), text);
  }
  if (model::find_model(repository) != nullptr) {
    return known(repository, text);
  }
  const std::string_view name = last_part(repository);
  const std::string_view plain = without_gguf(name);
  if (plain.size() != name.size()) {
    ModelName base = known(plain, text);
    if (model::find_model(base.id) != nullptr) {
      return base;
    }
  }
  std::string id(repository);
  return {id, id == text ? std::string()
                         : "The model is written as " + json::excerpt(text, 120) +
                               "; its id is taken to be " + json::excerpt(id, 80) + "."};
}

}  // namespace ridgepoint::command
