#include "engine/sglang/graphs.hpp"

#include <span>

namespace ridgepoint::engine::sglang {
namespace {

/// Sizes first, first + step … up to last.
struct Run {
  std::uint64_t first;
  std::uint64_t last;
  std::uint64_t step;
};

constexpr std::uint64_t kNoEnd = 1U << 20U;

constexpr Run kDecode[] = {{1, 2, 1},    {4, 8, 4},      {12, 12, 1},
                           {16, 256, 8}, {272, 496, 16}, {512, kNoEnd, 32}};
constexpr Run kVerify[] = {{1, 8, 1}, {10, 32, 2}, {40, 64, 4}, {72, 256, 8}, {272, kNoEnd, 16}};
constexpr Run kPrefill[] = {{4, 32, 4},      {48, 256, 16},     {288, 512, 32},
                            {576, 1024, 64}, {1280, 4096, 256}, {4608, kNoEnd, 512}};

std::vector<std::uint64_t> sizes_up_to(std::span<const Run> runs, std::uint64_t most) {
  std::vector<std::uint64_t> sizes;
  for (const Run& run : runs) {
    for (std::uint64_t size = run.first; size <= run.last && size <= most; size += run.step) {
      sizes.push_back(size);
    }
  }
  return sizes;
}

}  // namespace

std::vector<std::uint64_t> decode_sizes(std::uint64_t most, bool speculative, bool every_size,
                                        std::uint32_t number) {
  if (every_size) {
    const Run all[] = {{1, kNoEnd, 1}};
    return sizes_up_to(all, most);
  }
  std::vector<std::uint64_t> sizes =
      speculative ? sizes_up_to(kVerify, most) : sizes_up_to(kDecode, most);
  if (!speculative && number < 5003) {
    std::erase(sizes, std::uint64_t{12});
  }
  return sizes;
}

std::vector<std::uint64_t> prefill_sizes(std::uint64_t most) { return sizes_up_to(kPrefill, most); }

}  // namespace ridgepoint::engine::sglang
