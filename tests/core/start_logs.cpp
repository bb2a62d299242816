#include "start_logs.hpp"

namespace start_logs {
namespace {

// vLLM 0.6.3: one process, "GB" that means GiB; 0.9 x 79.15 = 71.24.
const char* const kVllm063 =
    R"(INFO 10-21 08:11:02 api_server.py:528] vLLM API server version 0.6.3.post1
INFO 10-21 08:11:02 api_server.py:529] args: Namespace(host='0.0.0.0', port=8000, model='acme-lab/Demo-8B', tensor_parallel_size=1, max_model_len=8192, gpu_memory_utilization=0.9, enforce_eager=False, kv_cache_dtype='auto', max_num_seqs=256)
INFO 10-21 08:11:09 llm_engine.py:237] Initializing an LLM engine (v0.6.3.post1) with config: model='acme-lab/Demo-8B', speculative_config=None, dtype=torch.bfloat16, max_seq_len=8192, tensor_parallel_size=1, pipeline_parallel_size=1, quantization=None, enforce_eager=False, kv_cache_dtype=auto, seed=0, use_cached_outputs=True, mm_processor_kwargs=None)
INFO 10-21 08:11:31 model_runner.py:1067] Loading model weights took 14.9595 GB
INFO 10-21 08:11:34 gpu_executor.py:122] # GPU blocks: 27896, # CPU blocks: 2048
INFO 10-21 08:11:34 gpu_executor.py:126] Maximum concurrency for 8192 tokens per request: 54.48x
INFO 10-21 08:11:37 model_runner.py:1395] Capturing the model for CUDA graphs. This may lead to unexpected consequences if the model is not static.
INFO 10-21 08:11:52 model_runner.py:1523] Graph capturing finished in 15 secs, took 0.34 GiB
INFO:     Application startup complete.
)";

// 0.6.4: one line of sums; activation = 16.17 - 14.96 = 1.21.
const char* const kVllm064 =
    R"(INFO 11-18 09:00:00 llm_engine.py:249] Initializing an LLM engine (v0.6.4) with config: model='acme-lab/Demo-8B', dtype=torch.bfloat16, max_seq_len=8192, tensor_parallel_size=1, pipeline_parallel_size=1, quantization=None, enforce_eager=True, kv_cache_dtype=auto
INFO 11-18 09:00:20 model_runner.py:1077] Loading model weights took 14.9600 GB
INFO 11-18 09:00:22 worker.py:232] Memory profiling results: total_gpu_memory=79.15GiB initial_memory_usage=15.55GiB peak_torch_memory=16.17GiB memory_usage_post_profile=15.60GiB non_torch_memory=0.62GiB kv_cache_size=54.45GiB gpu_memory_utilization=0.90
INFO 11-18 09:00:22 gpu_executor.py:113] # GPU blocks: 27878, # CPU blocks: 2048
INFO 11-18 09:00:22 gpu_executor.py:117] Maximum concurrency for 8192 tokens per request: 54.45x
INFO 11-18 09:00:40 llm_engine.py:447] init engine (profile, create kv cache, warmup model) took 20.10 seconds
)";

// 0.6.5, while the sums were a list of lines.
const char* const kVllm065 =
    R"(INFO 12-13 19:54:00 model_runner.py:1090] Loading model weights took 15.0199 GB
INFO 12-13 19:54:18 worker.py:243] Memory profiling results:
INFO 12-13 19:54:18 worker.py:243] duration     0.75 seconds
INFO 12-13 19:54:18 worker.py:243] total_gpu_memory     79.20GiB
INFO 12-13 19:54:18 worker.py:243] gpu_memory_utilization       0.90
INFO 12-13 19:54:18 worker.py:243] the current vLLM instance can use    71.28GiB
INFO 12-13 19:54:18 worker.py:243] model weights take   15.02GiB
INFO 12-13 19:54:18 worker.py:243] non_torch_memory     0.16GiB
INFO 12-13 19:54:18 worker.py:243] PyTorch activation peak memory       1.26GiB
INFO 12-13 19:54:18 worker.py:243] available_kv_cache_memory    54.84GiB
INFO 12-13 19:54:19 gpu_executor.py:76] # GPU blocks: 28108, # CPU blocks: 2048
)";

// 0.8, old engine, two workers of their own; 0.9 x 23.55 = 21.20 = 7.97 + 0.15 + 1.31 + 11.77.
const char* const kVllm08 =
    R"(INFO 03-20 10:00:00 [api_server.py:981] vLLM API server version 0.8.1
INFO 03-20 10:00:00 [api_server.py:982] args: Namespace(model='/srv/people/kim/models--acme-lab--Demo-8B/snapshots/0a1b2c', tensor_parallel_size=2, max_model_len=32768, gpu_memory_utilization=0.9, kv_cache_dtype='fp8')
INFO 03-20 10:00:07 [llm_engine.py:241] Initializing a V0 LLM engine (v0.8.1) with config: model='/srv/people/kim/models--acme-lab--Demo-8B/snapshots/0a1b2c', dtype=torch.bfloat16, max_seq_len=32768, tensor_parallel_size=2, pipeline_parallel_size=1, quantization=None, enforce_eager=False, kv_cache_dtype=fp8
INFO 03-20 10:00:30 [model_runner.py:1146] Model loading took 7.9692 GiB and 9.3 seconds
(VllmWorkerProcess pid=607) INFO 03-20 10:00:31 [model_runner.py:1146] Model loading took 7.9692 GiB and 9.8 seconds
INFO 03-20 10:00:33 [worker.py:267] Memory profiling takes 1.46 seconds
INFO 03-20 10:00:33 [worker.py:267] the current vLLM instance can use total_gpu_memory (23.55GiB) x gpu_memory_utilization (0.90) = 21.20GiB
INFO 03-20 10:00:33 [worker.py:267] model weights take 7.97GiB; non_torch_memory takes 0.15GiB; PyTorch activation peak memory takes 1.31GiB; the rest of the memory reserved for KV Cache is 11.77GiB.
(VllmWorkerProcess pid=607) INFO 03-20 10:00:33 [worker.py:267] the current vLLM instance can use total_gpu_memory (23.55GiB) x gpu_memory_utilization (0.90) = 21.20GiB
(VllmWorkerProcess pid=607) INFO 03-20 10:00:33 [worker.py:267] model weights take 7.97GiB; non_torch_memory takes 0.40GiB; PyTorch activation peak memory takes 1.21GiB; the rest of the memory reserved for KV Cache is 11.62GiB.
INFO 03-20 10:00:34 [executor_base.py:111] # cuda blocks: 23797, # CPU blocks: 8192
INFO 03-20 10:00:34 [executor_base.py:116] Maximum concurrency for 32768 tokens per request: 11.62x
INFO 03-20 10:00:50 [model_runner.py:1570] Graph capturing finished in 14 secs, took 0.21 GiB
INFO 03-20 10:00:50 [llm_engine.py:435] init engine (profile, create kv cache, warmup model) took 20.0 seconds
INFO:     Application startup complete.
)";

