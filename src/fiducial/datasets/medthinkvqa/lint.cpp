#include "fiducial/datasets/medthinkvqa/lint.h"

#include <map>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/datasets/case_checks.h"
#include "fiducial/datasets/hub_snapshot.h"
#include "fiducial/datasets/medthinkvqa/dataset.h"
#include "fiducial/datasets/medthinkvqa/lint_row.h"
#include "fiducial/datasets/medthinkvqa/picture_audit.h"
#include "fiducial/datasets/medthinkvqa/picture_files.h"
#include "fiducial/datasets/medthinkvqa/release_pin.h"
#include "fiducial/datasets/medthinkvqa/submission.h"
#include "fiducial/datasets/medthinkvqa/text_audit.h"
#include "fiducial/datasets/medthinkvqa/view_check.h"
#include "fiducial/datasets/option_bias.h"
#include "fiducial/datasets/shared_rules.h"

namespace fiducial::medthinkvqa {

namespace {

constexpr std::size_t checked_at_once = 64;
constexpr std::size_t batch_bytes = std::size_t{32} << 20;  // of embedded pictures
constexpr double telling_p = 0.01;

// What the rows of all splits are held against, and what they add up to.
struct LintState {
  LintState(const LintRequest& asked, const Executor& runner, Progress& told)
      : request(asked), executor(runner), progress(told) {
    reading.with_pictures = !asked.predictions;
    reading.with_digest = false;
    reading.threads = runner.threads();
    reading.max_line_bytes = asked.max_line_bytes.value_or(max_line_bytes);
  }

  const LintRequest& request;
  const Executor& executor;
  Progress& progress;
  RowReading reading;
  LabelSynonyms synonyms;
  PictureFiles files;
  PictureAudit pictures;
  std::int64_t rows = 0;             // that were examined
  std::int64_t pictures_absent = 0;  // neither embedded nor looked for, as there are no files
  LeakageAudit leakage;
  std::vector<std::pair<std::string, OptionBias>> options;  // by split
  std::string answered_split;                               // predictions are for this one
  PublishedRows published;                                  // its rows
};

// All that is found out about a row by itself.
struct ExaminedRow {
  LintProblems problems;
  LintProblems identifiers;
  RowMentions mentions;
  std::vector<PictureFacts> pictures;
  std::int64_t pictures_absent = 0;
};

// Checks the rows of one file, a batch at a time.
class SplitLint {
 public:
  SplitLint(LintState& state, LintReport& report) : state_(state), report_(report) {}

  Outcome check(const SplitFile& split) {
    split_ = &split;
    std::int64_t rows = 0;
    titles_.clear();
    state_.options.emplace_back(split.split, OptionBias{});
    const auto visit = [&](Result<RawRow> row) -> Outcome {
      ++rows;
      if (row.ok()) return take(*std::move(row));
      FIDUCIAL_TRY_DONE(flush());
      report_.problems.add(lint_rules::row_unreadable, LintPlace::of(split.file, row.error()),
                           row.error().message());
      return done();
    };
    const Result<Digest> read = read_rows(state_.request.dataset, split, state_.reading, visit);
    FIDUCIAL_TRY_DONE(flush());
    if (!read.ok()) {
      if (read.error().code() == ErrorCode::interrupted) return read.error();
      report_.problems.add(shared_rules::split_unreadable, LintPlace::of(split.file, read.error()),
                           read.error().message());
    } else if (rows == 0) {
      report_.problems.add(shared_rules::split_unreadable, {split.file, ""}, "expected cases, found none");
    }
    if (unkeyed_ > 0) {
      report_.problems.add(lint_rules::key_absent, {split.file, ""},
                           "expected keys, found none in " + decimal(unkeyed_) + " of " + decimal(rows) +
                               " cases: a blind copy, which takes predictions but cannot score them");
    }
    unkeyed_ = 0;
    report_.splits.emplace_back(split.split, rows);
    return done();
  }

 private:
  Outcome take(RawRow row) {
    for (const RawSlot& slot : row.slots) batch_bytes_ += slot.embedded ? slot.embedded->size() : 0;
    batch_.push_back(std::move(row));
    return batch_.size() < checked_at_once && batch_bytes_ < batch_bytes ? done() : flush();
  }

  Outcome flush() {
    std::vector<ExaminedRow> examined(batch_.size());
    const auto count = static_cast<std::int64_t>(batch_.size());
    FIDUCIAL_TRY_DONE(state_.executor.for_each(count, [&](std::int64_t i) -> Outcome {
      FIDUCIAL_TRY(examined[static_cast<std::size_t>(i)],
                   examine(batch_[static_cast<std::size_t>(i)], state_.rows + i));
      return done();
    }));
    state_.rows += count;
    for (std::size_t i = 0; i < batch_.size(); ++i) add(std::move(batch_[i]), std::move(examined[i]));
    state_.progress.advance(static_cast<std::int64_t>(batch_.size()));
    batch_.clear();
    batch_bytes_ = 0;
    return done();
  }

