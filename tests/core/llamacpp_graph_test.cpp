// The allocator by hand, and compute buffers as logs print them.
#include "engine/llamacpp/graph_allocator.hpp"
#include "llamacpp_requests.hpp"

using llamacpp_requests::mib;
using llamacpp_requests::start;
using ridgepoint::engine::llamacpp::TensorGraph;
using tests::Json;

TEST_CASE("a tensor is given up after its last use") {
  TensorGraph graph;
  const auto a = graph.input(1000);  // 1,024 with the alignment
  const auto b = graph.node(1024, {a});
  const auto c = graph.node(1024, {b});  // in a's place
  graph.node(1024, {c});                 // in b's
  CHECK(graph.buffer_bytes() == 2048);
}

TEST_CASE("what may write over its input takes no memory unless the input is needed again") {
  TensorGraph alone;
  const auto a = alone.input(1024);
  alone.in_place(1024, {a});
  CHECK(alone.buffer_bytes() == 1024);

  TensorGraph twice;
  const auto b = twice.input(1024);
  const auto c = twice.in_place(1024, {b});
  twice.node(1024, {b, c});
  CHECK(twice.buffer_bytes() == 3072);

  TensorGraph through_view;
  const auto d = through_view.input(1024);
  through_view.in_place(1024, {through_view.view(d)});
  CHECK(through_view.buffer_bytes() == 2048);
}

TEST_CASE("the smallest free block that holds a tensor is taken") {
  TensorGraph graph;
  const auto large = graph.input(4096);
  const auto wall = graph.input(128);
  const auto small = graph.input(1024);
  const auto end = graph.input(128);
  graph.store({large});
  graph.store({small});
  const auto x = graph.node(1024, {});  // in small's place, though large's comes first
  const auto y = graph.node(4096, {});  // in large's
  graph.store({x, y, wall, end});
  CHECK(graph.buffer_bytes() == 4096 + 128 + 1024 + 128);
}

TEST_CASE("what is kept is never given up") {
  TensorGraph graph;
  const auto kept = graph.kept_input(1024);
  graph.store({kept});
  graph.node(1024, {});
  CHECK(graph.buffer_bytes() == 2048);
}

TEST_CASE("compute buffers without flash attention are those of logs of 2024 and 2025") {
  // Llama-3-8B, all layers: 560.00 MiB at 8,192 cells and 258.50 at 512.
  const auto llama = [](std::uint64_t context) {
    return mib(start("meta-llama--Meta-Llama-3-8B", "b4600",
                     {{"c", context}, {"ngl", 33}, {"model", "L-Q4_K_M.gguf"}}),
               "activation");
  };
  CHECK(llama(8192) == Approx(560.0).margin(0.02));
  CHECK(llama(512) == Approx(258.5).margin(0.02));
}

TEST_CASE("compute buffers with the mask in 32 bits are those of logs of spring 2026") {
  // Qwen3.6-27B has the sizes of Qwen3.5-27B: 495 MiB at 131,072 cells, 836 at 262,144.
  const auto qwen = [](std::uint64_t context) {
    return mib(start("Qwen--Qwen3.5-27B--text", "b9026",
                     {{"c", context}, {"ctk", "q4_0"}, {"ctv", "q4_0"}}),
               "activation");
  };
  CHECK(qwen(131072) == Approx(495.0).margin(0.1));
  CHECK(qwen(262144) == Approx(836.5).margin(0.6));
}

TEST_CASE("logits of one token a slot and a mask in 16 bits make small buffers") {
  // Printed by b10809 for micro-batches of 128 and of 512: 38.50 and 154.02 MiB.
  const auto qwen = [](std::uint64_t batch) {
    return mib(start("Qwen--Qwen3.5-27B--text", "b10470", {{"c", 32768}, {"np", 1}, {"ub", batch}}),
               "activation");
  };
  CHECK(qwen(128) == Approx(38.5).margin(0.05));
  CHECK(qwen(512) == Approx(154.02).margin(0.05));
}

TEST_CASE("the 16-bit copy of a quantised cache is in the buffer since b9409") {
  // 690.28 MiB printed for 131,072 cells in q8_0: mask 128, copy of keys and values 512.
  const Json args{{"c", 131072}, {"np", 1}, {"ctk", "q8_0"}, {"ctv", "q8_0"}};
  CHECK(mib(start("Qwen--Qwen3.5-4B--text", "b9500", args), "activation") ==
        Approx(690.28).margin(0.5));
  CHECK(mib(start("Qwen--Qwen3.5-4B--text", "b9400", args), "activation") < 690.28 - 480.0);
}

TEST_CASE("experts and windows are in the graph") {
  // gpt-oss-20b at a micro-batch of 2,048: 1,672.08 MiB; a quarter of the tokens 420.
  const auto oss = [](std::uint64_t batch) {
    return mib(start("openai--gpt-oss-20b", "b9000", {{"c", 131072}, {"np", 1}, {"ub", batch}}),
               "activation");
  };
  CHECK(oss(2048) == Approx(1672.08).epsilon(0.001));
  CHECK(oss(512) == Approx(420.0).epsilon(0.02));
}

TEST_CASE("a weight that stays with the CPU passes through the first card's buffer") {
  // Qwen3-30B-A3B, experts in the machine's memory, 16,384 cells, no flash attention: 1,080.00.
  CHECK(mib(start("Qwen--Qwen3-30B-A3B", "b5300",
                  {{"c", 16384}, {"ngl", 99}, {"ot", "exps=CPU"}, {"model", "Q-Q4_K_M.gguf"}}),
            "activation") == Approx(1080.0).margin(0.05));
}

TEST_CASE("a layer whose cache is in the machine's memory attends there") {
  // Without attention on the card what is left are logits and a token's width: 258.50 MiB.
  const double kept = mib(start("meta-llama--Meta-Llama-3-8B", "b8000",
                                {{"c", 65536}, {"nkvo", true}, {"model", "L-Q4_K_M.gguf"}}),
                          "activation");
  CHECK(kept == Approx(258.5).margin(0.1));
}
