// Measured runs of engines against the step model, for tests/accuracy/speed.mjs:
//   speed_rows <rows.jsonl>      answers each line of standard input, an object of constants to try
//                                ({} tries those that are built in), with a line of figures a row
// A row: {"request": {…}, "load": {"input", "output", "least" (share of a length that is drawn from
// evenly up to the whole), "concurrency" or "rate", "prompts", "scheduler", "tokens", "seqs",
// "http", "kind"}}. The replay follows the scheduler's rules in tokens, not blocks, and takes many
// decode steps at a time while nobody comes or goes.
#include <algorithm>
#include <cmath>
#include <deque>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "api/request.hpp"
#include "cache/geometry.hpp"
#include "exact_math.hpp"
#include "model/tensors.hpp"
#include "plan/fit.hpp"
#include "roofline.hpp"
#include "speed/step_model.hpp"

namespace {

using Json = nlohmann::json;
using namespace ridgepoint;

constexpr std::uint64_t kNone = ~std::uint64_t{0};

/// What a client in the engine's own process waits beside the queue and the steps.
constexpr double kInProcess = 8e-3;

/// xorshift64*: the same draws on every machine.
class Draws {
 public:
  double next() {
    state_ ^= state_ >> 12U;
    state_ ^= state_ << 25U;
    state_ ^= state_ >> 27U;
    return static_cast<double>((state_ * 0x2545F4914F6CDD1DULL) >> 11U) * 0x1p-53;
  }

 private:
  std::uint64_t state_ = 0x9E3779B97F4A7C15ULL;
};

struct Load {
  std::string kind;
  double input = 0;
  double output = 0;
  double least = 1;
  std::uint64_t concurrency = 0;
  double rate = 0;
  std::uint64_t prompts = 0;
  std::string scheduler = "mixed";
  std::uint64_t tokens = 8192;
  std::uint64_t seqs = 1024;
  std::uint64_t pool = kNone;
  bool http = true;
  bool delayed = false;       ///< admission comes a step late
  bool whole = false;         ///< prompts are not cut up
  std::uint64_t skipped = 0;  ///< requests at the start that no figure counts
  std::uint64_t stages = 1;   ///< that work on parts of the running requests at the same time
  double spread = 0;          ///< outputs are drawn this far around their length, relative
};

struct Asked {
  std::uint64_t prompt;
  std::uint64_t output;
  double arrival = 0;  ///< at the client
  double ready = 0;    ///< at the scheduler
  double first = -1;
  double end = -1;
  std::uint64_t done = 0;        ///< tokens of prompt (and recomputed output) in the cache
  std::uint64_t to_prefill = 0;  ///< prompt, and what was made before a preemption
  std::uint64_t made = 0;
};

struct Figures {
  double ttft_mean = 0, ttft_p50 = 0, tpot_mean = 0, tpot_p50 = 0, output_rate = 0,
         request_rate = 0;
  double running = 0;
};

double middle(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

class Replay {
 public:
  Replay(speed::KernelTimer& timer, const Load& load) : timer_(timer), load_(load) {
    front_ = timer.front_end();
    if (!load.http) front_ = {kInProcess, 0, 0, 0};
    Draws draws;
    const auto drawn = [&](double length) {
      const double least = load.least * length;
      return static_cast<std::uint64_t>(
          std::max(1.0, std::floor(least + draws.next() * (length - least) + 0.5)));
    };
    double at = 0;
    for (std::uint64_t i = 0; i < load.prompts; ++i) {
      Asked asked{drawn(load.input), drawn(load.output)};
      if (load.spread > 0) {
        asked.output = static_cast<std::uint64_t>(
            std::max(1.0, load.output * (1.0 + load.spread * (2.0 * draws.next() - 1.0)) + 0.5));
      }
      if (load.rate > 0) {
        asked.arrival = at;
        at += -exact_log(1.0 - draws.next()) / load.rate;
      }
      asked.to_prefill = asked.prompt;
      all_.push_back(asked);
    }
  }

  Figures run() {
    const std::uint64_t first =
        load_.rate > 0 || load_.concurrency == 0 ? all_.size() : load_.concurrency;
    for (; next_ < std::min<std::uint64_t>(first, all_.size()); ++next_)
      come(next_, all_[next_].arrival);
    std::uint64_t guard = 0;
    while (finished_ < all_.size() && ++guard < 4'000'000) step();
    return figures();
  }

 private:
  /// The request reaches the scheduler after the front end's queue.
  void come(std::uint64_t index, double at) {
    Asked& asked = all_[index];
    asked.arrival = at;
    const double start = std::max(at, front_free_);
    front_free_ =
        start + front_.per_request_s + front_.per_token_s * static_cast<double>(asked.prompt);
    asked.ready = front_free_ + front_.fixed_s;
    coming_.push_back(index);
  }

  void receive() {
    while (!coming_.empty() && all_[coming_.front()].ready <= now_) {
      waiting_.push_back(coming_.front());
      coming_.pop_front();
    }
  }

  [[nodiscard]] std::uint64_t held() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t i : running_) {
      sum += load_.scheduler == "reserve" ? all_[i].prompt + all_[i].output : all_[i].done + 1;
    }
    return sum;
  }