  // A part of a check looks at pictures alone: they are what takes long.
  Result<ExaminedRow> examine(const RawRow& row, std::int64_t index) const {
    const auto& checks = state_.request.checks;
    ExaminedRow out;
    if (checks == nullptr || checks->is_whole()) {
      out = {.problems = lint_row(split_->file, row),
             .identifiers = identifier_problems(split_->file, row),
             .mentions = history_mentions(split_->file, row, state_.synonyms)};
    }
    if (state_.request.predictions) return out;
    std::vector<const RawSlot*> there;
    for (const RawSlot* slot : sound_slots(row)) {
      if (slot->embedded || state_.files.are_there()) {
        there.push_back(slot);
      } else {
        ++out.pictures_absent;
      }
    }
    FIDUCIAL_TRY(out.pictures, pictures_of(row, index, there));
    return out;
  }

  // What is seen on the pictures of a row, here or by another part of the check.
  Result<std::vector<PictureFacts>> pictures_of(const RawRow& row, std::int64_t index,
                                                const std::vector<const RawSlot*>& slots) const {
    std::vector<PictureFacts> out;
    out.reserve(slots.size());
    if (slots.empty()) return out;
    if (state_.request.checks == nullptr) {
      for (const RawSlot* slot : slots) out.push_back(examine_picture(state_.files, *slot));
      return out;
    }
    CaseToCheck entry{
        index, row.title ? std::string(*row.title) : split_->file + ", line " + decimal(row.line), {}};
    for (const RawSlot* slot : slots) {
      if (!slot->embedded) entry.files.emplace_back("dataset", state_.request.dataset / slot->path);
    }
    FIDUCIAL_TRY(const Json kept, state_.request.checks->take(std::move(entry), [&] {
      Json seen{Json::Array{}};
      for (const RawSlot* slot : slots) seen.push(kept_picture(examine_picture(state_.files, *slot)));
      return seen;
    }));
    if (kept.is_null()) return out;
    FIDUCIAL_TRY(const Json::Array* seen, expect_array(kept, ""));
    for (const Json& each : *seen) {
      FIDUCIAL_TRY(out.emplace_back(), parse_kept_picture(each));
    }
    return out;
  }

  // In the order of the file, so that the report is the same at any number of threads.
  void add(RawRow row, ExaminedRow examined) {
    LintProblems& problems = report_.problems;
    problems.append(std::move(examined.problems));
    title(row);
    const auto number = case_number(row.title.value_or(""));
    for (const PictureFacts& facts : examined.pictures) {
      state_.pictures.add(number.value_or(-1), facts, problems);
    }
    state_.pictures_absent += examined.pictures_absent;
    problems.append(std::move(examined.identifiers));
    state_.leakage.add(std::move(examined.mentions), problems);
    if (number && split_->split == state_.answered_split) {
      state_.published.emplace(*number, published_row(row));
    }
    unkeyed_ += row.is_view ? 1 : 0;
    if (const auto entry = checked_case(row); entry.ok()) state_.options.back().second.add(*entry);
  }

  void title(const RawRow& row) {
    if (!row.title || !case_number(*row.title)) return;
    const auto [earlier, is_new] = titles_.emplace(*row.title, row.line);
    if (!is_new) {
      return report_.problems.add(lint_rules::s10_title, row_place(split_->file, row, "title"),
                                  "expected a title once, found " + in_quotes(*row.title) + " in line " +
                                      decimal(earlier->second) + " too");
    }
    const auto [other, is_first] = files_.emplace(*row.title, split_->file);
    if (is_first) return;
    report_.problems.add(
        lint_rules::case_in_two_splits, row_place(split_->file, row, "title"),
        "expected " + in_quotes(*row.title) + " in one split, found it in " + other->second + " too");
  }

