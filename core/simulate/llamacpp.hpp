#pragma once

#include "simulate/reserving.hpp"

namespace ridgepoint::simulate {

/// llama-server (tools/server/server.cpp, update_slots, at the builds that the engine covers): a
/// request waits for a slot; a batch has one token of each slot that decodes, and is filled up with
/// prompts in slot order. Nothing is preempted. Approximated: of a cache that slots share, a
/// request waits until its prompt and output have room, where the server would end one that runs
/// out of it; a slot that is freed is behind those in use, whatever its number.
class LlamacppSlots : public Reserving {
 public:
  explicit LlamacppSlots(const engine::Schedule& schedule)
      : Reserving(schedule, schedule.slots != 0 ? schedule.slots : schedule.max_num_seqs, 1) {}
};

}  // namespace ridgepoint::simulate
