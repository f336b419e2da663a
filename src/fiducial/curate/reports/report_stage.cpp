#include "fiducial/curate/reports/report_stage.h"

#include <string>
#include <unordered_set>

#include "fiducial/base/interruption.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/sha256.h"
#include "fiducial/findings/report_language.h"

namespace fiducial {

StageOption reports_input() {
  return {.name = "REPORTS",
          .help = "CSV with the columns VolumeName, Findings_EN and Impressions_EN, plain or gzip",
          .required = true};
}

StageOption text_column_option() {
  return {.name = "text-column", .help = "Column to read instead of findings and impressions"};
}

StageOption ask_option() {
  return {.name = "ask",
          .help = "Take the replies of a model (--replay) instead of the rules, each checked by them",
          .kind = StageOption::Kind::flag};
}

namespace {

constexpr std::int64_t rows_between_saves = 1000;

// Tells whether rows are those of an earlier run, on any machine: it lies in the work folder.
class RowFingerprint {
 public:
  void add(const ReportRow& row) {
    mix(row.id);
    for (const ReportText& text : row.texts) mix(text.text);
  }
  std::string text() const { return Sha256(hash_).digest().hex().substr(0, 16); }

 private:
  // With its length, so that no text runs into the next.
  void mix(std::string_view text) {
    hash_.update(as_bytes(decimal(text.size()) + ":"));
    hash_.update(as_bytes(text));
  }
  Sha256 hash_;
};

// The names of the rows before, where each may occur once.
class SeenNames {
 public:
  explicit SeenNames(bool is_asked) : is_asked_(is_asked) {}
  bool is_new(std::string_view name) { return !is_asked_ || names_.emplace(name).second; }

 private:
  bool is_asked_;
  std::unordered_set<std::string> names_;
};

// Passes the rows before a part, and those that an earlier run did.
Outcome skip_rows(StageCall& call, ReportRows& rows, RowFingerprint& fingerprint, SeenNames& names) {
  const std::int64_t before = call.part() ? call.part()->first : 0;
  for (std::int64_t i = 0; i < before + call.resumed_items(); ++i) {
    FIDUCIAL_TRY(const std::optional<ReportRow> row, rows.next());
    if (!row) break;
    fingerprint.add(*row);
    names.is_new(row->id);
    call.pass_rows(1);
  }
  if (call.resumed_items() == 0 || fingerprint.text() == call.resumed_fingerprint()) return done();
  return Error(ErrorCode::integrity,
               "the table has changed since an earlier run was stopped; the next run begins anew",
               Place{.path = call.text("REPORTS")});
}

ItemStatus duplicate_name(const ReportRow& row) {
  return rejected("duplicate_name", "line " + decimal(row.line) + ": an earlier report has this name");
}

bool takes(StageCall& call, const ReportColumns& columns) {
  return columns.any_language || call.has("ask") || call.has("from");
}

Error stopped(StageCall& call) {
  call.keep();
  return {ErrorCode::interrupted, call.output().resumes()
                                      ? "stopped by a signal; the same command goes on from here"
                                      : "stopped by a signal; nothing was written"};
}

}  // namespace

std::optional<ItemStatus> illegible(const ReportRow& row) {
  LanguageProbe probe;
  for (const ReportText& text : row.texts) probe.add(text.text);
  switch (probe.result()) {
    case Legibility::readable:
      return std::nullopt;
    case Legibility::empty:
      return ItemStatus{
          .status = "skipped", .code = "empty_report", .detail = "line " + decimal(row.line) + ": no word"};
    case Legibility::not_english:
      return ItemStatus{.status = "skipped",
                        .code = "not_english",
                        .detail = "line " + decimal(row.line) + ": hardly a word of it is English"};
    case Legibility::no_chest:
      return ItemStatus{
          .status = "skipped",
          .code = "no_chest",
          .detail = "line " + decimal(row.line) + ": it speaks of other parts of the body alone"};
  }
  return std::nullopt;
}

Outcome for_each_report(StageCall& call, const ReportColumns& columns,
                        const std::function<Result<ItemStatus>(const ReportRow&)>& use,
                        const RowMemory& memory) {
  const Path path = call.text("REPORTS");
  FIDUCIAL_TRY(ReportRows rows, ReportRows::open(path, columns));
  RowFingerprint fingerprint;
  SeenNames names(columns.unique_names);
  FIDUCIAL_TRY_DONE(skip_rows(call, rows, fingerprint, names));
  if (call.resumed_items() > 0 && memory.restore) FIDUCIAL_TRY_DONE(memory.restore(call.resumed_state()));
  while (true) {
    FIDUCIAL_TRY(const std::optional<ReportRow> row, rows.next());
    if (!row) break;
    if (call.part() && row->index >= call.part()->last) break;
    if (call_given_up()) return given_up();
    if (stop_requested()) {
      FIDUCIAL_TRY_DONE(call.save(fingerprint.text(), memory.save));
      return stopped(call);
    }
    const std::optional<ItemStatus> unread = takes(call, columns) ? std::nullopt : illegible(*row);
    FIDUCIAL_TRY(const ItemStatus status, !names.is_new(row->id) ? Result<ItemStatus>(duplicate_name(*row))
                                          : unread               ? Result<ItemStatus>(*unread)
                                                                 : use(*row));
    fingerprint.add(*row);
    FIDUCIAL_TRY_DONE(call.record(row->index, std::string(row->id), status));
    if ((row->index + 1) % rows_between_saves == 0)
      FIDUCIAL_TRY_DONE(call.save(fingerprint.text(), memory.save));
  }
  if (call.part()) return call.save(fingerprint.text(), memory.save);
  FIDUCIAL_TRY(const Digest digest, rows.finish());
  call.record_input("REPORTS", path, digest);
  return done();
}

}  // namespace fiducial
