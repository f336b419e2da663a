#include "fiducial/base/json_fields.h"
#include "fiducial/curate/cases/probe_votes.h"
#include "fiducial/curate/engine/stage_call.h"
#include "fiducial/datasets/model_run.h"

namespace fiducial {

namespace {

// The predictions of a model's run, where a probe is the folder of one. A run that showed images is no probe.
Result<Path> records_of_probe(const Path& probe) {
  FIDUCIAL_TRY(const Json run, manifest_of_run(probe));
  if (run.is_null()) return probe;
  if (number_at(run, "images_shown_a_case").value_or(0) > 0)
    return Error(ErrorCode::invalid_data,
                 "this run showed images; those of --workflow text-only and options-only are probes",
                 Place{.path = probe.string()});
  return probe / "predictions.jsonl";
}

Result<ProbeFile> read_probe(StageCall& call, const Path& probe) {
  ProbeFile out{.name = probe.filename().string()};
  FIDUCIAL_TRY(const Path path, records_of_probe(probe));
  FIDUCIAL_TRY(ItemReader reader, call.open_items("probe", path, {.breaks_at_separators = !call.strict()}));
  while (true) {
    FIDUCIAL_TRY(const std::optional<Item> item, reader.next());
    if (!item) break;
    if (item->value.as_object() == nullptr) continue;
    out.add(item->value, call.strict());
  }
  FIDUCIAL_TRY_DONE(call.close_items("probe", path, reader));
  return out;
}

Json removed_json(const Json& item, const ItemKeys& keys, const ProbeVotes& votes) {
  const auto field = [&item](const char* name) {
    return item.find(name) != nullptr ? *item.find(name) : Json();
  };
  return Json::object({{"key", keys.front()},
                       {"title", field("title")},
                       {"source_row_index", field("source_row_index")},
                       {"source_link", field("source_link")},
                       {"matched_probes", votes.names},
                       {"matched_results", votes.results}});
}

Json probes_json(const std::vector<ProbeFile>& probes) {
  Json out = Json::Array{};
  for (const ProbeFile& probe : probes) {
    out.push(Json::object({{"file", probe.name},
                           {"items", static_cast<std::int64_t>(probe.items.size())},
                           {"unmatched", probe.unmatched},
                           {"unknown", probe.unknown},
                           {"conflicts", probe.conflicts},
                           {"ambiguous_keys", probe.ambiguous_keys}}));
  }
  return out;
}

// Filters one file of items.
class TextFilter {
 public:
  TextFilter(StageCall& call, std::vector<ProbeFile> probes)
      : call_(call), probes_(std::move(probes)), all_(call.text("remove-when") == "all") {}

  Outcome run() {
    const Path path = call_.text("CASES");
    FIDUCIAL_TRY(ItemReader reader,
                 call_.open_items("CASES", path, {.breaks_at_separators = !call_.strict()}));
    ContainerForm form = reader.form();
    form.ends_a_line = call_.strict();
    // The published script writes back a list, whatever it read from lines.
    if (!call_.strict() && form.kind == ContainerForm::Kind::lines) form = {.ends_a_line = false};
    FIDUCIAL_TRY(OutputFile * file, call_.output().add_main(form.extension()));
    ItemWriter writer(*file, form);
    while (true) {
      FIDUCIAL_TRY(const std::optional<Item> item, reader.next());
      if (!item) break;
      FIDUCIAL_TRY_DONE(filter(*item, writer));
    }
    FIDUCIAL_TRY_DONE(writer.finish());
    FIDUCIAL_TRY_DONE(call_.close_items("CASES", path, reader));
    return write_report();
  }

 private:
  Outcome filter(const Item& item, ItemWriter& writer) {
    if (item.value.as_object() == nullptr) {
      return call_.record(item.index, item.id(), {.status = "removed", .code = "not_an_object"});
    }
    ++total_;
    const ItemKeys keys = item_keys(item.value);
    const ProbeVotes votes =
        keys.empty() ? ProbeVotes{} : votes_on(item.value, keys, probes_, call_.strict());
    // All of the probes must have been right, so a probe without a result keeps the case in strict mode.
    const bool lacks_votes =
        call_.strict() && all_ && votes.known < static_cast<std::int64_t>(probes_.size());
    const bool solved = votes.is_solved(all_) && !lacks_votes;
    ItemStatus status{.facts = Json::object({{"probes", votes.known}, {"right", votes.right}})};
    if (keys.empty()) status.code = "no_key";
    if (!keys.empty() && votes.known == 0) status.code = "no_probe";
    if (lacks_votes && votes.known > 0) status.code = "probe_missing";
    if (votes.conflicts > 0) status.code = "key_conflict";
    if (solved) {
      status.status = "removed";
      status.code = "text_solvable";
      removed_.push(removed_json(item.value, keys, votes));
    }
    FIDUCIAL_TRY_DONE(call_.record(item.index, item.id(), status));
    return solved ? done() : writer.write(item);
  }

  // The members of the published report, and what strict mode knows of the probes besides.
  Outcome write_report() {
    const auto removed = static_cast<std::int64_t>(removed_.as_array()->size());
    std::vector<std::string> names;
    for (const ProbeFile& probe : probes_) names.push_back(probe.name);
    Json report = Json::object({{"input_json", Path(call_.text("CASES")).filename().string()}});
    if (!call_.strict()) report.set("output_json", call_.request().output.filename().string());
    report.set("probe_eval", Json::strings(names)).set("remove_if", all_ ? "all" : "any");
    report.set("input_count", total_).set("kept_count", total_ - removed).set("removed_count", removed);
    report.set("removed", std::move(removed_));
    if (call_.strict()) report.set("probes", probes_json(probes_));
    call_.summary() = Json::object({{"remove_if", all_ ? "all" : "any"},
                                    {"input_count", total_},
                                    {"kept_count", total_ - removed},
                                    {"removed_count", removed},
                                    {"probes", probes_json(probes_)}});
    FIDUCIAL_TRY(OutputFile * file, call_.output().add("report.json"));
    std::string text = report.pretty();
    if (!call_.strict()) text.pop_back();
    return file->write(text);
  }

  StageCall& call_;
  std::vector<ProbeFile> probes_;
  bool all_;
  std::int64_t total_ = 0;
  Json removed_ = Json::Array{};
};

Outcome run_text_filter(StageCall& call) {
  if (call.strict() && !call.has("remove-when")) {
    return bad_usage("curate text-filter: --remove-when any|all must be said in strict mode");
  }
  std::vector<ProbeFile> probes;
  for (const std::string& path : call.texts("probe")) {
    FIDUCIAL_TRY(ProbeFile probe, read_probe(call, path));
    probes.push_back(std::move(probe));
  }
  return TextFilter(call, std::move(probes)).run();
}

}  // namespace

Stage text_filter_stage() {
  return {
      .name = "text-filter",
      .summary = "Remove cases that models solve without the images",
      .example =
          "fiducial curate text-filter cases.jsonl --probe a.json --probe b.json --remove-when all -o "
          "kept.jsonl",
      .inputs = {{.name = "CASES", .help = "Cases: JSON list, {\"data\": [...]} or JSONL", .required = true}},
      .options = {{.name = "probe",
                   .help = "Records of a model that saw no image; may be repeated",
                   .kind = StageOption::Kind::texts,
                   .required = true,
                   .is_path = true},
                  {.name = "remove-when",
                   .help = "Remove where any or all of the probes were right (official default: any)",
                   .choices = {"any", "all"}}},
      .tells_output = true,
      .run = run_text_filter};
}

}  // namespace fiducial
