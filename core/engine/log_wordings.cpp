#include "engine/log_scanner.hpp"

namespace ridgepoint::engine {
namespace {

using T = LogTerm;

/// What every engine on PyTorch or CUDA prints, and its server.
constexpr Wording kShared[] = {
    {"CUDA out of memory. Tried to allocate {size}",
     {T::wanted},
     T::out_of_memory,
     "all",
     "PyTorch c10/cuda/CUDACachingAllocator.cpp"},
    {"HIP out of memory. Tried to allocate {size}",
     {T::wanted},
     T::out_of_memory,
     "all",
     "PyTorch c10/hip/HIPCachingAllocator.cpp"},
    {"CUDA error: out of memory", {}, T::out_of_memory, "all", "CUDA runtime"},
    {"HIP error: out of memory", {}, T::out_of_memory, "all", "HIP runtime"},
    {"total capacity of {size} of which {size} is free",
     {T::total, T::free_then},
     T::none,
     "torch 2.2 and later",
     "PyTorch c10/cuda/CUDACachingAllocator.cpp"},
    {"total capacty of {size} of which {size} is free",
     {T::total, T::free_then},
     T::none,
     "torch 2.1",
     "PyTorch c10/cuda/CUDACachingAllocator.cpp"},
    {"GiB total capacity; {size} already allocated; {size} free",
     {T::none, T::free_then},
     T::none,
     "torch 2.0 and earlier",
     "PyTorch c10/cuda/CUDACachingAllocator.cpp"},
    {"this process has {size} memory in use",
     {T::used_by_process},
     T::none,
     "torch 2.1 and later",
     "PyTorch c10/cuda/CUDACachingAllocator.cpp"},
    {"Process {n} has {size} memory in use",
     {T::none, T::used_by_other},
     T::none,
     "torch 2.1 and later",
     "PyTorch c10/cuda/CUDACachingAllocator.cpp"},
    {"is allocated by PyTorch, and {size} is reserved by PyTorch but unallocated",
     {T::reserved_unused},
     T::none,
     "torch 2.1 and later",
     "PyTorch c10/cuda/CUDACachingAllocator.cpp"},
    {"Application startup complete", {}, T::started, "all", "uvicorn lifespan"},
    {"Traceback (most recent call last)", {}, T::traceback, "all", "Python"},
    {"GPU 0: {name}", {T::device}, T::none, "all", "nvidia-smi -L, torch collect_env"},
};

}  // namespace

std::span<const Wording> shared_log_wordings() { return kShared; }

}  // namespace ridgepoint::engine
