#include "simulate/request_table.hpp"

namespace ridgepoint::simulate {

Slot RequestTable::add() {
  if (free_.empty()) {
    requests_.push_back({});
    return static_cast<Slot>(requests_.size() - 1);
  }
  const Slot slot = free_.back();
  free_.pop_back();
  // Events of the one that was here before must not be taken for the new one's.
  const std::uint32_t stamp = requests_[slot].stamp + 1;
  requests_[slot] = {};
  requests_[slot].stamp = stamp;
  return slot;
}

void RequestTable::remove(Slot slot) { free_.push_back(slot); }

void RequestTable::append_running(Slot slot) {
  Request& request = requests_[slot];
  request.order = ++orders_;
  request.before = last_;
  request.after = kNone;
  (last_ == kNone ? first_ : requests_[last_].after) = slot;
  last_ = slot;
  ++running_;
}

void RequestTable::remove_running(Slot slot) {
  const Request& request = requests_[slot];
  (request.before == kNone ? first_ : requests_[request.before].after) = request.after;
  (request.after == kNone ? last_ : requests_[request.after].before) = request.before;
  --running_;
}

}  // namespace ridgepoint::simulate
