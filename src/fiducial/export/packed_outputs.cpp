#include "fiducial/export/packed_outputs.h"

#include <algorithm>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "fiducial/anatomy/anatomy.h"
#include "fiducial/anatomy/mask_places.h"
#include "fiducial/base/interruption.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/sha256.h"
#include "fiducial/base/version.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/radgenome/tables.h"
#include "fiducial/datasets/rexgroundingct/dataset.h"
#include "fiducial/datasets/volume_file.h"
#include "fiducial/export/placed_output.h"
#include "fiducial/export/prompt_names.h"
#include "fiducial/export/sat_place.h"
#include "fiducial/export/segmenter_layout.h"
#include "fiducial/image/label_encoder.h"

namespace fiducial {

namespace {

namespace fs = std::filesystem;

constexpr const char* facts_folder = ".packed";
constexpr int packed_gzip_level = 1;

// What a dataset asks about a case.
struct PackCase {
  std::string stem;
  std::vector<std::string> prompts;  // of findings; structures are named by the anatomy
  std::optional<Path> volume;
};

struct PackPlan {
  const SegmenterLayout* layout = nullptr;
  bool findings = false;  // else structures
  std::vector<PackCase> cases;
  std::vector<CaseOutputs> outputs;  // beside the cases
  NameTable names;
};

Result<std::vector<PackCase>> finding_cases(const PackRequest& request) {
  FIDUCIAL_TRY(const OpenedGroundedDataset opened, open_grounded_dataset(request.dataset));
  FIDUCIAL_TRY(const std::string split, choose_split(*opened.dataset, request.split));
  std::vector<PackCase> out;
  for (const GroundedCase& entry : *opened.dataset->find_split(split)) {
    PackCase one{volume_stem(entry.name), {}, std::nullopt};
    one.prompts.reserve(entry.findings.size());
    for (const Finding& finding : entry.findings) one.prompts.push_back(finding.text);
    if (request.volumes) one.volume = opened.dataset->find_volume(*request.volumes, entry);
    if (!one.prompts.empty()) out.push_back(std::move(one));
  }
  return out;
}

Result<std::vector<PackCase>> structure_cases(const PackRequest& request,
                                              const radgenome::TableFolder& folder) {
  FIDUCIAL_TRY(const std::string split, folder.choose_split(request.split));
  std::set<std::string> stems;
  for (const radgenome::TableFile& file : folder.files()) {
    if (file.split != split) continue;
    FIDUCIAL_TRY(radgenome::TableRows rows,
                 radgenome::TableRows::open(folder.path_of(file), radgenome::layout_of(file.kind)));
    while (true) {
      FIDUCIAL_TRY(const std::optional<radgenome::TableRow> row, rows.next());
      if (!row) break;
      stems.insert(volume_stem(row->volume));
    }
  }
  std::vector<PackCase> out;
  out.reserve(stems.size());
  for (const std::string& stem : stems) {
    out.push_back({stem, {}, std::nullopt});
    if (request.volumes) {
      out.back().volume = rexgroundingct::find_volume(*request.volumes, stem + ".nii.gz");
    }
  }
  return out;
}

Outcome check_cases(const PackRequest& request, const PackPlan& plan) {
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < plan.cases.size(); ++i) {
    if (plan.outputs[i].masks.empty()) missing.push_back(plan.cases[i].stem);
    if (plan.outputs[i].masks.empty() || !request.volumes || plan.cases[i].volume) continue;
    return Error(ErrorCode::invalid_data, "no CT of " + plan.cases[i].stem + " below this folder",
                 Place{.path = request.volumes->string()});
  }
  if (missing.size() == plan.cases.size()) {
    return Error(ErrorCode::invalid_data,
                 "no outputs of any of " + decimal(plan.cases.size()) + " cases; expected " +
                     std::string(plan.layout->title),
                 Place{.path = request.outputs.string()});
  }
  if (!missing.empty() && !request.allow_missing) {
    return Error(ErrorCode::invalid_data,
                 decimal(missing.size()) + " of " + decimal(plan.cases.size()) +
                     " cases have no outputs, such as " + missing.front() +
                     "; --allow-missing leaves them out",
                 Place{.path = request.outputs.string()});
  }
  return done();
}

Result<PackPlan> make_pack_plan(const PackRequest& request) {
  PackPlan plan;
  FIDUCIAL_TRY(plan.layout, find_segmenter_layout(request.from));
  if (plan.layout->loses_place && !request.volumes) {
    return bad_usage(
        std::string(plan.layout->id) +
        " stores its masks without their place; --volumes has the CTs that it is worked out from");
  }
  FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(request.dataset));
  plan.findings = adapter->open_grounded != nullptr;
  if (plan.findings) {
    FIDUCIAL_TRY(plan.cases, finding_cases(request));
  } else if (adapter->open_tables != nullptr) {
    FIDUCIAL_TRY(const radgenome::TableFolder folder, adapter->open_tables(request.dataset));
    FIDUCIAL_TRY(plan.cases, structure_cases(request, folder));
  } else {
    return bad_usage("masks are packed for findings of ReXGroundingCT and structures of RadGenome-Chest CT");
  }
  if (request.names) {
    FIDUCIAL_TRY(const std::string text, read_text_file(*request.names));
    FIDUCIAL_TRY(plan.names, parse_name_table(text).in_file(request.names->string()));
  }
  std::vector<std::string> stems;
  stems.reserve(plan.cases.size());
  for (const PackCase& one : plan.cases) stems.push_back(one.stem);
  FIDUCIAL_TRY(plan.outputs, find_segmenter_outputs(request.outputs, *plan.layout, stems));
  FIDUCIAL_TRY_DONE(check_cases(request, plan));
  return plan;
}

