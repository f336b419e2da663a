#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace fiducial {

// One named column; an empty optional is a null.
struct Column {
  using Strings = std::vector<std::optional<std::string>>;
  using Integers = std::vector<std::optional<std::int64_t>>;
  using Numbers = std::vector<std::optional<double>>;

  std::string name;
  std::variant<Strings, Integers, Numbers> values;

  std::size_t size() const;
  friend bool operator==(const Column&, const Column&) = default;
};

// Columns of equal length, and what is said about them.
struct Table {
  std::vector<Column> columns;
  std::vector<std::pair<std::string, std::string>> metadata;

  std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }
  const Column* find(const std::string& name) const;
  friend bool operator==(const Table&, const Table&) = default;
};

}  // namespace fiducial
