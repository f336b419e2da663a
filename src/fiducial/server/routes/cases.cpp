#include "fiducial/base/executor.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/server/case_json.h"
#include "fiducial/server/found_case.h"
#include "fiducial/server/routes.h"
#include "fiducial/server/run_rows.h"
#include "fiducial/tasks/all_tasks.h"
#include "fiducial/wire/runs_container.h"

namespace fiducial {

Result<http::Reply> get_case(ApiCall& call);
Result<http::Reply> get_notes(ApiCall& call);
Result<http::Reply> get_masks(ApiCall& call);
Result<http::Reply> list_organs(ApiCall& call);

namespace {

Json neighbour(const FoundCase& found, std::int64_t step) {
  const auto number = static_cast<std::int64_t>(found.place->number) + step;
  if (number < 0 || number >= static_cast<std::int64_t>(found.opened->cases.size())) return {};
  return found.opened->cases[static_cast<std::size_t>(number)].entry().id;
}

Json volume_json(const Library& library, const FoundCase& found) {
  const std::string name = found.place->source->volume_name(found.place->at);
  if (name.empty()) return {};
  const bool available = library.find_volume(*found.dataset, *found.place).has_value();
  return Json::object(
      {{"available", available},
       {"reason", available ? Json()
                            : Json("no CT \"" + name + "\" below the folders that are served; " +
                                   "fiducial serve takes --volumes FOLDER")},
       {"base", case_address(*found.dataset, *found.place) + "/volume"}});
}

// Where masks of findings are, beside what the dataset says of them.
void add_places(Library& library, const FoundCase& found, Json& members) {
  if (!found.place->source->has_reference_masks() || members.find("findings") == nullptr) return;
  const auto set = library.masks(*found.dataset, *found.place, "reference");
  Json findings{Json::Array{}};
  for (Json finding : *members.find("findings")->as_array()) {
    const ServedMask* mask =
        set.ok() ? (*set)->find(static_cast<std::uint32_t>(integer_at(finding, "index"))) : nullptr;
    const auto place = mask == nullptr ? std::nullopt : place_of(mask->labels);
    finding.set("place", place ? Json::array({place->voxel[0], place->voxel[1], place->voxel[2]}) : Json());
    finding.set("largest_slice", place ? Json(place->largest_slice) : Json());
    if (place) finding.set("voxels", place->voxels);
    findings.push(std::move(finding));
  }
  members.set("findings", std::move(findings));
}

// A run that scored the case's split, and what its rows say of the case. The rows themselves are let go of:
// there may be hundreds of runs.
struct CaseRun {
  const ServedRun* run = nullptr;
  std::shared_ptr<const ServedRun::Content> head;
  Json rows{Json::Array{}};
  Json letter;
  Json rule;
  CaseValue value;
};

// A column of the case's rows, as far as any has it.
Json fact_of(const ServedRun::Content& content, const std::string& case_name, const char* name) {
  const auto found = content.rows_of_case.find(case_name);
  const Column* column = content.rows ? content.rows->find(name) : nullptr;
  if (column == nullptr || found == content.rows_of_case.end() || found->second.empty()) return {};
  return cell_json(*column, found->second.front());
}

void read_rows(CaseRun& one, const std::string& case_name) {
  const auto content = one.run->open();
  if (!content.ok()) return;
  one.rows = case_scores(**content, case_name);
  one.letter = fact_of(**content, case_name, "answer");
  one.rule = fact_of(**content, case_name, "answer_rule");
  one.value = case_value(**content, case_name, headline_metric(**content));
}

std::vector<CaseRun> runs_about(const Library& library, const FoundCase& found) {
  const CaseEntry& entry = found.place->entry();
  std::vector<CaseRun> out;
  for (const ServedRun* run : library.runs_of(*found.dataset)) {
    const auto head = run->head();
    if (head.ok() && text_at((*head)->plan, "split") == entry.split)
      out.push_back({.run = run, .head = *head});
  }
  static_cast<void>(
      Executor(0).for_each(static_cast<std::int64_t>(out.size()), [&](std::int64_t at) -> Outcome {
        read_rows(out[static_cast<std::size_t>(at)], entry.name);
        return done();
      }));
  return out;
}

Json set_json(const std::string& id, const std::string& label, const std::optional<Error>& problem) {
  return Json::object({{"id", id},
                       {"label", label},
                       {"available", !problem.has_value()},
                       {"reason", problem ? Json(problem->message()) : Json()},
                       {"names", {}}});
}

Json sets_json(const Library& library, const FoundCase& found, const std::vector<CaseRun>& runs) {
  Json out{Json::Array{}};
  const CaseSource& source = *found.place->source;
  const auto problem_of = [](const Outcome& check) {
    return check.ok() ? std::nullopt : std::optional(check.error());
  };
  if (source.has_reference_masks()) {
    out.push(set_json("reference", "Reference", problem_of(source.check_reference(found.place->at))));
    for (const CaseRun& one : runs) {
      const RunMaterial material = library.material_of(one.head->plan);
      const Outcome check = source.check_predicted(found.place->at, material);
      Json set = set_json("run:" + one.run->id(), text_at(one.head->summary, "system"), problem_of(check));
      if (check.ok() && unit_of_plan(one.head->plan) != "finding")
        set.set("names", source.own_names(found.place->at, material));
      out.push(std::move(set));
    }
  }
  if (!source.volume_name(found.place->at).empty())
    out.push(set_json("organs", "Organs", problem_of(library.check_organs(*found.dataset, *found.place))));
  return out;
}

// The runs, with what their rows say of the case as a whole.
CaseAsked asked_of(const Library& library, const FoundCase& found, const std::vector<CaseRun>& runs) {
  CaseAsked out{.address = case_address(*found.dataset, *found.place), .runs = {}};
  for (const CaseRun& one : runs) {
    out.runs.push_back({.id = one.run->id(),
                        .system = text_at(one.head->summary, "system"),
                        .material = library.material_of(one.head->plan),
                        .letter = one.letter,
                        .rule = one.rule,
                        .value = one.value.value,
                        .status = one.value.status});
  }
  return out;
}

Json scores_json(const std::vector<CaseRun>& runs) {
  Json out{Json::Array{}};
  for (const CaseRun& one : runs) {
    out.push(Json::object({{"run", one.run->id()},
                           {"system", text_at(one.head->summary, "system")},
                           {"task", text_at(one.head->summary, "task")},
                           {"unit", unit_of_plan(one.head->plan)},
                           {"rows", one.rows}}));
  }
  return out;
}

}  // namespace

Result<http::Reply> get_case(ApiCall& call) {
  FIDUCIAL_TRY(const auto looked_up, found_case(call));
  if (const auto* refusal = std::get_if<http::Reply>(&looked_up)) return *refusal;
  const auto& found = std::get<FoundCase>(looked_up);
  Json out = case_row_json(*found.dataset, *found.place);
  out.set("dataset", found.dataset->id());
  out.set("previous", neighbour(found, -1)).set("next", neighbour(found, 1));
  out.set("volume", volume_json(call.library, found));
  const std::vector<CaseRun> runs = runs_about(call.library, found);
  FIDUCIAL_TRY(Json members,
               found.place->source->members(found.place->at, asked_of(call.library, found, runs)));
  add_places(call.library, found, members);
  for (const char* list : {"findings", "regions", "questions"}) out.set(list, Json::Array{});
  out.set("report", {}).set("question", {});
  out.set("sets", sets_json(call.library, found, runs));
  for (const auto& [key, value] : *members.as_object()) out.set(key, value);
  return http::Reply::json(out.set("scores", scores_json(runs)));
}

Result<http::Reply> get_notes(ApiCall& call) {
  FIDUCIAL_TRY(const auto looked_up, found_case(call));
  if (const auto* refusal = std::get_if<http::Reply>(&looked_up)) return *refusal;
  return http::Reply::json(call.library.notes().about(std::get<FoundCase>(looked_up).place->entry().name));
}

Result<http::Reply> get_masks(ApiCall& call) {
  FIDUCIAL_TRY(const auto looked_up, found_case(call));
  if (const auto* refusal = std::get_if<http::Reply>(&looked_up)) return *refusal;
  const auto& found = std::get<FoundCase>(looked_up);
  FIDUCIAL_TRY(const auto set,
               call.library.masks(*found.dataset, *found.place, call.query.text("set", "reference")));
  std::vector<wire::NumberedMask> masks;
  for (const ServedMask& mask : set->masks) masks.push_back({mask.id, &mask.labels});
  FIDUCIAL_TRY(const Bytes container, wire::encode_runs(set->extent, masks, set->has_entities));
  return bytes_reply("application/vnd.fiducial.runs", container);
}

Result<http::Reply> list_organs(ApiCall& call) {
  FIDUCIAL_TRY(const auto looked_up, found_case(call));
  if (const auto* refusal = std::get_if<http::Reply>(&looked_up)) return *refusal;
  const auto& found = std::get<FoundCase>(looked_up);
  FIDUCIAL_TRY(const auto set, call.library.masks(*found.dataset, *found.place, "organs"));
  Json items{Json::Array{}};
  for (const ServedMask& mask : set->masks) {
    items.push(
        Json::object({{"id", std::uint64_t{mask.id}}, {"name", mask.name}, {"voxels", mask.labels.count()}}));
  }
  const auto total = static_cast<std::int64_t>(set->masks.size());
  return http::Reply::json(Json::object({{"items", std::move(items)}, {"next", {}}, {"total", total}}));
}

}  // namespace fiducial
