#include "cache_options.h"

#include <cstdlib>
#include <optional>

#include "fiducial/base/number_text.h"
#include "fiducial/stores/arrow_store.h"

namespace fiducial::cli {

namespace {

// "200G", "512M", "1T", or bytes.
std::optional<std::uint64_t> parse_byte_size(std::string_view text) {
  constexpr std::string_view units = "KMGT";
  std::uint64_t scale = 1;
  const std::size_t unit = text.empty() ? std::string_view::npos : units.find(text.back());
  if (unit != std::string_view::npos) {
    scale = std::uint64_t{1} << (10 * (unit + 1));
    text.remove_suffix(1);
  }
  const auto count = parse_unsigned(text);
  if (!count || *count == 0 || *count > UINT64_MAX / scale) return std::nullopt;
  return *count * scale;
}

std::string variable(const char* name) {
  const char* text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): before any thread
  return text == nullptr ? std::string() : std::string(text);
}

// The value of an option at a place, typed as "--NAME VALUE" or "--NAME=VALUE"; moves the place to its end.
std::optional<std::string> value_at(const std::vector<std::string>& words, const std::string& name,
                                    std::size_t& place) {
  const std::string& word = words[place];
  if (word.starts_with(name + "=")) return word.substr(name.size() + 1);
  if (word != name || place + 1 == words.size()) return std::nullopt;
  return words[++place];
}

}  // namespace

CacheSettings cache_of_environment() {
  CacheSettings out{.folder = variable("FIDUCIAL_CACHE")};
  if (const auto limit = parse_byte_size(variable("FIDUCIAL_CACHE_LIMIT"))) out.most_bytes = *limit;
  return out;
}

Result<std::vector<std::string>> without_cache_options(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  CacheSettings cache = cache_of_environment();
  bool is_given = false;
  for (std::size_t place = 0; place < words.size(); ++place) {
    if (const auto folder = value_at(words, "--cache", place)) {
      cache.folder = *folder;
      is_given = true;
    } else if (const auto limit = value_at(words, "--cache-limit", place)) {
      const auto bytes = parse_byte_size(*limit);
      if (!bytes) return bad_usage("--cache-limit: expected a size such as 200G, found \"" + *limit + "\"");
      cache.most_bytes = *bytes;
      is_given = true;
    } else {
      out.push_back(words[place]);
    }
  }
  if (is_given) use_arrow_stores(std::move(cache));
  return out;
}

}  // namespace fiducial::cli
