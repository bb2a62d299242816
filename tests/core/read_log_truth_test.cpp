// Round trips: starts that people measured, written out in their era's wording, read back to the
// figures of the corpus.

#include <sstream>

#include "start_logs.hpp"

namespace {

using start_logs::Json;

std::vector<Json> rows(const std::string& name) {
  std::vector<Json> out;
  const auto text = tests::shared_file("truth/" + name + ".jsonl");
  if (!text) {
    WARN("skipped: truth/" + name + ".jsonl is not here");
    return out;
  }
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    out.push_back(Json::parse(line));
  }
  return out;
}

bool has(const Json& row, const char* key) { return row.contains(key) && row[key].is_number(); }

/// The minor version of "0.11.0"; 0 where the corpus does not say.
int minor(const Json& row) {
  if (!row.contains("engine_version") || !row["engine_version"].is_string()) {
    return 0;
  }
  const std::string text = row["engine_version"];
  return text.rfind("0.", 0) == 0 ? std::atoi(text.c_str() + 2) : 0;
}

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (int at = static_cast<int>(text.size()) - 3; at > 0; at -= 3) {
    text.insert(static_cast<std::size_t>(at), ",");
  }
  return text;
}

std::string vllm_log(const Json& row, bool old) {
  std::string log;
  const auto figure = [&](const char* key) { return row[key].dump(); };
  if (old) {
    log += "INFO 01-14 12:36:51 [model_runner.py:1099] Loading model weights took " +
           figure("weights_gib") + " GB\n";
    log += "INFO 01-14 12:36:52 [worker.py:240] model weights take " + figure("weights_gib") +
           "GiB; non_torch_memory takes " + figure("non_torch_gib") +
           "GiB; PyTorch activation peak memory takes " + figure("activation_peak_gib") +
           "GiB; the rest of the memory reserved for KV Cache is " + figure("kv_cache_gib") +
           "GiB.\n";
    if (has(row, "kv_blocks")) {
      log += "INFO 01-14 12:36:53 [executor_base.py:111] # cuda blocks: " + figure("kv_blocks") +
             ", # CPU blocks: 2048\n";
    }
  } else {
    log +=
        "(EngineCore_DP0 pid=1) INFO 10-12 14:00:25 [gpu_model_runner.py:1] Model loading took " +
        figure("weights_gib") + " GiB memory and 3.2 seconds\n";
    log +=
        "(EngineCore_DP0 pid=1) INFO 10-12 14:00:45 [gpu_worker.py:1] Available KV cache "
        "memory: " +
        figure("kv_cache_gib") + " GiB\n";
    if (has(row, "kv_tokens")) {
      log +=
          "(EngineCore_DP0 pid=1) INFO 10-12 14:00:45 [kv_cache_utils.py:1] GPU KV cache size: " +
          grouped(row["kv_tokens"]) + " tokens\n";
    }
    if (has(row, "max_concurrency") && has(row, "max_model_len")) {
      log +=
          "(EngineCore_DP0 pid=1) INFO 10-12 14:00:45 [kv_cache_utils.py:1] Maximum concurrency "
          "for " +
          grouped(row["max_model_len"]) + " tokens per request: " + figure("max_concurrency") +
          "x\n";
    }
  }
  if (has(row, "cudagraph_gib")) {
    log += "INFO 10-12 14:00:55 [gpu_model_runner.py:1] Graph capturing finished in 9 secs, took " +
           figure("cudagraph_gib") + " GiB\n";
  }
  return log;
}

void check_figure(const Json& row, const char* key, const Json& read) {
  if (has(row, key) && row[key].get<double>() > 0) {
    INFO(key);
    REQUIRE(read.is_number());
    // A figure of the corpus is what was printed: only the rounding of its binary form is lost.
    CHECK(read.get<double>() == Approx(row[key].get<double>() * 1073741824.0).margin(1));
  }
}

TEST_CASE("vLLM's measured starts come back from their logs", "[read_log][truth]") {
  int old_logs = 0;
  int new_logs = 0;
  for (const Json& row : rows("vllm")) {
    if (!has(row, "weights_gib") || !has(row, "kv_cache_gib") || row["outcome"] != "started") {
      continue;
    }
    const bool old = has(row, "non_torch_gib") && has(row, "activation_peak_gib") &&
                     minor(row) <= 10 && row["v1"] != true;
    INFO(row["id"]);
    const Json answer = start_logs::read(vllm_log(row, old));
    REQUIRE(answer.contains("measured"));
    CHECK(answer["engine"] == "vllm");
    check_figure(row, "weights_gib", answer["measured"]["weights_bytes"]);
    check_figure(row, "kv_cache_gib", answer["measured"]["kv_pool_bytes"]);
    check_figure(row, "cudagraph_gib", answer["measured"]["cuda_graphs_bytes"]);
    if (old) {
      check_figure(row, "non_torch_gib", answer["measured"]["non_torch_bytes"]);
      check_figure(row, "activation_peak_gib", answer["measured"]["activation_bytes"]);
      ++old_logs;
    } else {
      ++new_logs;
      if (has(row, "kv_tokens")) {
        CHECK(answer["row"]["kv_tokens"] == row["kv_tokens"]);
      }
      if (has(row, "max_concurrency") && has(row, "max_model_len")) {
        CHECK(answer["row"]["max_concurrency"] == row["max_concurrency"]);
        CHECK(answer["row"]["max_model_len"] == row["max_model_len"]);
      }
    }
    // The row has the names of the corpus.
    for (const auto& item : row.items()) {
      if (item.key() != "arch_class" && item.key() != "excluded") {
        INFO(item.key());
        CHECK(answer["row"].contains(item.key()));
      }
    }
  }
  // Both eras are among them wherever the corpus is.
  CHECK((old_logs > 0) == (new_logs > 0));
}