// 0.9: new engine, four ranks that write between each other, colours, a container's prefix.
const char* const kVllm09 =
    "vllm-1  | \x1b[33m(VllmWorker rank=2 pid=812)\x1b[0m INFO 06-20 12:00:30 "
    "[gpu_model_runner.py:1595] Model loading took 17.02 GiB and 40.1 seconds\r\n"
    "vllm-1  | \x1b[33m(VllmWorker rank=0 pid=810)\x1b[0m INFO 06-20 12:00:30 "
    "[gpu_model_runner.py:1595] Model loading took 17.02 GiB and 40.2 seconds\r\n"
    "vllm-1  | (VllmWorker rank=1 pid=811) INFO 06-20 12:00:55 [gpu_worker.py:227] Available KV "
    "cache memory: 51.31 GiB\r\n"
    "vllm-1  | (VllmWorker rank=0 pid=810) INFO 06-20 12:00:55 [gpu_worker.py:227] Available KV "
    "cache memory: 51.02 GiB\r\n"
    "vllm-1  | (VllmWorker rank=3 pid=813) INFO 06-20 12:00:55 [gpu_worker.py:227] Available KV "
    "cache memory: 51.31 GiB\r\n"
    "vllm-1  | (VllmWorker rank=2 pid=812) INFO 06-20 12:00:55 [gpu_worker.py:227] Available KV "
    "cache memory: 51.31 GiB\r\n"
    "vllm-1  | INFO 06-20 12:00:56 [kv_cache_utils.py:716] GPU KV cache size: 668,736 tokens\r\n"
    "vllm-1  | INFO 06-20 12:00:56 [kv_cache_utils.py:720] Maximum concurrency for 32,768 tokens "
    "per request: 20.41x\r\n"
    "vllm-1  | INFO 06-20 12:00:56 [backends.py:164] Directly load the compiled graph(s) for shape "
    "None from the cache, took 4.1 s\r\n"
    "vllm-1  | (VllmWorker rank=0 pid=810) INFO 06-20 12:01:20 [gpu_model_runner.py:2048] Graph "
    "capturing finished in 24 secs, took 1.92 GiB\r\n"
    "vllm-1  | INFO:     Application startup complete.\r\n";

// 0.10, debug level: 0.9 x 47.40 = 42.66 = 3.10 + 0.60 + 0.04 + 38.92.
const char* const kVllm010Debug =
    R"((EngineCore_0 pid=77) INFO 08-06 10:17:01 [core.py:73] Initializing a V1 LLM engine (v0.10.1) with config: model='acme-lab/Demo-1B', dtype=torch.bfloat16, max_seq_len=4096, tensor_parallel_size=1, pipeline_parallel_size=1, data_parallel_size=1, quantization=None, enforce_eager=True, kv_cache_dtype=auto
(EngineCore_0 pid=77) INFO 08-06 10:17:10 [gpu_model_runner.py:1913] Model loading took 3.1002 GiB and 1.2 seconds
(EngineCore_0 pid=77) DEBUG 08-06 10:17:28 [gpu_worker.py:265] Initial free memory: 46.90 GiB; Requested memory: 0.90 (util), 42.66 GiB
(EngineCore_0 pid=77) DEBUG 08-06 10:17:28 [gpu_worker.py:272] Free memory after profiling: 43.70 GiB (total), 39.46 GiB (within requested)
(EngineCore_0 pid=77) DEBUG 08-06 10:17:28 [gpu_worker.py:278] Memory profiling takes 7.26 seconds. Total non KV cache memory: 3.74GiB; torch peak memory increase: 0.60GiB; non-torch forward increase memory: 0.04GiB; weights memory: 3.10GiB.
(EngineCore_0 pid=77) INFO 08-06 10:17:28 [gpu_worker.py:279] Available KV cache memory: 38.92 GiB
(EngineCore_0 pid=77) INFO 08-06 10:17:29 [core.py:214] init engine (profile, create kv cache, warmup model) took 9.1 seconds
)";

// 0.11 to 0.20, with the summary of 0.11: 0.9 x 79.19 = 71.27 = 15.27 + 5.90 + 0.13 + 49.97.
const char* const kVllm011 =
    R"((APIServer pid=1) INFO 10-12 14:00:05 [api_server.py:1839] vLLM API server version 0.11.0
(APIServer pid=1) INFO 10-12 14:00:05 [utils.py:233] non-default args: {'model_tag': 'acme-lab/Demo-8B', 'host': '10.1.2.3', 'port': 8123, 'api_key': ['sk-not-to-be-kept'], 'model': 'acme-lab/Demo-8B', 'max_model_len': 16384, 'max_num_seqs': 512, 'speculative_config': {'method': 'eagle', 'num_speculative_tokens': 2}}
(EngineCore_DP0 pid=310) INFO 10-12 14:00:15 [core.py:77] Initializing a V1 LLM engine (v0.11.0) with config: model='acme-lab/Demo-8B', speculative_config=None, dtype=torch.bfloat16, max_seq_len=16384, tensor_parallel_size=1, pipeline_parallel_size=1, data_parallel_size=1, quantization=None, enforce_eager=False, kv_cache_dtype=auto
(EngineCore_DP0 pid=310) INFO 10-12 14:00:16 [scheduler.py:205] Chunked prefill is enabled with max_num_batched_tokens=8192.
(EngineCore_DP0 pid=310) INFO 10-12 14:00:25 [gpu_model_runner.py:2653] Model loading took 15.2683 GiB and 3.2 seconds
(EngineCore_DP0 pid=310) INFO 10-12 14:00:30 [gpu_model_runner.py:3373] Encoder cache will be initialized with a budget of 16384 tokens, and profiled with 1 image items of the maximum feature size.
(EngineCore_DP0 pid=310) INFO 10-12 14:00:45 [gpu_worker.py:298] Available KV cache memory: 49.97 GiB
(EngineCore_DP0 pid=310) INFO 10-12 14:00:45 [kv_cache_utils.py:1087] GPU KV cache size: 363,872 tokens
(EngineCore_DP0 pid=310) INFO 10-12 14:00:45 [kv_cache_utils.py:1091] Maximum concurrency for 16,384 tokens per request: 22.21x
(EngineCore_DP0 pid=310) INFO 10-12 14:00:55 [gpu_model_runner.py:3480] Graph capturing finished in 9 secs, took 0.82 GiB
(EngineCore_DP0 pid=310) INFO 10-12 14:00:55 [gpu_worker.py:391] Free memory on device (78.68/79.19 GiB) on startup. Desired GPU memory utilization is (0.9, 71.27 GiB). Actual usage is 15.27 GiB for weight, 5.90 GiB for peak activation, 0.13 GiB for non-torch memory, and 0.82 GiB for CUDAGraph memory. Replace gpu_memory_utilization config with `--kv-cache-memory=52617945088` (49.00 GiB) to fit into requested memory, or `--kv-cache-memory=60571901132` (56.41 GiB) to fully utilize gpu memory. Current kv cache memory in use is 49.97 GiB.
(EngineCore_DP0 pid=310) INFO 10-12 14:00:55 [core.py:210] init engine (profile, create kv cache, warmup model) took 30.2 seconds
(APIServer pid=1) INFO:     Application startup complete.
)";

