#include "fiducial/curate/cases/image_labels.h"

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/curate/engine/item_fields.h"
#include "fiducial/datasets/medthinkvqa/raw_row.h"
#include "fiducial/table/csv.h"

namespace fiducial {

namespace {

Result<std::vector<Item>> rows_of(StageCall& call, const std::string& role) {
  const Path path = call.text(role);
  if (path.extension() != ".csv") return call.read_items(role, path);
  FIDUCIAL_TRY(const std::string text, call.read_input(role, path));
  FIDUCIAL_TRY(const CsvTable table, parse_csv(text).in_file(path.string()));
  std::vector<Item> out;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    Item item{.index = static_cast<std::int64_t>(row), .value = Json::Object{}, .line = table.line(row)};
    for (std::size_t i = 0; i < table.columns().size(); ++i)
      item.value.set(table.columns()[i], table.cell(row, i));
    out.push_back(std::move(item));
  }
  return out;
}

// The labels of a case by the numbers of its images, as `fiducial run --workflow label-images` writes them.
Outcome add_labels_of_run(const std::string& title, const Json::Array& labels,
                          const std::vector<std::string>& columns, const Place& place, ImageTable& out) {
  out.used[title] = false;
  for (const Json& label : labels) {
    ImageFacts facts;
    for (const std::string& column : columns) facts[column] = first_text(label, {column.c_str()});
    const std::string image = numbered_image(integer_at(label, "image"));
    if (!out.rows.emplace(std::pair(title, image), std::move(facts)).second)
      return Error(ErrorCode::invalid_data, "expected an image once, found a second label of " + image,
                   place);
  }
  return done();
}

}  // namespace

std::string numbered_image(std::int64_t number) { return "image " + decimal(number) + " of its case"; }

Result<ImageTable> read_image_table(StageCall& call, const std::string& role,
                                    const std::vector<std::string>& columns) {
  FIDUCIAL_TRY(const std::vector<Item> rows, rows_of(call, role));
  ImageTable out;
  for (const Item& row : rows) {
    Place place{.path = call.text(role)};
    if (row.line > 0) place.line = row.line;
    const std::string title = first_text(row.value, {"title", "case"});
    const std::string image = first_text(row.value, {"image_id", "image"});
    const Json::Array* labels = find_array(row.value, "image_labels");
    if (labels != nullptr && !title.empty()) {
      FIDUCIAL_TRY_DONE(add_labels_of_run(title, *labels, columns, place, out));
      continue;
    }
    if (title.empty() || image.empty()) {
      return Error(ErrorCode::invalid_data, "expected a title and an image_id", place);
    }
    ImageFacts facts;
    for (const std::string& column : columns) facts[column] = first_text(row.value, {column.c_str()});
    out.used[title] = false;
    if (!out.rows.emplace(std::pair(title, image), std::move(facts)).second) {
      return Error(ErrorCode::invalid_data, "expected an image once, found a second row for " + image, place);
    }
  }
  return out;
}

std::vector<std::pair<std::string, std::string>> image_slots(const Json& row) {
  std::vector<std::pair<std::string, std::string>> out;
  for (int i = 1; i <= medthinkvqa::max_images; ++i) {
    const std::string slot = std::string("image_") + (i < 10 ? "0" : "") + decimal(i);
    const std::string id = first_text(row, {(slot + "_id").c_str()});
    if (!id.empty()) out.emplace_back(slot, id);
  }
  return out;
}

}  // namespace fiducial
