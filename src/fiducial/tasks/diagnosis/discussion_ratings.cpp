#include "fiducial/tasks/diagnosis/discussion_ratings.h"

#include <algorithm>
#include <set>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/text/discussion_sections.h"

namespace fiducial {

namespace {

Result<SentenceRating> sentence_rating(const Json& value, const std::string& pointer) {
  FIDUCIAL_TRY_DONE(expect_object(value, pointer));
  FIDUCIAL_TRY(const Json* section, required_field(value, "section", pointer));
  FIDUCIAL_TRY(const std::string name, expect_string(*section, pointer + "/section"));
  FIDUCIAL_TRY(const Json* sentence, required_field(value, "sentence", pointer));
  FIDUCIAL_TRY(const std::int64_t number, expect_integer(*sentence, pointer + "/sentence"));
  FIDUCIAL_TRY(const Json* correct, required_field(value, "correct", pointer));
  SentenceRating out{.heading = find_discussion_heading(name)};
  if (out.heading == discussion_headings.size()) {
    return at_pointer(pointer + "/section", "expected a heading of discussions, found \"" + name + "\"");
  }
  if (number < 1 || number > 100'000) {
    return at_pointer(pointer + "/sentence",
                      "expected the number of a sentence, from 1, found " + decimal(number));
  }
  if (correct->as_bool() == nullptr) {
    return at_pointer(pointer + "/correct", "expected true or false, found " + std::string(correct->kind()));
  }
  out.sentence = static_cast<std::size_t>(number);
  out.correct = *correct->as_bool();
  return out;
}

Outcome read_sentences(const Record& record, CaseRating& out) {
  const Json* list = record.find("sentences");
  if (list == nullptr) return done();
  FIDUCIAL_TRY(const Json::Array* sentences, expect_array(*list, "/sentences"));
  std::set<std::pair<std::size_t, std::size_t>> known;
  for (std::size_t i = 0; i < sentences->size(); ++i) {
    const std::string pointer = "/sentences/" + decimal(i);
    FIDUCIAL_TRY(const SentenceRating rating, sentence_rating((*sentences)[i], pointer));
    if (!known.emplace(rating.heading, rating.sentence).second) {
      return at_pointer(pointer, "expected a sentence once, found it twice");
    }
    out.sentences.push_back(rating);
  }
  return done();
}

Result<CaseRating> case_rating(const Record& record) {
  CaseRating out;
  FIDUCIAL_TRY(const std::optional<std::string> rater, record.text("rater"));
  out.rater = rater.value_or("rater");
  bool rates = false;
  for (std::size_t i = 0; i < education_item_count; ++i) {
    const std::string key(education_items[i]);
    FIDUCIAL_TRY(out.items[i], record.number(key));
    if (!out.items[i]) continue;
    rates = true;
    if (*out.items[i] < 0 || *out.items[i] > 2) {
      return at_pointer("/" + key, "expected 0 to 2 points, found " + shortest(*out.items[i]));
    }
  }
  FIDUCIAL_TRY_DONE(read_sentences(record, out));
  if (rates || !out.sentences.empty()) return out;
  return invalid_data("expected points for " + std::string(education_items[0]) +
                      ", ... or sentences, found none");
}

}  // namespace

std::optional<double> CaseRating::total() const {
  double out = 0;
  for (const auto& item : items) {
    if (!item) return std::nullopt;
    out += *item;
  }
  return out;
}

Result<RatingsByCase> ratings_by_case(const std::vector<Record>& records, const std::string& path) {
  RatingsByCase out;
  for (const Record& record : records) {
    const Result<std::int64_t> number = record.case_number();
    if (!number.ok()) return at_record(number.error(), record, path);
    Result<CaseRating> rating = case_rating(record);
    if (!rating.ok()) return at_record(rating.error(), record, path);
    std::vector<CaseRating>& known = out[*number];
    const bool is_twice = std::any_of(known.begin(), known.end(),
                                      [&](const CaseRating& each) { return each.rater == rating->rater; });
    if (is_twice) {
      return at_record(
          invalid_data("expected one rating a case of \"" + rating->rater + "\", found a second"), record,
          path);
    }
    known.push_back(*std::move(rating));
  }
  return out;
}

}  // namespace fiducial
