#include <algorithm>
#include <array>
#include <map>
#include <mutex>

#include "fiducial/anatomy/anatomy.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/datasets/radgenome/split.h"
#include "fiducial/datasets/radgenome/table_answers.h"
#include "fiducial/datasets/rexgroundingct/dataset.h"
#include "fiducial/server/case_source.h"
#include "fiducial/server/slugs.h"

namespace fiducial {

namespace {

using radgenome::PooledRow;
using radgenome::PooledTable;
using radgenome::Split;
using radgenome::TableKind;
using radgenome::TableLayout;

// A split with the rows of each volume.
struct IndexedSplit {
  Split split;
  std::array<std::vector<std::vector<std::uint32_t>>, radgenome::table_kinds> rows_of_volume;

  const std::vector<std::uint32_t>& rows(TableKind kind, std::uint32_t volume) const {
    static const std::vector<std::uint32_t> none;
    const auto& of_kind = rows_of_volume.at(static_cast<std::size_t>(kind));
    return volume < of_kind.size() ? of_kind[volume] : none;
  }
};

std::unique_ptr<IndexedSplit> indexed(Split split) {
  auto out = std::make_unique<IndexedSplit>();
  out->split = std::move(split);
  for (const TableLayout& layout : radgenome::table_layouts()) {
    const PooledTable* table = out->split.find(layout.kind);
    if (table == nullptr) continue;
    auto& of_kind = out->rows_of_volume.at(static_cast<std::size_t>(layout.kind));
    of_kind.resize(out->split.volumes.size());
    for (std::uint32_t row = 0; row < table->rows.size(); ++row)
      of_kind[table->rows[row].volume].push_back(row);
  }
  return out;
}

// What a row of a family asks, in words.
std::string question_text(TableKind kind, const std::string& place, const std::string& finding) {
  const std::string where = place.empty() ? "the scan" : place;
  switch (kind) {
    case TableKind::abnormality:
      return "What is abnormal in " + where + "?";
    case TableKind::location:
      return "Where is " + finding + "?";
    case TableKind::presence:
      return "Is there " + finding + " in " + where + "?";
    case TableKind::size:
      return "How large is " + finding + " in " + where + "?";
    case TableKind::disorders:
      return "Which disorders does the scan show?";
    case TableKind::region_report:
      break;
  }
  return "What does " + where + " show?";
}

// Whether an answer says the same; nothing for families whose answers are graded.
std::optional<bool> is_same(TableKind kind, const std::string& answer, const std::string& reference) {
  if (kind == TableKind::size || kind == TableKind::region_report) return std::nullopt;
  const std::string plain = plain_answer(answer);
  const std::string wanted = plain_answer(reference);
  if (kind == TableKind::presence) return yes_or_no(plain) == yes_or_no(wanted);
  return plain_list(plain) == plain_list(wanted);
}

// What a run answered to the tables of a split.
struct AnsweredTables {
  std::array<std::optional<TableAnswers>, radgenome::table_kinds> of_kind;
};

class TableCases final : public CaseSource {
 public:
  static Result<std::unique_ptr<CaseSource>> open(const DatasetAdapter& adapter, const Path& folder) {
    auto out = std::make_unique<TableCases>();
    FIDUCIAL_TRY(const radgenome::TableFolder tables, adapter.open_tables(folder));
    for (const std::string& name : tables.split_names()) {
      FIDUCIAL_TRY(Split split, radgenome::read_split(tables, name, radgenome::TableUse::whole));
      out->splits_.push_back(indexed(std::move(split)));
      out->add_volumes(*out->splits_.back());
    }
    return {std::move(out)};
  }

  std::string_view kind() const override { return "tables"; }
  const std::vector<CaseEntry>& entries() const override { return entries_; }
  std::string volume_name(std::size_t at) const override { return entries_[at].name; }
  std::optional<Path> find_volume(std::size_t at, const Path& volumes) const override {
    return rexgroundingct::find_volume(volumes, entries_[at].name);
  }