  void step() {
    receive();
    if (running_.empty() && waiting_.empty()) {
      now_ = std::max(now_, all_[coming_.front()].ready);
      receive();
    }
    std::uint64_t used = held();
    // A cache that is full takes back the last that came.
    while (load_.scheduler != "reserve" && used > load_.pool && running_.size() > 1) {
      const std::uint64_t last = running_.back();
      running_.pop_back();
      used -= all_[last].done + 1;
      all_[last].to_prefill = all_[last].prompt + all_[last].made;
      all_[last].done = 0;
      waiting_.push_front(last);
      full_ = true;
    }
    std::uint64_t budget = load_.tokens;
    std::vector<std::uint64_t> decodes;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> prefills;
    const bool apart = load_.scheduler == "prompts_first";
    for (const std::uint64_t i : running_) {
      if (all_[i].done >= all_[i].to_prefill) decodes.push_back(i);
    }
    if (!apart) budget -= std::min<std::uint64_t>(budget, decodes.size());
    for (const std::uint64_t i : running_) {
      if (all_[i].done < all_[i].to_prefill && budget > 0) {
        const std::uint64_t tokens = std::min(budget, all_[i].to_prefill - all_[i].done);
        prefills.emplace_back(i, tokens);
        budget -= tokens;
      }
    }
    const bool admits = !full_ || running_.empty();
    while (admits && !waiting_.empty() && budget > 0 && running_.size() < load_.seqs) {
      const std::uint64_t i = waiting_.front();
      const std::uint64_t left = all_[i].to_prefill;
      const std::uint64_t takes =
          load_.scheduler == "reserve" ? all_[i].prompt + all_[i].output : left;
      if (used + takes > load_.pool && !running_.empty()) break;
      if (load_.whole && left > budget && budget < load_.tokens) break;
      const std::uint64_t tokens = std::min(budget, left);
      prefills.emplace_back(i, tokens);
      running_.push_back(i);
      waiting_.pop_front();
      used += takes;
      budget -= tokens;
    }
    full_ = false;
    if (apart && !prefills.empty()) decodes.clear();
    advance(decodes, prefills);
  }

