#include "fiducial/eval/task/shard.h"

#include "fiducial/base/number_text.h"
#include "fiducial/base/sha256.h"

namespace fiducial {

namespace {

constexpr std::int64_t most_shards = 1'000'000;

}  // namespace

Result<Shard> Shard::parse(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto index = parse_integer(text.substr(0, slash));
  const auto count = slash == std::string_view::npos ? std::nullopt : parse_integer(text.substr(slash + 1));
  if (!index || !count || *index < 0 || *index >= *count || *count > most_shards) {
    return bad_usage("shard \"" + std::string(text) + "\"; expected i/n with 0 <= i < n, e.g. 0/16");
  }
  return Shard{static_cast<int>(*index), static_cast<int>(*count)};
}

bool Shard::holds(const std::string& case_name) const {
  const Digest digest = sha256(as_bytes(case_name));
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < 8; ++i) number = number << 8 | digest.bytes[i];
  return number % static_cast<std::uint64_t>(count) == static_cast<std::uint64_t>(index);
}

std::string Shard::text() const { return decimal(index) + "/" + decimal(count); }

}  // namespace fiducial
