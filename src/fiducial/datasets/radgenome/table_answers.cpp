#include "fiducial/datasets/radgenome/table_answers.h"

#include <algorithm>
#include <tuple>

#include "fiducial/base/number_text.h"
#include "fiducial/text/unicode.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

using radgenome::PooledRow;
using radgenome::PooledTable;
using radgenome::Split;
using radgenome::TableColumns;
using radgenome::TableKind;
using radgenome::TableLayout;
using radgenome::TableRow;
using radgenome::TableRows;

bool has_column(const std::vector<std::string>& columns, std::string_view name) {
  return std::find(columns.begin(), columns.end(), name) != columns.end();
}

// The column with the answers: "Answer", else the only one that begins with "Output".
Result<std::string> answer_column(const std::vector<std::string>& columns, const std::string& file) {
  if (has_column(columns, "Answer")) return std::string("Answer");
  std::vector<std::string> found;
  std::string all;
  for (const std::string& column : columns) {
    all += (all.empty() ? "" : ", ") + column;
    if (column.starts_with("Output")) found.push_back(column);
  }
  if (found.size() == 1) return found.front();
  return Error(ErrorCode::invalid_data,
               "expected a column \"Answer\" (or one \"Output...\"), found only " + all,
               Place{.path = file, .line = 1});
}

// The original scripts name the finding of a presence question as the other tables do, and the other way
// round.
std::string finding_column(const std::vector<std::string>& columns, const TableLayout& layout) {
  if (layout.finding.empty() || has_column(columns, layout.finding)) return std::string(layout.finding);
  for (const char* other : {"Finding", "Abnormality"}) {
    if (has_column(columns, other)) return other;
  }
  return std::string(layout.finding);
}

Result<TableColumns> answer_columns(const std::vector<std::string>& columns, const TableLayout& layout,
                                    const std::string& file) {
  TableColumns out;
  FIDUCIAL_TRY(out.answer, answer_column(columns, file));
  out.place = std::string(layout.place);
  out.finding = finding_column(columns, layout);
  if (layout.kind == TableKind::location && has_column(columns, "Anatomy")) out.place = "Anatomy";
  return out;
}

// What a row asks, in numbers of the split's pools.
struct AskedKey {
  std::uint32_t volume = 0;
  std::uint32_t place = 0;
  std::uint32_t finding = 0;

  friend auto operator<=>(const AskedKey&, const AskedKey&) = default;
};

// Gives answers to the rows of a table.
class AnswerMatcher {
 public:
  AnswerMatcher(const Split& split, TableKind kind, bool by_place)
      : split_(split),
        table_(*split.find(kind)),
        kind_(kind),
        by_place_(by_place),
        order_(table_.rows.size()),
        given_(table_.rows.size()) {
    out_.of_row.assign(table_.rows.size(), TextStore::none);
    for (std::uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
    std::stable_sort(order_.begin(), order_.end(),
                     [this](std::uint32_t a, std::uint32_t b) { return key_of(a) < key_of(b); });
  }

  Outcome add(const TableRow& row, const TableRows& rows) {
    const auto key = find_key(row);
    const auto begin = key ? std::lower_bound(order_.begin(), order_.end(), *key,
                                              [this](std::uint32_t at, const AskedKey& wanted) {
                                                return key_of(at) < wanted;
                                              })
                           : order_.end();
    if (begin == order_.end() || key_of(*begin) != *key) {
      if (out_.unknown++ == 0) out_.first_unknown = asked_text(row);
      return done();
    }
    const auto first = static_cast<std::size_t>(begin - order_.begin());
    const std::size_t at = first + given_[first];
    if (at >= order_.size() || key_of(order_[at]) != *key) {
      return rows.row_error("expected " + decimal(given_[first]) + " answers to " + asked_text(row) +
                            ", as often as it is asked, found another");
    }
    ++given_[first];
    if (plain_answer(row.answer).empty()) {  // an empty cell is no answer
      ++out_.empty;
      return done();
    }
    FIDUCIAL_TRY(out_.of_row[order_[at]], out_.texts.add(row.answer));
    return done();
  }

  TableAnswers finish() {
    for (std::size_t first = 0; first < order_.size();) {
      std::size_t end = first + 1;
      while (end < order_.size() && key_of(order_[end]) == key_of(order_[first])) ++end;
      if (given_[first] == 1) {
        for (std::size_t i = first + 1; i < end; ++i) out_.of_row[order_[i]] = out_.of_row[order_[first]];
      }
      first = end;
    }
    return std::move(out_);
  }

 private:
  AskedKey key_of(std::uint32_t at) const {
    const PooledRow& row = table_.rows[at];
    if (kind_ != TableKind::location) return {row.volume, row.place, row.finding};
    return {row.volume, by_place_ ? row.answer : 0, row.finding};
  }

  std::optional<AskedKey> find_key(const TableRow& row) const {
    auto volume = split_.volumes.find(row.volume);
    if (!volume) volume = split_.volumes.find(std::string(row.volume) + ".nii.gz");
    const auto place = split_.texts.find(row.place);
    const auto finding = split_.texts.find(row.finding);
    if (!volume || !place || !finding) return std::nullopt;
    if (kind_ != TableKind::location) return AskedKey{*volume, *place, *finding};
    return AskedKey{*volume, by_place_ ? *place : 0, *finding};
  }

  const Split& split_;
  const PooledTable& table_;
  TableKind kind_;
  bool by_place_;
  std::vector<std::uint32_t> order_;  // rows by what they ask
  std::vector<std::uint32_t> given_;  // answers to what stands at the first of its rows in order_
  TableAnswers out_;
};

}  // namespace