  Result<Json> members(std::size_t at, const CaseAsked& asked) const override {
    Said said;
    Json problems{Json::Array{}};
    for (const RunAbout& run : asked.runs) {
      Result<Answers> answers = answers_of(at, run.material);
      if (answers.ok()) {
        said.emplace_back(&run, *std::move(answers));
      } else {
        problems.push(Json::object({{"run", run.id}, {"message", answers.error().text()}}));
      }
    }
    Json questions{Json::Array{}};
    for (const TableLayout& layout : radgenome::table_layouts()) {
      if (layout.kind == TableKind::region_report) continue;
      for (const std::uint32_t row : rows(at, layout.kind)) {
        Json question = question_json(at, layout.kind, row);
        FIDUCIAL_TRY(Json answers, answers_json(at, layout.kind, row, said));
        questions.push(std::move(question.set("answers", std::move(answers))));
      }
    }
    FIDUCIAL_TRY(Json out, report_members(at, said));
    out.set("answer_problems", std::move(problems));
    return std::move(out.set("questions", std::move(questions)));
  }

 private:
  using Answers = std::shared_ptr<const AnsweredTables>;
  using Said = std::vector<std::pair<const RunAbout*, Answers>>;

  struct Volume {
    const IndexedSplit* split = nullptr;
    std::uint32_t number = 0;
  };

  void add_volumes(const IndexedSplit& split) {
    for (std::uint32_t volume = 0; volume < split.split.volumes.size(); ++volume) {
      const std::string& name = split.split.volumes.text(volume);
      const std::string stem = name.substr(0, name.rfind(".nii"));
      std::int64_t asked = 0;
      for (const TableLayout& layout : radgenome::table_layouts()) {
        if (layout.kind != TableKind::region_report)
          asked += static_cast<std::int64_t>(split.rows(layout.kind, volume).size());
      }
      const auto sentences = static_cast<std::int64_t>(split.rows(TableKind::region_report, volume).size());
      entries_.push_back({.id = slug_of(stem),
                          .name = name,
                          .split = split.split.name,
                          .title = stem,
                          .patient = patient_of(name),
                          .counts = {{"sentences", sentences}, {"questions", asked}},
                          .groups = {},
                          .text = {}});
      volumes_.push_back({&split, volume});
    }
  }

  const std::vector<std::uint32_t>& rows(std::size_t at, TableKind kind) const {
    return volumes_[at].split->rows(kind, volumes_[at].number);
  }
  const PooledRow& pooled(std::size_t at, TableKind kind, std::uint32_t row) const {
    return volumes_[at].split->split.find(kind)->rows[row];
  }
  const std::string& text_of(std::size_t at, std::uint32_t text) const {
    return volumes_[at].split->split.texts.text(text);
  }

  Json question_json(std::size_t at, TableKind kind, std::uint32_t row) const {
    const PooledRow& asked = pooled(at, kind, row);
    const std::string& place = text_of(at, asked.place);
    const std::string& finding = text_of(at, asked.finding);
    const std::string region(
        radgenome::head_of(kind == TableKind::location ? text_of(at, asked.answer) : place));
    return Json::object({{"family", radgenome::layout_of(kind).task},
                         {"question", question_text(kind, place, finding)},
                         {"place", place.empty() ? Json() : Json(place)},
                         {"finding", finding.empty() ? Json() : Json(finding)},
                         {"answer", text_of(at, asked.answer)},
                         {"region", region.empty() ? Json() : Json(region)}});
  }

  // What runs answered to a row; those that did not are left out.
  Result<Json> answers_json(std::size_t at, TableKind kind, std::uint32_t row, const Said& said) const {
    Json out{Json::Array{}};
    for (const auto& [run, tables] : said) {
      const auto& of_kind = tables->of_kind.at(static_cast<std::size_t>(kind));
      if (!of_kind || of_kind->of_row[row] == TextStore::none) continue;
      TextStore::Reader reader(of_kind->texts);
      FIDUCIAL_TRY(const std::string_view text, reader.text(of_kind->of_row[row]));
      const std::string words(text);
      const auto same = is_same(kind, words, text_of(at, pooled(at, kind, row).answer));
      out.push(Json::object({{"run", run->id}, {"text", words}, {"correct", same ? Json(*same) : Json()}}));
    }
    return out;
  }