  void advance(const std::vector<std::uint64_t>& decodes,
               const std::vector<std::pair<std::uint64_t, std::uint64_t>>& prefills) {
    std::uint64_t steps = 1;
    if (prefills.empty()) {
      steps = kNone;
      for (const std::uint64_t i : decodes) steps = std::min(steps, all_[i].output - all_[i].made);
      if (load_.pool != kNone && load_.scheduler != "reserve" && !decodes.empty()) {
        const std::uint64_t used = held();
        const std::uint64_t room = used < load_.pool ? (load_.pool - used) / decodes.size() : 0;
        steps = std::min(steps, std::max<std::uint64_t>(1, room));
      }
      steps = std::max<std::uint64_t>(1, std::min<std::uint64_t>(steps, 256));
      if (!coming_.empty()) {
        const double one = timer_.time(load_of(decodes, prefills, 0)).total;
        const double until = all_[coming_.front()].ready - now_;
        steps = std::min(steps, static_cast<std::uint64_t>(std::max(1.0, std::ceil(until / one))));
      }
    }
    const double time = timer_.time(load_of(decodes, prefills, steps / 2)).total;
    const double outputs = static_cast<double>(decodes.size()) * front_.per_output_s;
    const double each = std::max(time, outputs);
    const double begin = now_;
    now_ += each * static_cast<double>(steps);
    running_time_ += static_cast<double>(running_.size()) * (now_ - begin);
    front_free_ = std::max(front_free_, begin) + outputs * static_cast<double>(steps);
    front_free_ = std::min(front_free_, now_);
    for (const std::uint64_t i : decodes) {
      all_[i].made += steps;
      all_[i].done += steps;
      all_[i].to_prefill += steps;
      if (all_[i].made >= all_[i].output) finish(i);
    }
    for (const auto& [i, tokens] : prefills) {
      all_[i].done += tokens;
      if (all_[i].done < all_[i].to_prefill) continue;
      ++all_[i].made;
      if (all_[i].first < 0) all_[i].first = now_;
      if (all_[i].made >= all_[i].output) finish(i);
    }
  }

  void finish(std::uint64_t index) {
    all_[index].end = now_;
    running_.erase(std::find(running_.begin(), running_.end(), index));
    ++finished_;
    if (next_ < all_.size()) come(next_++, now_);
  }

  speed::StepLoad load_of(const std::vector<std::uint64_t>& decodes,
                          const std::vector<std::pair<std::uint64_t, std::uint64_t>>& prefills,
                          std::uint64_t ahead) {
    speed::StepLoad load;
    load.decoding = decodes.size();
    load.sampled = decodes.size();
    const speed::ContextCaps& caps = timer_.caps();
    for (const std::uint64_t i : decodes) {
      const std::uint64_t context = all_[i].done + ahead;
      for (std::size_t cap = 0; cap < caps.size(); ++cap) {
        if (cap == 0 || caps[cap] != 0) {
          load.context[cap] += cap == 0 ? context : std::min(context, caps[cap]);
        }
      }
    }
    chunks_.clear();
    for (const auto& [i, tokens] : prefills) {
      chunks_.push_back({tokens, all_[i].done});
      load.sampled += all_[i].done + tokens >= all_[i].to_prefill ? 1 : 0;
    }
    // Stages take turns: each holds its share of the requests, and a round takes as long as one
    // share takes through all of them.
    const std::uint64_t share = std::min<std::uint64_t>(load_.stages, decodes.size());
    if (share > 1) {
      load.decoding = (load.decoding + share - 1) / share;
      load.sampled = (load.sampled + share - 1) / share;
      for (auto& context : load.context) context /= share;
      for (auto& chunk : chunks_) chunk.tokens = (chunk.tokens + share - 1) / share;
    }
    load.chunks = chunks_;
    return load;
  }

  Figures figures() {
    Figures out;
    std::vector<double> first;
    std::vector<double> each;
    for (std::uint64_t i = 0; i < all_.size(); ++i) {
      const Asked& asked = all_[i];
      if (asked.end < 0) continue;
      outputs_ += static_cast<double>(asked.output);
      if (i < load_.skipped) continue;
      first.push_back(asked.first - asked.arrival);
      if (asked.output > 1) {
        each.push_back((asked.end - asked.first) / static_cast<double>(asked.output - 1));
      }
    }
    for (const double value : first) out.ttft_mean += value / static_cast<double>(first.size());
    for (const double value : each) out.tpot_mean += value / static_cast<double>(each.size());
    out.ttft_p50 = middle(first);
    out.tpot_p50 = middle(each);
    out.output_rate = outputs_ / now_;
    out.request_rate = static_cast<double>(all_.size()) / now_;
    out.running = running_time_ / now_;
    return out;
  }

