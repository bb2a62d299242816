#include "command/write.hpp"

#include <utility>

#include "command/check.hpp"
#include "command/forms.hpp"

namespace ridgepoint::command {
namespace {

Result<std::string> text_of(const Sheet& sheet, Form form) {
  switch (form) {
    case Form::shell:
      return shell_text(sheet);
    case Form::docker:
      return docker_text(sheet);
    case Form::compose:
      return compose_text(sheet);
    case Form::kubernetes:
      break;
  }
  return kubernetes_text(sheet);
}

/// llama.cpp's image of its command-line tool has its own name.
void take_tool_image(ServerImage& image) {
  constexpr std::string_view kServer = ":server-";
  const std::size_t at = image.name.find(kServer);
  if (at != std::string::npos) {
    image.name.replace(at, kServer.size(), ":light-");
  }
}

std::string joined(const std::vector<std::string>& path) {
  std::string text;
  for (const std::string& part : path) {
    text += (text.empty() ? "" : ".") + part;
  }
  return text;
}

}  // namespace

Result<WrittenCommand> write_command(const plan::Request& request, Form form,
                                     ReportText report_of) {
  auto setup = normal_setup(request, report_of);
  if (!setup) {
    return setup.error();
  }
  auto line = serve_line(setup.value(), request, form);
  if (!line) {
    return line.error();
  }
  Sheet sheet{setup.value(), line.value(), nullptr};
  ServerImage image;
  if (form != Form::shell) {
    auto found = image_for(*request.engine, request.device, setup->plan.memory.version);
    if (!found) {
      return found.error();
    }
    image = std::move(found.value());
    if (!line->serves) {
      take_tool_image(image);
    }
    if (!image.note.empty()) {
      line.value().notes.push_back(image.note);
    }
    sheet.image = &image;
  }
  auto text = text_of(sheet, form);
  if (!text) {
    return text.error();
  }
  WrittenCommand command;
  command.text = std::move(text.value());
  command.flags = line->flags;
  for (const FileOption& option : line->file) {
    command.flags.push_back({joined(option.path), {option.value}, option.why});
  }
  command.notes = line->notes;
  command.model = line->model;
  command.version = image.version;
  command.request = setup->request;
  command.request.args = line->args;
  command.request.env = line->env;
  command.report = report_of(command.request);
  if (auto error = check_written(command, report_of)) {
    return *std::move(error);
  }
  return command;
}

}  // namespace ridgepoint::command
