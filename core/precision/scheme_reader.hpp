#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "json/fields.hpp"
#include "precision/quantization.hpp"

namespace ridgepoint::precision {

/// Different formats of one checkpoint; real ones have a handful.
constexpr std::size_t kMostFormats = 64;

/// What the readers of single methods share: the config's fields, where errors stay, and the scheme
/// they fill.
class SchemeReader {
 public:
  explicit SchemeReader(json::Fields& config) : fields(config) {}

  json::Fields& fields;
  Quantization scheme;

  [[nodiscard]] const std::string& method() const { return scheme.method; }
  [[nodiscard]] bool failed() const { return fields.error().has_value(); }

  /// The format that modules of these kinds have without being named.
  void add(const WeightFormat& format, ModuleKinds kinds) {
    scheme.groups.push_back({kinds, format});
  }

  /// The names of a list member that is left as is; a missing list is an empty one.
  void ignore_all(std::string_view key) { ignore_all(fields, key); }
  void ignore_all(json::Fields& from, std::string_view key);

  /// One module, glob or "re:" expression; what cannot be read is an error at `key` of `from`.
  void ignore(json::Fields& from, std::string_view key, std::string_view entry);
  void assign(json::Fields& from, std::string_view key, std::string_view entry,
              const WeightFormat& format);

  /// Says that something is not sized, by name, and what to do.
  static void refuse(json::Fields& from, std::string_view key, const std::string& what);

  /// 2 to 8 bits, 7 excepted.
  static std::uint32_t bits(json::Fields& from, std::initializer_list<std::string_view> keys,
                            std::uint32_t fallback);

  /// -1 means one scale for the whole row, which is 0 in WeightFormat.
  static std::uint32_t group_size(json::Fields& from, std::initializer_list<std::string_view> keys,
                                  std::uint32_t fallback);

  /// Two whole numbers into block_rows and block_cols.
  static void block(json::Fields& from, std::string_view key, WeightFormat& format);

  /// The cache's format from `kv_cache_scheme`, as compressed-tensors writes it.
  void kv_cache_scheme();

 private:
  /// An expression that would be misread is an error: it decides which weights are quantised.
  bool readable(json::Fields& from, std::string_view key, std::string_view entry);

  std::size_t expressions_ = 0;
};

WeightFormat make_format(Packing packing, std::uint32_t bits, std::uint32_t group_size = 0);

}  // namespace ridgepoint::precision