// 0.21: graphs are charged. 0.92 x 79.19 = 72.85; 0.84 of it for graphs; ranks of PP and TP.
const char* const kVllm021 =
    R"((APIServer pid=1) INFO 05-20 09:00:00 [utils.py:302]  ▄▄ ▄█ █     █     █ ▀▄▀ █  version 0.21.0
(APIServer pid=1) INFO 05-20 09:00:00 [utils.py:302]   █▄█▀ █     █     █     █  model   acme-lab/Demo-8B
(Worker_TP0 pid=90) INFO 05-20 09:00:40 [gpu_model_runner.py:4879] Model loading took 7.66 GiB memory and 31.6 seconds
(Worker_TP1 pid=91) INFO 05-20 09:00:40 [gpu_model_runner.py:4879] Model loading took 7.66 GiB memory and 31.9 seconds
(Worker_TP0 pid=90) INFO 05-20 09:01:00 [gpu_model_runner.py:6365] Estimated CUDA graph memory: 0.84 GiB total
(Worker_TP0 pid=90) INFO 05-20 09:01:00 [gpu_worker.py:466] Available KV cache memory: 59.15 GiB
(Worker_TP1 pid=91) INFO 05-20 09:01:00 [gpu_worker.py:466] Available KV cache memory: 59.40 GiB
(EngineCore pid=80) INFO 05-20 09:01:01 [kv_cache_utils.py:1710] GPU KV cache size: 861,472 tokens
(EngineCore pid=80) INFO 05-20 09:01:01 [kv_cache_utils.py:1711] Maximum concurrency for 40,960 tokens per request: 21.03x
(Worker_TP0 pid=90) INFO 05-20 09:01:20 [gpu_model_runner.py:6243] Graph capturing finished in 12 secs, took 0.71 GiB
(Worker_TP0 pid=90) INFO 05-20 09:01:20 [gpu_worker.py:621] CUDA graph pool memory: 0.71 GiB (actual), 0.84 GiB (estimated), difference: 0.13 GiB (18.3%).
(APIServer pid=1) INFO:     Application startup complete.
)";

// 0.27: weights and what lies outside torch in one figure; 0.92 x 31.36 = 28.85.
const char* const kVllm027 =
    R"((EngineCore pid=12) INFO 08-22 20:19:58 [core.py:105] Initializing a V1 LLM engine (v0.27.1) with config: model='acme-lab/Demo-7B', dtype=torch.bfloat16, max_seq_len=32768, tensor_parallel_size=1, pipeline_parallel_size=1, data_parallel_size=1, quantization=None, enforce_eager=False, kv_cache_dtype=auto
(EngineCore pid=12) INFO 08-22 20:20:04 [decorators.py:600] Directly load AOT compilation from path /x
(EngineCore pid=12) INFO 08-22 20:20:06 [model_runner.py:415] Model loading took 14.25 GiB memory and 5.8 seconds
(EngineCore pid=12) DEBUG 08-22 20:20:12 [gpu_worker.py:540] Memory profiling takes 3.51 seconds. Total non KV cache memory: 15.61GiB; torch peak memory increase: 1.19GiB; total consumed (from mem_get_info): 14.42GiB; weights memory: 14.25GiB.
(EngineCore pid=12) INFO 08-22 20:20:12 [gpu_worker.py:563] Available KV cache memory: 13.24 GiB
(EngineCore pid=12) INFO 08-22 20:20:12 [kv_cache_utils.py:2393] GPU KV cache size: 247,898 tokens, Maximum concurrency for 32,768 tokens per request: 7.56x
(EngineCore pid=12) INFO 08-22 20:20:16 [model_runner.py:791] Graph capturing finished in 2 secs, took 0.37 GiB
(EngineCore pid=12) INFO 08-22 20:20:16 [gpu_worker.py:789] Free memory on device cuda:0 (30.85/31.36 GiB) on startup. Desired GPU memory utilization is (0.92, 28.85 GiB). Actual usage is 14.42 GiB for consumed memory (weights + non-torch), 1.19 GiB for peak activation, and 0.37 GiB for CUDAGraph memory. Replace gpu_memory_utilization config with `--kv-cache-memory=13658000000` (12.72 GiB) to fit into requested memory, or `--kv-cache-memory=15800000000` (14.71 GiB) to fully utilize gpu memory. Current kv cache memory in use is 13.24 GiB.
(EngineCore pid=12) INFO 08-22 20:20:17 [core.py:299] init engine (profile, create kv cache, warmup model) took 13.7 s (compilation: 7.3 s)
)";

const char* const kVllmFixedPool =
    R"((EngineCore_DP0 pid=9) INFO 11-02 08:00:00 [gpu_model_runner.py:3000] Model loading took 5.5100 GiB and 2.0 seconds
(EngineCore_DP0 pid=9) INFO 11-02 08:00:10 [gpu_worker.py:280] Initial free memory 44.16 GiB, reserved 5.5 GiB memory for KV Cache as specified by kv_cache_memory_bytes config and skipped memory profiling.
(EngineCore_DP0 pid=9) INFO 11-02 08:00:10 [interface.py:390] Setting attention block size to 544 tokens to ensure that attention page size is >= mamba page size.
(EngineCore_DP0 pid=9) INFO 11-02 08:00:11 [core.py:180] num_gpu_blocks is: 1402
)";

// Refusals, one of each era.
const char* const kVllmRefused06 =
    R"(INFO 07-02 17:00:00 llm_engine.py:237] Initializing an LLM engine (v0.6.2) with config: model='acme-lab/Demo-13B', dtype=torch.float16, max_seq_len=16384, tensor_parallel_size=1, pipeline_parallel_size=1, quantization=None, enforce_eager=True, kv_cache_dtype=auto
INFO 07-02 17:00:30 model_runner.py:1014] Loading model weights took 12.5500 GB
INFO 07-02 17:00:40 gpu_executor.py:122] # GPU blocks: 515, # CPU blocks: 327
Traceback (most recent call last):
  File "worker.py", line 258, in initialize_cache
