#include "fiducial/curate/cases/case_schemas.h"
#include "fiducial/curate/engine/output_files.h"
#include "fiducial/curate/engine/stage_call.h"
#include "fiducial/datasets/medthinkvqa/json_row.h"
#include "fiducial/datasets/medthinkvqa/opaque_id.h"
#include "fiducial/datasets/medthinkvqa/release_writer.h"

namespace fiducial {

namespace {

// Cases of a table come as a list.
Result<std::vector<Item>> table_items(StageCall& call, const Path& path) {
  FIDUCIAL_TRY(const std::string text, call.read_input("CASES", path));
  FIDUCIAL_TRY(const CsvTable table, parse_csv(text).in_file(path.string()));
  FIDUCIAL_TRY_DONE(table.column("case_title").in_file(path.string()));
  std::vector<Item> out;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    out.push_back({.index = static_cast<std::int64_t>(row), .value = working_from_table(table, row)});
  }
  return out;
}

struct Target {
  std::string schema;
  bool has_opaque_ids = false;
};

Result<Json> view_of(const Json& released, bool has_opaque_id) {
  FIDUCIAL_TRY(DiagnosisCase found, medthinkvqa::checked_case(medthinkvqa::row_of(released)));
  if (has_opaque_id) found = medthinkvqa::with_opaque_id(std::move(found));
  return medthinkvqa::view_row(found);
}

Result<Json> converted(const Item& item, const Target& target) {
  if (item.value.as_object() == nullptr) return invalid_data("expected an object");
  const bool is_working = is_working_case(item.value);
  if (target.schema == "view") {
    FIDUCIAL_TRY(const Json released,
                 is_working ? released_from_working(item.value, item.index) : Result<Json>(item.value));
    return view_of(released, target.has_opaque_ids);
  }
  if (target.schema == "released") {
    if (!is_working) return item.value;
    return released_from_working(item.value, item.index);
  }
  return is_working ? item.value : working_from_released(item.value);
}

Result<ItemStatus> convert_item(Item& item, const Target& target) {
  Result<Json> value = converted(item, target);
  if (!value.ok()) return rejected("no_question", value.error().message());
  item.value = *std::move(value);
  return ItemStatus{};
}

Target target_of(const StageCall& call) {
  return {.schema = call.text("to"), .has_opaque_ids = call.flag("opaque-ids")};
}

Outcome convert_list(StageCall& call, const std::vector<Item>& items, const ContainerForm& form) {
  Target target = target_of(call);
  const bool to_table = target.schema == "table";
  if (to_table) target.schema = "working";
  FIDUCIAL_TRY(OutputFile * file, call.output().add_main(to_table ? ".csv" : form.extension()));
  ItemWriter writer(*file, form);
  if (to_table) FIDUCIAL_TRY_DONE(file->write("\xEF\xBB\xBF" + with_crlf(csv_row(case_table_columns()))));
  for (Item item : items) {
    const std::string id = item.id();
    FIDUCIAL_TRY(const ItemStatus status, convert_item(item, target));
    FIDUCIAL_TRY_DONE(call.record(item.index, id, status));
    if (status.is_failure()) continue;
    FIDUCIAL_TRY_DONE(to_table ? file->write(with_crlf(csv_row(case_table_cells(item.value))))
                               : writer.write(item));
  }
  return to_table ? done() : writer.finish();
}

Outcome run_schema(StageCall& call) {
  if (call.flag("opaque-ids") && call.text("to") != "view")
    return bad_usage("curate schema: --opaque-ids goes with --to view");
  const Path path = call.text("CASES");
  if (path.extension() == ".csv") {
    FIDUCIAL_TRY(const std::vector<Item> items, table_items(call, path));
    return convert_list(call, items, {});
  }
  if (call.text("to") == "table") {
    FIDUCIAL_TRY(const std::vector<Item> items, call.read_items("CASES", path));
    return convert_list(call, items, {});
  }
  const Target target = target_of(call);
  return change_items(call, "CASES", [&target](Item& item) { return convert_item(item, target); });
}

}  // namespace

Stage schema_stage() {
  return {
      .name = "schema",
      .summary =
          "Convert cases between the working schemas of the published scripts and the released one, or to "
          "what a model may see",
      .example = "fiducial curate schema cases.csv --to released -o test.json",
      .inputs = {{.name = "CASES",
                  .help = "Case table (.csv), or cases of either schema (.json, .jsonl)",
                  .required = true}},
      .options = {{.name = "to",
                   .help = "The schema to write",
                   .required = true,
                   .choices = {"released", "working", "table", "view"}},
                  {.name = "opaque-ids",
                   .help = "In a view, name cases by numbers that do not show where they were published; "
                           "score knows them",
                   .kind = StageOption::Kind::flag}},
      .run = run_schema};
}

}  // namespace fiducial
