#include "fiducial/datasets/medthinkvqa/lint_row.h"

#include <algorithm>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/cases/modality.h"

namespace fiducial::medthinkvqa {

std::string in_quotes(std::string_view text) { return "\"" + std::string(text) + "\""; }

namespace {

// "images/case00068/abc.jpg" in its parts.
struct ImagePath {
  std::string_view number;
  std::string_view stem;
};

std::optional<ImagePath> parse_image_path(std::string_view path) {
  constexpr std::string_view prefix = "images/case";
  constexpr std::string_view suffix = ".jpg";
  if (!path.starts_with(prefix) || !path.ends_with(suffix)) return std::nullopt;
  path.remove_prefix(prefix.size());
  path.remove_suffix(std::min(path.size(), suffix.size()));
  const std::size_t slash = path.find('/');
  if (slash == 0 || slash == std::string_view::npos) return std::nullopt;
  const ImagePath out{path.substr(0, slash), path.substr(slash + 1)};
  const bool is_number = out.number.find_first_not_of("0123456789") == std::string_view::npos;
  const bool is_stem =
      !out.stem.empty() && out.stem.find_first_of(std::string_view("/\\\0", 3)) == std::string_view::npos;
  if (!is_number || !is_stem) return std::nullopt;
  return out;
}

// Compared as integers: folders are padded with zeros, titles are not.
bool same_number(std::string_view digits, std::int64_t number) {
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size() - 1));
  return digits == decimal(number);
}

class RowLint {
 public:
  RowLint(const std::string& file, const RawRow& row) : file_(file), row_(row) {}

  LintProblems run() {
    for (const auto& [field, message] : row_.field_errors) add(lint_rules::row_field_type, field, message);
    required_fields();
    title();
    if (row_.is_view) {
      for (const RawSlot& slot : row_.slots) path(slot);
      options();
      return std::move(problems_);
    }
    image_count();
    for (const RawSlot& slot : row_.slots) check_slot(slot);
    gaps();
    options();
    key();
    longitudinal();
    return std::move(problems_);
  }

 private:
  void add(const LintRule& rule, std::string_view field, std::string message) {
    problems_.add(rule, row_place(file_, row_, field), std::move(message));
  }

  // A field of a wrong type is there, and was reported as such.
  bool is_refused(std::string_view field) const {
    return std::any_of(row_.field_errors.begin(), row_.field_errors.end(),
                       [field](const auto& error) { return error.first == field; });
  }

  void require(bool is_there, std::string_view field) {
    if (!is_there && !is_refused(field))
      add(lint_rules::s01_field_missing, field, "expected a value, found none");
  }

  void required_fields() {
    const auto has_text = [](const std::optional<std::string_view>& text) { return text && !text->empty(); };
    require(has_text(row_.title), "title");
    require(has_text(row_.history), "CLINICAL_HISTORY");
    require(row_.options.has_value(), "options");
    if (row_.is_view) return;
    require(has_text(row_.key), "correct_answer");
    require(has_text(row_.key_text), "correct_answer_text");
    require(row_.is_longitudinal.has_value(), "is_longitudinal");
    require(row_.timepoint_count.has_value(), "timepoint_count");
    require(row_.image_count.has_value(), "image_count");
  }

  void title() {
    number_ = case_number(row_.title.value_or(""));
    if (row_.title && !row_.title->empty() && !number_) {
      add(lint_rules::s10_title, "title", "expected 'Case number <int>', found " + in_quotes(*row_.title));
    }
  }

  void image_count() {
    const std::int64_t filled = std::count_if(row_.slots.begin(), row_.slots.end(),
                                              [](const RawSlot& slot) { return slot.is_filled(); });
    if (!row_.image_count) return;
    if (*row_.image_count < 1 || *row_.image_count > max_images) {
      add(lint_rules::s02_image_count, "image_count",
          "expected 1 to 49, found " + decimal(*row_.image_count));
    } else if (*row_.image_count != filled) {
      add(lint_rules::s02_image_count, "image_count",
          "expected the number of filled slots, " + decimal(filled) + ", found " +
              decimal(*row_.image_count));
    }
  }

  void check_slot(const RawSlot& slot) {
    if (!slot.is_filled()) {
      const std::string_view lacks = slot.id.empty() ? "id" : slot.path.empty() ? "path" : "modality";
      add(lint_rules::s03_slot_partial, slot_field(slot.number, lacks),
          "expected a value as the slot is used, found none");
    }
    if (!slot.id.empty() && !ids_.insert(slot.id).second) {
      add(lint_rules::s05_image_duplicate, slot_field(slot.number, "id"),
          "expected another id in each slot, found " + in_quotes(slot.id) + " again");
    }
    if (!slot.path.empty() && !paths_.insert(slot.path).second) {
      add(lint_rules::s05_image_duplicate, slot_field(slot.number, "path"),
          "expected another path in each slot, found " + in_quotes(slot.path) + " again");
    }
    if (!slot.path.empty()) path(slot);
    if (!slot.modality.empty() && !is_known_modality(slot.modality)) {
      add(lint_rules::s11_modality, slot_field(slot.number, "modality"),
          "expected one of the nine modalities, found " + in_quotes(slot.modality));
    }
  }

