#include <string>
#include <string_view>

#include "command/forms.hpp"
#include "command/quote.hpp"
#include "command/yaml_page.hpp"

namespace ridgepoint::command {
namespace {

void compose_cards(Page& page, const Sheet& sheet) {
  const std::string_view vendor = sheet.image->facts->vendor;
  if (vendor == "nvidia") {
    page.line(2, "deploy:");
    page.line(3, "resources:");
    page.line(4, "reservations:");
    page.line(5, "devices:");
    page.line(6, "- driver: nvidia");
    page.line(7, "count: " + std::to_string(cards(sheet)));
    page.line(7, "capabilities: [gpu]");
    return;
  }
  page.line(2, "devices:");
  if (vendor == "amd") {
    page.item(3, "/dev/kfd:/dev/kfd");
  }
  page.item(3, "/dev/dri:/dev/dri");
  if (vendor == "amd") {
    page.line(2, "group_add:");
    page.item(3, "video");
    page.line(2, "security_opt:");
    page.item(3, "seccomp=unconfined");
  }
}

void compose_volumes(Page& page, const Sheet& sheet) {
  page.line(2, "volumes:");
  for (const Mount& mount : mounts(sheet)) {
    const std::string front = mount.home ? "~/" : (mount.relative ? "./" : "");
    page.item(3, front + mount.host + ":" + mount.inside + (mount.home ? "" : ":ro"));
  }
}

void compose_environment(Page& page, const Sheet& sheet) {
  const bool token = wants_token(sheet);
  if (!token && sheet.line.env.empty()) {
    return;
  }
  page.line(2, "environment:");
  if (token) {
    page.comment(3, "For models that want a login; taken from the shell that starts this.");
    page.item(3, "HF_TOKEN");
  }
  for (const auto& [name, value] : sheet.line.env) {
    page.item(3, variable_text(name, value));
  }
}

}  // namespace

Result<std::string> compose_text(const Sheet& sheet) {
  auto options = options_text(sheet.line.file);
  if (!options) {
    return options;
  }
  Page page;
  page.raw(heading(sheet, "# "));
  page.line(0, "services:");
  page.line(1, std::string(sheet.setup.request.engine->name) + ":");
  page.entry(2, "image", sheet.image->name);
  page.line(2, "command:");
  write_arguments(page, sheet, 3);
  if (sheet.line.serves) {
    const std::string port = std::to_string(sheet.line.port);
    page.line(2, "ports:");
    page.line(3, "- \"" + port + ":" + port + "\"");
  }
  compose_environment(page, sheet);
  compose_volumes(page, sheet);
  if (!sheet.line.file.empty()) {
    page.line(2, "configs:");
    page.line(3, "- source: options");
    page.entry(4, "target", kOptionsInside);
  }
  if (server_facts(*sheet.setup.request.engine).shared_memory) {
    page.comment(2, "The engine's processes exchange tensors through shared memory.");
    page.line(2, "ipc: host");
  }
  if (server_facts(*sheet.setup.request.engine).ulimits) {
    page.line(2, "ulimits:");
    page.line(3, "memlock: -1");
    page.line(3, "stack: 67108864");
  }
  compose_cards(page, sheet);
  if (sheet.line.serves) {
    page.line(2, "restart: unless-stopped");
  }
  if (!sheet.line.file.empty()) {
    page.line(0, "configs:");
    page.line(1, "options:");
    page.line(2, "content: |");
    page.block(3, *options, true);
  }
  return page.take();
}

}  // namespace ridgepoint::command