Result<OutputPlace> place_of_case(const PackPlan& plan, const PackCase& one) {
  OutputPlace out;
  if (!one.volume) return out;
  out.ct_path = *one.volume;
  if (!plan.layout->loses_place) {
    FIDUCIAL_TRY(const NiftiHeader header, read_volume_header(*one.volume).in_file(one.volume->string()));
    out.ct = header.grid();
    return out;
  }
  FIDUCIAL_TRY(NiftiStream stream, open_volume(*one.volume));
  FIDUCIAL_TRY(const NiftiImage ct, read_nifti(std::move(stream)).in_file(one.volume->string()));
  FIDUCIAL_TRY(out.record, sat_transform(ct, 1).in_file(one.volume->string()));
  out.ct = ct.header().grid();
  return out;
}

// What is known of a case once it is packed.
struct CaseFacts {
  std::int64_t masks = 0;
  std::int64_t empty = 0;
  std::int64_t missing = 0;
  std::int64_t left_out = 0;
  bool resumed = false;
  Json json;
};

// The masks of a case read so far, of which all must lie on one grid where no CT says which.
class CaseMaskReader {
 public:
  CaseMaskReader(const OutputPlace& place, std::optional<double> threshold)
      : place_(place), threshold_(threshold) {}

  Result<Mask> read(const NamedOutput& output, const std::string& prompt, const std::string& rule,
                    CaseFacts& facts) {
    FIDUCIAL_TRY(PlacedOutput placed, read_placed_output(output, place_, threshold_));
    if (!extent_) extent_ = placed.mask.extent();
    if (placed.mask.extent() != *extent_) {
      return Error(ErrorCode::invalid_data,
                   placed.mask.extent().text() + " voxels; other masks of the case have " + extent_->text(),
                   Place{.path = output.file.string()});
    }
    ++facts.masks;
    facts.empty += placed.mask.empty() ? 1 : 0;
    list_.push(Json::object({{"name", output.name},
                             {"prompt", prompt},
                             {"rule", rule},
                             {"place", placed.how},
                             {"voxels", placed.mask.count()}}));
    return std::move(placed.mask);
  }

  // Of the masks, else of the CT.
  std::optional<Extent> extent() const {
    return extent_ || !place_.ct ? extent_ : std::optional(place_.ct->extent);
  }
  Json list() const { return list_; }

 private:
  const OutputPlace& place_;
  std::optional<double> threshold_;
  std::optional<Extent> extent_;
  Json list_ = Json::Array{};
};

LabelMap packed_channel(const Mask& mask, const Affine& affine) {
  std::vector<LabelRun> runs;
  runs.reserve(mask.runs().size());
  for (const MaskRun& run : mask.runs()) runs.push_back({run.row, run.begin, run.end, 1});
  return {{mask.extent(), affine}, std::move(runs)};
}

// A case to be packed, and where it goes.
struct CaseWork {
  const PackRequest& request;
  const PackPlan& plan;
  std::size_t index = 0;
  const Path& folder;
};

