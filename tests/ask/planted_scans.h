#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "fiducial/base/file.h"

#include "asked.h"
#include "vendor_reply.h"

namespace fiducial::ask_test {

// A reader of scans whose accuracy is known in advance.
//
// Its table (tests/ask/planted_scans.py writes it) has every picture that may be shown, by its hash: the scan
// it is of, and what it shows (tags: a window, an outlined region). A question is known by its words and by
// the scan of its pictures. It is answered rightly exactly when its draw is below
//
//   base + what each tag adds that any of the pictures has + share * pictures sent / of so many
//
// so that a window, a slice or an outline that is not sent changes counts that are exact.
class PlantedScans {
 public:
  // Nothing where the table has no scans.
  static Result<PlantedScans> parse(const Json& table);

  bool empty() const { return questions_.empty(); }
  // The answer; an error where the request holds what it must not: a mark, a picture that is not in the
  // table, pictures of two scans.
  Result<Answer> answer(const Asked& asked) const;

 private:
  struct Shown {
    std::string scan;
    std::set<std::string> tags;
  };
  struct Question {
    std::string id;
    std::string scan;
    std::vector<std::string> words;
    std::string right;
    std::string wrong;
    std::int64_t base = 0;
    std::int64_t share = 0;
    std::int64_t pictures = 1;
    std::map<std::string, std::int64_t> tags;
    std::int64_t draw_ppm = 0;
  };
  static Result<Question> parse_question(const Json& json);

  std::map<std::string, Shown> pictures_;
  std::vector<Question> questions_;
  std::vector<std::string> marks_;
};

}  // namespace fiducial::ask_test
