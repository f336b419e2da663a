#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "fiducial/base/interruption.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/random.h"
#include "fiducial/base/system_error.h"
#include "fiducial/curate/engine/stage_call.h"
#include "fiducial/curate/reports/changed_findings.h"
#include "fiducial/curate/reports/control_words.h"
#include "fiducial/curate/reports/report_denials.h"
#include "fiducial/curate/reports/report_stage.h"
#include "fiducial/datasets/controls/control_prompts.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/masks/mask_file.h"
#include "fiducial/image/label_encoder.h"

namespace fiducial {

namespace {

// How many prompts of a kind a case gets at most.
struct ControlCounts {
  std::int64_t paraphrases = 0;  // of a finding
  std::int64_t denied = 0;       // of a case
  std::int64_t others = 0;
  std::int64_t silent = 0;
};

// A finding of the split, as prompts for other patients are taken from it.
struct OfferedFinding {
  std::string case_name;
  std::string patient;
  std::int64_t index = 0;
  std::string text;
  std::string name;  // what it is, where it is one thing
  std::vector<std::string> paths;
};

// What is known of a case beside its findings.
struct CaseReport {
  std::string id;  // "" where there is none
  ReportStatements said;
};

// The report of a study, "train_12_a", is that of its reconstructions, "train_12_a_1.nii.gz".
std::string study_of_volume(const std::string& name) {
  const std::string stem = name.substr(0, name.find('.'));
  const std::size_t last = stem.rfind('_');
  return last == std::string::npos ? stem : stem.substr(0, last);
}

std::string stem_of_volume(std::string_view name) { return std::string(name.substr(0, name.find('.'))); }

Result<std::map<std::string, CaseReport>> read_reports(StageCall& call,
                                                       const std::vector<GroundedCase>& cases) {
  std::map<std::string, CaseReport> out;
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
    const CaseReport report{std::string(row->id), reader.read(*row)};
    for (const std::string& each : found->second) out.emplace(each, report);
  }
  FIDUCIAL_TRY(const Digest digest, rows.finish());
  call.record_input("reports", path, digest);
  return out;
}

// The one thing that a text states, with all its places; nothing where it states several.
std::optional<GroundedFinding> only_finding(const std::string& text, ReportGrounder& grounder) {
  std::optional<GroundedFinding> out;
  for (GroundedFinding& each : grounder.findings(text)) {
    if (!each.present) return std::nullopt;
    if (out && out->name != each.name) return std::nullopt;
    if (!out) {
      out = std::move(each);
    } else {
      out->paths.insert(out->paths.end(), each.paths.begin(), each.paths.end());
    }
  }
  return out;
}

std::vector<OfferedFinding> offered_findings(const std::vector<GroundedCase>& cases) {
  ReportGrounder grounder;
  std::vector<OfferedFinding> out;
  for (const GroundedCase& entry : cases) {
    for (const Finding& finding : entry.findings) {
      if (ControlWords::names_any(ControlWords::known().points, finding.text)) continue;
      auto only = only_finding(finding.text, grounder);
      if (!only || !ControlWords::known().asked.contains(only->name)) continue;
      out.push_back({entry.name, entry.patient, finding.index, finding.text, only->name, only->paths});
    }
  }
  return out;
}

// Makes the prompts of cases, by rule and seed.
class ControlMaker {
 public:
  ControlMaker(const ControlCounts& counts, std::uint64_t seed, std::vector<OfferedFinding> offered)
      : counts_(counts), seed_(seed), offered_(std::move(offered)) {}

  // The prompts of a case in the order they are asked in; `visible` are its findings that have voxels.
  std::vector<ControlPrompt> prompts_of(const GroundedCase& entry, const std::vector<const Finding*>& visible,
                                        const CaseReport* report) {
    Random random(seed_, "controls of " + entry.name);
    prompts_.clear();
    texts_.clear();
    for (const Finding* finding : visible) {
      add({.kind = ControlKind::finding,
           .text = finding->text,
           .category = finding->category,
           .origin = Json::object({{"finding", finding->index}})});
    }
    const std::size_t findings = prompts_.size();
    const std::vector<SpokenFinding> spoken = spoken_of(entry, report);
    for (std::size_t i = 0; i < findings; ++i) {
      add_paraphrases(i, random);
      add_swaps(i, spoken);
    }
    if (report != nullptr) {
      add_denied(report->said, spoken, random);
      add_others(entry, *report, spoken, random);
    }
    return shuffled(random);
  }

 private:
  // Whether the prompt is a new one: no two prompts of a case have the same words.
  bool add(ControlPrompt prompt) {
    if (!texts_.insert(prompt.text).second) return false;
    prompts_.push_back(std::move(prompt));
    return true;
  }

  // All that the case's report and findings state or leave open.
  std::vector<SpokenFinding> spoken_of(const GroundedCase& entry, const CaseReport* report) {
    std::vector<SpokenFinding> out;
    if (report != nullptr) out = report->said.spoken;
    for (const Finding& finding : entry.findings) {
      for (SpokenFinding& each : reader_.spoken(finding.text)) out.push_back(std::move(each));
    }
    return out;
  }

  static bool speaks_of(const std::vector<SpokenFinding>& spoken, const std::string& family) {
    return std::any_of(spoken.begin(), spoken.end(),
                       [&family](const SpokenFinding& each) { return each.family == family; });
  }

