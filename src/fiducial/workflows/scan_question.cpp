#include "fiducial/workflows/scan_question.h"

#include <algorithm>
#include <map>
#include <set>

#include "fiducial/anatomy/anatomy.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/sha256.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/radgenome/tables.h"
#include "fiducial/table/csv.h"
#include "fiducial/workflows/prepared_run.h"

namespace fiducial {

namespace {

std::string last_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string item_title(const std::string& scan, const ShownQuestion& question) {
  std::string out = scan + " " + question.kind;
  if (!question.place.empty()) out += " " + question.place;
  if (!question.finding.empty()) out += ": " + question.finding;
  return out;
}

bool is_wanted(const std::vector<std::string>& kinds, std::string_view kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

// Adds what a table asks; its column of answers is passed over.
Result<Digest> add_questions(const radgenome::TableFolder& folder, const radgenome::TableFile& file,
                             std::set<std::string>& titles, std::vector<ScanItem>& out) {
  const radgenome::TableLayout& layout = radgenome::layout_of(file.kind);
  FIDUCIAL_TRY(radgenome::TableRows rows, radgenome::TableRows::open(folder.path_of(file), layout));
  while (true) {
    FIDUCIAL_TRY(const std::optional<radgenome::TableRow> row, rows.next());
    if (!row) break;
    ShownQuestion question{.kind = std::string(layout.task),
                           .place = std::string(row->place),
                           .finding = std::string(row->finding)};
    ScanItem item{.title = item_title(std::string(row->volume), question),
                  .scan = std::string(row->volume),
                  .region = question.place,
                  .questions = {}};
    if (!titles.insert(item.title).second) continue;
    item.questions.push_back(std::move(question));
    out.push_back(std::move(item));
  }
  return rows.finish();
}

}  // namespace

ScanQuestion::ScanQuestion(const DialogueStart& start, const QuestionForm& form)
    : Dialogue(*start.asked), question_(start.shown.questions.front()), read_(form.answer) {
  const PromptValues values{{"place", last_name(question_.place)},
                            {"path", question_.place},
                            {"finding", question_.finding},
                            {"paths", joined(Anatomy::chest_ct().paths(), "\n")},
                            {"image_labels", image_labels(start.shown.images)},
                            {"image_count", decimal(start.shown.images.size())}};
  ChatRequest request = request_in_words(asked(), form.prompt, values, start.shown.images, form.schema);
  request.sample = start.sample;
  begin("answer", std::move(request));
}

CaseAnswer ScanQuestion::answer() const {
  CaseAnswer out = answer_so_far();
  out.fields.set("kind", question_.kind);
  if (!question_.place.empty()) out.fields.set("place", question_.place);
  if (!question_.finding.empty()) out.fields.set("finding", question_.finding);
  if (exchange(0).has_failed()) return out;
  const bool has_form = !exchange(0).value().is_null();
  if (!has_form) out.form = "text";
  out.fields.set("prediction", has_form ? read_(exchange(0).value()) : exchange(0).text());
  return out;
}

Result<ScanSplit> read_table_questions(const DatasetAdapter& adapter, const Path& dataset,
                                       const std::optional<std::string>& split,
                                       const std::vector<std::string>& kinds) {
  if (adapter.open_tables == nullptr)
    return bad_usage(dataset.string() + ": " + adapter.id + " has no tables of questions about volumes");
  FIDUCIAL_TRY(const radgenome::TableFolder folder, adapter.open_tables(dataset));
  ScanSplit out;
  FIDUCIAL_TRY(out.name, folder.choose_split(split));
  std::set<std::string> titles;
  std::string digests;
  for (const radgenome::TableFile& file : folder.files()) {
    if (file.split != out.name || !is_wanted(kinds, radgenome::layout_of(file.kind).task)) continue;
    FIDUCIAL_TRY(const Digest digest, add_questions(folder, file, titles, out.items));
    append_joined(out.file, file.file);
    digests += digest.hex() + "\n";
  }
  if (out.items.empty())
    return Error(ErrorCode::unavailable, "the split \"" + out.name + "\" has no table of " + joined(kinds),
                 Place{.path = dataset.string()});
  out.sha256 = sha256(as_bytes(digests)).hex();
  // Volume by volume, as they first occur: the pictures of one are looked up once.
  std::map<std::string, std::size_t> order;
  for (const ScanItem& item : out.items) order.emplace(item.scan, order.size());
  std::stable_sort(out.items.begin(), out.items.end(), [&order](const ScanItem& a, const ScanItem& b) {
    return order.at(a.scan) < order.at(b.scan);
  });
  return out;
}

Result<Json> write_table_answers(const PreparedRun& run, const std::vector<AnsweredItem>& answers) {
  Json out = Json::Object{};
  for (const radgenome::TableLayout& layout : radgenome::table_layouts()) {
    const auto row_of = [&layout](std::string_view volume, std::string_view place, std::string_view finding,
                                  std::string_view answer) {
      std::vector<std::string> cells{std::string(volume)};
      if (!layout.place.empty()) cells.emplace_back(place);
      if (!layout.finding.empty()) cells.emplace_back(finding);
      cells.emplace_back(answer);
      return csv_row(cells);
    };
    std::string table = row_of(radgenome::volume_column, layout.place, layout.finding, "Answer");
    bool has_rows = false;
    for (const AnsweredItem& item : answers) {
      const ShownQuestion& question = item.shown->questions.front();
      if (question.kind != layout.task) continue;
      has_rows = true;
      table += row_of(item.scan, question.place, question.finding, text_at(item.fields, "prediction"));
    }
    if (!has_rows) continue;
    const std::string name = std::string(layout.task) + ".csv";
    FIDUCIAL_TRY_DONE(write_file(run.request().output / name, std::string_view(table)));
    out.set(name, sha256(as_bytes(table)).hex());
  }
  return out;
}

}  // namespace fiducial
