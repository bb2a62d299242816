// What a start-up log of each engine and era makes of its terms: figures are those of the log.

#include "start_logs.hpp"

namespace {

using start_logs::fact;
using start_logs::gib;
using start_logs::has_event;
using start_logs::Json;
using start_logs::mentions;
using start_logs::mib;
using start_logs::named;
using start_logs::read;

/// `measured` of an answer: weights, activation, non-torch, graphs, pool; null where not printed.
void check_measured(const Json& answer, const Json& weights, const Json& activation,
                    const Json& non_torch, const Json& graphs, const Json& pool) {
  const Json& m = answer["measured"];
  CHECK(m["weights_bytes"] == weights);
  CHECK(m["activation_bytes"] == activation);
  CHECK(m["non_torch_bytes"] == non_torch);
  CHECK(m["cuda_graphs_bytes"] == graphs);
  CHECK(m["kv_pool_bytes"] == pool);
}

const Json kNone;

TEST_CASE("vLLM 0.6: GB are GiB, and early releases print blocks alone", "[read_log]") {
  const Json a = read(named("vllm 0.6.3"));
  CHECK(a["version"] == "0.6.3.post1");
  CHECK(a["outcome"] == "started");
  check_measured(a, gib(14.9595), kNone, kNone, gib(0.34), kNone);
  CHECK(fact(a, "blocks") == 27896);
  CHECK(a["settings"]["model"]["id"] == "acme-lab/Demo-8B");
  CHECK(a["settings"]["engine"]["args"]["max-model-len"] == 8192);
  CHECK(a["settings"]["engine"]["args"]["max-num-seqs"] == 256);
  CHECK(a["settings"]["engine"]["version"] == "0.6.3.post1");

  const Json b = read(named("vllm 0.6.4"));
  CHECK(b["settings"]["gpu"]["total_bytes"] == gib(79.15));
  // 16.17 - 14.96 at the peak.
  CHECK(b["measured"]["activation_bytes"].get<double>() == Approx(1.21 * 1073741824).margin(2));
  CHECK(b["measured"]["non_torch_bytes"] == gib(0.62));
  CHECK(b["measured"]["kv_pool_bytes"] == gib(54.45));
  CHECK(b["settings"]["engine"]["args"]["enforce-eager"] == true);

  const Json c = read(named("vllm 0.6.5"));
  check_measured(c, gib(15.0199), gib(1.26), gib(0.16), kNone, gib(54.84));
  CHECK(fact(c, "requested") == gib(71.28));
}

TEST_CASE("vLLM 0.8: the rank with the smallest pool gives the terms", "[read_log]") {
  const Json a = read(named("vllm 0.8"));
  CHECK(a["version"] == "0.8.1");
  CHECK(a["ranks"] == Json({"main", "pid 607"}));
  CHECK(a["measured_rank"] == "pid 607");
  check_measured(a, gib(7.9692), gib(1.21), gib(0.40), gib(0.21), gib(11.62));
  CHECK(mentions(a["causes"], "The ranks have pools of 11.620 GiB to 11.770 GiB"));
  CHECK(a["settings"]["engine"]["args"]["kv-cache-dtype"] == "fp8");
  CHECK(a["settings"]["engine"]["args"]["tensor-parallel-size"] == 2);
  CHECK(a["settings"]["gpu"]["count"] == 2);
  // The folder of the hub's cache has the id in it.
  CHECK(a["settings"]["model"]["id"] == "acme-lab/Demo-8B");
}

TEST_CASE("vLLM 0.9 and 0.10: ranks between each other, colours, a container's prefix, CRLF",
          "[read_log]") {
  const Json a = read(named("vllm 0.9"));
  CHECK(a["outcome"] == "started");
  CHECK(a["measured_rank"] == "rank 0");
  CHECK(a["ranks"].size() == 5);
  check_measured(a, gib(17.02), kNone, kNone, gib(1.92), gib(51.02));
  CHECK(fact(a, "tokens") == 668736);
  CHECK(has_event(a, "compile_cache_used"));

  const Json b = read(named("vllm 0.10 debug"));
  check_measured(b, gib(3.1002), gib(0.60), gib(0.04), kNone, gib(38.92));
  CHECK(b["row"]["util"] == 0.9);
}

TEST_CASE("vLLM 0.11 to 0.20: the summary of the start, and the command's own settings",
          "[read_log]") {
  const Json a = read(named("vllm 0.11"));
  CHECK(a["version"] == "0.11.0");
  check_measured(a, gib(15.2683), gib(5.90), gib(0.13), gib(0.82), gib(49.97));
  const Json& args = a["settings"]["engine"]["args"];
  CHECK(args["max-num-seqs"] == 512);
  CHECK(args["max-num-batched-tokens"] == 8192);
  CHECK(Json::parse(args["speculative-config"].get<std::string>()) ==
        Json({{"method", "eagle"}, {"num_speculative_tokens", 2}}));
  CHECK_FALSE(args.contains("host"));
  CHECK(a["settings"]["gpu"]["total_bytes"] == gib(79.19));
  CHECK(fact(a, "encoder_tokens") == 16384);
}

TEST_CASE("vLLM 0.21 and later: graphs charged, and weights with what lies outside torch",
          "[read_log]") {
  const Json a = read(named("vllm 0.21"));
  CHECK(a["version"] == "0.21.0");
  check_measured(a, gib(7.66), kNone, kNone, gib(0.71), gib(59.15));
  CHECK(a["measured_rank"] == "TP0");
  CHECK(fact(a, "cuda_graphs_estimated") == gib(0.84));

  const Json b = read(named("vllm 0.27"));
  // 14.42 consumed - 14.25 of weights.
  CHECK(b["measured"]["non_torch_bytes"].get<double>() == Approx(0.17 * 1073741824).margin(2));
  CHECK(b["measured"]["activation_bytes"] == gib(1.19));
  CHECK(b["measured"]["kv_pool_bytes"] == gib(13.24));
  CHECK(b["outcome"] == "started");

  const Json c = read(named("vllm fixed pool"));
  CHECK(c["measured"]["kv_pool_bytes"] == gib(5.5));
  CHECK(c["outcome"] == "unfinished");
  CHECK(fact(c, "block_tokens") == 544);
}

TEST_CASE("vLLM's refusals say what was lacking", "[read_log]") {
  const Json a = read(named("vllm refused 0.6"));
  CHECK(a["outcome"] == "refused");
  CHECK(a["row"]["error_max_len"] == 8240);
  CHECK(mentions(a["causes"], "--max-model-len 8240 or less"));

  const Json b = read(named("vllm refused 0.9"));
  CHECK(b["outcome"] == "refused");
  // 1.75 - 1.49 = 0.26.
  CHECK(
      mentions(b["causes"], "needs 1.750 GiB of cache and 1.490 GiB were left, 0.260 GiB too few"));
  CHECK(mentions(b["causes"], "27,808 tokens fit"));
  CHECK(b["row"]["error_needed_kv_gib"] == 1.75);
  CHECK(b["row"]["error_available_kv_gib"] == 1.49);

  const Json c = read(named("vllm refused start"));
  CHECK(c["outcome"] == "refused");
  // 75.23 - 60.87 = 14.36; 60.87 / 79.19 = 0.768.
  CHECK(mentions(c["causes"], "14.360 GiB too few"));
  CHECK(mentions(c["causes"], "lower --gpu-memory-utilization to 0.76 at most"));
  CHECK(c["settings"]["gpu"]["free_bytes"] == gib(60.87));

  const Json d = read(named("vllm refused empty"));
  CHECK(d["outcome"] == "refused");
  CHECK(d["measured"]["kv_pool_bytes"].is_null());
  CHECK(mentions(d["causes"], "7.880 GiB short"));

  CHECK(read(named("vllm refused states"))["outcome"] == "refused");
  CHECK(read(named("vllm refused length"))["outcome"] == "refused");
}

TEST_CASE("Memory that ran out: where, how much, and whose it was", "[read_log]") {
  const Json a = read(named("vllm oom"));
  CHECK(a["outcome"] == "oom");
  CHECK(mentions(a["causes"], "after the cache was sized"));
  CHECK(mentions(a["causes"], "0.875 GiB were asked for and 0.294 GiB were free"));
  CHECK(mentions(a["causes"], "Another process held 9.900 GiB"));
  CHECK(mentions(a["causes"], "expandable_segments"));
  CHECK(mentions(a["causes"], "2.750 GiB lay in PyTorch's allocator"));

  const Json b = read(named("old torch oom"));
  CHECK(b["outcome"] == "oom");
  CHECK(fact(b, "free_at_failure") == gib(2.90));
  CHECK(read(named("typo torch oom"))["outcome"] == "oom");
}

TEST_CASE("SGLang 0.4 and 0.5", "[read_log]") {
  const Json a = read(named("sglang 0.4"));
  CHECK(a["outcome"] == "started");
  check_measured(a, gib(15.02), kNone, kNone, gib(1.05), 2 * gib(33.86));
  CHECK(fact(a, "tokens") == 554762);
  CHECK(a["settings"]["engine"]["args"]["mem-fraction-static"] == 0.88);
  CHECK(a["row"]["avail_before_gib"] == 94.02);
  CHECK(a["row"]["mem_fraction"] == 0.88);

  // Weights and graphs by what is free before and after.
  const Json b = read(named("sglang 0.4.1"));
  CHECK(b["measured"]["weights_bytes"] == gib(23.20) - gib(9.69));
  CHECK(b["measured"]["kv_pool_bytes"] == 2 * gib(3.40));
  CHECK(b["measured"]["cuda_graphs_bytes"].get<double>() == Approx(0.25 * 1073741824).margin(2));
  CHECK(b["outcome"] == "unfinished");

  const Json c = read(named("sglang 0.5"));
  CHECK(c["version"] == "0.5.9");
  CHECK(c["measured_rank"] == "TP1");
  check_measured(c, gib(80.50), kNone, kNone, gib(1.43), gib(36.40));
  CHECK(c["settings"]["gpu"]["count"] == 2);
  CHECK(c["settings"]["engine"]["args"]["context-length"] == 65536);
  CHECK(c["row"]["model"].is_null());  // a folder of somebody's
}

TEST_CASE("SGLang's pools: the target's, not a draft's; windows and states apart", "[read_log]") {
  const Json a = read(named("sglang hybrid"));
  // The draft's weights lie there when the pool is sized; its 0.34 + 0.34 of cache are its own.
  check_measured(a, gib(28.47) + gib(2.10), kNone, kNone, gib(1.71) + gib(0.62), 2 * gib(5.50));
  // Before 0.5.13 the draft was loaded after the pool.
  std::string late = named("sglang hybrid");
  const std::size_t from = late.find("[2026-07-01 12:00:41]");
  const std::size_t to = late.find("[2026-07-01 12:00:45] Mamba");
  const std::string draft = late.substr(from, to - from);
  late.erase(from, to - from);
  CHECK(read(late + draft)["measured"]["weights_bytes"] == gib(28.47));
  CHECK(fact(a, "recurrent_state") == gib(3.60));
  CHECK(fact(a, "slots") == 50);

  const Json b = read(named("sglang window"));
  CHECK(b["measured"]["kv_pool_bytes"] == gib(51.06));
  CHECK(fact(b, "tokens") == 700000);

  // The fraction is of what is free with the model's rank that has the least.
  const Json card = {{"gpu", {{"total_bytes", gib(79.11)}}},
                     {"model", {{"config", tests::config_fixture("Qwen--Qwen3-8B")}}}};
  const Json c = read(named("sglang hybrid"), card);
  CHECK(c["measured"]["non_torch_bytes"] == gib(79.11) - gib(78.48));

  CHECK(read(named("sglang compressed"))["measured"]["kv_pool_bytes"] == gib(40.00));
}

TEST_CASE("SGLang's refusals", "[read_log]") {
  const Json a = read(named("sglang refused"));
  CHECK(a["outcome"] == "refused");
  CHECK(a["version"] == "0.5.16");
  CHECK(mentions(a["causes"], "take 0.899 of what was free"));
  CHECK(mentions(a["causes"], "--mem-fraction-static"));
  const Json b = read(named("sglang refused old"));
  CHECK(b["outcome"] == "refused");
  CHECK(mentions(b["notes"], "unbalanced"));
}

TEST_CASE("TensorRT-LLM: dry runs of each era, and engines", "[read_log]") {
  const Json a = read(named("trtllm 0.17"));
  CHECK(a["version"] == "0.17.0.post1");
  CHECK(a["outcome"] == "started");
  check_measured(a, kNone, kNone, kNone, kNone, gib(56.43));
  CHECK(a["settings"]["engine"]["args"]["max-num-tokens"] == 8192);

  // The first allocation was the dry run's.
  const Json b = read(named("trtllm 1"));
  check_measured(b, gib(61.40), gib(2.30), gib(5.10), kNone, gib(64.26));
  CHECK(b["row"]["kv_tokens"] == 1052864);
  CHECK(b["row"]["mem_fraction"] == 0.9);
  CHECK(b["settings"]["engine"]["args"]["free-gpu-memory-fraction"] == 0.9);
  CHECK(b["settings"]["engine"]["args"]["max-batch-size"] == 64);
  CHECK(b["settings"]["gpu"]["total_bytes"] == gib(139.80));

  const Json c = read(named("trtllm 1.3"));
  CHECK(c["measured_rank"] == "rank 0");
  CHECK(c["measured"]["kv_pool_bytes"] == gib(50.68));
  CHECK(c["measured"]["weights_bytes"] == gib(70.00));

  const Json d = read(named("trtllm engine"));
  CHECK(d["settings"]["engine"]["args"]["backend"] == "tensorrt");
  CHECK(d["measured"]["weights_bytes"] == mib(7100));
  CHECK(d["measured"]["activation_bytes"] == mib(900));
  // In use and neither engine nor context: 79.10 - 70.00 GiB less 8,000 MiB.
  CHECK(d["measured"]["non_torch_bytes"].get<double>() ==
        Approx(9.10 * 1073741824 - 8000 * 1048576.0).margin(4));
  CHECK(d["measured"]["kv_pool_bytes"] == gib(63.00));
  CHECK(d["row"]["page_size"] == 64);

  CHECK(read(named("trtllm old engine"))["measured"]["kv_pool_bytes"] == 8589934592);
  CHECK(read(named("trtllm old engine"))["outcome"] == "refused");
  CHECK(read(named("trtllm oom"))["outcome"] == "oom");
}

TEST_CASE("llama.cpp: buffers by device", "[read_log]") {
  const Json a = read(named("llamacpp old"));
  CHECK(a["version"] == "b4719");
  CHECK(a["outcome"] == "started");
  CHECK(a["measured_rank"] == "CUDA0");
  check_measured(a, mib(4400), mib(560), kNone, kNone, mib(1024));
  const Json& args = a["settings"]["engine"]["args"];
  CHECK(args["ctx-size"] == 8192);
  CHECK(args["n-gpu-layers"] == "33");
  CHECK(args["flash-attn"] == "off");
  CHECK(a["settings"]["gpu"]["id"] == "rtx-4090");
  CHECK(a["row"]["quantization"] == "Q4_K - Medium");
  CHECK(a["row"]["compute_buffer_mib"] == 560.0);

  const Json b = read(named("llamacpp 2025"));
  CHECK(b["measured_rank"] == "ROCm0");
  check_measured(b, mib(11000.25), mib(420.10), kNone, kNone, mib(612) + mib(24));
  CHECK(b["settings"]["gpu"]["count"] == 2);
  CHECK(b["settings"]["engine"]["args"]["cache-type-k"] == "q8_0");
  CHECK(b["settings"]["engine"]["args"]["kv-unified"] == true);
  CHECK(b["settings"]["engine"]["args"]["parallel"] == 2);
}

TEST_CASE("llama.cpp of 2026: --fit's projections are not the start", "[read_log]") {
  const Json a = read(named("llamacpp 2026"));
  CHECK(a["version"] == "b9842");
  // Two contexts: 12,288 + 149.62 + 768 of caches, 488 + 60 of compute, each context's last.
  check_measured(a, mib(15200.25), mib(488) + mib(60), mib(325), kNone,
                 mib(12288) + mib(149.62) + mib(768));
  CHECK(a["settings"]["engine"]["args"]["ctx-size"] == 196608);
  CHECK(a["settings"]["gpu"]["total_bytes"] == mib(32606));
  CHECK(a["settings"]["gpu"]["id"] == "rtx-5090");

  const Json b = read(named("llamacpp table"));
  check_measured(b, mib(14000), mib(1000), mib(480), kNone, mib(600));
  CHECK(b["settings"]["gpu"]["total_bytes"] == mib(24080));

  const Json c = read(named("llamacpp oom"));
  CHECK(c["outcome"] == "oom");
  // What --fit projected is not loaded twice.
  CHECK(c["measured"]["weights_bytes"] == mib(18200.40));
  CHECK(c["settings"]["gpu"]["id"] == "rtx-3090");
}

TEST_CASE("Prefixes of containers and journals, tags of ranks, and wrapped lines", "[read_log]") {
  const std::string line =
      "(Worker_DP1_TP3_EP7 pid=9) INFO 05-20 09:00:40 [x.py:1] Model loading "
      "took 7.66 GiB memory and 31.6 seconds";
  for (const char* prefix :
       {"", "vllm-1  | ", "2026-05-20T09:00:40.123456789Z stdout F ",
        "May 20 09:00:40 node-3 docker[812]: ", "\x1b[36mvllm-1  |\x1b[0m ", "{\"log\":\"", "│ "}) {
    INFO(prefix);
    const Json a = read(prefix + line);
    CHECK(a["measured"]["weights_bytes"] == gib(7.66));
    CHECK(a["ranks"] == Json({"DP1 TP3 EP7"}));
  }
  // A terminal of 80 columns breaks words and numbers.
  const std::string& whole = named("vllm 0.8");
  for (const std::size_t width : {80U, 97U, 120U}) {
    std::string wrapped;
    std::size_t column = 0;
    for (const char c : whole) {
      if (c == '\n') {
        column = 0;
      } else if (column++ == width) {
        wrapped += '\n';
        column = 1;
      }
      wrapped += c;
    }
    INFO(width);
    const Json a = read(wrapped);
    CHECK(a["measured"] == read(whole)["measured"]);
    CHECK(a["settings"]["engine"]["args"] == read(whole)["settings"]["engine"]["args"]);
  }
}

TEST_CASE("Lines are counted as an editor counts them", "[read_log]") {
  const Json a = read("\n\nfoo\r\n 10%\r 20%\r100%\nINFO Model loading took 1.00 GiB\n");
  CHECK(a["facts"][0]["line"] == 5);
  CHECK(a["facts"][0]["rank"] == "main");
}

TEST_CASE("A log that begins or ends in the middle", "[read_log]") {
  const std::string& whole = named("vllm 0.11");
  const Json full = read(whole);
  for (std::size_t cut = 0; cut < whole.size(); cut += 97) {
    INFO(cut);
    const Json head = read(whole.substr(0, cut));
    const Json tail = read(whole.substr(cut));
    CHECK((head.contains("kind") || head["error"]["code"] == "not_a_log"));
    CHECK((tail.contains("kind") || tail["error"]["code"] == "not_a_log"));
    if (head.contains("measured") && !head["measured"]["kv_pool_bytes"].is_null()) {
      CHECK(head["measured"]["kv_pool_bytes"] == full["measured"]["kv_pool_bytes"]);
    }
  }
  CHECK(read(whole.substr(0, whole.find("init engine")))["outcome"] == "unfinished");
}

TEST_CASE("Of several starts in one log the last that got anywhere is read", "[read_log]") {
  const Json a = read(named("vllm refused 0.6") + named("vllm 0.6.3"));
  CHECK(a["outcome"] == "started");
  CHECK(a["measured"]["weights_bytes"] == gib(14.9595));
  CHECK(mentions(a["notes"], "2 starts"));
  // A third that had only begun.
  const std::string& begun = named("vllm 0.6.3");
  const Json b = read(begun + begun.substr(0, begun.find("Loading model")));
  CHECK(b["measured"]["weights_bytes"] == gib(14.9595));
  CHECK(b["outcome"] == "started");
}

TEST_CASE("An error at the end of a log", "[read_log]") {
  const std::string crash =
      "Traceback (most recent call last):\n  File \"x.py\", line 1\nKeyError\n";
  const std::string& begun = named("vllm 0.27");
  CHECK(read(begun.substr(0, begun.find("Available")) + crash)["outcome"] == "error");
  // What goes wrong while serving is no failed start.
  CHECK(read(begun + crash)["outcome"] == "started");
}

}  // namespace