ValueError: The model's max seq len (16384) is larger than the maximum number of tokens that can be stored in KV cache (8240). Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when initializing the engine.
)";
const char* const kVllmRefused09 =
    R"((EngineCore_0 pid=5) INFO 07-22 10:00:00 [gpu_model_runner.py:1800] Model loading took 20.1000 GiB and 8.0 seconds
(EngineCore_0 pid=5) INFO 07-22 10:00:20 [gpu_worker.py:232] Available KV cache memory: 1.49 GiB
(EngineCore_0 pid=5) ERROR 07-22 10:00:20 [core.py:586] Traceback (most recent call last):
(EngineCore_0 pid=5) ERROR 07-22 10:00:20 [core.py:586] ValueError: To serve at least one request with the models's max seq len (32768), (1.75 GiB KV cache is needed, which is larger than the available KV cache memory (1.49 GiB). Based on the available memory, the estimated maximum model length is 27808. Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when initializing the engine.
RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}
)";
const char* const kVllmRefusedStart =
    R"((EngineCore_DP0 pid=44) INFO 04-02 10:00:00 [core.py:77] Initializing a V1 LLM engine (v0.19.0) with config: model='acme-lab/Demo-8B', dtype=torch.bfloat16, max_seq_len=8192, tensor_parallel_size=1, pipeline_parallel_size=1, data_parallel_size=1, quantization=None, enforce_eager=False, kv_cache_dtype=auto
(EngineCore_DP0 pid=44) ERROR 04-02 10:00:05 [core.py:800] ValueError: Free memory on device cuda:0 (60.87/79.19 GiB) on startup is less than desired GPU memory utilization (0.95, 75.23 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes.
RuntimeError: Engine core initialization failed.
)";
const char* const kVllmRefusedEmpty =
    R"(INFO 12-01 10:00:01 [model_runner.py:1115] Model loading took 6.5935 GiB and 7.2 seconds
INFO 12-01 10:00:12 [worker.py:295] the current vLLM instance can use total_gpu_memory (15.70GiB) x gpu_memory_utilization (0.76) = 11.93GiB
INFO 12-01 10:00:12 [worker.py:295] model weights take 6.59GiB; non_torch_memory takes 8.29GiB; PyTorch activation peak memory takes 4.93GiB; the rest of the memory reserved for KV Cache is -7.88GiB.
ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.
)";
const char* const kVllmRefusedStates =
    R"((EngineCore pid=8) INFO 06-01 10:00:00 [gpu_model_runner.py:5000] Model loading took 60.02 GiB memory and 90.0 seconds
(EngineCore pid=8) ERROR 06-01 10:02:00 [core.py:900] ValueError: max_num_seqs (1024) exceeds available Mamba cache blocks (939). Each decode sequence requires one Mamba cache block.
)";
const char* const kVllmRefusedLength =
    R"((APIServer pid=1) INFO 06-01 10:00:00 [api_server.py:1] vLLM API server version 0.20.0
ValueError: User-specified max_model_len (65536) is greater than the derived max_model_len (max_position_embeddings=32768).
)";

const char* const kVllmOom =
    R"(INFO 04-14 11:00:00 [gpu_model_runner.py:1316] Model loading took 26.1000 GiB and 30.0 seconds
INFO 04-14 11:00:30 [kv_cache_utils.py:634] GPU KV cache size: 52,336 tokens
INFO 04-14 11:00:30 [kv_cache_utils.py:637] Maximum concurrency for 8,192 tokens per request: 6.39x
Traceback (most recent call last):
  File "gpu_model_runner.py", line 1500, in _dummy_run
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 896.00 MiB. GPU 0 has a total capacity of 44.39 GiB of which 301.50 MiB is free. Process 4711 has 9.90 GiB memory in use. Including non-PyTorch memory, this process has 34.10 GiB memory in use. Of the allocated memory 30.60 GiB is allocated by PyTorch, and 2.75 GiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.
)";
const char* const kOldTorchOom =
    R"(INFO 02-14 11:00:00 model_runner.py:900] Loading model weights took 12.5500 GB
torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.50 GiB (GPU 0; 15.77 GiB total capacity; 12.70 GiB already allocated; 2.90 GiB free; 12.71 GiB reserved in total by PyTorch)
)";
const char* const kTypoTorchOom =
    R"(INFO 02-14 11:00:00 model_runner.py:900] Loading model weights took 12.5500 GB
torch.cuda.OutOfMemoryError: HIP out of memory. Tried to allocate 3.50 GiB. GPU 0 has a total capacty of 15.98 GiB of which 2.90 GiB is free.
RuntimeError: HIP error: out of memory
RuntimeError: CUDA error: out of memory
)";

// SGLang 0.4: 94.02 free before, 0.88 of it is 82.74; 82.74 - 15.02 = 67.72 = 2 x 33.86.
const char* const kSglang04 =
    R"([2025-03-02 08:00:00] server_args=ServerArgs(model_path='acme-lab/Demo-8B', tokenizer_path='acme-lab/Demo-8B', host='127.0.0.1', port=30000, mem_fraction_static=0.88, max_running_requests=None, max_total_tokens=None, chunked_prefill_size=8192, tp_size=1, dp_size=1, ep_size=1, quantization=None, kv_cache_dtype='auto', disable_radix_cache=False, disable_cuda_graph=False, cuda_graph_max_bs=160, enable_dp_attention=False)
[2025-03-02 08:00:08 TP0] Init torch distributed begin.
[2025-03-02 08:00:08 TP0] Init torch distributed ends. mem usage=0.00 GB
[2025-03-02 08:00:08 TP0] Load weight begin. avail mem=94.02 GB
[2025-03-02 08:00:20 TP0] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=79.00 GB, mem usage=15.02 GB.
[2025-03-02 08:00:20 TP0] KV Cache is allocated. #tokens: 554762, K size: 33.86 GB, V size: 33.86 GB
[2025-03-02 08:00:20 TP0] Memory pool end. avail mem=10.05 GB
[2025-03-02 08:00:21 TP0] Capture cuda graph begin. This can take up to several minutes. avail mem=9.45 GB
[2025-03-02 08:00:30 TP0] Capture cuda graph end. Time elapsed: 9.01 s. avail mem=8.40 GB. mem usage=1.05 GB.
[2025-03-02 08:00:30 TP0] max_total_num_tokens=554762, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=4097, context_len=131072
[2025-03-02 08:00:31] The server is fired up and ready to roll!
)";

// SGLang 0.4.1 prints neither what the weights take nor tokens of the pool.
const char* const kSglang041 =
    R"([2024-12-20 08:00:08 TP0] Load weight begin. avail mem=23.20 GB
