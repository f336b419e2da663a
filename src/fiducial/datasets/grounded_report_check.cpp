#include "fiducial/datasets/grounded_report_check.h"

#include "fiducial/base/number_text.h"
#include "fiducial/datasets/grounded_reports_file.h"
#include "fiducial/datasets/submission.h"
#include "fiducial/text/unicode.h"

namespace fiducial {

namespace {

namespace rules {
#define FIDUCIAL_LINT_RULE(code, severity, promise) \
  constexpr LintRule code{#code, Severity::severity, promise};
#include "fiducial/datasets/grounded_report_rules.def"
#undef FIDUCIAL_LINT_RULE
}  // namespace rules

// A file as it is stored, with the hash of its bytes where it can be read.
SubmittedFile submitted_file(const PredictionFiles& files, const std::string& name) {
  SubmittedFile out{.name = name};
  Result<StoredFile> stored = files.open_file(name);
  if (!stored.ok()) return out;
  out.bytes = stored->size;
  if (const Result<Digest> digest = HashingStream(std::move(stored->bytes)).finish(); digest.ok())
    out.digest = *digest;
  return out;
}

// How many channels a mask file has; an error where it cannot be read.
Result<std::int64_t> channels_of(const PredictionFiles& files, const std::string& name) {
  FIDUCIAL_TRY(StoredFile stored, files.open_file(name));
  FIDUCIAL_TRY(const StoredMaskHead stored_head, read_stored_head(std::move(stored)));
  return stored_head.head.shape.channels;
}

class ReportCheck {
 public:
  ReportCheck(const PredictionFiles& files, const std::string& split, const std::set<std::string>& cases)
      : files_(files), split_(split), cases_(cases) {
    out_.facts = {.split = split, .kind = files.is_archive() ? "zip" : "folder"};
  }

  CheckedReports check() {
    out_.facts.files.push_back(submitted_file(files_, grounded_reports_file));
    Result<StoredFile> stored = files_.open_file(grounded_reports_file);
    const Result<GroundedReports> reports =
        stored.ok() ? read_grounded_reports(*std::move(stored)) : Result<GroundedReports>(stored.error());
    if (!reports.ok()) {
      Place place = reports.error().place();
      place.path.clear();
      out_.problems.add(rules::reports_unreadable, {grounded_reports_file, place.text()},
                        reports.error().message());
      return std::move(out_);
    }
    for (const std::string& name : cases_) {
      if (!reports->by_case.contains(name))
        add(rules::report_missing, "expected a report of " + name + ", found none");
    }
    for (const auto& [name, sentences] : reports->by_case) check_report(name, sentences);
    check_files(*reports);
    return std::move(out_);
  }

 private:
  void add(const LintRule& rule, std::string message) {
    out_.problems.add(rule, {grounded_reports_file, ""}, std::move(message));
  }

  void check_report(const std::string& name, const std::vector<GroundedSentence>& sentences) {
    if (!cases_.contains(name))
      add(rules::report_of_no_case, "expected a case of \"" + split_ + "\", found " + name);
    if (sentences.empty()) add(rules::report_empty, name + ": expected sentences, found none");
    std::int64_t most = -1;
    for (std::size_t i = 0; i < sentences.size(); ++i) {
      if (white_space_trimmed(sentences[i].text).empty())
        add(rules::report_empty, name + ", sentence " + decimal(i) + ": expected a text, found an empty one");
      most = std::max(most, sentences[i].channel.value_or(-1));
    }
    if (most >= 0) check_mask(name, most);
  }

  void check_mask(const std::string& name, std::int64_t channel) {
    if (!files_.has(name)) {
      return add(rules::report_mask_missing,
                 name + ": expected a mask file with channel " + decimal(channel) + ", found no file");
    }
    const Result<std::int64_t> channels = channels_of(files_, name);
    if (!channels.ok()) {
      out_.problems.add(rules::report_mask_missing, LintPlace::of(name, channels.error()),
                        channels.error().message());
    } else if (*channels <= channel) {
      add(rules::report_mask_missing, name + ": expected channel " + decimal(channel) + ", found a mask of " +
                                          decimal(*channels) + " channels");
    }
  }

  void check_files(const GroundedReports& reports) {
    for (const std::string& name : files_.names()) {
      if (name == grounded_reports_file) continue;
      if (reports.by_case.contains(name) && cases_.contains(name)) {
        out_.facts.files.push_back(submitted_file(files_, name));
      } else {
        out_.problems.add(rules::report_file_extra, {name, ""},
                          "expected the mask of a case with a report, found another file");
      }
    }
  }

  const PredictionFiles& files_;
  const std::string& split_;
  const std::set<std::string>& cases_;
  CheckedReports out_;
};

}  // namespace

bool has_grounded_reports(const PredictionFiles& files) { return files.has(grounded_reports_file); }

CheckedReports check_grounded_reports(const PredictionFiles& files, const std::string& split,
                                      const std::set<std::string>& cases) {
  return ReportCheck(files, split, cases).check();
}

}  // namespace fiducial