  // The report, and its sentences by region.
  Result<Json> report_members(std::size_t at, const Said& said) const {
    std::string whole;
    Json regions{Json::Array{}};
    Json sentences{Json::Array{}};
    std::vector<std::uint32_t> parts;
    Json whole_answers{Json::Array{}};
    for (const std::uint32_t row : rows(at, TableKind::region_report)) {
      const PooledRow& stated = pooled(at, TableKind::region_report, row);
      if (!text_of(at, stated.place).empty()) {
        parts.push_back(row);
        continue;
      }
      whole = text_of(at, stated.answer);
      FIDUCIAL_TRY(whole_answers, answers_json(at, TableKind::region_report, row, said));
    }
    for (const std::uint32_t row : parts) {
      const PooledRow& stated = pooled(at, TableKind::region_report, row);
      const std::string& region = text_of(at, stated.place);
      const std::string& text = text_of(at, stated.answer);
      FIDUCIAL_TRY(Json answers, answers_json(at, TableKind::region_report, row, said));
      regions.push(Json::object({{"region", region},
                                 {"text", text},
                                 {"organs", Json::strings(Anatomy::chest_ct().members_of_region(region))},
                                 {"answers", std::move(answers)}}));
      const std::size_t begin = text.empty() ? std::string::npos : whole.find(text);
      const bool is_found = begin != std::string::npos;
      sentences.push(
          Json::object({{"text", text},
                        {"region", region},
                        {"begin", is_found ? Json(static_cast<std::int64_t>(begin)) : Json()},
                        {"end", is_found ? Json(static_cast<std::int64_t>(begin + text.size())) : Json()}}));
    }
    Json report;
    if (!whole.empty() || !parts.empty())
      report = Json::object(
          {{"text", whole}, {"sentences", std::move(sentences)}, {"answers", std::move(whole_answers)}});
    return Json::object({{"report", std::move(report)}, {"regions", std::move(regions)}});
  }

  // Tables are read once for all cases of a split.
  Result<Answers> answers_of(std::size_t at, const RunMaterial& run) const {
    const Json::Array* planned = find_array(*run.plan, "prediction_files");
    if (planned == nullptr || planned->empty()) return invalid_data("plan.json names no tables of answers");
    const Split& split = volumes_[at].split->split;
    const std::string key = split.name + "\n" + text_at(*run.plan->find("predictions"), "sha256");
    const std::lock_guard lock(mutex_);
    if (const auto found = answers_.find(key); found != answers_.end()) return found->second;
    FIDUCIAL_TRY(const Path first,
                 run.find_file(text_at(planned->front(), "file"), text_at(planned->front(), "sha256")));
    FIDUCIAL_TRY(const PredictionFiles files, PredictionFiles::open(first.parent_path()));
    auto out = std::make_shared<AnsweredTables>();
    for (const TableLayout& layout : radgenome::table_layouts()) {
      if (split.find(layout.kind) == nullptr) continue;
      FIDUCIAL_TRY(const std::string name, find_answer_file(files, layout));
      if (name.empty()) continue;
      FIDUCIAL_TRY(out->of_kind.at(static_cast<std::size_t>(layout.kind)),
                   read_answers(files, name, split, layout.kind));
    }
    answers_[key] = out;
    return Answers(out);
  }

  std::vector<std::unique_ptr<IndexedSplit>> splits_;
  std::vector<Volume> volumes_;  // beside the entries
  std::vector<CaseEntry> entries_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, Answers> answers_;
};

}  // namespace

CaseSourceKind tables_case_source() {
  return {.kind = "tables",
          .reads = [](const DatasetAdapter& adapter) { return adapter.open_tables != nullptr; },
          .open = TableCases::open};
}

}  // namespace fiducial