  speed::KernelTimer& timer_;
  Load load_;
  speed::FrontEnd front_;
  std::vector<Asked> all_;
  std::deque<std::uint64_t> coming_;
  std::deque<std::uint64_t> waiting_;
  std::vector<std::uint64_t> running_;
  std::vector<speed::Chunk> chunks_;
  std::uint64_t next_ = 0;
  std::uint64_t finished_ = 0;
  double now_ = 0;
  double front_free_ = 0;
  double running_time_ = 0;
  double outputs_ = 0;
  bool full_ = false;
};

/// A row, read once.
struct Row {
  std::string id;
  plan::Request request;
  std::vector<model::Tensor> tensors;
  engine::MemoryPlan memory;
  bool planned = false;
  std::string why;
  Load load;
  std::string version;  ///< of the run, which the memory rules may not cover
  speed::Layout layout;
  bool graphs = true;
  precision::KvFormat kv_format = precision::KvFormat::model_dtype;
  std::optional<std::uint64_t> weight_bytes;
};

using Change = std::pair<const char*, double speed::Kernels::*>;
constexpr Change kKernelFields[] = {
    {"launch_us", &speed::Kernels::launch_s},
    {"weight_share", &speed::Kernels::weight_share},
    {"mfu_16", &speed::Kernels::mfu_16},
    {"mfu_8", &speed::Kernels::mfu_8},
    {"mfu_4", &speed::Kernels::mfu_4},
    {"attention_launch_us", &speed::Kernels::attention_launch_s},
    {"cache_share", &speed::Kernels::cache_share},
    {"cache_share_8", &speed::Kernels::cache_share_8},
    {"scores_share", &speed::Kernels::scores_share},
    {"prefill_mfu_512", &speed::Kernels::prefill_mfu_512},
    {"prefill_mfu_16384", &speed::Kernels::prefill_mfu_16384},
    {"experts_launch_us", &speed::Kernels::experts_launch_s},
    {"expert_share", &speed::Kernels::expert_share},
    {"expert_mfu", &speed::Kernels::expert_mfu},
    {"unpacked_mfu", &speed::Kernels::unpacked_mfu},
    {"state_share", &speed::Kernels::state_share},
    {"elementwise_launch_us", &speed::Kernels::elementwise_launch_s},
};
constexpr std::pair<const char*, double speed::Host::*> kHostFields[] = {
    {"step_us", &speed::Host::step_s},
    {"per_sequence_us", &speed::Host::per_sequence_s},
    {"ranks_us", &speed::Host::ranks_s},
    {"eager_layer_us", &speed::Host::eager_layer_s},
    {"mixed_layer_us", &speed::Host::mixed_layer_s},
    {"mixture_layer_us", &speed::Host::mixture_layer_s},
    {"latent_layer_us", &speed::Host::latent_layer_s},
    {"cast_us", &speed::Host::cast_s},
    {"experts_scale", &speed::Host::experts_scale},
    {"request_us", &speed::Host::request_s},
    {"queued_request_us", &speed::Host::queued_request_s},
    {"queued_token_us", &speed::Host::queued_token_s},
    {"queued_output_us", &speed::Host::queued_output_s},
};

double scale_of(std::string_view key) { return key.ends_with("_us") ? 1e-6 : 1.0; }

template <typename Target, typename Fields>
void change(Target& target, const Json& changes, const Fields& fields) {
  for (const auto& [key, value] : changes.items()) {
    for (const auto& [name, field] : fields) {
      if (key == name) target.*field = value.template get<double>() * scale_of(key);
      if (key == std::string(name) + "*") target.*field *= value.template get<double>();
    }
  }
}