[2024-12-20 08:00:20 TP0] Load weight end. type=MistralForCausalLM, dtype=torch.bfloat16, avail mem=9.69 GB
[2024-12-20 08:00:20 TP0] KV Cache is allocated. K size: 3.40 GB, V size: 3.40 GB.
[2024-12-20 08:00:20 TP0] Memory pool end. avail mem=2.44 GB
[2024-12-20 08:00:21 TP0] Capture cuda graph begin. This can take up to several minutes. avail mem=2.40 GB
[2024-12-20 08:00:23 TP0] Capture cuda graph end. Time elapsed: 2.19 s. avail mem=2.15 GB
[2024-12-20 08:00:24 TP0] max_total_num_tokens=55705, max_prefill_tokens=16384, max_running_requests=2049, context_len=32768
)";

// SGLang 0.5, two ranks and MLA: one figure for keys and values.
const char* const kSglang05 =
    R"(sglang: 0.5.9
[2026-03-10 12:00:00] server_args=ServerArgs(model_path='/data/people/lee/DeepMind-Demo', trust_remote_code=True, mem_fraction_static=0.85, context_length=65536, tp_size=2, pp_size=1, dp_size=1, ep_size=1, quantization='fp8', kv_cache_dtype='auto', chunked_prefill_size=8192, speculative_algorithm=None, enable_symm_mem=False, attention_backend='fa3')
[2026-03-10 12:00:10 TP1] Init torch distributed ends. elapsed=1.10 s, mem usage=1.15 GB
[2026-03-10 12:00:10 TP0] Init torch distributed ends. elapsed=1.02 s, mem usage=1.15 GB
[2026-03-10 12:00:10 TP0] Load weight begin. avail mem=137.90 GB
[2026-03-10 12:00:10 TP1] Load weight begin. avail mem=137.60 GB
[2026-03-10 12:01:10 TP0] Load weight end. elapsed=59.10 s, type=DeepseekV3ForCausalLM, avail mem=57.40 GB, mem usage=80.50 GB.
[2026-03-10 12:01:11 TP1] Load weight end. elapsed=60.00 s, type=DeepseekV3ForCausalLM, avail mem=57.10 GB, mem usage=80.50 GB.
[2026-03-10 12:01:12 TP0] Using KV cache dtype: torch.bfloat16
[2026-03-10 12:01:12 TP0] KV Cache is allocated. dtype: torch.bfloat16, #tokens: 556416, KV size: 36.42 GB
[2026-03-10 12:01:12 TP1] KV Cache is allocated. dtype: torch.bfloat16, #tokens: 556416, KV size: 36.40 GB
[2026-03-10 12:01:12 TP0] Memory pool end. avail mem=20.50 GB
[2026-03-10 12:01:20 TP1] Capture target decode CUDA graph begin. backend=full, num_tokens_per_req=1, bs=[1, 2, 4], avail mem=19.80 GB
[2026-03-10 12:01:40 TP1] Capture target decode CUDA graph end. elapsed=18.62 s, mem usage=1.43 GB, avail mem=18.37 GB.
[2026-03-10 12:01:40 TP0] max_total_num_tokens=556416, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=65536, available_gpu_mem=18.37 GB
[2026-03-10 12:01:41] The server is fired up and ready to roll!
)";

// Recurrent states beside the cache, and a draft after the target.
const char* const kSglangHybrid =
    R"([2026-07-01 12:00:10] Load weight begin. avail mem=78.48 GB
[2026-07-01 12:00:40] Load weight end. elapsed=29.0 s, type=Qwen3_5ForConditionalGeneration, avail mem=50.01 GB, mem usage=28.47 GB.
[2026-07-01 12:00:41] Load weight begin. avail mem=50.01 GB
[2026-07-01 12:00:44] Load weight end. elapsed=3.0 s, type=Qwen3_5ForCausalLMMTP, avail mem=47.91 GB, mem usage=2.10 GB.
[2026-07-01 12:00:45] Mamba Cache is allocated. max_mamba_cache_size: 50, conv_state size: 0.14GB, ssm_state size: 3.60GB intermediate_ssm_state_cache size: 2.40GB intermediate_conv_window_cache size: 0.05GB
[2026-07-01 12:00:45] KV Cache is allocated. dtype: torch.bfloat16, #tokens: 180224, K size: 5.50 GB, V size: 5.50 GB
[2026-07-01 12:00:45] KV Cache is allocated. dtype: torch.bfloat16, #tokens: 180224, K size: 0.34 GB, V size: 0.34 GB
[2026-07-01 12:00:46] Memory pool end. avail mem=31.40 GB
[2026-07-01 12:00:47] Capture target prefill CUDA graph end. elapsed=20.0 s, mem usage=1.71 GB, avail mem=29.00 GB.
[2026-07-01 12:00:57] Capture target verify CUDA graph end. elapsed=6.1 s, mem usage=0.62 GB, avail mem=28.38 GB.
)";

// A pool of its own for windowed layers: 2 x 1.50 + 2 x 24.03 = 51.06.
const char* const kSglangWindow =
    R"([2026-04-01 12:00:10] Load weight begin. avail mem=111.65 GB
[2026-04-01 12:00:40] Load weight end. elapsed=29.0 s, type=Gemma4ForConditionalGeneration, avail mem=88.20 GB, mem usage=23.45 GB.
[2026-04-01 12:00:41] Use sliding window memory pool. full_layer_tokens=700000, swa_layer_tokens=560000
[2026-04-01 12:00:41] KV Cache is allocated. dtype: torch.float8_e4m3fn, #tokens: 560000, K size: 24.03 GB, V size: 24.03 GB
[2026-04-01 12:00:41] KV Cache is allocated. dtype: torch.float8_e4m3fn, #tokens: 700000, K size: 1.50 GB, V size: 1.50 GB
[2026-04-01 12:00:41] SWAKVPool mem usage: 51.06 GB, swa size: 560000, full size: 700000
[2026-04-01 12:00:41] Memory pool end. avail mem=31.90 GB
[2026-04-01 12:00:50] max_total_num_tokens=700000, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2992, context_len=131072, available_gpu_mem=30.10 GB
)";
const char* const kSglangCompressed =
    R"([2026-05-15 08:39:36 TP0] Load weight begin. avail mem=93.56 GB
[2026-05-15 08:39:53 TP0] DSv4 memory calculation: bytes_per_full_token=16000.50, available_bytes=40.00 GB, full_token=2684160
[2026-05-15 08:39:53 TP0] Memory pool end. avail mem=10.18 GB
[2026-05-15 08:39:55 TP0] Post-capture KV sizing: KV cache allocated. #tokens: 2684160, KV size: 40.00 GB, avail mem=8.16 GB
)";