  LintState& state_;
  LintReport& report_;
  const SplitFile* split_ = nullptr;
  std::vector<RawRow> batch_;
  std::size_t batch_bytes_ = 0;
  std::int64_t unkeyed_ = 0;
  std::map<std::string, std::uint64_t> titles_;  // of this file, with their lines
  std::map<std::string, std::string> files_;     // in which a title was seen first
};

Result<std::vector<SplitFile>> chosen_splits(const LintRequest& request) {
  std::vector<SplitFile> splits = split_files(request.dataset);
  if (request.split) {
    std::erase_if(splits, [&](const SplitFile& split) { return split.split != *request.split; });
  }
  if (!splits.empty()) return splits;
  return bad_usage(request.dataset.string() + ": no file of split \"" + request.split.value_or("test") +
                   "\"");
}

Outcome open_inputs(LintState& state, const std::vector<SplitFile>& splits, LintReport& report) {
  if (state.request.synonyms) {
    FIDUCIAL_TRY(state.synonyms, LabelSynonyms::read(*state.request.synonyms));
  }
  // The test split comes last.
  if (state.request.predictions) {
    state.answered_split = splits.back().split;
    return done();
  }
  Result<PictureFiles> files = PictureFiles::open(state.request.dataset);
  if (files.ok()) {
    state.files = *std::move(files);
  } else {
    report.problems.add(lint_rules::s13_image_unreadable, {"images.zip", ""}, files.error().message());
  }
  return done();
}

void judge_options(const LintState& state, LintReport& report) {
  for (const auto& [split, bias] : state.options) {
    if (bias.cases == 0) continue;
    const EvennessTest letters = bias.letter_evenness();
    if (bias.longest_p() < telling_p) {
      report.problems.add(lint_rules::key_longest, {"", split},
                          "expected the key to be the longest option in " +
                              fixed(bias.expected_longest(), 1) + " of " + decimal(bias.cases) +
                              " cases, found " + decimal(bias.key_is_longest));
    }
    if (letters.p < telling_p) {
      report.problems.add(lint_rules::key_letters, {"", split},
                          "expected each letter about equally often, found chi-square " +
                              fixed(letters.chi_square, 2) + " with four degrees of freedom");
    }
  }
}

void add_missing(const LintState& state, LintAudit& audit) {
  const std::vector<std::string>& files = state.pictures.missing();
  if (files.empty()) return;
  const std::string command = download_command(state.request.dataset, files);
  Json list = Json::strings(files);
  audit.json.set("missing", Json::object({{"files", std::move(list)}, {"command", command}}));
  audit.text += "missing files: " + decimal(files.size()) + "; get them with: " + command + "\n";
}

LintAudit audit_of(const LintState& state) {
  Json options = Json::object({});
  LintAudit out{.json = Json::object({})};
  for (const auto& [split, bias] : state.options) {
    if (bias.cases == 0 && !state.options.empty()) continue;
    options.set(split, bias.json());
    out.text += split + ":\n" + bias.text();
  }
  out.text += state.leakage.text();
  out.json.set("options", std::move(options));
  out.json.set("leakage", state.leakage.json());
  if (!state.request.predictions) {
    out.json.set("images", state.pictures.json());
    out.text += state.pictures.text();
    add_missing(state, out);
  }
  return out;
}

void check_predictions(const LintState& state, LintReport& report) {
  CheckedAnswers checked =
      check_answers(*state.request.predictions, {.split = state.answered_split,
                                                 .rows = state.published,
                                                 .max_line_bytes = state.reading.max_line_bytes});
  report.submission = std::move(checked.facts);
  report.problems.append(std::move(checked.problems));
}

}  // namespace

Result<LintReport> lint(const LintRequest& request, const Executor& executor, Progress& progress) {
  FIDUCIAL_TRY(const std::vector<SplitFile> splits, chosen_splits(request));
  LintReport report{.benchmark = "medthinkvqa"};
  // Without pictures there are no single cases to check.
  if (request.checks != nullptr && request.checks->lists() && request.predictions) return report;
  for (const SplitFile& split : splits) {
    append_joined(report.dataset_file, split.file);
  }
  LintState state(request, executor, progress);
  FIDUCIAL_TRY_DONE(open_inputs(state, splits, report));
  progress.begin("checking cases", 0);
  SplitLint checker(state, report);
  for (const SplitFile& split : splits) FIDUCIAL_TRY_DONE(checker.check(split));
  progress.end();
  if (state.pictures_absent > 0) {
    const std::vector<std::string> archive = {"images.zip"};
    report.problems.add(
        lint_rules::s13_images_absent, {"images", ""},
        "expected the folder images/ or images.zip, found neither: " + decimal(state.pictures_absent) +
            " images were not checked; get them with: " + download_command(request.dataset, archive));
  }
  judge_options(state, report);
  report.audit = audit_of(state);
  ReleasePin pin = release_pin(request.dataset, report.splits);
  report.audit->json.set("release", std::move(pin.json));
  report.audit->text += pin.text;
  if (request.predictions) check_predictions(state, report);
  if (request.view) report.problems.append(check_view(*request.view, state.reading.max_line_bytes));
  return report;
}

}  // namespace fiducial::medthinkvqa