/// What two plainer ways say of the same: the two-ceiling roofline with MFU 0.40 and MBU 0.61, and
/// the usual formulas of calculators, which read all weights whatever the batch and add nothing for
/// it.
void compare(const speed::Setup& setup, const Row& row, std::uint64_t batch, std::uint64_t context,
             Json& out) {
  const speed::Layout& layout = row.layout;
  const model::ParameterCounts counts = model::count_parameters(row.tensors);
  const double cards = static_cast<double>(layout.tensor * layout.pipeline * layout.groups);
  speed::Load load;
  load.active_parameters = counts.active;
  load.weight_bytes =
      row.weight_bytes.value_or(static_cast<std::uint64_t>(speed::whole_weight_bytes(setup)));
  const double mean = static_cast<double>(load.weight_bytes) / static_cast<double>(counts.total);
  const auto part = [&](model::Part name) {
    return static_cast<std::uint64_t>(
        mean * static_cast<double>(counts.by_part[static_cast<std::size_t>(name)]));
  };
  load.expert_bytes = part(model::Part::experts);
  load.embedding_bytes = setup.model.tie_word_embeddings ? 0 : part(model::Part::embedding);
  for (const model::Layer& layer : setup.model.layers) {
    if (layer.feed_forward.moe()) {
      load.expert_share_per_token = static_cast<double>(layer.feed_forward.num_experts_per_tok) /
                                    static_cast<double>(layer.feed_forward.num_experts);
    }
  }
  load.cache_bytes_per_request =
      cache::request_bytes(setup.model, row.kv_format, setup.dtype, context, true);
  load.prompt = static_cast<std::uint64_t>(row.load.input);
  load.batch = std::max<std::uint64_t>(1, batch * layout.groups);
  load.gpus = static_cast<std::uint64_t>(cards);
  load.eight_bit_math = setup.model.quantization.quantized() && mean < 1.5 &&
                        speed::math_of(setup.model.quantization.groups.front().format,
                                       setup.device) == speed::Math::fp8;
  const speed::Speed plain = speed::roofline(load, setup.device);
  const double peak = std::max(setup.device.bf16_flops, setup.device.fp16_flops);
  const double bytes =
      static_cast<double>(load.weight_bytes) +
      static_cast<double>(load.batch) * static_cast<double>(load.cache_bytes_per_request);
  const double usual = bytes / (0.61 * setup.device.bandwidth_bytes_per_s * cards);
  out["roofline_ttft"] = plain.ttft_s.best;
  out["roofline_tpot"] = plain.tpot_s.best;
  out["original_ttft"] =
      2.0 * static_cast<double>(counts.active) * row.load.input / (0.40 * peak * cards);
  out["original_tpot"] = usual;
  out["roofline_output_tok_s"] = plain.decode_tokens_per_s.best;
  out["original_output_tok_s"] = static_cast<double>(load.batch) / usual;
}

