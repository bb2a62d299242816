#include "command/forms.hpp"

#include <algorithm>
#include <string_view>

#include "command/normal_args.hpp"
#include "command/quote.hpp"
#include "plan/change.hpp"
#include "wording.hpp"

namespace ridgepoint::command {
namespace {

constexpr std::size_t kMostComment = 600;

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t space = std::min(text.find(' '), text.size());
    words.emplace_back(text.substr(0, space));
    text.remove_prefix(std::min(space + 1, text.size()));
  }
  return words;
}

std::string model_name(const Sheet& sheet) {
  if (!sheet.setup.request.model.id.empty()) {
    return sheet.setup.request.model.id;
  }
  return sheet.line.model.empty() ? sheet.setup.request.model.architecture : sheet.line.model;
}

/// A model that is a place on a disk and no name on a hub.
bool is_path(std::string_view model) {
  return model.starts_with('/') || model.starts_with("./") || model.starts_with("../") ||
         model == "." || model == "..";
}

std::string folder_of(const std::string& file) {
  const std::size_t slash = file.find_last_of('/');
  return slash == std::string::npos || slash == 0 ? file : file.substr(0, slash);
}

Mount mount_of(std::string path, std::string_view workdir) {
  Mount mount;
  if (path.starts_with('/')) {
    mount.host = path;
    mount.inside = path;
    return mount;
  }
  while (path.starts_with("./")) {
    path.erase(0, 2);
  }
  mount.relative = true;
  mount.host = path;
  mount.inside = std::string(workdir) + "/" + path;
  return mount;
}

/// The files that flags of llama.cpp name.
std::vector<Mount> file_mounts(const Sheet& sheet, std::string_view workdir) {
  std::vector<Mount> all;
  for (const std::string_view name : {"model", "mmproj", "model-draft"}) {
    const engine::FlagValue* flag = plan::given_flag(sheet.setup.request, name);
    if (flag == nullptr || value_word(*flag).empty()) {
      continue;
    }
    Mount mount = mount_of(folder_of(value_word(*flag)), workdir);
    const bool known = std::any_of(all.begin(), all.end(),
                                   [&](const Mount& m) { return m.inside == mount.inside; });
    if (!known) {
      all.push_back(std::move(mount));
    }
  }
  return all;
}

}  // namespace

std::string heading(const Sheet& sheet, std::string_view prefix) {
  const plan::Request& request = sheet.setup.request;
  const std::uint64_t count = request.gpu_count.value_or(
      sheet.setup.plan.memory.parallelism.tensor * sheet.setup.plan.memory.parallelism.pipeline *
      sheet.setup.plan.memory.parallelism.data);
  std::string text =
      comment_lines(comment_text(std::string(request.engine->title) + " " +
                                     sheet.setup.plan.memory.version + ", " + model_name(sheet) +
                                     " on " + grouped(count) + " x " + request.device.name + ".",
                                 kMostComment),
                    prefix, 2);
  const bool serves = sheet.setup.plan.memory.limit == engine::Limit::none;
  const std::string verdict =
      (serves ? "" : "It will not serve this: ") + sheet.setup.plan.verdict_text;
  text += comment_lines(comment_text(verdict, kMostComment), prefix, 2);
  for (const std::string& note : sheet.line.notes) {
    text += comment_lines(comment_text("Note: " + note, kMostComment), prefix, 2);
  }
  return text;
}

std::string reason_comment(const Written& written, std::string_view prefix) {
  constexpr std::size_t kMostValue = 60;
  std::string text = written.flag;
  for (const std::string& value : written.values) {
    text += " " + comment_text(value, kMostValue);
    if (text.size() > 2 * kMostValue) {
      text += " …";
      break;
    }
  }
  return comment_lines(comment_text(text + ": " + written.why, kMostComment), prefix, 2);
}

std::vector<Line> command_lines(const Sheet& sheet, std::string_view options_path) {
  std::vector<Line> lines;
  const ServeLine& line = sheet.line;
  std::string model_flag = line.model_flag;
  const bool program = sheet.image == nullptr || !sheet.image->facts->program.empty();
  if (program) {
    lines.push_back({split_words(line.program), nullptr});
  }
  if (sheet.image != nullptr && !sheet.image->facts->model_flag.empty()) {
    model_flag = sheet.image->facts->model_flag;
  }
  if (!line.model.empty()) {
    // A name that begins with a dash would pass for a flag.
    if (model_flag.empty() && !lines.empty()) {
      lines.back().words.push_back(line.model);
    } else if (model_flag.empty()) {
      lines.push_back({{line.model}, nullptr});
    } else {
      lines.push_back({{model_flag, line.model}, nullptr});
    }
  }
  if (!line.file.empty()) {
    lines.push_back({{std::string(kOptionsFlag), std::string(options_path)}, nullptr});
  }
  const bool equals = sheet.setup.request.engine->name != "llamacpp";
  for (const Written& written : line.flags) {
    Line next{{written.flag}, &written};
    const bool dash = written.values.size() == 1 && written.values[0].starts_with('-');
    if (dash && equals) {
      next.words[0] += "=" + written.values[0];
    } else {
      next.words.insert(next.words.end(), written.values.begin(), written.values.end());
    }
    lines.push_back(std::move(next));
  }
  return lines;
}

std::string variable_text(std::string_view name, std::string_view value) {
  std::string text(name);
  text += '=';
  text += value;
  return text;
}

std::vector<Mount> mounts(const Sheet& sheet) {
  const engine::Engine& engine = *sheet.setup.request.engine;
  const ServerFacts& facts = server_facts(engine);
  const bool files =
      engine.name == "llamacpp" && plan::given_flag(sheet.setup.request, "model") != nullptr;
  if (files) {
    return file_mounts(sheet, facts.workdir);
  }
  if (is_path(sheet.line.model)) {
    return {mount_of(sheet.line.model, facts.workdir)};
  }
  std::vector<Mount> all;
  for (const std::string& cache : split_words(facts.caches)) {
    Mount mount;
    mount.host = ".cache/" + cache;
    mount.home = true;
    mount.inside = "/root/.cache/" + cache;
    all.push_back(std::move(mount));
  }
  return all;
}

}  // namespace ridgepoint::command
