#include <algorithm>
#include <map>
#include <optional>

#include "fiducial/base/interruption.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/system_error.h"
#include "fiducial/curate/engine/stage_call.h"
#include "fiducial/curate/reports/control_maker.h"
#include "fiducial/curate/reports/report_stage.h"
#include "fiducial/datasets/controls/control_prompts.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/image/label_encoder.h"
#include "fiducial/masks/mask_file.h"

namespace fiducial {

namespace {

// The report of a study, "train_12_a", is that of its reconstructions, "train_12_a_1.nii.gz".
std::string study_of_volume(const std::string& name) {
  const std::string stem = name.substr(0, name.find('.'));
  const std::size_t last = stem.rfind('_');
  return last == std::string::npos ? stem : stem.substr(0, last);
}

std::string stem_of_volume(std::string_view name) { return std::string(name.substr(0, name.find('.'))); }

Result<std::map<std::string, ReportStatements>> read_reports(StageCall& call,
                                                             const std::vector<GroundedCase>& cases) {
  std::map<std::string, ReportStatements> out;
  if (!call.has("reports")) return out;
  std::map<std::string, std::vector<std::string>> wanted;  // cases by what a report may be named
  for (const GroundedCase& entry : cases) {
    wanted[study_of_volume(entry.name)].push_back(entry.name);
    wanted[stem_of_volume(entry.name)].push_back(entry.name);
  }
  const Path path = call.text("reports");
  FIDUCIAL_TRY(ReportRows rows, ReportRows::open(path, {.unique_names = true}));
  DenialReader reader;
  while (true) {
    FIDUCIAL_TRY(const std::optional<ReportRow> row, rows.next());
    if (!row) break;
    if (illegible(*row)) continue;
    const std::string_view name = row->volume.empty() ? row->id : row->volume;
    const auto found = wanted.find(stem_of_volume(name));
    if (found == wanted.end()) continue;
    const ReportStatements said = reader.read(*row);
    for (const std::string& each : found->second) out.emplace(each, said);
  }
  FIDUCIAL_TRY(const Digest digest, rows.finish());
  call.record_input("reports", path, digest);
  return out;
}

// What a model is shown: words and the shape, and nothing that tells what they are for.
Json dataset_entry(const GroundedCase& entry, const Extent& extent,
                   const std::vector<ControlPrompt>& prompts) {
  Json findings = Json::object({});
  for (std::size_t i = 0; i < prompts.size(); ++i) findings.set(decimal(i), prompts[i].text);
  return Json::object({{"name", entry.name},
                       {"findings", std::move(findings)},
                       {"shape", Json::array({extent.x, extent.y, extent.z})}});
}

// One channel a prompt: the finding's mask for the finding and its paraphrases, nothing for all others.
Outcome write_key_masks(const Path& path, const MaskFile& mask, const std::vector<ControlPrompt>& prompts) {
  std::vector<LabelMap> channels;
  for (const ControlPrompt& prompt : prompts) {
    const bool is_same = prompt.kind == ControlKind::finding || prompt.kind == ControlKind::paraphrase;
    const ControlPrompt& of =
        prompt.kind == ControlKind::paraphrase ? prompts[static_cast<std::size_t>(prompt.finding)] : prompt;
    const Json* index = is_same ? of.origin.find("finding") : nullptr;
    channels.push_back(index == nullptr ? LabelMap(mask.channels.front().grid())
                                        : mask.channels[static_cast<std::size_t>(*index->as_integer())]);
  }
  FIDUCIAL_TRY(const NiftiImage image, encode_labels(channels, ChannelAxis::first));
  return write_nifti(path, image);
}

// A dataset whose findings have masks, while prompts are made of it.
class ControlsRun {
 public:
  ControlsRun(StageCall& call, const GroundedDataset& dataset) : call_(call), dataset_(dataset) {}

  Outcome run(const std::vector<GroundedCase>& cases, const ControlCounts& counts) {
    FIDUCIAL_TRY(const auto reports, read_reports(call_, cases));
    ControlMaker maker(counts, *call_.request().seed, offered_findings(cases));
    FIDUCIAL_TRY(OutputFile * key, call_.output().add(controls_file));
    call_.progress().begin("cases", static_cast<std::int64_t>(cases.size()));
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (call_given_up()) return given_up();
      if (stop_requested()) return Error(ErrorCode::interrupted, "stopped by a signal; nothing was written");
      const auto report = reports.find(cases[i].name);
      FIDUCIAL_TRY(const ItemStatus status,
                   add(cases[i], report == reports.end() ? nullptr : &report->second, maker, *key));
      FIDUCIAL_TRY_DONE(call_.record(static_cast<std::int64_t>(i), cases[i].name, status));
      call_.progress().advance(1);
    }
    call_.progress().end();
    return done();
  }

  const Json& entries() const { return entries_; }
  Json counts() const { return counts_json(kinds_); }