Json answer(Row& row, const Json& constants) {
  Json out{{"id", row.id}};
  speed::Kernels kernels = speed::kernels_of(row.request.device);
  speed::Links links = speed::links_of(row.request.device);
  speed::Host host = speed::host_of(row.request.engine->name, row.version);
  out["kernels"] = kernels.name;
  out["links"] = links.name;
  out["host"] = std::string(host.engine) + " " + std::to_string(host.since);
  for (const std::string& key : {std::string("*"), std::string(kernels.name)}) {
    if (constants.contains("kernels") && constants["kernels"].contains(key)) {
      change(kernels, constants["kernels"][key], kKernelFields);
    }
  }
  for (const std::string& key : {std::string("*"), out["host"].get<std::string>()}) {
    if (constants.contains("hosts") && constants["hosts"].contains(key)) {
      change(host, constants["hosts"][key], kHostFields);
    }
  }
  if (constants.contains("links") && constants["links"].contains(std::string(links.name))) {
    const Json& changes = constants["links"][std::string(links.name)];
    for (std::size_t i = 0; i < 4; ++i) {
      if (changes.contains("floor_us"))
        links.floor_s[i] = changes["floor_us"][i].get<double>() * 1e-6;
      if (changes.contains("bus_gb_per_s")) {
        links.bus_bytes_per_s[i] = changes["bus_gb_per_s"][i].get<double>() * 1e9;
      }
    }
  }
  // Outputs that nobody streams cost the processor little.
  constexpr double kOfflineSequence = 20e-6;
  if (row.load.kind == "offline_throughput") {
    host.per_sequence_s = std::min(host.per_sequence_s, kOfflineSequence);
  }
  speed::Setup setup{row.request.model, row.tensors, row.request.device};
  setup.layout = row.layout;
  setup.kv_format = row.kv_format;
  setup.dtype = row.planned ? row.memory.dtype : row.request.model.dtype;
  setup.engine = row.request.engine->name;
  setup.version = row.version;
  setup.graphs = row.graphs;
  setup.weight_bytes = row.weight_bytes;
  setup.kernels = &kernels;
  setup.links = &links;
  setup.host = &host;
  auto timer = speed::KernelTimer::make(setup);
  if (!timer) {
    out["error"] = "no rates";
    return out;
  }
  out["tpot_band"] = timer->bands().tpot;
  out["ttft_band"] = row.load.kind == "serve" ? timer->bands().queued : timer->bands().ttft;
  Load load = row.load;
  if (row.load.kind == "single_stream" || row.load.kind == "prefill") {
    const auto prompt = static_cast<std::uint64_t>(load.input + 0.5);
    double ttft = load.http                ? timer->front_end().fixed_s
                  : load.kind == "prefill" ? 0.0
                                           : kInProcess;
    for (std::uint64_t cached = 0; cached < prompt; cached += load.tokens) {
      const speed::Chunk chunk{std::min<std::uint64_t>(load.tokens, prompt - cached), cached};
      speed::StepLoad step;
      step.chunks = {&chunk, 1};
      step.sampled = cached + chunk.tokens >= prompt ? 1 : 0;
      ttft += timer->time(step).total;
    }
    speed::StepLoad step;
    step.decoding = step.sampled = 1;
    const auto context = static_cast<std::uint64_t>(load.input + load.output / 2);
    for (std::size_t i = 0; i < speed::kContextSums; ++i) {
      const std::uint64_t cap = timer->caps()[i];
      step.context[i] = cap == 0 ? context : std::min(context, cap);
    }
    const speed::StepTime time = timer->time(step);
    out["ttft"] = ttft;
    out["tpot"] = time.total;
    compare(setup, row, 1, context, out);
    out["parts"] = {time.host,          time.linear, time.attention,  time.experts,
                    time.communication, time.head,   time.elementwise};
    return out;
  }
  const Figures figures = Replay(*timer, load).run();
  out["ttft"] = figures.ttft_mean;
  out["ttft_p50"] = figures.ttft_p50;
  out["tpot"] = figures.tpot_mean;
  out["tpot_p50"] = figures.tpot_p50;
  out["output_tok_s"] = figures.output_rate;
  out["req_s"] = figures.request_rate;
  out["running"] = figures.running;
  speed::StepLoad step;
  step.decoding = step.sampled = static_cast<std::uint64_t>(std::max(1.0, figures.running + 0.5));
  const auto context = static_cast<std::uint64_t>(load.input + load.output / 2);
  for (std::size_t i = 0; i < speed::kContextSums; ++i) {
    const std::uint64_t cap = timer->caps()[i];
    step.context[i] = step.decoding * (cap == 0 ? context : std::min(context, cap));
  }
  compare(setup, row, step.decoding, context, out);
  const speed::StepTime time = timer->time(step);
  out["parts"] = {time.host,          time.linear, time.attention,  time.experts,
                  time.communication, time.head,   time.elementwise};
  return out;
}

