#include "fiducial/base/number_text.h"
#include "fiducial/curate/cases/image_labels.h"
#include "fiducial/curate/engine/item_fields.h"

namespace fiducial {

namespace {

std::optional<bool> judgement(const std::string& text) {
  const std::string word = lower_norm(text);
  for (const char* yes : {"supportive", "yes", "true", "1"}) {
    if (word == yes) return true;
  }
  for (const char* no : {"not supportive", "not_supportive", "no", "false", "0"}) {
    if (word == no) return false;
  }
  return std::nullopt;
}

struct AuditCounts {
  std::int64_t cases = 0;
  std::int64_t images = 0;
  std::int64_t supportive = 0;
  std::int64_t all_supportive = 0;
  std::int64_t inconsistent = 0;

  Json json() const {
    return Json::object({{"cases", cases},
                         {"images", images},
                         {"supportive", supportive},
                         {"cases_all_supportive", all_supportive},
                         {"cases_inconsistent", inconsistent}});
  }
};

Result<ItemStatus> audit_item(Item& item, ImageTable& table, AuditCounts& counts) {
  const std::string title = item.id();
  if (!table.used.contains(title)) return ItemStatus{.code = "not_audited"};
  Json labels = Json::Object{};
  std::int64_t supportive = 0;
  bool is_inconsistent = false;
  const auto slots = image_slots(item.value);
  for (const auto& [slot, id] : slots) {
    const auto row = table.rows.find({title, id});
    if (row == table.rows.end()) return rejected("image_not_audited", "no label for image " + id);
    const auto said = judgement(row->second["supportive"]);
    if (!said) {
      return rejected("label_unknown", id + ": expected supportive or not supportive, found \"" +
                                           row->second["supportive"] + "\"");
    }
    labels.set(slot, *said);
    supportive += *said ? 1 : 0;
    is_inconsistent = is_inconsistent || judgement(row->second["inconsistent"]).value_or(false);
  }
  const auto images = static_cast<std::int64_t>(slots.size());
  ++counts.cases;
  counts.images += images;
  counts.supportive += supportive;
  counts.all_supportive += supportive == images ? 1 : 0;
  counts.inconsistent += is_inconsistent ? 1 : 0;
  item.value.set("image_support",
                 Json::object({{"supportive", std::move(labels)}, {"inconsistent", is_inconsistent}}));
  return ItemStatus{.status = "changed", .code = is_inconsistent ? "inconsistent" : ""};
}

Outcome run_audit(StageCall& call) {
  FIDUCIAL_TRY(ImageTable table, read_image_table(call, "LABELS", {"supportive", "inconsistent"}));
  AuditCounts counts;
  FIDUCIAL_TRY_DONE(
      change_items(call, "CASES", [&table, &counts](Item& item) { return audit_item(item, table, counts); }));
  call.summary() = counts.json();
  return done();
}

}  // namespace

Stage audit_stage() {
  return {
      .name = "audit",
      .summary = "Import experts' labels of whether each image supports the diagnosis",
      .example = "fiducial curate audit cases.jsonl expert.csv -o audited.jsonl",
      .inputs =
          {{.name = "CASES", .help = "Cases of the released schema (JSON, JSONL)", .required = true},
           {.name = "LABELS",
            .help =
                "Table with title, image_id, supportive and optionally inconsistent (.csv, .json, .jsonl)",
            .required = true}},
      .run = run_audit};
}

}  // namespace fiducial