// 1 - 14.00 / 138.00 = 0.8986.
const char* const kSglangRefused =
    R"([2026-07-05 08:00:00] SGLang version: 0.5.16
[2026-07-05 08:00:10 TP0] Load weight begin. avail mem=138.00 GB
[2026-07-05 08:05:10 TP0] Load weight end. elapsed=299.0 s, type=DeepseekV4ForCausalLM, avail mem=14.00 GB, mem usage=124.00 GB.
[2026-07-05 08:05:11 TP0] Scheduler hit an exception: Traceback (most recent call last):
ValueError: Loaded weights leave no GPU memory for the KV cache under --mem-fraction-static=0.88. Raise --mem-fraction-static above 0.899 (minimum viable = 1 - available/pre = 0.8986). If using speculative decoding, draft weights are now counted.
)";
const char* const kSglangRefusedOld =
    R"(Collecting sglang==0.4.6
[2025-05-05 08:00:10 TP0] The memory capacity is unbalanced. Some GPUs may be occupied by other processes. min_per_gpu_memory=10.1, local_gpu_memory=78.2
[2025-05-05 08:00:10 TP0] Load weight begin. avail mem=10.10 GB
[2025-05-05 08:00:20 TP0] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=1.02 GB, mem usage=9.08 GB.
RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.
RuntimeError: Not enough memory! Please try to increase --mem-fraction-static.
ValueError: Hybrid (mamba/linear-attention) state cache is too small to serve any requests
)";

// TensorRT-LLM 0.17: (79.10 - 16.40) x 0.9 = 56.43.
const char* const kTrtllm017 =
    R"([TensorRT-LLM] TensorRT-LLM version: 0.17.0.post1
[02/14/2025-09:38:20] [TRT-LLM] [I] Peak memory during memory usage profiling (torch + non-torch): 16.40 GiB, available KV cache memory when calculating max tokens: 56.43 GiB
[02/14/2025-09:38:20] [TRT-LLM] [I] Estimated max tokens in KV cache : 462274
[TensorRT-LLM][INFO] Number of blocks in KV cache primary pool: 7224
[TensorRT-LLM][INFO] Number of tokens per block: 64.
[TensorRT-LLM][INFO] [MemUsageChange] Allocated 56.44 GiB for max tokens in paged KV cache (462336).
[02/14/2025-09:38:53] [TRT-LLM] [I] max_seq_len=131072, max_num_requests=2048, max_num_tokens=8192
[02/14/2025-09:38:53] [TRT-LLM] [I] Engine loaded and ready to serve...
)";
const char* const kTrtllm019 =
    R"(tensorrt_llm version: 0.19.0
Collecting tensorrt_llm==0.19.0
[04/20/2025-09:38:20] [TRT-LLM] [I] Memory used for model weights (inside torch) in memory usage profiling: 14.97 GiB
[04/20/2025-09:38:25] [TRT-LLM] [I] Memory used outside torch in memory usage profiling: 1.31 GiB
)";

// 1.x: (139.80 - 68.80 + 0.40) x 0.9 = 64.26; the temporary cache is allocated first.
const char* const kTrtllm1 =
    R"([TensorRT-LLM] TensorRT-LLM version: 1.2.0rc2
[12/20/2025-04:20:00] [TRT-LLM] [I] TensorRT-LLM engine args: {'model': 'acme-lab/Demo-120B', 'tensor_parallel_size': 1, 'max_batch_size': 64, 'max_num_tokens': 8192}
[TensorRT-LLM][INFO] Max KV cache blocks per sequence: 257 [window size=8224], tokens per block=32, primary blocks=257, max sequence length=8224
[TensorRT-LLM][INFO] Number of tokens per block: 32.
[TensorRT-LLM][INFO] [MemUsageChange] Allocated 0.40 GiB for max tokens in paged KV cache (8224).
[12/20/2025-04:21:10] [TRT-LLM] [I] max_seq_len=8224, max_num_requests=64, max_num_tokens=8192, max_batch_size=64
[12/20/2025-04:21:50] [TRT-LLM] [I] Memory used after loading model weights (inside torch) in memory usage profiling: 61.40 GiB
[12/20/2025-04:21:50] [TRT-LLM] [I] Memory used after loading model weights (outside torch) in memory usage profiling: 4.70 GiB
[12/20/2025-04:21:51] [TRT-LLM] [I] Memory dynamically allocated during inference (inside torch) in memory usage profiling: 2.30 GiB
[12/20/2025-04:21:51] [TRT-LLM] [I] Memory used outside torch (e.g., NCCL and CUDA graphs) in memory usage profiling: 5.10 GiB
[12/20/2025-04:21:51] [TRT-LLM] [I] Peak memory during memory usage profiling (torch + non-torch): 68.80 GiB, available KV cache memory when calculating max tokens: 64.26 GiB, fraction is set 0.8999999761581421, kv size is 65536. device total memory 139.80 GiB, , tmp kv_mem 0.40 GiB
[12/20/2025-04:21:51] [TRT-LLM] [I] Estimated max memory in KV cache : 64.26 GiB
[TensorRT-LLM][INFO] Max KV cache blocks per sequence: 4097 [window size=131072], tokens per block=32, primary blocks=32902, max sequence length=131072
[TensorRT-LLM][INFO] [MemUsageChange] Allocated 64.26 GiB for max tokens in paged KV cache (1052864).
INFO:     Application startup complete.
)";

// 1.3, two ranks of one job under MPI; (139.81 - 80.46 + 0.27) x 0.85 = 50.68.
const char* const kTrtllm13 =
    R"([1,1]<stdout>:[01/16/2026-06:20:14] [TRT-LLM] [RANK 1] [I] Memory used after loading model weights (inside torch) in memory usage profiling: 70.00 GiB
[1,0]<stdout>:[01/16/2026-06:20:14] [TRT-LLM] [RANK 0] [I] Memory used after loading model weights (inside torch) in memory usage profiling: 70.00 GiB
[1,1]<stdout>:[01/16/2026-06:20:15] [TRT-LLM] [RANK 1] [I] Peak memory during memory usage profiling (torch + non-torch): 80.06 GiB, available KV cache memory when calculating max tokens: 51.02 GiB, fraction is set 0.85, kv size per token is 35136. device total memory 139.81 GiB, temporary kv cache memory during profiling 0.27 GiB
[1,0]<stdout>:[01/16/2026-06:20:15] [TRT-LLM] [RANK 0] [I] Peak memory during memory usage profiling (torch + non-torch): 80.46 GiB, available KV cache memory when calculating max tokens: 50.68 GiB, fraction is set 0.85, kv size per token is 35136. device total memory 139.81 GiB, temporary kv cache memory during profiling 0.27 GiB
[1,1]<stdout>:[01/16/2026-06:20:15] [TRT-LLM] [RANK 1] [I] Estimated max memory in KV cache : 51.02 GiB
[1,0]<stdout>:[01/16/2026-06:20:15] [TRT-LLM] [RANK 0] [I] Estimated max memory in KV cache : 50.68 GiB
)";