  void add_paraphrases(std::size_t finding, Random& random) {
    std::vector<ChangedFinding> all = changer_.paraphrases(prompts_[finding].text);
    for (std::int64_t left = counts_.paraphrases; left > 0 && !all.empty();) {
      const std::size_t at = random.below(all.size());
      if (add({.kind = ControlKind::paraphrase,
               .text = all[at].text,
               .finding = static_cast<std::int64_t>(finding),
               .category = prompts_[finding].category,
               .origin = Json::object({{"rule", all[at].rule}})}))
        --left;
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }

  // A swap whose words hold too of the case is no control.
  void add_swaps(std::size_t finding, const std::vector<SpokenFinding>& spoken) {
    for (ChangedFinding& each : changer_.swapped(prompts_[finding].text)) {
      if (may_hold_too(each.text, spoken)) continue;
      add({.kind = each.rule == "side" ? ControlKind::swapped_side : ControlKind::swapped_lobe,
           .text = std::move(each.text),
           .finding = static_cast<std::int64_t>(finding),
           .category = prompts_[finding].category,
           .origin = Json::object({{"rule", each.rule}})});
    }
  }

  bool may_hold_too(const std::string& text, const std::vector<SpokenFinding>& spoken) {
    const std::vector<SpokenFinding> said = reader_.spoken(text);
    return std::any_of(said.begin(), said.end(), [&spoken](const SpokenFinding& each) {
      return std::any_of(spoken.begin(), spoken.end(),
                         [&each](const SpokenFinding& other) { return each.may_be(other); });
    });
  }

  void add_denied(const ReportStatements& said, const std::vector<SpokenFinding>& spoken, Random& random) {
    std::vector<const ReportDenial*> all;
    for (const ReportDenial& denial : said.denials) {
      if (!speaks_of(spoken, ControlWords::known().family_of(denial.finding))) all.push_back(&denial);
    }
    for (std::int64_t left = counts_.denied; left > 0 && !all.empty();) {
      const std::size_t at = random.below(all.size());
      if (add({.kind = ControlKind::denied,
               .text = all[at]->prompt,
               .category = {},
               .origin = Json::object({{"name", all[at]->finding}, {"denied_by", all[at]->source}})}))
        --left;
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }

  // Findings of other patients: those that this report denies where they lie, and, apart, those of which it
  // says nothing.
  void add_others(const GroundedCase& entry, const CaseReport& report,
                  const std::vector<SpokenFinding>& spoken, Random& random) {
    std::vector<const OfferedFinding*> all;
    for (const OfferedFinding& each : offered_) {
      if (each.patient != entry.patient && !speaks_of(spoken, ControlWords::known().family_of(each.name)))
        all.push_back(&each);
    }
    std::int64_t others = counts_.others;
    std::int64_t silent = counts_.silent;
    while (others + silent > 0 && !all.empty()) {
      const std::size_t at = random.below(all.size());
      const OfferedFinding& each = *all[at];
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(at));
      const ReportDenial* denial = denial_of(each, report.said);
      const bool is_unread = denial == nullptr && !denies(report.said, each.name);
      if (denial == nullptr && !is_unread) continue;  // denied elsewhere
      if ((is_unread ? silent : others) == 0) continue;
      Json origin = Json::object({{"name", each.name}, {"case", each.case_name}, {"finding", each.index}});
      if (denial != nullptr) origin.set("denied_by", denial->source);
      const bool is_new = add({.kind = is_unread ? ControlKind::silent : ControlKind::other_patient,
                               .text = each.text,
                               .category = {},
                               .origin = std::move(origin)});
      if (is_new) --(is_unread ? silent : others);
    }
  }

  static bool denies(const ReportStatements& said, const std::string& name) {
    return std::any_of(said.denials.begin(), said.denials.end(),
                       [&name](const ReportDenial& each) { return each.finding == name; });
  }

  static const ReportDenial* denial_of(const OfferedFinding& finding, const ReportStatements& said) {
    for (const ReportDenial& denial : said.denials) {
      if (denial.finding == finding.name && denial.covers(finding.paths)) return &denial;
    }
    return nullptr;
  }

  // No prompt's place tells what it is for.
  std::vector<ControlPrompt> shuffled(Random& random) {
    std::vector<std::size_t> order(prompts_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    std::vector<std::int64_t> place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<std::int64_t>(i);
    std::vector<ControlPrompt> out;
    for (const std::size_t from : order) {
      out.push_back(std::move(prompts_[from]));
      if (is_changed_finding(out.back().kind))
        out.back().finding = place[static_cast<std::size_t>(out.back().finding)];
    }
    return out;
  }

  ControlCounts counts_;
  std::uint64_t seed_;
  std::vector<OfferedFinding> offered_;
  FindingChanger changer_;
  DenialReader reader_;
  std::vector<ControlPrompt> prompts_;
  std::set<std::string> texts_;
};

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
  Result<ItemStatus> add(const GroundedCase& entry, const CaseReport* report, ControlMaker& maker,
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
    const std::vector<ControlPrompt> prompts = maker.prompts_of(entry, visible, report);
    if (prompts.empty()) return rejected("no_prompt", "there is no finding with a mask, and nothing denied");
    const Path folder = call_.output().staging() / "segmentations";
    FIDUCIAL_TRY_DONE(make_folders(folder));
    FIDUCIAL_TRY_DONE(write_key_masks(folder / entry.name, mask, prompts));
    entries_.push(dataset_entry(entry, mask.shape.extent, prompts));
    for (const ControlPrompt& prompt : prompts) ++kinds_[std::string(to_string(prompt.kind))];
    FIDUCIAL_TRY_DONE(key.write(to_json(entry.name, prompts).compact() + "\n"));
    ItemStatus status;
    if (report == nullptr) {
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
