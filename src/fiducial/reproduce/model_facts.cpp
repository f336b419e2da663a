#include "fiducial/reproduce/model_facts.h"

#include "fiducial/base/number_text.h"
#include "fiducial/table/csv.h"

namespace fiducial {

namespace {

// The cells of a row by the names of their columns; empty where there is no such column.
class NamedCells {
 public:
  NamedCells(const CsvTable& table, std::size_t row) : table_(table), row_(row) {}

  std::string text(std::string_view name) const {
    const auto column = table_.find_column(name);
    return column ? std::string(table_.cell(row_, *column)) : "";
  }

  Result<std::optional<double>> billions(std::string_view name) const {
    const std::string cell = text(name);
    if (cell.empty()) return std::optional<double>();
    const auto number = parse_double(cell);
    if (!number || !(*number > 0)) {
      return table_.cell_error(row_, *table_.find_column(name),
                               "\"" + cell + "\" is no number of parameters in billions");
    }
    return number;
  }

  Result<std::optional<bool>> has_open_weights() const {
    const std::string cell = text("weights");
    if (cell.empty()) return std::optional<bool>();
    if (cell == "open" || cell == "closed") return std::optional(cell == "open");
    return table_.cell_error(row_, *table_.find_column("weights"),
                             "\"" + cell + "\" is neither open nor closed");
  }

 private:
  const CsvTable& table_;
  std::size_t row_;
};

}  // namespace

Result<ModelFactsTable> parse_model_facts(std::string_view text) {
  FIDUCIAL_TRY(const CsvTable table, parse_csv(text));
  FIDUCIAL_TRY(const std::size_t model, table.column("model"));
  ModelFactsTable out;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const NamedCells cells(table, row);
    ModelFacts facts{.name = cells.text("name"), .family = cells.text("family")};
    FIDUCIAL_TRY(facts.billions, cells.billions("billions"));
    FIDUCIAL_TRY(facts.active, cells.billions("active"));
    FIDUCIAL_TRY(facts.has_open_weights, cells.has_open_weights());
    const std::string id(table.cell(row, model));
    if (!out.emplace(id, std::move(facts)).second)
      return table.cell_error(row, model, "model \"" + id + "\" occurs twice");
  }
  return out;
}

Result<ModelFactsTable> read_model_facts(const Path& path) {
  FIDUCIAL_TRY(const std::string text, read_text_file(path));
  return parse_model_facts(text).in_file(path.string());
}

}  // namespace fiducial
