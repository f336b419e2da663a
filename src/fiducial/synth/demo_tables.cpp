#include "fiducial/synth/demo_tables.h"

#include <map>
#include <optional>

#include "fiducial/base/random.h"
#include "fiducial/base/system_error.h"
#include "fiducial/datasets/rexgroundingct/dataset.h"
#include "fiducial/table/csv.h"

namespace fiducial {

namespace {

// A table of questions: the end of its name, what it is answered in, what it asks by, and where the answer
// is.
struct AskedTable {
  const char* name;
  const char* answers;
  std::vector<std::string> keys;
  const char* answer;
};

std::vector<AskedTable> asked_tables() {
  return {{"region_report", "region_report", {"Volumename", "Anatomy"}, "Sentence"},
          {"vqa_abnormality", "abnormality", {"Volumename", "Anatomy"}, "Abnormality"},
          {"vqa_location", "location", {"Volumename", "Abnormality"}, "Anatomy"},
          {"vqa_presence", "presence", {"Volumename", "Anatomy", "Finding"}, "Presence"},
          {"vqa_size", "size", {"Volumename", "Anatomy", "Abnormality"}, "Size"},
          {"case_disorders", "disorders", {"Volumename"}, "Disorders"}};
}

std::optional<Path> find_table(const Path& folder, const std::string& name) {
  for (const char* split : {"", "train_", "validation_"}) {
    const Path path = folder / (split + name + ".csv");
    std::error_code ignored;
    if (std::filesystem::is_regular_file(path, ignored)) return path;
  }
  return std::nullopt;
}

std::string commonest(const CsvTable& table, std::size_t column) {
  std::map<std::string, int> counts;
  for (std::size_t row = 0; row < table.rows(); ++row) ++counts[std::string(table.cell(row, column))];
  std::string out;
  int most = 0;
  for (const auto& [text, count] : counts) {
    if (count > most) {
      most = count;
      out = text;
    }
  }
  return out;
}

Result<std::string> answers_text(const CsvTable& table, const AskedTable& asked, const std::string& system,
                                 std::uint64_t seed) {
  std::vector<std::size_t> keys;
  for (const std::string& name : asked.keys) {
    FIDUCIAL_TRY(const std::size_t column, table.column(name));
    keys.push_back(column);
  }
  FIDUCIAL_TRY(const std::size_t answer, table.column(asked.answer));
  std::vector<std::string> cells = asked.keys;
  cells.emplace_back("Answer");
  std::string out = csv_row(std::span<const std::string>(cells));
  Random random(seed, system + " answers " + asked.name);
  const std::string usual = commonest(table, answer);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    cells.clear();
    for (const std::size_t key : keys) cells.emplace_back(table.cell(row, key));
    const bool slips = random.below(5) == 0;
    const std::size_t other = random.below(table.rows());
    const std::string_view said = table.cell(slips ? other : row, answer);
    cells.push_back(system == "blind" ? usual : std::string(said));
    out += csv_row(std::span<const std::string>(cells));
  }
  return out;
}

Json grounded_report(const GroundedCase& entry) {
  Json sentences = Json::Array{};
  for (const Finding& finding : entry.findings) {
    sentences.push(Json::object({{"text", finding.text}, {"channel", finding.index}}));
  }
  return Json::object({{"case", entry.name}, {"sentences", std::move(sentences)}});
}

}  // namespace

Outcome write_demo_table_answers(const Path& tables, const Path& folder, std::uint64_t seed) {
  for (const AskedTable& asked : asked_tables()) {
    const std::optional<Path> path = find_table(tables, asked.name);
    if (!path) continue;
    FIDUCIAL_TRY(const CsvTable table, read_csv(*path));
    if (table.rows() == 0) continue;
    for (const char* system : demo_table_systems) {
      FIDUCIAL_TRY_DONE(make_folders(folder / system));
      FIDUCIAL_TRY(const std::string text, answers_text(table, asked, system, seed).in_file(path->string()));
      FIDUCIAL_TRY_DONE(write_file(folder / system / (std::string(asked.answers) + ".csv"), text));
    }
  }
  return done();
}

Outcome write_demo_grounded_reports(const Path& demo, const Path& folder) {
  FIDUCIAL_TRY(const rexgroundingct::Dataset dataset, rexgroundingct::Dataset::open(demo / "rexgroundingct"));
  const std::vector<GroundedCase>* cases = dataset.find_split("test");
  for (const std::string system : demo_grounded_systems) {
    const Path masks = demo / "systems/rexgroundingct" / (system == "right" ? "good" : "flipped");
    FIDUCIAL_TRY_DONE(make_folders(folder / system));
    std::string lines;
    for (std::size_t i = 0; cases != nullptr && i < cases->size(); ++i) {
      const GroundedCase& entry = (*cases)[i];
      lines += grounded_report(entry).compact() + "\n";
      std::error_code failure;
      std::filesystem::copy_file(masks / entry.name, folder / system / entry.name,
                                 std::filesystem::copy_options::overwrite_existing, failure);
      if (failure) return system_error("copy", failure, masks / entry.name);
    }
    FIDUCIAL_TRY_DONE(write_file(folder / system / "grounded_reports.jsonl", lines));
  }
  return done();
}

}  // namespace fiducial
