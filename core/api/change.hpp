#pragma once

#include "json/fields.hpp"
#include "json/writer.hpp"
#include "plan/change.hpp"

namespace ridgepoint::api {

/// The request of the contract with a change put in, so that a page or a command line can go on
/// from an answer. `engine` tells which flags are the same. The JSON twin of plan::apply.
json::Value apply_change(const plan::Change& change, const engine::Engine& engine,
                         json::Value request);

/// `{"set":{flag:value…},"unset":[flag…],"gpu":{"id","count","free_bytes":null},"engine":
/// {"version"},"model":{"draft":null,"adapters":null},"measured":{term:null|bytes…},"workload":{"context",
/// "concurrency"},"quant_config":{…}}`; what is not changed is left out, and null is what goes.
void write_change(json::Writer& out, const plan::Change& change);

}  // namespace ridgepoint::api
