#include "fiducial/export/sentence_weight_table.h"

#include <cmath>

#include "fiducial/base/number_text.h"
#include "fiducial/table/csv.h"

namespace fiducial {

Result<SentenceWeightTable> SentenceWeightTable::read(const Path& path) {
  FIDUCIAL_TRY(const CsvTable table, read_csv(path));
  const auto column = [&](const char* name) { return table.column(name).in_file(path.string()); };
  FIDUCIAL_TRY(const std::size_t name, column("VolumeName"));
  FIDUCIAL_TRY(const std::size_t finding, column("Finding"));
  FIDUCIAL_TRY(const std::size_t weight, column("Weight"));
  const std::optional<std::size_t> text = table.find_column("Text");
  SentenceWeightTable out;
  out.path_ = path.string();
  out.has_texts_ = text.has_value();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto refuse = [&](std::size_t at, std::string message) {
      return Result<SentenceWeightTable>(table.cell_error(row, at, std::move(message)))
          .in_file(path.string());
    };
    const auto index = parse_integer(table.cell(row, finding));
    if (!index || *index < 0) return refuse(finding, "expected the channel of a finding");
    const auto value = parse_double(table.cell(row, weight));
    if (!value || !std::isfinite(*value) || *value <= 0) return refuse(weight, "expected a weight above 0");
    Row one{*value, table.line(row), text ? std::string(table.cell(row, *text)) : std::string()};
    const bool is_new =
        out.rows_.emplace(std::pair(std::string(table.cell(row, name)), *index), std::move(one)).second;
    if (!is_new) return refuse(finding, "the finding has a weight already");
  }
  return out;
}

Result<double> SentenceWeightTable::of(const GroundedCase& entry, const Finding& finding) const {
  const std::string what = "finding " + decimal(finding.index) + " of " + entry.name;
  const auto found = rows_.find({entry.name, finding.index});
  if (found == rows_.end())
    return Error(ErrorCode::invalid_data, "no weight of " + what + "; fiducial curate training writes them",
                 Place{.path = path_});
  if (has_texts_ && found->second.text != finding.text) {
    return Error(ErrorCode::invalid_data, "the weight of " + what + " is of another sentence",
                 Place{.path = path_, .line = found->second.line});
  }
  return found->second.weight;
}

}  // namespace fiducial
