#pragma once

#include <algorithm>
#include <span>

#include "fiducial/datasets/radgenome/split.h"

namespace fiducial::radgenome {

// The rows of a table that have something in common, found in four bytes a row: a map of keys would take more
// than the table itself.
template <typename KeyOf>
class RowsByKey {
 public:
  using Key = std::invoke_result_t<KeyOf, const PooledRow&>;
  using Rows = std::span<const std::uint32_t>;  // numbers of rows, ascending

  RowsByKey(const PooledTable& table, KeyOf key_of) : table_(&table), key_of_(std::move(key_of)) {
    order_.resize(table.rows.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
    std::sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
      const Key key_a = key(a);
      const Key key_b = key(b);
      return key_a != key_b ? key_a < key_b : a < b;
    });
  }

  // None where no row has the key.
  Rows find(const Key& wanted) const {
    const auto begin = std::lower_bound(order_.begin(), order_.end(), wanted,
                                        [this](std::uint32_t row, const Key& k) { return key(row) < k; });
    return rows_from(begin, wanted);
  }

  // Calls done(rows) for every key, in the order of keys.
  template <typename Done>
  void for_each(const Done& done) const {
    for (auto begin = order_.begin(); begin != order_.end();) {
      const Rows rows = rows_from(begin, key(*begin));
      done(rows);
      begin += static_cast<std::ptrdiff_t>(rows.size());
    }
  }

 private:
  using Iterator = std::vector<std::uint32_t>::const_iterator;

  Key key(std::uint32_t row) const { return key_of_(table_->rows[row]); }
  Rows rows_from(Iterator begin, const Key& wanted) const {
    return {begin, std::find_if(begin, order_.end(), [&](std::uint32_t row) { return key(row) != wanted; })};
  }

  const PooledTable* table_;
  KeyOf key_of_;
  std::vector<std::uint32_t> order_;
};

}  // namespace fiducial::radgenome