// An engine: 79.10 - 70.00 = 9.10 in use; 0.9 x 70.00 GiB / 16 MiB = 4032 blocks of 64.
const char* const kTrtllmEngine =
    R"([TensorRT-LLM][INFO] TensorRT-LLM version: 0.20.0
[TensorRT-LLM][INFO] TRTGptModel maxBatchSize: 64
[TensorRT-LLM][INFO] TRTGptModel maxNumTokens: 8192
[TensorRT-LLM][INFO] TRTGptModel maxSequenceLen: 2048
[TensorRT-LLM][INFO] Loaded engine size: 7100 MiB
[TensorRT-LLM][INFO] [MemUsageChange] Allocated 900.00 MiB for execution context memory.
[TensorRT-LLM][INFO] [MemUsageChange] Allocated 50.00 MB GPU memory for runtime buffers.
[TensorRT-LLM][INFO] [MemUsageChange] Allocated 200.00 MB GPU memory for decoder.
[TensorRT-LLM][INFO] Memory usage when calculating max tokens in paged kv cache: total: 79.10 GiB, available: 70.00 GiB
[TensorRT-LLM][INFO] Number of blocks in KV cache primary pool: 4032
[TensorRT-LLM][INFO] Number of tokens per block: 64.
[TensorRT-LLM][INFO] [MemUsageChange] Allocated 63.00 GiB for max tokens in paged KV cache (258048).
[TensorRT-LLM][INFO] Executor instance created by worker
)";
const char* const kTrtllmOldEngine =
    R"([TensorRT-LLM][INFO] Loaded engine size: 15000 MiB
[TensorRT-LLM][INFO] Allocated 8589934592 bytes for max tokens in paged KV cache (65536)
RuntimeError: [TensorRT-LLM][ERROR] Assertion failed: Impossible to fit in any sequence in kvCache
)";
const char* const kTrtllmOom =
    R"([TensorRT-LLM][INFO] Loaded engine size: 5200 MiB
[TensorRT-LLM][INFO] Memory usage when calculating max tokens in paged kv cache: total: 7.70 GiB, available: 0.02 GiB
RuntimeError: [TensorRT-LLM][ERROR] CUDA runtime error in ::cudaMalloc(ptr, n): out of memory
RuntimeError: Failed to create cublas handle: CUBLAS_STATUS_NOT_INITIALIZED
RuntimeError: Executor worker returned error
)";

// llama.cpp of early 2025: 32 x 1024 x 2 x 2 B x 8192 = 1024 MiB.
const char* const kLlamaOld =
    R"(main: build = 3000 (aaaaaaaa)
build: 4719 (d7b31a9d) with cc (Ubuntu 13.3.0) 13.3.0 for x86_64-linux-gnu
ggml_cuda_init: found 1 CUDA devices:
  Device 0: NVIDIA GeForce RTX 4090, compute capability 8.9, VMM: yes
llama_model_load_from_file_impl: using device CUDA0 (NVIDIA GeForce RTX 4090) - 23690 MiB free
llama_model_loader: - kv   0:                       general.architecture str              = llama
llm_load_print_meta: n_ctx_train      = 131072
llm_load_print_meta: model ftype      = Q4_K - Medium
llm_load_print_meta: model params     = 8.03 B
llm_load_print_meta: model size       = 4.58 GiB (4.89 BPW)
llm_load_tensors: offloaded 33/33 layers to GPU
llm_load_tensors:        CUDA0 model buffer size =  4400.00 MiB
llm_load_tensors:   CPU_Mapped model buffer size =   290.00 MiB
llama_new_context_with_model: n_seq_max     = 1
llama_new_context_with_model: n_ctx         = 8192
llama_new_context_with_model: n_ctx_per_seq = 8192
llama_new_context_with_model: n_batch       = 2048
llama_new_context_with_model: n_ubatch      = 512
llama_new_context_with_model: flash_attn    = 0
llama_kv_cache_init:      CUDA0 KV buffer size =  1024.00 MiB
llama_new_context_with_model: KV self size  = 1024.00 MiB, K (f16):  512.00 MiB, V (f16):  512.00 MiB
llama_new_context_with_model:  CUDA_Host  output buffer size =     0.49 MiB
llama_new_context_with_model:      CUDA0 compute buffer size =   560.00 MiB
llama_new_context_with_model:  CUDA_Host compute buffer size =    24.01 MiB
main: server is listening on http://127.0.0.1:8080 - starting the main loop
)";

// 2025: windows and full layers apart, two cards, q8_0; 3072 + 54 and so on are sums by card.
const char* const kLlama2025 =
    R"(build: 6300 (0a1b2c3d) with gcc
  Device 0: AMD Radeon RX 7900 XTX, gfx1100 (0x1100), VMM: no, Wave Size: 32
print_info: file type   = Q8_0
print_info: file size   = 20.72 GiB (8.51 BPW)
load_tensors: offloaded 37/37 layers to GPU
load_tensors:        ROCm0 model buffer size = 11000.25 MiB
load_tensors:        ROCm1 model buffer size = 10210.50 MiB
load_tensors:   CPU_Mapped model buffer size =   586.82 MiB
llama_context: n_seq_max     = 2
llama_context: n_ctx         = 32768
llama_context: n_ubatch      = 1024
llama_context: flash_attn    = enabled
llama_context: kv_unified    = true
llama_kv_cache_unified_iswa: creating non-SWA KV cache, size = 32768 cells
llama_kv_cache_unified:      ROCm0 KV buffer size =   612.00 MiB
llama_kv_cache_unified:      ROCm1 KV buffer size =   612.00 MiB
llama_kv_cache_unified: size = 1224.00 MiB ( 32768 cells,  18 layers,  2/1 seqs), K (q8_0):  612.00 MiB, V (q8_0):  612.00 MiB
llama_kv_cache_unified_iswa: creating     SWA KV cache, size = 1280 cells
llama_kv_cache_unified:      ROCm0 KV buffer size =    24.00 MiB
llama_kv_cache_unified:      ROCm1 KV buffer size =    23.81 MiB
llama_context:      ROCm0 compute buffer size =   420.10 MiB
llama_context:      ROCm1 compute buffer size =   398.51 MiB
llama_context:  ROCm_Host compute buffer size =    80.02 MiB
srv  update_slots: all slots are idle
)";

// 2026: --fit, recurrent states, a second context for the draft, the table at the end. The reserve
// of a context is printed twice, and the second counts.
const char* const kLlama2026 =
    R"(0.00.100.000 I build_info: b9842-2c4055912
