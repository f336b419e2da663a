#include "fiducial/datasets/medthinkvqa/submission.h"

#include "fiducial/base/line_reader.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/suggestion.h"
#include "fiducial/datasets/medthinkvqa/dataset.h"
#include "fiducial/datasets/medthinkvqa/json_row.h"
#include "fiducial/datasets/medthinkvqa/lint_row.h"

namespace fiducial::medthinkvqa {

namespace {

namespace rules {
#define FIDUCIAL_LINT_RULE(code, severity, promise) \
  constexpr LintRule code{#code, Severity::severity, promise};
#include "fiducial/datasets/medthinkvqa/submission_rules.def"
#undef FIDUCIAL_LINT_RULE
}  // namespace rules

constexpr std::size_t longest_quoted = 40;

std::string quoted_briefly(const std::string& text) {
  if (text.size() <= longest_quoted) return "\"" + text + "\"";
  return "a text of " + decimal(text.size()) + " bytes";
}

// What a field holds, for a message.
std::string found(const Json* value) {
  if (value == nullptr) return "none";
  if (value->as_string() != nullptr) return quoted_briefly(*value->as_string());
  return std::string(value->kind());
}

class AnswerCheck {
 public:
  AnswerCheck(std::string file, const ExpectedAnswers& expected)
      : file_(std::move(file)), expected_(expected) {}

  void check_line(std::string_view text, std::uint64_t line) {
    line_ = line;
    ++counts_.lines;
    const Result<Json> parsed = parse_json(text);
    if (!parsed.ok()) {
      const auto byte = parsed.error().place().byte;
      return problems_.add(rules::answer_line,
                           {file_, "line " + decimal(line) + (byte ? ", byte " + decimal(*byte) : "")},
                           parsed.error().message());
    }
    if (parsed->as_object() == nullptr) {
      return add(rules::answer_line, "", "expected a JSON object, found " + std::string(parsed->kind()));
    }
    check_object(*parsed);
  }

  CheckedAnswers finish(SubmittedFile file, bool is_whole) {
    if (counts_.lines == 0 && is_whole) {
      problems_.add(rules::answers_empty, {file_, ""}, "expected answers, found none");
    }
    for (const auto& [number, row] : expected_.rows) {
      if (lines_.contains(number) || counts_.lines == 0 || !is_whole) continue;
      problems_.add(rules::answer_missing, {file_, ""},
                    "expected an answer to \"Case number " + decimal(number) + "\", found none");
    }
    const std::string of_lines = " of " + decimal(counts_.lines) + " lines ";
    if (counts_.bare > 0) {
      problems_.add(rules::answers_bare, {file_, ""},
                    "expected the published fields in every line, found only the title in " +
                        decimal(counts_.bare) + of_lines + "with a prediction");
    }
    if (counts_.labelled > 0) {
      problems_.add(rules::answers_labelled, {file_, ""},
                    decimal(counts_.labelled) + of_lines + "hold labels, which are ignored");
    }
    SubmissionFacts facts{.split = expected_.split, .kind = "jsonl", .answers = counts_};
    facts.files.push_back(std::move(file));
    return {std::move(facts), std::move(problems_)};
  }

 private:
  void add(const LintRule& rule, std::string_view field, std::string message) {
    problems_.add(rule, line_place(file_, line_, field), std::move(message));
  }

  void check_object(const Json& answer) {
    RawRow row = row_of(answer);
    row.line = line_;
    letter(answer.find("prediction"));
    const Json* rationale = answer.find("prediction_rationale");
    if (rationale != nullptr && !rationale->is_null() && rationale->as_string() == nullptr) {
      add(rules::answer_rationale, "prediction_rationale", "expected a text, found " + found(rationale));
    }
    if (row.key || row.key_text) ++counts_.labelled;
    const PublishedRow* published = published_for(answer, row);
    steps(answer.find("prediction_twi"), published);
    if (published != nullptr) fields(*published, published_row(row));
  }

  // The row that a line answers, if it is one of the split's.
  const PublishedRow* published_for(const Json& answer, const RawRow& row) {
    const auto number = case_number(row.title.value_or(""));
    if (!number) {
      add(rules::answer_title, "title", "expected 'Case number <int>', found " + found(answer.find("title")));
      return nullptr;
    }
    const auto [earlier, is_new] = lines_.emplace(*number, line_);
    if (!is_new) {
      add(rules::answer_twice, "title",
          "expected a case once, found " + in_quotes(*row.title) + " in line " + decimal(earlier->second) +
              " too");
      return nullptr;
    }
    const auto at = expected_.rows.find(*number);
    if (at != expected_.rows.end()) return &at->second;
    add(rules::answer_unknown_case, "title",
        "expected a case of \"" + expected_.split + "\", found " + in_quotes(*row.title));
    return nullptr;
  }

