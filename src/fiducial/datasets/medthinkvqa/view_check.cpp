#include "fiducial/datasets/medthinkvqa/view_check.h"

#include "fiducial/base/line_reader.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/cases/inference_view.h"
#include "fiducial/datasets/medthinkvqa/dataset.h"
#include "fiducial/datasets/medthinkvqa/lint_row.h"

namespace fiducial::medthinkvqa {

namespace {

void check_view_record(const LintPlace& line, std::string_view text, LintProblems& problems) {
  const Result<Json> record = parse_json(text);
  if (!record.ok()) return problems.add(lint_rules::s14_view_unreadable, line, record.error().message());
  if (record->as_object() == nullptr) {
    return problems.add(lint_rules::s14_view_unreadable, line,
                        "expected a JSON object, found " + std::string(record->kind()));
  }
  for (const std::string& field : fields_outside_view(*record->as_object())) {
    problems.add(
        lint_rules::s14_label_in_view, {line.file, line.place + ", /" + field},
        "expected CLINICAL_HISTORY, the options A to E, image_NN_path and id only, found \"" + field + "\"");
  }
}

// Fails where the file cannot be read on.
Outcome check_view_lines(const Path& path, std::size_t longest_line, LintProblems& problems) {
  FIDUCIAL_TRY_DONE(refuse_lfs_pointer(path));
  FIDUCIAL_TRY(const std::unique_ptr<FileStream> file, FileStream::open(path));
  LineReader lines(*file, longest_line);
  const std::string name = path.filename().string();
  bool is_empty = true;
  while (true) {
    FIDUCIAL_TRY(const std::optional<std::string_view> line, lines.next());
    if (!line) break;
    if (is_blank(*line)) continue;
    is_empty = false;
    check_view_record(line_place(name, lines.number()), *line, problems);
  }
  if (is_empty) return invalid_data("expected records, found none");
  return done();
}

}  // namespace

LintProblems check_view(const Path& path, std::size_t longest_line) {
  LintProblems problems;
  const Outcome read = check_view_lines(path, longest_line, problems);
  if (!read.ok()) {
    problems.add(lint_rules::s14_view_unreadable, LintPlace::of(path.filename().string(), read.error()),
                 read.error().message());
  }
  return problems;
}

}  // namespace fiducial::medthinkvqa