// One file of channels, in the order of the findings.
Outcome pack_findings(const CaseWork& work, CaseMaskReader& reader, CaseFacts& facts) {
  const PackCase& one = work.plan.cases[work.index];
  std::vector<NamedOutput> outputs = work.plan.outputs[work.index].masks;
  const std::size_t unknown = std::erase_if(outputs, [&](const NamedOutput& output) {
    return output.label && !fits_a_prompt(one.stem, output.name, one.prompts, work.plan.names);
  });
  facts.left_out += static_cast<std::int64_t>(unknown);
  std::vector<std::string> names;
  names.reserve(outputs.size());
  for (const NamedOutput& output : outputs) names.push_back(output.name);
  FIDUCIAL_TRY(const std::vector<PromptMatch> matches,
               match_prompts(one.stem, names, one.prompts, work.plan.names).in_file(one.stem));
  std::vector<std::optional<Mask>> masks(one.prompts.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::string& prompt = one.prompts[matches[i].prompts.front()];
    FIDUCIAL_TRY(const Mask mask, reader.read(outputs[i], prompt, matches[i].rule, facts));
    for (const std::size_t at : matches[i].prompts) masks[at] = mask;
  }
  const std::optional<Extent> extent = reader.extent();
  if (!extent) {
    return Error(ErrorCode::invalid_data, "none of its outputs is a mask of a finding",
                 Place{.path = one.stem});
  }
  std::vector<LabelMap> channels;
  channels.reserve(masks.size());
  for (std::size_t i = 0; i < masks.size(); ++i) {
    if (!masks[i] && !work.request.allow_missing) {
      return Error(ErrorCode::invalid_data,
                   "no mask of finding " + decimal(i) + " \"" + one.prompts[i].substr(0, 80) +
                       "\"; --allow-missing takes it as empty",
                   Place{.path = one.stem});
    }
    facts.missing += masks[i] ? 0 : 1;
    channels.push_back(packed_channel(masks[i] ? *masks[i] : Mask(Grid{*extent, {}}), Affine::identity()));
  }
  FIDUCIAL_TRY(const NiftiImage image, encode_labels(channels, ChannelAxis::first));
  return write_nifti(work.folder / (one.stem + ".nii.gz"), image, packed_gzip_level);
}

// One file a structure, on the CT's grid.
Outcome pack_structures(const CaseWork& work, CaseMaskReader& reader, CaseFacts& facts) {
  const std::string& stem = work.plan.cases[work.index].stem;
  const Path target = work.folder / "masks" / ("seg_" + stem);
  std::error_code failed;
  fs::create_directories(target, failed);
  if (failed) return Error(ErrorCode::io, failed.message(), Place{.path = target.string()});
  std::map<std::string, std::string> made;
  for (const NamedOutput& output : work.plan.outputs[work.index].masks) {
    const auto said = work.plan.names.find({stem, output.name});
    const std::string name = said != work.plan.names.end() ? said->second : output.name;
    const Structure* const structure = Anatomy::chest_ct().find(name);
    if (structure == nullptr) {
      ++facts.left_out;
      continue;
    }
    const auto [other, added] = made.try_emplace(structure->name, output.name);
    if (!added) {
      return Error(ErrorCode::invalid_data,
                   "\"" + other->second + "\" and \"" + output.name + "\" are both " + structure->name,
                   Place{.path = stem});
    }
    const char* const rule = said != work.plan.names.end() ? "table"
                             : name == structure->name     ? "equal"
                                                           : "alias";
    FIDUCIAL_TRY(const Mask mask, reader.read(output, structure->name, rule, facts));
    const LabelMap labels = packed_channel(mask, mask.grid().affine);
    FIDUCIAL_TRY(const NiftiImage image, encode_labels({&labels, 1}, ChannelAxis::none));
    FIDUCIAL_TRY_DONE(write_nifti(target / (structure->name + ".nii.gz"), image, packed_gzip_level));
  }
  return done();
}

// What a case is made of: while it stays the same, a case that was packed is not packed again.
Result<std::string> key_of_case(const PackRequest& request, const PackPlan& plan, std::size_t index) {
  std::string text = request.from + "\n" + (request.threshold ? shortest(*request.threshold) : "") + "\n" +
                     (request.allow_missing ? "1" : "0") + "\n" + std::string(tool_version) + "\n";
  std::set<Path> files;
  for (const NamedOutput& output : plan.outputs[index].masks) files.insert(output.file);
  if (plan.cases[index].volume) files.insert(*plan.cases[index].volume);
  for (const Path& file : files) {
    std::error_code failed;
    const auto time = fs::last_write_time(file, failed).time_since_epoch().count();
    const std::uint64_t bytes = is_file(file) ? fs::file_size(file, failed) : 0;
    text += file.string() + "\n" + decimal(static_cast<std::int64_t>(time)) + "\n" + decimal(bytes) + "\n";
  }
  for (const std::string& prompt : plan.cases[index].prompts) text += prompt + "\n";
  for (const auto& [place, prompt] : plan.names)
    text += place.first + "\n" + place.second + "\n" + prompt + "\n";
  return sha256(as_bytes(text)).hex();
}

Json facts_json(const std::string& key, const CaseFacts& facts) {
  return Json::object({{"key", key},
                       {"masks", facts.masks},
                       {"empty", facts.empty},
                       {"missing", facts.missing},
                       {"left_out", facts.left_out},
                       {"case", facts.json}});
}

