#include "precision/scheme_reader.hpp"

#include <nlohmann/json.hpp>

#include "precision/name_expression.hpp"
#include "precision/name_pattern.hpp"
#include "wording.hpp"

namespace ridgepoint::precision {
namespace {

constexpr std::string_view kRegexPrefix = "re:";
constexpr json::Range kGroupRange{1, 1U << 20U};
constexpr std::size_t kMostEntries = 100000;
constexpr std::size_t kMostExpressions = 64;  ///< they cost time for each module of each layer
constexpr std::size_t kMostPatterns = 1000;

}  // namespace

WeightFormat make_format(Packing packing, std::uint32_t bits, std::uint32_t group_size) {
  WeightFormat format;
  format.packing = packing;
  format.bits = bits;
  format.group_size = group_size;
  return format;
}

bool SchemeReader::readable(json::Fields& from, std::string_view key, std::string_view entry) {
  const std::string name(key);
  if (!entry.starts_with(kRegexPrefix)) {
    if (scheme.patterns() > kMostPatterns) {
      from.fail("bad_value", key, worded({name, " has more than 1000 names with wildcards."}));
      return false;
    }
    return true;
  }
  if (!expressions_here()) {
    Error error = not_here("What reads expressions", "");
    from.fail(error.code, key, std::move(error.message));
    return false;
  }
  if (++expressions_ > kMostExpressions) {
    from.fail("bad_value", key, worded({name, " has more than 64 expressions."}));
    return false;
  }
  if (!regex_is_understood(entry.substr(kRegexPrefix.size()))) {
    from.fail("bad_value", key,
              worded({"The expression \"", json::excerpt(entry, 60), "\" in ", name,
                      " uses syntax that this version does not read."}));
    return false;
  }
  return true;
}

void SchemeReader::ignore(json::Fields& from, std::string_view key, std::string_view entry) {
  if (readable(from, key, entry)) {
    scheme.ignore(entry);
  }
}

void SchemeReader::assign(json::Fields& from, std::string_view key, std::string_view entry,
                          const WeightFormat& format) {
  if (!readable(from, key, entry)) {
    return;
  }
  scheme.assign(entry, format);
  if (scheme.groups.size() > kMostFormats) {
    from.fail("bad_value", key, "More than 64 different weight formats; this is no real config.");
  }
}

void SchemeReader::ignore_all(json::Fields& from, std::string_view key) {
  const json::Value* list = from.array(key);
  if (list == nullptr) {
    return;
  }
  if (list->size() > kMostEntries) {
    from.fail("bad_value", key, worded({key, " has more than 100000 entries."}));
    return;
  }
  for (const json::Value& entry : *list) {
    if (!entry.is_string()) {
      from.fail("bad_value", key, worded({key, " must hold module names only."}));
    }
    if (from.error()) {
      return;
    }
    ignore(from, key, entry.get_ref<const std::string&>());
  }
}

void SchemeReader::refuse(json::Fields& from, std::string_view key, const std::string& what) {
  from.fail("unsupported_quantization", key,
            worded({what, " Give the exact checkpoint size as model.weight_bytes instead."}));
}

std::uint32_t SchemeReader::bits(json::Fields& from, std::initializer_list<std::string_view> keys,
                                 std::uint32_t fallback) {
  const auto value = static_cast<std::uint32_t>(from.whole_or(keys, {2, 8}, fallback));
  if (value == 7) {
    from.fail("bad_value", *keys.begin(), "7-bit weights do not exist in this format.");
  }
  return value;
}

std::uint32_t SchemeReader::group_size(json::Fields& from,
                                       std::initializer_list<std::string_view> keys,
                                       std::uint32_t fallback) {
  for (const std::string_view key : keys) {
    const json::Value* value = from.find(key);
    if (value != nullptr && value->is_number_integer() && value->get<std::int64_t>() == -1) {
      return 0;
    }
  }
  return static_cast<std::uint32_t>(from.whole_or(keys, kGroupRange, fallback));
}

void SchemeReader::block(json::Fields& from, std::string_view key, WeightFormat& format) {
  const json::Value* block = from.array(key);
  if (block == nullptr) {
    return;
  }
  const auto side = [&](std::size_t i) -> std::uint32_t {
    const bool valid = block->size() == 2 && (*block)[i].is_number_unsigned() &&
                       (*block)[i].get<std::uint64_t>() - 1 < 65536;
    return valid ? (*block)[i].get<std::uint32_t>() : 0;
  };
  if (side(0) == 0 || side(1) == 0) {
    from.fail("bad_value", key, worded({key, " must be two whole numbers from 1 to 65536."}));
    return;
  }
  format.block_rows = side(0);
  format.block_cols = side(1);
}

void SchemeReader::kv_cache_scheme() {
  auto cache = fields.object("kv_cache_scheme");
  if (!cache) {
    return;
  }
  const std::uint64_t width = cache->whole_or({"num_bits"}, {1, 16}, 8);
  const bool floating = cache->text({"type"}).value_or("float") == "float";
  fields.adopt(*cache);
  if (floating && width == 8) {
    scheme.kv_cache = KvFormat::fp8;
  } else if (floating && width == 4) {
    scheme.kv_cache = KvFormat::nvfp4;
  }
}

}  // namespace ridgepoint::precision
