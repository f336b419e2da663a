#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"

namespace fiducial {

struct Icd10Chapter {
  std::string label;  // "Chapter XIII"
  std::string title;
  std::string range;  // "M00-M99"

  friend bool operator==(const Icd10Chapter&, const Icd10Chapter&) = default;
};
struct Icd10Block {
  std::size_t chapter = 0;
  std::string range;  // "M30-M36"
  std::string title;

  friend bool operator==(const Icd10Block&, const Icd10Block&) = default;
};
struct Icd10Category {
  std::size_t block = 0;
  std::string code;  // "M33"
  std::string title;

  friend bool operator==(const Icd10Category&, const Icd10Category&) = default;
};

// How many of each there must be; the defaults are those of WHO's ICD-10 of 2019.
struct Icd10Counts {
  std::int64_t chapters = 22;
  std::int64_t blocks = 263;
  std::int64_t categories = 2050;

  friend bool operator==(const Icd10Counts&, const Icd10Counts&) = default;
};

// The three members of WHO's metadata archive.
struct Icd10Source {
  std::string chapters;
  std::string groups;
  std::string codes;
};

// The chapters, blocks and three-character categories of ICD-10, in the order of their source.
class Icd10Table {
 public:
  // invalid_data where a member has another form than in 2019, integrity where its contents contradict
  // themselves or the counts.
  static Result<Icd10Table> build(const Icd10Source& source, const Icd10Counts& counts = {});
  // Reads text() back, comments and all. Refuses a code that occurs twice, a block before any chapter and a
  // category before any block, with the line.
  static Result<Icd10Table> parse(std::string_view text);

  const std::vector<Icd10Chapter>& chapters() const { return chapters_; }
  const std::vector<Icd10Block>& blocks() const { return blocks_; }
  const std::vector<Icd10Category>& categories() const { return categories_; }
  const Icd10Category* find(const std::string& code) const;

  // The table as people and models read it, below four lines about where it is from.
  std::string text(const std::string& source, const std::string& retrieved_utc) const;

  friend bool operator==(const Icd10Table&, const Icd10Table&) = default;

 private:
  Outcome add_category(Icd10Category category);

  std::vector<Icd10Chapter> chapters_;
  std::vector<Icd10Block> blocks_;
  std::vector<Icd10Category> categories_;
  std::map<std::string, std::size_t> by_code_;
};

// Reads the members from the archive; a file or a member that is not there is "unavailable".
Result<Icd10Source> read_icd10_archive(const Path& zip);

// What a model may have meant, or nothing: a three-character code, XXX-XXX with an ASCII hyphen, and
// "Chapter" with a Roman number.
std::string icd10_category_in(std::string_view text);
std::string icd10_block_in(std::string_view text);
std::string icd10_chapter_in(std::string_view text);

}  // namespace fiducial