 private:
  Result<ItemStatus> add(const GroundedCase& entry, const ReportStatements* said, ControlMaker& maker,
                         OutputFile& key) {
    if (!entry.lists_findings) return rejected("findings_withheld", "the dataset lists no findings of it");
    FIDUCIAL_TRY(StoredFile stored, dataset_.open_mask(entry));
    MaskRead read = read_mask_file(std::move(stored), std::nullopt);
    if (!read.mask.ok()) return rejected("mask_unreadable", read.mask.error().text());
    const MaskFile& mask = *read.mask;
    if (mask.channels.size() != entry.findings.size())
      return rejected("mask_channels", "the mask has " + decimal(mask.channels.size()) + " channels for " +
                                           decimal(entry.findings.size()) + " findings");
    std::vector<const Finding*> visible;
    for (const Finding& finding : entry.findings) {
      if (!mask.channels[static_cast<std::size_t>(finding.index)].empty()) visible.push_back(&finding);
    }
    const std::vector<ControlPrompt> prompts = maker.prompts_of(entry, visible, said);
    if (prompts.empty()) return rejected("no_prompt", "there is no finding with a mask, and nothing denied");
    const Path folder = call_.output().staging() / "segmentations";
    FIDUCIAL_TRY_DONE(make_folders(folder));
    FIDUCIAL_TRY_DONE(write_key_masks(folder / entry.name, mask, prompts));
    entries_.push(dataset_entry(entry, mask.shape.extent, prompts));
    for (const ControlPrompt& prompt : prompts) ++kinds_[std::string(to_string(prompt.kind))];
    FIDUCIAL_TRY_DONE(key.write(to_json(entry.name, prompts).compact() + "\n"));
    ItemStatus status;
    if (said == nullptr) {
      status.code = "no_report";
      status.detail = "no report says what is absent: only prompts that are made of findings";
    }
    return status;
  }

  StageCall& call_;
  const GroundedDataset& dataset_;
  Json entries_ = Json(Json::Array{});
  std::map<std::string, std::int64_t> kinds_;
};

Result<std::int64_t> count_of(const StageCall& call, const char* option) {
  FIDUCIAL_TRY(const std::int64_t value, call.integer(option));
  if (value < 0 || value > 100)
    return bad_usage(std::string("--") + option + ": expected 0 to 100, found " + decimal(value));
  return value;
}

Outcome run_controls(StageCall& call) {
  ControlCounts counts;
  FIDUCIAL_TRY(counts.paraphrases, count_of(call, "paraphrases"));
  FIDUCIAL_TRY(counts.denied, count_of(call, "denied"));
  FIDUCIAL_TRY(counts.others, count_of(call, "others"));
  FIDUCIAL_TRY(counts.silent, count_of(call, "silent"));
  FIDUCIAL_TRY(const OpenedGroundedDataset opened, open_grounded_dataset(call.text("DIR")));
  const GroundedDataset& dataset = *opened.dataset;
  std::optional<std::string> wanted;
  if (call.has("split")) wanted = call.text("split");
  FIDUCIAL_TRY(const std::string split, choose_split(dataset, wanted));
  call.record_input("dataset", dataset.folder() / dataset.file_name(), dataset.digest());
  ControlsRun run(call, dataset);
  FIDUCIAL_TRY_DONE(run.run(*dataset.find_split(split), counts));
  FIDUCIAL_TRY(OutputFile * list, call.output().add("dataset.json"));
  FIDUCIAL_TRY_DONE(list->write(Json::object({{split, run.entries()}}).pretty()));
  call.summary() = Json::object({{"split", split}, {"prompts", run.counts()}});
  return done();
}

}  // namespace

Stage controls_stage() {
  using Kind = StageOption::Kind;
  return {.name = "controls",
          .summary = "Make control prompts: denied and other patients' findings, swapped sides, paraphrases",
          .example = "fiducial curate controls rexgroundingct/ --reports reports.csv -o controls",
          .inputs = {{.name = "DIR",
                      .help = "Folder of a dataset whose findings have masks (ReXGroundingCT layout)",
                      .required = true}},
          .options = {{.name = "reports",
                       .help = "Table of the cases' reports; without it nothing is known to be absent",
                       .is_path = true},
                      {.name = "split", .help = "Split to make prompts for (default: test, else val)"},
                      {.name = "paraphrases",
                       .help = "Paraphrases of a finding, at most",
                       .kind = Kind::integer,
                       .fallback = "2"},
                      {.name = "denied",
                       .help = "Denied findings of a case, at most",
                       .kind = Kind::integer,
                       .fallback = "3"},
                      {.name = "others",
                       .help = "Other patients' findings that its report denies, at most",
                       .kind = Kind::integer,
                       .fallback = "2"},
                      {.name = "silent",
                       .help = "Other patients' findings that its report does not speak of, at most; scored "
                               "apart, as nobody knows",
                       .kind = Kind::integer,
                       .fallback = "0"}},
          .draws = true,
          .default_seed = 1,
          .writes_folder = true,
          .run = run_controls};
}

}  // namespace fiducial
