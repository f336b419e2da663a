#include "fiducial/datasets/medthinkvqa/published_row.h"

#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/datasets/medthinkvqa/lint_row.h"

namespace fiducial::medthinkvqa {

namespace {

constexpr std::size_t named_differences = 5;

using Values = std::map<std::string, std::string>;

void add_text(Values& values, std::string name, const std::optional<std::string_view>& text) {
  if (text && !text->empty()) values.emplace(std::move(name), *text);
}

void add_integer(Values& values, std::string name, const std::optional<std::int64_t>& integer) {
  if (integer) values.emplace(std::move(name), decimal(*integer));
}

Values values_of(const RawRow& row) {
  Values out;
  add_text(out, "title", row.title);
  add_text(out, "CLINICAL_HISTORY", row.history);
  add_text(out, "IMAGING_FINDINGS", row.findings);
  add_text(out, "discussion", row.discussion);
  add_text(out, "ICD Chapter", row.icd_chapter);
  add_text(out, "ICD Block", row.icd_block);
  add_text(out, "ICD Category", row.icd_category);
  add_text(out, "interval_text", row.interval);
  add_integer(out, "timepoint_count", row.timepoint_count);
  add_integer(out, "image_count", row.image_count);
  if (row.is_longitudinal) out.emplace("is_longitudinal", *row.is_longitudinal ? "true" : "false");
  for (const auto& [letter, text] : row.options.value_or(RawRow::Options{})) {
    out.emplace("options/" + std::string(letter), text);
  }
  for (const RawSlot& slot : row.slots) {
    add_text(out, slot_field(slot.number, "id"), slot.id);
    add_text(out, slot_field(slot.number, "path"), slot.path);
    add_text(out, slot_field(slot.number, "caption"), slot.caption);
    add_text(out, slot_field(slot.number, "modality"), slot.modality);
    add_text(out, slot_field(slot.number, "sub_modality"), slot.sub_modality);
  }
  // What has a wrong type differs from every value that has not.
  for (const auto& [field, message] : row.field_errors) out[field] = "\xFF" + message;
  out.erase("correct_answer");
  out.erase("correct_answer_text");
  return out;
}

// A text with its length before it, so that no two lists of texts give the same bytes.
void update(Sha256& hash, std::string_view text) {
  hash.update(as_bytes(decimal(text.size()) + ":"));
  hash.update(as_bytes(text));
}

}  // namespace

bool PublishedRow::is_bare() const { return fields.size() == 1 && fields[0].name == "title"; }

PublishedRow published_row(const RawRow& row) {
  PublishedRow out{.line = row.line};
  Sha256 hash;
  for (const auto& [name, value] : values_of(row)) {
    out.fields.push_back({name, sha256(as_bytes(value))});
    update(hash, name);
    update(hash, value);
  }
  out.digest = hash.digest();
  out.images = std::count_if(row.slots.begin(), row.slots.end(),
                             [&row](const RawSlot& slot) { return row.uses(slot); });
  return out;
}

std::string field_differences(const PublishedRow& published, const PublishedRow& submitted) {
  std::vector<std::string> found;
  auto theirs = submitted.fields.begin();
  for (const PublishedRow::Field& ours : published.fields) {
    while (theirs != submitted.fields.end() && theirs->name < ours.name)
      found.push_back((theirs++)->name + " added");
    if (theirs == submitted.fields.end() || theirs->name != ours.name) {
      found.push_back(ours.name + " missing");
    } else {
      if (theirs->digest != ours.digest) found.push_back(ours.name + " changed");
      ++theirs;
    }
  }
  for (; theirs != submitted.fields.end(); ++theirs) found.push_back(theirs->name + " added");
  std::string out;
  for (std::size_t i = 0; i < std::min(found.size(), named_differences); ++i) {
    out += (i == 0 ? "" : ", ") + found[i];
  }
  if (found.size() > named_differences) out += " and " + decimal(found.size() - named_differences) + " more";
  return out;
}

}  // namespace fiducial::medthinkvqa