  void letter(const Json* prediction) {
    const std::string* text = prediction == nullptr ? nullptr : prediction->as_string();
    if (text != nullptr && text->size() == 1 &&
        DiagnosisCase::letters.find((*text)[0]) != std::string_view::npos)
      return;
    const bool may_be_reply = text != nullptr && !text->empty();
    add(rules::answer_letter, "prediction",
        "expected one letter from A to E, found " + found(prediction) +
            (may_be_reply ? "; 'fiducial export --to submission' writes the letter of a reply" : ""));
  }

  void fields(const PublishedRow& published, const PublishedRow& submitted) {
    if (submitted.is_bare()) {
      ++counts_.bare;
    } else if (submitted.digest == published.digest) {
      ++counts_.unchanged;
    } else {
      add(rules::answer_field_changed, "",
          "expected the published fields with the hash " + published.digest.hex().substr(0, 12) + ", found " +
              submitted.digest.hex().substr(0, 12) + ": " + field_differences(published, submitted));
    }
  }

  void steps(const Json* twi, const PublishedRow* published) {
    if (twi == nullptr || twi->is_null()) return;
    ++counts_.with_steps;
    if (twi->as_object() == nullptr) {
      return add(rules::answer_steps, "prediction_twi", "expected an object, found " + found(twi));
    }
    for (const auto& [name, value] : *twi->as_object()) {
      if (name == "step1_per_image_findings") {
        image_findings(value, published);
      } else if (name != "step2_integrated_summary" && name != "step3_differential_reasoning") {
        add(rules::answer_steps, "prediction_twi/" + name, "expected steps 1 to 3 only, found another field");
      } else if (value.as_string() == nullptr) {
        add(rules::answer_steps, "prediction_twi/" + name, "expected a text, found " + found(&value));
      }
    }
    for (const char* name :
         {"step1_per_image_findings", "step2_integrated_summary", "step3_differential_reasoning"}) {
      if (twi->find(name) == nullptr) {
        add(rules::answer_steps, "prediction_twi/" + std::string(name), "expected a value, found none");
      }
    }
  }

  void image_findings(const Json& value, const PublishedRow* published) {
    const std::string field = "prediction_twi/step1_per_image_findings";
    if (value.as_array() == nullptr) {
      return add(rules::answer_steps, field, "expected a list of texts, found " + found(&value));
    }
    const Json::Array& texts = *value.as_array();
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (texts[i].as_string() != nullptr) continue;
      add(rules::answer_steps, field + "/" + decimal(i), "expected a text, found " + found(&texts[i]));
    }
    if (published == nullptr || static_cast<std::int64_t>(texts.size()) == published->images) return;
    add(rules::answer_steps, field,
        "expected " + decimal(published->images) + " texts, one an image, found " + decimal(texts.size()));
  }

  std::string file_;
  const ExpectedAnswers& expected_;
  std::uint64_t line_ = 0;
  AnswerCounts counts_;
  std::map<std::int64_t, std::uint64_t> lines_;  // in which a case was answered first
  LintProblems problems_;
};

// Checks every line; fails where the file cannot be read on.
Outcome check_lines(HashingStream& stream, std::size_t max_line_bytes, AnswerCheck& check) {
  LineReader lines(stream, max_line_bytes);
  while (true) {
    FIDUCIAL_TRY(const std::optional<std::string_view> line, lines.next());
    if (!line) return done();
    if (!is_blank(*line)) check.check_line(*line, lines.number());
  }
}

CheckedAnswers unreadable(const std::string& file, const Error& error) {
  CheckedAnswers out;
  out.problems.add(rules::answers_unreadable, LintPlace::of(file, error), error.message());
  return out;
}

CheckedAnswers checked(SubmittedFile submitted, HashingStream& stream, const ExpectedAnswers& expected) {
  const std::string name = submitted.name;
  AnswerCheck check(name, expected);
  const Outcome read = check_lines(stream, expected.max_line_bytes, check);
  if (read.ok()) {
    if (const Result<Digest> digest = stream.finish(); digest.ok()) submitted.digest = *digest;
  }
  CheckedAnswers out = check.finish(std::move(submitted), read.ok());
  if (!read.ok()) out.problems.append(unreadable(name, read.error()).problems);
  return out;
}

}  // namespace

CheckedAnswers check_answers(const Path& path, const ExpectedAnswers& expected) {
  const std::string name = path.filename().string();
  const auto refused = [&](Error error) {
    const Error whole = std::move(error).in_file(path.string());
    return unreadable(name, {whole.code(), whole.message() + path_advice(whole)});
  };
  if (Outcome pointer = refuse_lfs_pointer(path); !pointer.ok()) return refused(std::move(pointer).error());
  Result<std::unique_ptr<FileStream>> file = FileStream::open(path);
  if (!file.ok()) return refused(std::move(file).error());
  const std::uint64_t bytes = (*file)->size();
  HashingStream stream(*std::move(file));
  return checked({.name = name, .bytes = bytes}, stream, expected);
}

CheckedAnswers check_answers(const std::string& name, const std::string& text,
                             const ExpectedAnswers& expected) {
  HashingStream stream(std::make_unique<MemoryStream>(as_bytes(text)));
  return checked({.name = name, .bytes = text.size()}, stream, expected);
}

}  // namespace fiducial::medthinkvqa
