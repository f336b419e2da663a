#pragma once

#include <cstdint>
#include <forward_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fiducial/base/result.h"
#include "fiducial/cases/diagnosis_case.h"

namespace fiducial::medthinkvqa {

inline constexpr int max_images = 49;

// What the texts of a row are views into, kept for as long as the row.
class RowBytes {
 public:
  RowBytes() = default;
  RowBytes(RowBytes&&) noexcept = default;
  RowBytes& operator=(RowBytes&&) noexcept = default;
  RowBytes(const RowBytes&) = delete;
  RowBytes& operator=(const RowBytes&) = delete;
  ~RowBytes() = default;

  // Bytes of many rows: a block of a file, a batch of a table.
  void share(std::shared_ptr<const void> source) { shared_ = std::move(source); }
  // A text of this row alone.
  std::string_view own(std::string text) { return own_.emplace_front(std::move(text)); }

  friend bool operator==(const RowBytes&, const RowBytes&) { return true; }  // views say what they hold

 private:
  std::shared_ptr<const void> shared_;
  std::forward_list<std::string> own_;
};

// One numbered group of image_NN_* fields. Absent, null and "" are the same.
struct RawSlot {
  int number = 0;
  std::string_view id;
  std::string_view path;
  std::string_view caption;
  std::string_view modality;
  std::string_view sub_modality;
  std::optional<std::string_view> embedded;  // bytes of the picture itself, where a Parquet file holds them

  bool is_filled() const { return !id.empty() && !path.empty() && !modality.empty(); }
  friend bool operator==(const RawSlot&, const RawSlot&) = default;
};

// A row as it stands in its file, whatever rules it breaks. An empty optional is absent or null. Its texts
// are views into its bytes: none is copied but by who keeps it.
struct RawRow {
  using Options = std::vector<std::pair<std::string_view, std::string_view>>;  // in the order of the file

  std::uint64_t line = 0;  // in a JSONL file; in a Parquet file the row; from 1
  std::optional<std::string_view> title;
  std::optional<std::string_view> history;
  std::optional<std::string_view> findings;
  std::optional<std::string_view> discussion;
  std::optional<Options> options;
  std::optional<std::string_view> key;
  std::optional<std::string_view> key_text;
  std::optional<std::string_view> icd_chapter;
  std::optional<std::string_view> icd_block;
  std::optional<std::string_view> icd_category;
  std::optional<bool> is_longitudinal;
  std::optional<std::int64_t> timepoint_count;
  std::optional<std::int64_t> image_count;
  std::optional<std::string_view> interval;
  std::optional<std::string_view> view_id;  // "case68", by which a blind copy names its cases
  bool is_view = false;                     // a row of a blind copy: no title, no labels
  std::vector<RawSlot> slots;               // those with any text, by number
  // Fields of a wrong type: the field, then what was expected and found.
  std::vector<std::pair<std::string, std::string>> field_errors;

  RowBytes bytes;

  // The slot of a number, made where there is none.
  RawSlot& slot(int number);
  // Whether a slot names an image: a blind copy has nothing but its path.
  bool uses(const RawSlot& each) const { return is_view ? !each.path.empty() : each.is_filled(); }
  friend bool operator==(const RawRow&, const RawRow&) = default;
};

// What a field's name means.
struct SlotField {
  int number = 0;
  std::string_view RawSlot::*text = nullptr;
};
using TextField = std::optional<std::string_view> RawRow::*;
using IntegerField = std::optional<std::int64_t> RawRow::*;

std::optional<TextField> find_text_field(std::string_view name);
std::optional<IntegerField> find_integer_field(std::string_view name);
std::optional<SlotField> find_slot_field(std::string_view name);  // image_01_id to image_99_sub_modality
std::optional<int> find_picture_field(std::string_view name);     // the number of image_01 to image_99

// What a member of a row's object, or a column of its table, is.
struct RowMember {
  enum class Kind { slot_text, text, integer, longitudinal, options, unknown };
  Kind kind = Kind::unknown;
  SlotField slot;
  TextField text = nullptr;
  IntegerField integer = nullptr;
};
RowMember row_member(std::string_view name);

// Gives a row of a blind copy, which has an id in the place of a title, the title of its case.
void settle_view(RawRow& row);

// Numbers and flags as tables write them: a whole number in floating point; 0 and 1, "true", "False", "yes"
// and "no" for flags. Nothing for anything else.
std::optional<std::int64_t> whole_number(double value);
std::optional<bool> flag_number(double value);
std::optional<bool> flag_word(std::string_view word);

// N of "Case number N", written without padding.
std::optional<std::int64_t> case_number(std::string_view title);

// The row as a case. Refuses a field of a wrong type, and a row without a title, the options A to E, or a key
// among them; a row of a blind copy has no key. Of its images, those with id, path and modality are taken.
Result<DiagnosisCase> checked_case(const RawRow& row);

}  // namespace fiducial::medthinkvqa
