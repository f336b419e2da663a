#include "fiducial/curate/cases/case_schemas.h"

#include <algorithm>
#include <array>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/sha256.h"
#include "fiducial/curate/cases/leakage_reply.h"
#include "fiducial/curate/cases/option_cropping.h"
#include "fiducial/curate/engine/item_fields.h"
#include "fiducial/datasets/medthinkvqa/raw_row.h"

namespace fiducial {

namespace {

using medthinkvqa::max_images;

std::string slot_name(std::size_t number) {
  return std::string("image_") + (number < 10 ? "0" : "") + decimal(number) + "_";
}

std::string five_digits(std::int64_t number) {
  const std::string text = decimal(number);
  return std::string(text.size() < 5 ? 5 - text.size() : 0, '0') + text;
}

// Fields of the two schemas that mean the same, and those that one of them does without.
constexpr std::array<const char*, 9> replaced_fields = {"DISCUSSION",
                                                        "img",
                                                        "gpt_options",
                                                        "options",
                                                        "n_options",
                                                        "correct_answer",
                                                        "correct_answer_letter",
                                                        "correct_answer_text",
                                                        "title"};

bool is_replaced(std::string_view name) {
  return std::any_of(replaced_fields.begin(), replaced_fields.end(),
                     [name](const char* each) { return name == each; });
}

// An id of eight URL-safe characters for a picture that has none.
std::string picture_id(const Json& image, const std::string& title, std::size_t number) {
  std::string given = first_text(image, {"img_id", "id"});
  if (!given.empty()) return given;
  return sha256(as_bytes(title + " " + decimal(number))).hex().substr(0, 8);
}

Json text_or(const Json& item, const char* name, const Json& otherwise) {
  const Json* found = item.find(name);
  return found == nullptr || found->is_null() ? otherwise : *found;
}

void add_slots(Json& row, const Json& item, std::int64_t number, const std::string& title) {
  const Json* images = item.find("img");
  std::int64_t count = 0;
  if (images != nullptr && images->as_array() != nullptr) {
    for (std::size_t i = 0; i < images->as_array()->size(); ++i) {
      const Json& image = (*images->as_array())[i];
      const std::string id = picture_id(image, title, i + 1);
      const std::string path = "images/case" + five_digits(number) + "/" + id + ".jpg";
      const std::string given = first_text(image, {"img_path", "path"});
      const std::string slot = slot_name(i + 1);
      row.set(slot + "id", id).set(slot + "path", given.empty() ? path : given);
      row.set(slot + "caption", first_text(image, {"img_alt2", "img_alt"}));
      row.set(slot + "modality", first_text(image, {"modality"}));
      row.set(slot + "sub_modality", first_text(image, {"sub_modality"}));
      ++count;
    }
  }
  row.set("image_count", count);
}

struct Key {
  std::string letter;
  std::string text;
};

Result<Key> key_of(const Json& item, const std::vector<LetteredOption>& options) {
  std::string said = first_text(item, {"correct_answer_letter"});
  if (said.empty()) said = first_text(item, {"gt_letter"});
  if (said.empty()) said = first_text(item, {"correct_answer"});
  auto letter = key_letter(said, options);
  for (const LetteredOption& option : options) {
    const std::string text = first_text(item, {"correct_answer_text", "correct_answer", "final_diagnosis"});
    if (!letter && !text.empty() && folded_norm(option.text) == folded_norm(text)) letter = option.letter;
  }
  for (const LetteredOption& option : options) {
    if (letter == option.letter) return Key{*letter, option.text};
  }
  return invalid_data("expected a key among the options, found \"" + said + "\"");
}

}  // namespace

bool is_working_case(const Json& item) {
  for (const char* name : {"img", "DISCUSSION", "gpt_options", "case_title"}) {
    if (item.find(name) != nullptr) return true;
  }
  return false;
}

Result<Json> released_from_working(const Json& item, std::int64_t index) {
  std::vector<LetteredOption> options;
  for (const char* name : {"options", "gpt_options"}) {
    if (options.empty() && item.find(name) != nullptr) options = judged_options(*item.find(name));
  }
  if (options.size() != 5) return invalid_data("expected five options, found " + decimal(options.size()));
  FIDUCIAL_TRY(const Key key, key_of(item, options));
  const std::string title = first_text(item, {"title"});
  auto number = medthinkvqa::case_number(title);
  const auto source_row = parse_integer(first_text(item, {"source_row_index"}));
  if (!number) number = source_row.value_or(index) + 1;
  Json texts = Json::Object{};
  for (const LetteredOption& option : options) texts.set(option.letter, option.text);
  Json row = Json::object({{"title", "Case number " + decimal(*number)},
                           {"CLINICAL_HISTORY", first_text(item, {"CLINICAL_HISTORY"})},
                           {"IMAGING_FINDINGS", first_text(item, {"IMAGING_FINDINGS"})},
                           {"discussion", first_text(item, {"DISCUSSION", "discussion"})},
                           {"options", std::move(texts)},
                           {"correct_answer", key.letter},
                           {"correct_answer_text", key.text}});
  for (const char* name : {"ICD Chapter", "ICD Block", "ICD Category"})
    row.set(name, text_or(item, name, ""));
  row.set("is_longitudinal", text_or(item, "is_longitudinal", false));
  row.set("timepoint_count", text_or(item, "timepoint_count", 0));
  row.set("interval_text", text_or(item, "interval_text", ""));
  add_slots(row, item, *number, title);
  if (row.find("title")->as_string()[0] != title) row.set("source_title", title);
  for (const auto& [name, value] : *item.as_object()) {
    if (!is_replaced(name) && row.find(name) == nullptr) row.set(name, value);
  }
  return row;
}

Json working_from_released(const Json& row) {
  Json out = Json::object({{"title", text_or(row, "title", "")},
                           {"CLINICAL_HISTORY", text_or(row, "CLINICAL_HISTORY", "")},
                           {"IMAGING_FINDINGS", text_or(row, "IMAGING_FINDINGS", "")},
                           {"DISCUSSION", text_or(row, "discussion", "")},
                           {"options", text_or(row, "options", Json::Object{})}});
  Json list = Json::Array{};
  if (const Json::Object* options = out.find("options")->as_object()) {
    for (const auto& [letter, text] : *options) list.push(text);
  }
  out.set("DIF_DIAGNOSIS_LIST", list);
  out.set("n_options", static_cast<std::int64_t>(list.as_array()->size()));
  const Json letter = text_or(row, "correct_answer", "");
  out.set("correct_answer", letter).set("correct_answer_letter", letter);
  out.set("correct_answer_text", text_or(row, "correct_answer_text", ""));
  Json images = Json::Array{};
  for (std::size_t i = 1; i <= static_cast<std::size_t>(max_images); ++i) {
    const std::string slot = slot_name(i);
    const std::string id = first_text(row, {(slot + "id").c_str()});
    if (id.empty()) continue;
    images.push(Json::object({{"img_id", id},
                              {"img_path", text_or(row, (slot + "path").c_str(), "")},
                              {"img_alt", text_or(row, (slot + "caption").c_str(), "")},
                              {"img_alt2", text_or(row, (slot + "caption").c_str(), "")},
                              {"modality", text_or(row, (slot + "modality").c_str(), "")},
                              {"sub_modality", text_or(row, (slot + "sub_modality").c_str(), "")}}));
  }
  out.set("img", std::move(images));
  for (const auto& [name, value] : *row.as_object()) {
    const bool is_slot = medthinkvqa::find_slot_field(name).has_value();
    if (!is_slot && name != "discussion" && name != "image_count" && out.find(name) == nullptr)
      out.set(name, value);
  }
  return out;
}

Json working_from_table(const CsvTable& table, std::size_t row) {
  Json cells = Json::Object{};
  for (std::size_t i = 0; i < table.columns().size(); ++i) cells.set(table.columns()[i], table.cell(row, i));
  Json list = Json::Array{};
  for (const std::string& each : split_candidates(first_text(cells, {"differential_diagnosis"})))
    list.push(each);
  Json out = Json::object({{"title", first_text(cells, {"case_title"})},
                           {"source_link", first_text(cells, {"link"})},
                           {"source_row_index", static_cast<std::int64_t>(row)},
                           {"case_date", first_text(cells, {"case_date"})},
                           {"CLINICAL_HISTORY", first_text(cells, {"clinical_history"})},
                           {"IMAGING_FINDINGS", first_text(cells, {"imaging_findings"})},
                           {"DISCUSSION", first_text(cells, {"discussion"})},
                           {"final_diagnosis", first_text(cells, {"final_diagnosis"})},
                           {"DIF_DIAGNOSIS_LIST", std::move(list)}});
  Json options = Json::Object{};
  for (const char letter : std::string_view("ABCDE")) {
    const std::string text = first_text(cells, {("Option" + std::string(1, letter)).c_str()});
    if (!text.empty()) options.set(std::string(1, letter), text);
  }
  const std::string key = first_text(cells, {"correct Answer"});
  out.set("options", options).set("n_options", static_cast<std::int64_t>(options.as_object()->size()));
  const Json* text = options.find(key);
  out.set("correct_answer", key).set("correct_answer_text", text == nullptr ? Json("") : *text);
  Json images = Json::Array{};
  for (int i = 1; i <= max_images; ++i) {
    const std::string caption = first_text(cells, {("image" + decimal(i) + "_caption").c_str()});
    if (!caption.empty()) images.push(Json::object({{"img_alt", caption}, {"img_alt2", caption}}));
  }
  return out.set("img", std::move(images));
}

std::vector<std::string> case_table_columns() {
  std::vector<std::string> out{"case_title",
                               "link",
                               "case_date",
                               "clinical_history",
                               "imaging_findings",
                               "final_diagnosis",
                               "differential_diagnosis"};
  for (int i = 1; i <= max_images; ++i) out.push_back("image" + decimal(i) + "_caption");
  for (const char letter : std::string_view("ABCDE")) out.push_back("Option" + std::string(1, letter));
  out.emplace_back("correct Answer");
  return out;
}

std::vector<std::string> case_table_cells(const Json& working) {
  std::string differential;
  const Json* list = working.find("DIF_DIAGNOSIS_LIST");
  if (list != nullptr && list->as_string() != nullptr) differential = *list->as_string();
  if (list != nullptr && list->as_array() != nullptr) {
    for (const Json& each : *list->as_array()) {
      append_joined(differential, scalar_text(&each).value_or(""), ";;");
    }
  }
  std::string diagnosis = first_text(working, {"final_diagnosis", "correct_answer_text"});
  std::vector<std::string> out{first_text(working, {"title"}),
                               first_text(working, {"source_link"}),
                               first_text(working, {"case_date"}),
                               first_text(working, {"CLINICAL_HISTORY"}),
                               first_text(working, {"IMAGING_FINDINGS"}),
                               std::move(diagnosis),
                               std::move(differential)};
  const Json* images = working.find("img");
  for (std::size_t i = 0; i < static_cast<std::size_t>(max_images); ++i) {
    const bool is_there =
        images != nullptr && images->as_array() != nullptr && i < images->as_array()->size();
    out.push_back(is_there ? first_text((*images->as_array())[i], {"img_alt2", "img_alt"}) : "");
  }
  const Json* options = working.find("options");
  for (const char letter : std::string_view("ABCDE")) {
    out.push_back(options == nullptr ? "" : first_text(*options, {std::string(1, letter).c_str()}));
  }
  out.push_back(first_text(working, {"correct_answer"}));
  return out;
}

}  // namespace fiducial
