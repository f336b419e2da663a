#include "fiducial/workflows/edit_similarity.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "fiducial/base/plain_text.h"
#include "fiducial/base/utf8.h"

namespace fiducial {

namespace {

constexpr std::size_t most_characters = 20'000;

// The characters of a text; a byte that is part of none is one by itself.
std::vector<std::string_view> characters_of(std::string_view text) {
  std::vector<std::string_view> out;
  text = trimmed(text);
  while (!text.empty() && out.size() < most_characters) {
    const std::size_t length = std::max<std::size_t>(1, utf8_length(text));
    out.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace

double edit_similarity(std::string_view a, std::string_view b) {
  const std::vector<std::string_view> rows = characters_of(a);
  const std::vector<std::string_view> columns = characters_of(b);
  const std::size_t longest = std::max(rows.size(), columns.size());
  if (longest == 0) return 1;
  std::vector<std::size_t> distance(columns.size() + 1);
  std::iota(distance.begin(), distance.end(), std::size_t{0});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::size_t diagonal = distance[0];
    distance[0] = i + 1;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const std::size_t replaced = diagonal + (rows[i] == columns[j] ? 0 : 1);
      diagonal = distance[j + 1];
      distance[j + 1] = std::min({replaced, diagonal + 1, distance[j] + 1});
    }
  }
  return 1 - static_cast<double>(distance.back()) / static_cast<double>(longest);
}

}  // namespace fiducial
