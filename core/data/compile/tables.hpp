#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>

/// What a table is for: all that is known, or the first answer, which tells no help and no sources.
enum class Length { whole, short_ };

/// Each function checks one file of facts and writes it as a C++ table, to be included in the
/// namespace that declares the table's types. What is wrong is thrown as std::runtime_error with a
/// message that names the entry. A new table is one declaration here and one line in main.cpp.
void compile_gpus(const nlohmann::json& document, std::ostream& out, Length length);
void compile_models(const nlohmann::json& document, std::ostream& out, Length length);
void compile_engine_flags(const nlohmann::json& document, std::ostream& out, Length length);
void compile_engine_constants(const nlohmann::json& document, std::ostream& out, Length length);
void compile_images(const nlohmann::json& document, std::ostream& out, Length length);
void compile_environment(const nlohmann::json& document, std::ostream& out, Length length);
void compile_prices(const nlohmann::json& document, std::ostream& out, Length length);
void compile_speed_constants(const nlohmann::json& document, std::ostream& out, Length length);