ggml_cuda_init: found 1 CUDA devices (Total VRAM: 32606 MiB):
  Device 0: NVIDIA GeForce RTX 5090, compute capability 12.0, VMM: yes, VRAM: 32606 MiB
0.00.200.000 I common_memory_breakdown_print: | memory breakdown [MiB]         | total    free     self   model   context   compute    unaccounted |
0.00.200.001 I common_memory_breakdown_print: |   - CUDA0 (RTX 5090)           | 32606 = 31100 + (32800 = 15200 +   16832 +     768) +      -31294 |
0.00.200.002 I common_params_fit_impl: projected to use 32800 MiB of device memory vs. 31100 MiB of free device memory
0.00.200.003 I common_params_fit_impl: cannot meet free memory target of 1024 MiB, need to reduce device memory by 2724 MiB
0.00.200.004 I common_params_fit_impl: context size reduced from 262144 to 196608 -> need 4096 MiB less memory in total
0.00.200.004 I common_params_fit_impl: will leave 2396 >= 1024 MiB of free device memory
0.00.200.005 I common_fit_params: fitting params to free memory took 0.49 seconds
0.00.300.000 I load_tensors: offloaded 65/65 layers to GPU
0.00.300.001 I load_tensors:        CUDA0 model buffer size = 15200.25 MiB
0.00.300.002 I load_tensors:    CUDA_Host model buffer size =   682.03 MiB
0.00.400.000 I llama_context: n_seq_max     = 1
0.00.400.001 I llama_context: n_ctx         = 196608
0.00.400.002 I llama_context: n_ubatch      = 512
0.00.400.003 I llama_kv_cache:      CUDA0 KV buffer size = 12288.00 MiB
0.00.400.004 I llama_kv_cache: size = 12288.00 MiB (196608 cells,  16 layers,  1/1 seqs), K (f16): 6144.00 MiB, V (f16): 6144.00 MiB
0.00.400.005 I llama_memory_recurrent:      CUDA0 RS buffer size =   149.62 MiB
0.00.400.006 I llama_memory_recurrent: size =  149.62 MiB (     1 cells,  64 layers,  1 seqs  0 rs_seq), R (f32):    5.62 MiB, S (f32):  144.00 MiB
0.00.400.007 I sched_reserve:      CUDA0 compute buffer size =   505.00 MiB
0.00.400.008 I sched_reserve:      CUDA0 compute buffer size =   488.00 MiB
0.00.500.000 I llama_context: n_ctx         = 196608
0.00.500.001 I llama_kv_cache:      CUDA0 KV buffer size =   768.00 MiB
0.00.500.002 I sched_reserve:      CUDA0 compute buffer size =    60.00 MiB
0.00.600.000 I main: HTTP server is listening
9.00.000.000 I llama_memory_breakdown_print: |   - CUDA0 (RTX 5090)           | 32606 =  3327 + (28954 = 15200 +   13206 +     548) +         325 |
)";

const char* const kLlamaTableOnly =
    R"(llama_perf_context_print: load time = 100 ms
llama_print_memory_breakdown: memory breakdown:      total   free     self   model   context   compute    unaccounted
llama_print_memory_breakdown:   - CUDA0 (RTX 4090):  24080 = 8000 + (15600 = 14000 +     600 +    1000) +         480
llama_print_memory_breakdown:   - CPU (EPYC 7742):  515628              72 =     0 +      57 +      15
)";
const char* const kLlamaOom =
    R"(build: 9000 (0a1b2c3d) with gcc
load_tensors:        CUDA0 model buffer size = 18200.40 MiB
common_params_fit_impl: failed to fit params to free device memory: n_gpu_layers already set by user to 999, abort
load_tensors:        CUDA0 model buffer size = 18200.40 MiB
E ggml_backend_cuda_buffer_type_alloc_buffer: allocating 12000.00 MiB on device 0: cudaMalloc failed: out of memory
E alloc_tensor_range: failed to allocate CUDA0 buffer of size 12582912000
E llama_model_load: error loading model: unable to allocate CUDA0 buffer
E llama_init_from_model: failed to initialize the context: failed to allocate buffer for kv cache
E graph_reserve: failed to allocate compute buffers
E graph_reserve: failed to allocate compute pp buffers
ROCm error: out of memory
vk::Device::allocateMemory: ErrorOutOfDeviceMemory
GPU 0: NVIDIA GeForce RTX 3090 (UUID: GPU-0000)
)";

}  // namespace

const std::vector<Named>& all() {
  static const std::vector<Named> kAll = {
      {"vllm 0.6.3", kVllm063},
      {"vllm 0.6.4", kVllm064},
      {"vllm 0.6.5", kVllm065},
      {"vllm 0.8", kVllm08},
      {"vllm 0.9", kVllm09},
      {"vllm 0.10 debug", kVllm010Debug},
      {"vllm 0.11", kVllm011},
      {"vllm 0.21", kVllm021},
      {"vllm 0.27", kVllm027},
      {"vllm fixed pool", kVllmFixedPool},
      {"vllm refused 0.6", kVllmRefused06},
      {"vllm refused 0.9", kVllmRefused09},
      {"vllm refused start", kVllmRefusedStart},
      {"vllm refused empty", kVllmRefusedEmpty},
      {"vllm refused states", kVllmRefusedStates},
      {"vllm refused length", kVllmRefusedLength},
      {"vllm oom", kVllmOom},
      {"old torch oom", kOldTorchOom},
      {"typo torch oom", kTypoTorchOom},
      {"sglang 0.4", kSglang04},
      {"sglang 0.4.1", kSglang041},
      {"sglang 0.5", kSglang05},
      {"sglang hybrid", kSglangHybrid},
      {"sglang window", kSglangWindow},
      {"sglang compressed", kSglangCompressed},
      {"sglang refused", kSglangRefused},
      {"sglang refused old", kSglangRefusedOld},
      {"trtllm 0.17", kTrtllm017},
      {"trtllm 0.19", kTrtllm019},
      {"trtllm 1", kTrtllm1},
      {"trtllm 1.3", kTrtllm13},
      {"trtllm engine", kTrtllmEngine},
      {"trtllm old engine", kTrtllmOldEngine},
      {"trtllm oom", kTrtllmOom},
      {"llamacpp old", kLlamaOld},
      {"llamacpp 2025", kLlama2025},
      {"llamacpp 2026", kLlama2026},
      {"llamacpp table", kLlamaTableOnly},
      {"llamacpp oom", kLlamaOom},
  };
  return kAll;
}

const std::string& named(std::string_view name) {
  for (const Named& log : all()) {
    if (log.name == name) {
      return log.text;
    }
  }
  static const std::string kNone;
  FAIL("no log " << name);
  return kNone;
}

}  // namespace start_logs