std::string plain_answer(std::string_view answer) {
  std::string_view text = white_space_trimmed(answer);
  if (text.starts_with('<')) {
    const std::size_t end = text.find('>');
    if (end != std::string_view::npos) text = white_space_trimmed(text.substr(end + 1));
  }
  while (text.ends_with('.')) text = white_space_trimmed(text.substr(0, text.size() - 1));
  return ascii_lower(text);
}

std::vector<std::string> plain_list(const std::string& answer) {
  std::vector<std::string> out;
  for (const std::string_view atom : radgenome::list_atoms(answer)) out.emplace_back(atom);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::optional<bool> yes_or_no(const std::string& plain) {
  const auto begins = [&plain](std::string_view word) {
    return plain.starts_with(word) &&
           (plain.size() == word.size() ||
            std::string_view(" ,.;:!\n").find(plain[word.size()]) != std::string_view::npos);
  };
  if (begins("yes")) return true;
  if (begins("no")) return false;
  return std::nullopt;
}

std::string asked_text(const TableRow& row) {
  std::string out(row.volume);
  for (const std::string_view part : {row.place, row.finding}) {
    if (!part.empty()) out += ", " + std::string(part);
  }
  return out;
}

std::int64_t TableAnswers::missing() const {
  return std::count(of_row.begin(), of_row.end(), TextStore::none);
}

Result<std::string> find_answer_file(const PredictionFiles& files, const TableLayout& layout) {
  std::string found;
  for (const std::string_view stem : {layout.task, layout.name}) {
    for (const char* ending : {".csv", ".csv.gz"}) {
      const std::string name = std::string(stem) + ending;
      if (name == found || !files.has(name)) continue;
      if (!found.empty()) {
        return invalid_data("expected one file of answers to " + std::string(layout.task) + ", found " +
                            found + " and " + name);
      }
      found = name;
    }
  }
  return found;
}

Result<TableAnswers> read_answers(const PredictionFiles& files, const std::string& name, const Split& split,
                                  TableKind kind) {
  const TableLayout& layout = radgenome::layout_of(kind);
  FIDUCIAL_TRY(StoredFile header, files.open_file(name));
  FIDUCIAL_TRY(const std::vector<std::string> names,
               radgenome::read_column_names(std::move(header.bytes), name).in_file(name));
  FIDUCIAL_TRY(const TableColumns columns, answer_columns(names, layout, name));
  FIDUCIAL_TRY(StoredFile stored, files.open_file(name));
  FIDUCIAL_TRY(TableRows rows, TableRows::open(std::move(stored.bytes), name, columns));
  AnswerMatcher matcher(split, kind, !columns.place.empty());
  while (true) {
    FIDUCIAL_TRY(const std::optional<TableRow> row, rows.next());
    if (!row) break;
    FIDUCIAL_TRY_DONE(matcher.add(*row, rows));
  }
  TableAnswers out = matcher.finish();
  out.file = name;
  FIDUCIAL_TRY(out.digest, rows.finish());
  return out;
}

}  // namespace fiducial