  void path(const RawSlot& slot) {
    const auto parts = parse_image_path(slot.path);
    const std::string field = slot_field(slot.number, "path");
    if (!parts) {
      add(lint_rules::s06_image_path, field,
          "expected images/case<number>/<id>.jpg, found " + in_quotes(slot.path));
    } else if (number_ && !same_number(parts->number, *number_)) {
      add(lint_rules::s06_image_path, field,
          "expected a folder of case " + decimal(*number_) + ", found " + in_quotes(slot.path));
    } else if (!slot.id.empty() && parts->stem != slot.id) {
      add(lint_rules::s06_image_path, field,
          "expected a file called " + in_quotes(std::string(slot.id) + ".jpg") + ", found " +
              in_quotes(slot.path));
    }
  }

  void gaps() {
    int expected = 1;
    for (const RawSlot& slot : row_.slots) {
      if (!slot.is_filled()) continue;
      if (slot.number != expected) {
        add(lint_rules::s04_slot_gap, slot_field(slot.number, "id"),
            "expected slot " + decimal(expected) + " to be filled next, found slot " + decimal(slot.number));
        return;
      }
      ++expected;
    }
  }

  void options() {
    if (!row_.options) return;
    std::string letters;
    std::set<std::string_view> texts;
    for (const auto& [letter, text] : *row_.options) {
      const std::string field = "options/" + std::string(letter);
      append_joined(letters, letter);
      if (text.empty()) {
        add(lint_rules::s07_options, field, "expected a text, found none");
      } else if (!texts.insert(text).second) {
        add(lint_rules::s09_options_equal, field,
            "expected five different texts, found " + in_quotes(text) + " again");
      }
    }
    std::vector<std::string_view> sorted;
    for (const auto& option : *row_.options) sorted.push_back(option.first);
    std::sort(sorted.begin(), sorted.end());
    if (sorted != std::vector<std::string_view>{"A", "B", "C", "D", "E"}) {
      add(lint_rules::s07_options, "options",
          "expected A, B, C, D, E, found " + (letters.empty() ? "none" : letters));
    }
  }

  void key() {
    if (!row_.key || row_.key->empty()) return;
    if (row_.key->size() != 1 || DiagnosisCase::letters.find((*row_.key)[0]) == std::string_view::npos) {
      return add(lint_rules::s08_key, "correct_answer", "expected A to E, found " + in_quotes(*row_.key));
    }
    if (!row_.options || !row_.key_text) return;
    const auto option = std::find_if(row_.options->begin(), row_.options->end(),
                                     [this](const auto& entry) { return entry.first == *row_.key; });
    if (option != row_.options->end() && option->second == *row_.key_text) return;
    add(lint_rules::s08_key, "correct_answer_text",
        "expected the text of option " + std::string(*row_.key) + ", found " + in_quotes(*row_.key_text));
  }

  void longitudinal() {
    if (!row_.is_longitudinal) return;
    if (*row_.is_longitudinal && row_.timepoint_count && *row_.timepoint_count < 2) {
      add(lint_rules::s12_longitudinal, "timepoint_count",
          "expected at least 2 as is_longitudinal is true, found " + decimal(*row_.timepoint_count));
    }
    if (!*row_.is_longitudinal && row_.interval && !row_.interval->empty()) {
      add(lint_rules::s12_longitudinal, "interval_text",
          "expected no text as is_longitudinal is false, found " + in_quotes(*row_.interval));
    }
  }

  const std::string& file_;
  const RawRow& row_;
  std::optional<std::int64_t> number_;
  std::set<std::string_view> ids_;
  std::set<std::string_view> paths_;
  LintProblems problems_;
};

}  // namespace

std::string row_word(const std::string& file) { return file.ends_with(".jsonl") ? "line " : "row "; }

LintPlace line_place(const std::string& file, std::uint64_t line, std::string_view field) {
  return {file, row_word(file) + decimal(line) + (field.empty() ? "" : ", /" + std::string(field))};
}

LintPlace row_place(const std::string& file, const RawRow& row, std::string_view field) {
  return line_place(file, row.line, field);
}

std::string slot_field(int number, std::string_view field) {
  return (number < 10 ? "image_0" : "image_") + decimal(number) + "_" + std::string(field);
}

LintProblems lint_row(const std::string& file, const RawRow& row) { return RowLint(file, row).run(); }

std::vector<const RawSlot*> sound_slots(const RawRow& row) {
  std::vector<const RawSlot*> out;
  for (const RawSlot& slot : row.slots) {
    if (row.uses(slot) && parse_image_path(slot.path)) out.push_back(&slot);
  }
  return out;
}

}  // namespace fiducial::medthinkvqa