// The facts of a case that an earlier command packed from the same files.
std::optional<CaseFacts> kept_facts(const Path& file, const std::string& key) {
  if (!is_file(file)) return std::nullopt;
  const Result<std::string> text = read_text_file(file);
  if (!text.ok()) return std::nullopt;
  const Result<Json> json = parse_json(*text);
  if (!json.ok() || text_at(*json, "key") != key || json->find("case") == nullptr) return std::nullopt;
  return CaseFacts{.masks = integer_at(*json, "masks"),
                   .empty = integer_at(*json, "empty"),
                   .missing = integer_at(*json, "missing"),
                   .left_out = integer_at(*json, "left_out"),
                   .resumed = true,
                   .json = *json->find("case")};
}

Result<CaseFacts> pack_case(const PackRequest& request, const PackPlan& plan, std::size_t index,
                            const Path& folder) {
  const PackCase& one = plan.cases[index];
  const Path kept = folder / facts_folder / (one.stem + ".json");
  FIDUCIAL_TRY(const std::string key, key_of_case(request, plan, index));
  if (auto facts = kept_facts(kept, key)) return *std::move(facts);
  FIDUCIAL_TRY(const OutputPlace place, place_of_case(plan, one));
  CaseFacts facts;
  CaseMaskReader reader(place, request.threshold);
  const CaseWork work{request, plan, index, folder};
  FIDUCIAL_TRY_DONE(plan.findings ? pack_findings(work, reader, facts)
                                  : pack_structures(work, reader, facts));
  facts.json = Json::object({{"case", one.stem}, {"masks", reader.list()}});
  if (place.record) facts.json.set("record", place.record->json());
  FIDUCIAL_TRY_DONE(write_file(kept, facts_json(key, facts).compact()));
  return facts;
}

Outcome go_on_packing() {
  if (call_given_up()) return given_up();
  if (stop_requested()) {
    return Error(ErrorCode::interrupted, "stopped by a signal; the same command goes on with the next case");
  }
  return done();
}

Result<Path> unfinished_folder(const PackRequest& request) {
  if (is_there(request.output)) {
    return Error(ErrorCode::bad_usage, "output exists; name another place",
                 Place{.path = request.output.string()});
  }
  Path folder = output_target(request.output).string() + ".unfinished";
  std::error_code failed;
  fs::create_directories(folder / facts_folder, failed);
  if (failed) return Error(ErrorCode::io, failed.message(), Place{.path = folder.string()});
  return folder;
}

PackedOutputs summed(const PackRequest& request, const std::vector<std::optional<CaseFacts>>& cases) {
  PackedOutputs out;
  Json list = Json::Array{};
  for (const std::optional<CaseFacts>& facts : cases) {
    if (!facts) continue;
    ++out.cases;
    out.resumed += facts->resumed ? 1 : 0;
    out.masks += facts->masks;
    out.empty += facts->empty;
    out.missing += facts->missing;
    out.left_out += facts->left_out;
    list.push(facts->json);
  }
  out.manifest = Json::object({{"schema", "fiducial.packed/1"},
                               {"tool", Json::object({{"name", "fiducial"}, {"version", tool_version}})},
                               {"from", request.from},
                               {"threshold", request.threshold ? Json(*request.threshold) : Json()},
                               {"cases", out.cases},
                               {"masks", out.masks},
                               {"empty", out.empty},
                               {"missing", out.missing},
                               {"left_out", out.left_out},
                               {"packed", list}});
  return out;
}

Outcome publish_packed(const PackRequest& request, const Path& folder, const PackedOutputs& packed) {
  std::error_code failed;
  fs::remove_all(folder / facts_folder, failed);
  if (!failed) fs::rename(folder, output_target(request.output), failed);
  if (failed) return Error(ErrorCode::io, failed.message(), Place{.path = request.output.string()});
  return write_file(output_target(request.output).string() + ".json", packed.manifest.pretty());
}

}  // namespace

Result<PackedOutputs> pack_outputs(const PackRequest& request, const Executor& executor, Progress& progress) {
  FIDUCIAL_TRY(const PackPlan plan, make_pack_plan(request));
  FIDUCIAL_TRY(const Path folder, unfinished_folder(request));
  std::vector<std::optional<CaseFacts>> facts(plan.cases.size());
  progress.begin("packing", static_cast<std::int64_t>(plan.cases.size()));
  const auto pack_one = [&](std::int64_t at) -> Outcome {
    const auto index = static_cast<std::size_t>(at);
    FIDUCIAL_TRY_DONE(go_on_packing());
    if (!plan.outputs[index].masks.empty()) {
      FIDUCIAL_TRY(facts[index], pack_case(request, plan, index, folder));
    }
    progress.advance(1);
    return done();
  };
  FIDUCIAL_TRY_DONE(executor.for_each(static_cast<std::int64_t>(plan.cases.size()), pack_one));
  progress.end();
  PackedOutputs out = summed(request, facts);
  FIDUCIAL_TRY_DONE(publish_packed(request, folder, out));
  return out;
}

}  // namespace fiducial
