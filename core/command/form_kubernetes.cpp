#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "command/forms.hpp"
#include "command/quote.hpp"
#include "command/yaml_page.hpp"
#include "wording.hpp"

namespace ridgepoint::command {
namespace {

/// What a pod is given to load its weights and to compile: a download of 1.6 Gbit/s, and a quarter
/// of an hour.
constexpr std::uint64_t kBytesPerSecond = 200'000'000;
constexpr std::uint64_t kCompileSeconds = 900;
constexpr std::uint64_t kProbeSeconds = 10;
/// Of /dev/shm for each card: the queues and exchange buffers of an engine's processes.
constexpr std::uint64_t kSharedGiB = 4;

/// A name that Kubernetes takes for its objects: letters, digits and dashes.
std::string object_name(const Sheet& sheet) {
  constexpr std::size_t kLongest = 50;
  std::string name(sheet.setup.request.engine->name);
  const std::string& model =
      sheet.setup.request.model.id.empty() ? sheet.line.model : sheet.setup.request.model.id;
  const std::size_t slash = model.find_last_of('/');
  name += '-';
  for (const char c : std::string_view(model).substr(slash == std::string::npos ? 0 : slash + 1)) {
    const bool upper = c >= 'A' && c <= 'Z';
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (upper || plain) {
      name += upper ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (name.back() != '-') {
      name += '-';
    }
    if (name.size() == kLongest) {
      break;
    }
  }
  while (name.back() == '-') {
    name.pop_back();
  }
  return name;
}

std::uint64_t bytes_to_load(const Sheet& sheet) {
  const engine::MemoryPlan& memory = sheet.setup.plan.memory;
  if (sheet.setup.request.engine->name == "llamacpp") {
    return memory.weights.best * cards(sheet) + memory.host_bytes;
  }
  return sheet.setup.plan.checkpoint_bytes;
}

void write_probe(Page& page, const Sheet& sheet, std::string_view kind, std::uint64_t failures) {
  page.line(5, std::string(kind) + ":");
  page.line(6, "httpGet:");
  page.entry(7, "path", server_facts(*sheet.setup.request.engine).health);
  page.line(7, "port: " + std::to_string(sheet.line.port));
  page.line(6, "periodSeconds: " + std::to_string(kProbeSeconds));
  page.line(6, "timeoutSeconds: 5");
  page.line(6, "failureThreshold: " + std::to_string(failures));
}

void write_probes(Page& page, const Sheet& sheet) {
  const std::uint64_t bytes = bytes_to_load(sheet);
  const std::uint64_t seconds =
      std::min<std::uint64_t>(bytes / kBytesPerSecond, 86'400) + kCompileSeconds;
  const std::uint64_t failures = (seconds + kProbeSeconds - 1) / kProbeSeconds;
  page.comment(5, grouped(failures * kProbeSeconds / 60) + " minutes: " + in_gib(bytes) +
                      " of weights at 200 MB/s, and a quarter of an hour to compile and to record "
                      "graphs.");
  write_probe(page, sheet, "startupProbe", failures);
  write_probe(page, sheet, "readinessProbe", 3);
  page.comment(5, "A busy server answers late; only one that has hung for a minute is restarted.");
  write_probe(page, sheet, "livenessProbe", 6);
}

void write_resources(Page& page, const Sheet& sheet) {
  const std::string_view vendor = sheet.image->facts->vendor;
  const std::string_view name = vendor == "amd"     ? "amd.com/gpu"
                                : vendor == "intel" ? "gpu.intel.com/xe"
                                                    : "nvidia.com/gpu";
  page.line(5, "resources:");
  page.line(6, "limits:");
  page.line(7, std::string(name) + ": " + std::to_string(cards(sheet)));
}

/// The places of a pod's files: inside, the volume's name, and what the volume is.
struct Volume {
  std::string name;
  std::string inside;
  std::vector<std::string> lines;
  std::string comment;
};

std::vector<Volume> pod_volumes(const Sheet& sheet, const std::string& name) {
  std::vector<Volume> all;
  if (server_facts(*sheet.setup.request.engine).shared_memory) {
    const std::uint64_t size = kSharedGiB * std::min<std::uint64_t>(cards(sheet), 16);
    all.push_back({"shm",
                   "/dev/shm",
                   {"emptyDir:", "  medium: Memory", "  sizeLimit: " + std::to_string(size) + "Gi"},
                   "The engine's processes exchange tensors here: " + std::to_string(kSharedGiB) +
                       " GiB a card. It counts as the pod's memory."});
  }
  std::size_t number = 0;
  for (const Mount& mount : mounts(sheet)) {
    Volume volume{"models" + (number == 0 ? std::string() : "-" + std::to_string(number)),
                  mount.inside,
                  {},
                  {}};
    ++number;
    if (mount.home) {
      volume.lines = {"emptyDir: {}"};
      volume.comment = "A persistentVolumeClaim in its place keeps the weights over restarts.";
    } else {
      const std::string path = mount.relative ? "/models/" + mount.host : mount.host;
      volume.lines = {"hostPath:", "  path: " + quoted_for_yaml(path, false)};
      volume.comment = "The model's files, on the node.";
    }
    all.push_back(std::move(volume));
  }
  if (!sheet.line.file.empty()) {
    all.push_back({"options", "/config", {"configMap:", "  name: " + name}, ""});
  }
  return all;
}

void write_env(Page& page, const Sheet& sheet) {
  const bool token = wants_token(sheet);
  if (!token && sheet.line.env.empty()) {
    return;
  }
  page.line(5, "env:");
  if (token) {
    page.comment(6,
                 "For models that want a login: kubectl create secret generic hf-token "
                 "--from-literal=token=…");
    page.line(6, "- name: HF_TOKEN");
    page.line(7, "valueFrom:");
    page.line(8, "secretKeyRef:");
    page.line(9, "name: hf-token");
    page.line(9, "key: token");
    page.line(9, "optional: true");
  }
  for (const auto& [name, value] : sheet.line.env) {
    page.line(6, "- name: " + quoted_for_yaml(name, false));
    page.entry(7, "value", value);
  }
}

void write_metadata(Page& page, std::size_t level, const std::string& name) {
  page.line(level, "metadata:");
  page.line(level + 1, "name: " + name);
}

void write_options(Page& page, const std::string& name, const std::string& options) {
  page.line(0, "apiVersion: v1");
  page.line(0, "kind: ConfigMap");
  write_metadata(page, 0, name);
  page.line(0, "data:");
  page.line(1, std::string(kOptionsFile) + ": |");
  page.block(2, options, false);
  page.line(0, "---");
}

void write_container(Page& page, const Sheet& sheet, const std::vector<Volume>& volumes) {
  page.line(2, "spec:");
  page.line(3, "containers:");
  page.line(4, "- name: " + std::string(sheet.setup.request.engine->name));
  page.entry(5, "image", sheet.image->name);
  page.line(5, "args:");
  write_arguments(page, sheet, 6);
  write_env(page, sheet);
  if (sheet.line.serves) {
    page.line(5, "ports:");
    page.line(6, "- containerPort: " + std::to_string(sheet.line.port));
  }
  write_resources(page, sheet);
  if (sheet.line.serves) {
    write_probes(page, sheet);
  }
  if (volumes.empty()) {
    return;
  }
  page.line(5, "volumeMounts:");
  for (const Volume& volume : volumes) {
    page.line(6, "- name: " + volume.name);
    page.line(7, "mountPath: " + quoted_for_yaml(volume.inside, false));
  }
  page.line(3, "volumes:");
  for (const Volume& volume : volumes) {
    if (!volume.comment.empty()) {
      page.comment(4, volume.comment);
    }
    page.line(4, "- name: " + volume.name);
    for (const std::string& line : volume.lines) {
      page.line(5, line);
    }
  }
}

void write_service(Page& page, const Sheet& sheet, const std::string& name) {
  const std::string port = std::to_string(sheet.line.port);
  page.line(0, "---");
  page.line(0, "apiVersion: v1");
  page.line(0, "kind: Service");
  write_metadata(page, 0, name);
  page.line(0, "spec:");
  page.line(1, "selector:");
  page.line(2, "app: " + name);
  page.line(1, "ports:");
  page.line(2, "- port: " + port);
  page.line(3, "targetPort: " + port);
}

}  // namespace

Result<std::string> kubernetes_text(const Sheet& sheet) {
  auto options = options_text(sheet.line.file);
  if (!options) {
    return options;
  }
  const std::string name = object_name(sheet);
  Page page;
  page.raw(heading(sheet, "# "));
  if (!sheet.line.file.empty()) {
    write_options(page, name, *options);
  }
  page.line(0, "apiVersion: apps/v1");
  page.line(0, "kind: Deployment");
  write_metadata(page, 0, name);
  page.line(0, "spec:");
  page.line(1, "replicas: 1");
  page.comment(1, "The cards are free for a new pod only when the old one is gone.");
  page.line(1, "strategy:");
  page.line(2, "type: Recreate");
  page.line(1, "selector:");
  page.line(2, "matchLabels:");
  page.line(3, "app: " + name);
  page.line(1, "template:");
  page.line(2, "metadata:");
  page.line(3, "labels:");
  page.line(4, "app: " + name);
  write_container(page, sheet, pod_volumes(sheet, name));
  if (sheet.line.serves) {
    write_service(page, sheet, name);
  }
  return page.take();
}

}  // namespace ridgepoint::command
