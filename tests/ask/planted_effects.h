#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fiducial/base/file.h"

#include "asked.h"
#include "planted_scans.h"
#include "vendor_reply.h"

namespace fiducial::ask_test {

// A number below a million that depends on a text alone.
std::int64_t draw_of(const std::string& id);

// A reader whose accuracy is known in advance.
//
// Its table (tests/ask/planted_corpus.py writes it) names every case by a word that stands in the history and
// in each option, with the hashes of its images, its key and the words that mark its label fields. A case is
// answered rightly exactly when its draw, a number below a million that depends on its id alone, is below
//
//   base + share * images sent / images of the case + what each cue and the effort add        (parts per
//   million)
//
// so that more help never turns a right answer wrong, and counts over a corpus are exact. Without options in
// the request it writes an observation or, where it is shown observations, a summary; these carry words that
// tell it later that a cue is its own.
class PlantedEffects {
 public:
  static Result<PlantedEffects> read(const Path& table);

  // Fields whose marks requests may hold, besides none.
  void allow(std::set<std::string> fields) { allowed_ = std::move(fields); }

  // The answer; an error where the request holds what it must not: a mark, another case's words or image.
  Result<Answer> answer(const Asked& asked) const;

 private:
  struct Case {
    std::string id;
    std::string word;
    std::string key;
    std::vector<std::string> images;
    std::map<std::string, std::vector<std::string>> marks;  // by field
    std::int64_t draw_ppm = 0;
  };
  struct Effects {
    std::int64_t base = 0;
    std::int64_t share = 0;
    std::map<std::string, std::int64_t, std::less<>> cues;
    std::map<std::string, std::int64_t, std::less<>> efforts;
    std::map<std::string, std::int64_t, std::less<>> effort_tokens;
  };

  static Result<Case> parse_case(const Json& json);
  static Result<Effects> parse_effects(const Json& json);
  Result<const Case*> find_case(const Asked& asked) const;
  Outcome check_marks(const Asked& asked, const Case& its) const;
  static Result<std::int64_t> images_of(const Asked& asked, const Case& its);
  std::int64_t chance_ppm(const Asked& asked, const Case& its, std::int64_t images) const;
  static Json letter_reply(const Asked& asked, const std::string& letter, const std::string& word);

  PlantedScans scans_;  // of a table about scans; it answers then
  std::vector<Case> cases_;
  Effects effects_;
  std::set<std::string> allowed_;
};

}  // namespace fiducial::ask_test
