#include "fiducial/spatial/finding_order.h"

#include <algorithm>
#include <limits>

#include "fiducial/base/number_text.h"
#include "fiducial/spatial/dice_of_overlap.h"

namespace fiducial {

namespace {

constexpr double least_reordered_dice = 0.1;  // another order must reach this
constexpr double least_reordered_factor = 2;  // and at least double the Dice
constexpr std::size_t most_findings = 64;     // a table of pairs is affordable up to here

using DiceTable = std::vector<std::vector<double>>;  // by finding of the reference, then of the prediction

// The cheapest assignment of columns to rows (Kuhn and Munkres, with potentials), O(n^3).
class Assignment {
 public:
  explicit Assignment(const DiceTable& gains)
      : gains_(gains), rows_(gains.size() + 1), columns_(gains.size() + 1), row_of_(gains.size() + 1) {
    for (std::size_t row = 1; row <= gains.size(); ++row) place(row);
  }

  std::vector<std::int32_t> columns() const {
    std::vector<std::int32_t> out(gains_.size());
    for (std::size_t column = 1; column < row_of_.size(); ++column)
      out[row_of_[column] - 1] = static_cast<std::int32_t>(column) - 1;
    return out;
  }

 private:
  double cost(std::size_t row, std::size_t column) const {
    return -gains_[row - 1][column - 1] - rows_[row] - columns_[column];
  }

  void place(std::size_t row) {
    const std::size_t size = row_of_.size();
    std::vector<double> least(size, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> way(size);
    std::vector<bool> used(size);
    row_of_[0] = row;
    std::size_t at = 0;
    do {
      used[at] = true;
      double delta = std::numeric_limits<double>::infinity();
      std::size_t next = 0;
      for (std::size_t column = 1; column < size; ++column) {
        if (used[column]) continue;
        const double reduced = cost(row_of_[at], column);
        if (reduced < least[column]) {
          least[column] = reduced;
          way[column] = at;
        }
        if (least[column] < delta) {
          delta = least[column];
          next = column;
        }
      }
      for (std::size_t column = 0; column < size; ++column) {
        if (used[column]) {
          rows_[row_of_[column]] += delta;
          columns_[column] -= delta;
        } else {
          least[column] -= delta;
        }
      }
      at = next;
    } while (row_of_[at] != 0);
    for (; at != 0; at = way[at]) row_of_[at] = row_of_[way[at]];
  }

  const DiceTable& gains_;
  std::vector<double> rows_;         // potentials; 0 is no row
  std::vector<double> columns_;      // likewise
  std::vector<std::size_t> row_of_;  // of each column; 0: none
};

bool is_comparable(std::span<const LabelMap> reference, std::span<const LabelMap> prediction) {
  return reference.size() >= 2 && reference.size() <= most_findings &&
         reference.size() == prediction.size() && reference.front().extent() == prediction.front().extent();
}

double mean_along(const DiceTable& table, const std::vector<std::int32_t>& source) {
  double sum = 0;
  for (std::size_t i = 0; i < table.size(); ++i) sum += table[i][static_cast<std::size_t>(source[i])];
  return sum / static_cast<double>(table.size());
}

}  // namespace

std::string FindingOrder::name() const {
  bool is_reversed = true;
  std::string out;
  for (std::size_t i = 0; i < source.size(); ++i) {
    is_reversed = is_reversed && static_cast<std::size_t>(source[i]) == source.size() - 1 - i;
    out += (i == 0 ? "" : " ") + decimal(source[i]);
  }
  return is_reversed ? "reversed" : out;
}

std::optional<FindingOrder> probe_finding_order(std::span<const LabelMap> reference,
                                                std::span<const LabelMap> prediction) {
  if (!is_comparable(reference, prediction)) return std::nullopt;
  const std::size_t count = reference.size();
  std::vector<Mask> a, b;
  FindingOrder out;
  for (std::size_t i = 0; i < count; ++i) {
    a.push_back(reference[i].foreground());
    b.push_back(prediction[i].foreground());
    out.dice_as_is += dice_of(*overlap(a[i], b[i])) / static_cast<double>(count);
  }
  if (least_reordered_factor * out.dice_as_is > 1) return std::nullopt;
  DiceTable table(count, std::vector<double>(count));
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) table[i][j] = dice_of(*overlap(a[i], b[j]));
  }
  out.source = Assignment(table).columns();
  out.dice_reordered = mean_along(table, out.source);
  const bool is_better = out.dice_reordered >= least_reordered_dice &&
                         out.dice_reordered >= least_reordered_factor * out.dice_as_is;
  return is_better ? std::optional(out) : std::nullopt;
}

}  // namespace fiducial