std::optional<Row> read_row(const std::string& line) {
  const Json given = Json::parse(line, nullptr, false);
  if (given.is_discarded()) return std::nullopt;
  auto request = api::read_request(given.at("request"));
  Row row;
  row.id = given.at("id");
  if (!request) {
    std::cerr << row.id << ": " << request.error().message << "\n";
    return std::nullopt;
  }
  row.request = std::move(request.value());
  row.tensors = model::tensors(row.request.model);
  row.version = given.value("version", "");
  const Json& load = given.at("load");
  row.load = {load.at("kind"),
              load.value("input", 0.0),
              load.value("output", 0.0),
              load.value("least", 1.0),
              load.value("concurrency", std::uint64_t{0}),
              load.value("rate", 0.0),
              load.value("prompts", std::uint64_t{0}),
              load.value("scheduler", "mixed"),
              load.value("tokens", std::uint64_t{0}),
              load.value("seqs", std::uint64_t{0}),
              kNone,
              load.value("http", true),
              load.value("delayed", false),
              load.value("whole", false),
              load.value("skipped", std::uint64_t{0}),
              given.at("layout").value("pipeline", std::uint64_t{1}),
              load.value("spread", 0.0)};
  auto plan = row.request.engine->plan(plan::engine_inputs(row.request, row.tensors));
  if (plan && plan->limit == engine::Limit::none) {
    row.planned = true;
    row.memory = std::move(plan.value());
    row.load.pool = row.memory.tokens.best == 0 ? kNone : row.memory.tokens.best;
    if (row.load.tokens == 0) row.load.tokens = row.memory.max_num_batched_tokens;
    if (row.load.seqs == 0) row.load.seqs = row.memory.max_num_seqs;
    row.kv_format = row.memory.kv_format;
    row.layout =
        speed::layout_of(row.memory.parallelism, row.request.model, speed::Sharing::experts);
  } else {
    row.why = plan ? plan->limit_text : plan.error().message;
    std::cerr << row.id << " plan: " << row.why << "\n";
  }
  if (row.load.tokens == 0) row.load.tokens = 8192;
  if (row.load.seqs == 0) row.load.seqs = 2048;
  if (load.contains("pool")) row.load.pool = load["pool"];
  if (given.contains("kv") && given["kv"] == "fp8") row.kv_format = precision::KvFormat::fp8;
  if (given.contains("bits")) {
    row.weight_bytes =
        static_cast<std::uint64_t>(given["bits"].get<double>() / 8 *
                                   static_cast<double>(model::count_parameters(row.tensors).total));
  }
  row.graphs = given.value("graphs", true);
  const Json& layout = given.at("layout");
  row.layout.tensor = layout.value("tensor", row.layout.tensor);
  row.layout.pipeline = layout.value("pipeline", row.layout.pipeline);
  row.layout.groups = layout.value("groups", std::uint64_t{1});
  row.layout.expert_ranks = layout.value("expert_ranks", std::uint64_t{1});
  row.layout.expert_split = layout.value("expert_split", row.layout.tensor);
  return row;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: speed_rows <rows.jsonl>\n";
    return 2;
  }
  std::vector<std::unique_ptr<Row>> rows;
  std::ifstream file(argv[1]);
  for (std::string line; std::getline(file, line);) {
    auto row = read_row(line);
    if (row) rows.push_back(std::make_unique<Row>(std::move(*row)));
  }
  for (std::string line; std::getline(std::cin, line);) {
    const Json constants = Json::parse(line, nullptr, false);
    Json answers = Json::array();
    for (const auto& row : rows) {
      if (constants.contains("only")) {
        const Json& only = constants["only"];
        if (std::find(only.begin(), only.end(), row->id) == only.end()) continue;
      }
      answers.push_back(answer(*row, constants));
    }
    std::cout << answers.dump() << std::endl;
  }
  return 0;
}
