#include "simulate/series.hpp"

#include <algorithm>

namespace ridgepoint::simulate {
namespace {

void add(Level& sum, const Level& level, double seconds) {
  sum.kv_share += level.kv_share * seconds;
  sum.running += level.running * seconds;
  sum.waiting += level.waiting * seconds;
}

}  // namespace

void TimeSeries::fold() {
  for (std::size_t i = 0; i < kMost / 2; ++i) {
    const Bin& first = bins_[2 * i];
    const Bin& second = bins_[2 * i + 1];
    Bin both = first;
    add(both.sum, second.sum, 1);
    both.tokens += second.tokens;
    both.preemptions += second.preemptions;
    bins_[i] = both;
  }
  std::fill(bins_.begin() + kMost / 2, bins_.end(), Bin{});
  used_ = (used_ + 1) / 2;
  width_ *= 2;
}

std::size_t TimeSeries::bin_at(double at_s) {
  while (at_s >= width_ * static_cast<double>(kMost)) {
    fold();
  }
  const auto bin = static_cast<std::size_t>(at_s / width_);
  used_ = std::max(used_, bin + 1);
  return bin;
}

void TimeSeries::hold(double start_s, double end_s, const Level& level) {
  const std::size_t last = bin_at(end_s);
  std::size_t bin = bin_at(start_s);
  double from = start_s;
  for (; bin < last; ++bin) {
    const double edge = std::max(from, static_cast<double>(bin + 1) * width_);
    add(bins_[bin].sum, level, edge - from);
    from = edge;
  }
  add(bins_[last].sum, level, end_s - from);
}

void TimeSeries::count(double at_s, std::uint64_t tokens, std::uint64_t preemptions) {
  Bin& bin = bins_[bin_at(at_s)];
  bin.tokens += tokens;
  bin.preemptions += preemptions;
}

}  // namespace ridgepoint::simulate