TEST_CASE("Other engines' measured starts come back from their logs", "[read_log][truth]") {
  int read_back = 0;
  for (const Json& row : rows("sglang")) {
    if (!has(row, "weights_gib") || !has(row, "k_gib") || !has(row, "v_gib") ||
        !has(row, "kv_tokens") || !has(row, "avail_before_gib")) {
      continue;
    }
    INFO(row["id"]);
    const Json a = start_logs::read(
        "[2025-03-02 08:00:08 TP0] Load weight begin. avail mem=" + row["avail_before_gib"].dump() +
        " GB\n[2025-03-02 08:00:20 TP0] Load weight end. type=X, dtype=torch.bfloat16, avail mem=1 "
        "GB, mem usage=" +
        row["weights_gib"].dump() + " GB.\n[2025-03-02 08:00:20 TP0] KV Cache is allocated. " +
        "#tokens: " + row["kv_tokens"].dump() + ", K size: " + row["k_gib"].dump() +
        " GB, V size: " + row["v_gib"].dump() + " GB\n");
    check_figure(row, "weights_gib", a["measured"]["weights_bytes"]);
    const double pool = (row["k_gib"].get<double>() + row["v_gib"].get<double>()) * 1073741824.0;
    CHECK(a["measured"]["kv_pool_bytes"].get<double>() == Approx(pool).margin(2));
    CHECK(a["row"]["kv_tokens"] == row["kv_tokens"]);
    CHECK(a["row"]["avail_before_gib"] == row["avail_before_gib"]);
    for (const auto& item : row.items()) {
      if (item.key() != "excluded") {
        INFO(item.key());
        CHECK(a["row"].contains(item.key()));
      }
    }
    ++read_back;
  }
  for (const Json& row : rows("trtllm")) {
    if (!has(row, "weights_gib") || !has(row, "kv_cache_gib") || !has(row, "gpu_total_gib")) {
      continue;
    }
    INFO(row["id"]);
    const Json a = start_logs::read(
        "[01/16/2026-06:20:14] [TRT-LLM] [I] Memory used after loading model weights (inside "
        "torch) "
        "in memory usage profiling: " +
        row["weights_gib"].dump() +
        " GiB\n[01/16/2026-06:20:15] [TRT-LLM] [I] Peak memory during memory usage profiling "
        "(torch "
        "+ non-torch): 1.00 GiB, available KV cache memory when calculating max tokens: " +
        row["kv_cache_gib"].dump() +
        " GiB, fraction is set 0.9, kv size per token is 35136. device "
        "total memory " +
        row["gpu_total_gib"].dump() + " GiB\n");
    check_figure(row, "weights_gib", a["measured"]["weights_bytes"]);
    check_figure(row, "kv_cache_gib", a["measured"]["kv_pool_bytes"]);
    CHECK(a["row"]["gpu_total_gib"] == row["gpu_total_gib"]);
    ++read_back;
  }
  for (const Json& row : rows("llamacpp")) {
    if (!has(row, "weights_gib") || !has(row, "kv_cache_gib") || !has(row, "compute_buffer_mib")) {
      continue;
    }
    INFO(row["id"]);
    const auto mib = [&](const char* key) {
      std::ostringstream text;
      text.precision(10);
      text << std::fixed << row[key].get<double>() * 1024.0;
      return text.str();
    };
    const Json a = start_logs::read(
        "load_tensors:        CUDA0 model buffer size = " + mib("weights_gib") +
        " MiB\nllama_kv_cache:      CUDA0 KV buffer size =  " + mib("kv_cache_gib") +
        " MiB\nllama_context:      CUDA0 compute buffer size =   " +
        row["compute_buffer_mib"].dump() + " MiB\n");
    check_figure(row, "weights_gib", a["measured"]["weights_bytes"]);
    check_figure(row, "kv_cache_gib", a["measured"]["kv_pool_bytes"]);
    CHECK(a["row"]["compute_buffer_mib"].get<double>() ==
          Approx(row["compute_buffer_mib"].get<double>()).margin(1e-3));
    ++read_back;
  }
  CHECK((read_back == 0 || read_back > 50));
}

}  // namespace
