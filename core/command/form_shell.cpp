#include <string>
#include <string_view>
#include <vector>

#include "command/forms.hpp"
#include "command/quote.hpp"

namespace ridgepoint::command {
namespace {

constexpr std::string_view kComment = "# ";

/// Comments that say why: a block before the command, for behind a `\` a comment would end it.
std::string comments(const Sheet& sheet) {
  std::string text = heading(sheet, kComment);
  if (!sheet.line.flags.empty()) {
    text += "#\n";
  }
  for (const Written& written : sheet.line.flags) {
    text += reason_comment(written, kComment);
  }
  return text;
}

/// The file of options, written by the shell before it is used. Quotes around the mark keep the
/// shell from putting anything into it.
Result<std::string> here_document(const Sheet& sheet) {
  if (sheet.line.file.empty()) {
    return std::string();
  }
  auto options = options_text(sheet.line.file);
  if (!options) {
    return options;
  }
  return "cat > " + std::string(kOptionsFile) + " <<'EOF'\n" + *options + "EOF\n\n";
}

std::string quoted_line(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : " ") + quoted_for_shell(word);
  }
  return text;
}

/// One piece a line, the first at the margin.
std::string continued(const std::vector<std::string>& pieces, std::size_t margin_pieces) {
  std::string text;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    text += (i < margin_pieces ? "" : "  ") + pieces[i];
    text += i + 1 < pieces.size() ? " \\\n" : "\n";
  }
  return text;
}

std::string volume(const Mount& mount) {
  const std::string rest = quoted_for_shell(mount.host + ":" + mount.inside);
  // The shell puts in the home folder only where the tilde stands bare.
  if (mount.home) {
    return "-v ~/" + rest;
  }
  return mount.relative ? "-v \"$PWD\"/" + rest + ":ro" : "-v " + rest + ":ro";
}

std::vector<std::string> card_options(const Sheet& sheet) {
  const std::string_view vendor = sheet.image->facts->vendor;
  const std::uint64_t count = sheet.setup.request.gpu_count.value_or(1);
  if (vendor == "amd") {
    return {"--device=/dev/kfd --device=/dev/dri --group-add video",
            "--security-opt seccomp=unconfined"};
  }
  if (vendor == "intel") {
    return {"--device=/dev/dri"};
  }
  return {"--gpus " + std::to_string(count)};
}

}  // namespace

Result<std::string> shell_text(const Sheet& sheet) {
  auto file = here_document(sheet);
  if (!file) {
    return file;
  }
  std::vector<std::string> pieces;
  for (const auto& [name, value] : sheet.line.env) {
    pieces.push_back(name + "=" + quoted_for_shell(value));
  }
  const std::size_t margin = pieces.size() + 1;
  for (const Line& line : command_lines(sheet, kOptionsFile)) {
    pieces.push_back(quoted_line(line.words));
  }
  return comments(sheet) + *file + continued(pieces, margin);
}

Result<std::string> docker_text(const Sheet& sheet) {
  auto file = here_document(sheet);
  if (!file) {
    return file;
  }
  std::vector<std::string> pieces = {sheet.line.serves ? "docker run --rm" : "docker run --rm -it"};
  for (std::string& option : card_options(sheet)) {
    pieces.push_back(std::move(option));
  }
  if (server_facts(*sheet.setup.request.engine).shared_memory) {
    pieces.emplace_back("--ipc=host");
  }
  if (server_facts(*sheet.setup.request.engine).ulimits) {
    pieces.emplace_back("--ulimit memlock=-1 --ulimit stack=67108864");
  }
  if (sheet.line.serves) {
    const std::string port = std::to_string(sheet.line.port);
    pieces.push_back("-p " + port + ":" + port);
  }
  bool token = false;
  for (const Mount& mount : mounts(sheet)) {
    pieces.push_back(volume(mount));
    token = token || mount.home;
  }
  if (!sheet.line.file.empty()) {
    pieces.push_back("-v \"$PWD\"/" + std::string(kOptionsFile) + ":" +
                     std::string(kOptionsInside) + ":ro");
  }
  for (const auto& [name, value] : sheet.line.env) {
    pieces.push_back("-e " + quoted_for_shell(variable_text(name, value)));
    token = token && name != "HF_TOKEN";
  }
  if (token) {
    pieces.emplace_back("-e HF_TOKEN");
  }
  pieces.push_back(quoted_for_shell(sheet.image->name));
  for (const Line& line : command_lines(sheet, kOptionsInside)) {
    pieces.push_back(quoted_line(line.words));
  }
  return comments(sheet) + *file + continued(pieces, 1);
}

}  // namespace ridgepoint::command
