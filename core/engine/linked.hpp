#pragma once

#include <string_view>

#include "engine/engine.hpp"

namespace ridgepoint::engine {

/// The rules of the engine of that name that this program has. Each link target brings its own:
/// the library all of them (linked.cpp), a module for the first answer those of its engine
/// (core/answer).
Rules linked(std::string_view name);

}  // namespace ridgepoint::engine
