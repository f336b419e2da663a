#include "fiducial/server/library.h"

#include <algorithm>
#include <system_error>
#include <unistd.h>

#include "fiducial/anatomy/mask_library.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/store.h"
#include "fiducial/datasets/volume_file.h"
#include "fiducial/server/file_key.h"
#include "fiducial/server/slugs.h"

namespace fiducial {

namespace {

constexpr std::uint64_t mask_budget_bytes = std::uint64_t{512} << 20;

std::uint64_t usual_budget() {
  const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) / 8;
}

// A path as clients see it: relative to what was given.
std::string shown_below(const Path& path, const std::vector<Path>& given) {
  for (const Path& root : given) {
    const Path relative = path.lexically_normal().lexically_relative(root.lexically_normal());
    if (relative.empty() || relative.native().starts_with("..")) continue;
    const std::string name = root.lexically_normal().filename().string();
    return relative == "." ? path.filename().string() : (Path(name) / relative).lexically_normal().string();
  }
  return path.filename().string();
}

void add_cases(OpenedDataset& out, const CaseSource& source) {
  for (std::size_t at = 0; at < source.entries().size(); ++at) {
    const std::size_t number = out.cases.size();
    const CaseEntry& entry = source.entries()[at];
    out.cases.push_back({&source, at, number});
    out.by_id.emplace(entry.id, number);
    out.by_name[entry.name].push_back(number);
  }
}

Error no_organs() {
  return {
      ErrorCode::unavailable,
      "no organ masks of this case: there are none in organs/ of the dataset; fiducial serve takes --organs "
      "FOLDER"};
}

// Organs under their numbers in the anatomy; others behind them.
Result<MaskSet> organ_set(const CaseMasks& masks) {
  if (!masks.grid()) return invalid_data("the organ masks of this case cannot be read");
  MaskSet out{.extent = masks.grid()->extent, .has_entities = false, .masks = {}};
  const std::vector<Structure>& known = Anatomy::chest_ct().structures();
  auto other = static_cast<std::uint32_t>(known.size());
  for (const std::string& name : masks.names()) {
    const StructureMask found = masks.resolve(name);
    if (!found.mask || found.mask->extent() != out.extent) continue;
    std::vector<LabelRun> runs;
    for (const MaskRun& run : found.mask->runs()) runs.push_back({run.row, run.begin, run.end, 1});
    const auto at = std::ranges::find(known, name, &Structure::name);
    const std::uint32_t id = at == known.end() ? ++other : static_cast<std::uint32_t>(at - known.begin()) + 1;
    out.masks.push_back({id, name, LabelMap(found.mask->grid(), std::move(runs))});
  }
  return out;
}

}  // namespace

const CasePlace* OpenedDataset::find(const std::string& id) const {
  const auto found = by_id.find(id);
  return found == by_id.end() ? nullptr : &cases[found->second];
}

const CasePlace* OpenedDataset::find_named(const std::string& name, const std::string& split) const {
  const auto found = by_name.find(name);
  if (found == by_name.end()) return nullptr;
  for (const std::size_t number : found->second) {
    if (cases[number].entry().split == split) return &cases[number];
  }
  return nullptr;
}

ServedDataset::ServedDataset(std::string id, FoundPaths::Dataset found, std::string shown_path)
    : id_(std::move(id)), found_(std::move(found)), shown_path_(std::move(shown_path)) {}

std::vector<std::string> ServedDataset::kinds() const {
  std::vector<std::string> out;
  for (const CaseSourceKind& kind : all_case_sources()) {
    if (kind.reads(*found_.adapter)) out.emplace_back(kind.kind);
  }
  return out;
}

std::string ServedDataset::state() const {
  std::string out;
  std::error_code error;
  std::vector<std::string> keys;
  if (is_url(found_.folder)) {
    const Result<Store*> store = store_of(found_.folder);
    const auto listed = store.ok() ? (*store)->list(found_.folder, false) : store.error();
    if (!listed.ok()) return opened_state_;  // what was read stays while its store is away
    for (const StoredEntry& entry : *listed) {
      if (entry.kind == StoredEntry::Kind::file) out += stored_key(entry) + "\n";
    }
    return out;
  }
  for (std::filesystem::directory_iterator at(found_.folder, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code ignored;
    if (at->is_regular_file(ignored)) keys.push_back(file_key(at->path()));
  }
  std::ranges::sort(keys);
  for (const std::string& key : keys) out += key + "\n";
  return out;
}

Result<std::shared_ptr<const OpenedDataset>> ServedDataset::open() const {
  const std::lock_guard lock(mutex_);
  const std::string now = state();
  if (opened_ && opened_state_ == now) return opened_;
  auto out = std::make_shared<OpenedDataset>();
  for (const CaseSourceKind& kind : all_case_sources()) {
    if (!kind.reads(*found_.adapter)) continue;
    FIDUCIAL_TRY(std::unique_ptr<CaseSource> source, kind.open(*found_.adapter, found_.folder));
    out->sources.push_back(std::move(source));
    add_cases(*out, *out->sources.back());
  }
  opened_ = std::move(out);
  opened_state_ = now;
  return opened_;
}

Library::Library(LibraryOptions options, FoundPaths found)
    : options_(std::move(options)),
      found_(std::move(found)),
      volumes_(options_.memory_bytes == 0 ? usual_budget() : options_.memory_bytes),
      masks_(mask_budget_bytes) {}

Result<std::unique_ptr<Library>> Library::open(const LibraryOptions& options) {
  FIDUCIAL_TRY(FoundPaths found, find_paths(options.paths));
  std::unique_ptr<Library> out(new Library(options, std::move(found)));
  out->take_predictions_off();
  std::vector<Path> folders;
  for (const auto& one : out->found_.datasets) folders.push_back(one.folder);
  std::vector<std::string> ids = unique_slugs(folders, true);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    out->datasets_.push_back(std::make_unique<ServedDataset>(ids[i], out->found_.datasets[i],
                                                             shown_below(folders[i], options.paths)));
  }
  out->add_runs();
  return out;
}

void Library::add_runs() {
  using Kind = ServedRun::Kind;
  std::vector<Path> folders = found_.scores;
  folders.insert(folders.end(), found_.asked.begin(), found_.asked.end());
  const std::vector<std::string> ids = unique_slugs(folders, false);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Kind kind = i < found_.scores.size() ? Kind::scores : Kind::asked;
    runs_.push_back(
        std::make_unique<ServedRun>(ids[i], folders[i], shown_below(folders[i], options_.paths), kind));
  }
}

const ServedDataset* Library::find_dataset(std::string_view id) const {
  for (const auto& one : datasets_) {
    if (one->id() == id) return one.get();
  }
  return nullptr;
}

const ServedRun* Library::find_run(std::string_view id) const {
  for (const auto& one : runs_) {
    if (one->id() == id) return one.get();
  }
  return nullptr;
}

std::string Library::digest_of(const Path& path) const {
  const std::string key = file_key(path);
  {
    const std::lock_guard lock(digests_mutex_);
    if (const auto found = digests_.find(key); found != digests_.end()) return found->second;
  }
  std::string hex;
  if (auto stream = FileStream::open(path); stream.ok()) {
    const Result<Digest> digest = HashingStream(*std::move(stream)).finish();
    if (digest.ok()) hex = digest->hex();
  }
  const std::lock_guard lock(digests_mutex_);
  digests_[key] = hex;
  return hex;
}

Result<Path> Library::find_handed_in(const std::string& name, const std::string& sha256) const {
  for (const Path& candidate : found_.predictions) {
    const Path file = candidate.filename() == name ? candidate : candidate / name;
    if (is_file(file) && digest_of(file) == sha256) return file;
  }
  return Error(ErrorCode::unavailable,
               "no folder that is served has the \"" + name + "\" the scores were made from; serve it, too");
}

RunMaterial Library::material_of(const Json& plan) const {
  return {.plan = &plan,
          .candidates = found_.predictions,
          .find_file = [this](const std::string& name, const std::string& sha256) {
            return find_handed_in(name, sha256);
          }};
}

bool Library::is_handed_in(const Path& folder, const Json& plan) const {
  const Json::Array* files = find_array(plan, "prediction_files");
  if (files == nullptr) return false;
  return std::ranges::any_of(*files, [&](const Json& file) {
    const Path path = folder / text_at(file, "file");
    return is_file(path) && digest_of(path) == text_at(file, "sha256");
  });
}

// Tables that scores were made from look like a dataset of such tables.
void Library::take_predictions_off() {
  std::vector<Json> plans;
  for (const Path& folder : found_.scores) {
    const Result<std::string> text = read_text_file(folder / "plan.json");
    Result<Json> plan = text.ok() ? parse_json(*text) : text.error();
    if (plan.ok()) plans.push_back(*std::move(plan));
  }
  std::erase_if(found_.datasets, [&](const FoundPaths::Dataset& one) {
    const bool is_one =
        std::ranges::any_of(plans, [&](const Json& plan) { return is_handed_in(one.folder, plan); });
    if (is_one) found_.predictions.push_back(one.folder);
    return is_one;
  });
}

const ServedDataset* Library::dataset_of(const ServedRun& run) const {
  const auto content = run.open();
  if (!content.ok()) return nullptr;
  const Json& plan = (*content)->plan;
  const Json::Array* files = find_array(plan, "dataset_files");
  const Json* file = files != nullptr && !files->empty() ? &files->front() : plan.find("dataset");
  if (file == nullptr) return nullptr;
  const std::string name = text_at(*file, "file");
  for (const auto& dataset : datasets_) {
    if (dataset->adapter().id != text_at(plan, "benchmark") || !is_file(dataset->folder() / name)) continue;
    if (digest_of(dataset->folder() / name) == text_at(*file, "sha256")) return dataset.get();
  }
  return nullptr;
}

std::vector<const ServedRun*> Library::runs_of(const ServedDataset& dataset) const {
  std::vector<const ServedRun*> out;
  for (const auto& run : runs_) {
    if (dataset_of(*run) == &dataset) out.push_back(run.get());
  }
  return out;
}

std::optional<Path> Library::find_volume(const ServedDataset& dataset, const CasePlace& place) const {
  std::vector<Path> folders = options_.volumes;
  folders.push_back(dataset.folder() / "volumes");
  folders.push_back(dataset.folder());
  for (const Path& folder : folders) {
    if (auto found = place.source->find_volume(place.at, folder)) return found;
  }
  return std::nullopt;
}

std::vector<Path> Library::organ_folders(const ServedDataset& dataset) const {
  std::vector<Path> out = options_.organs;
  out.push_back(dataset.folder() / "organs");
  out.push_back(dataset.folder());
  std::erase_if(out, [](const Path& path) { return !is_there(path); });
  return out;
}

Outcome Library::check_organs(const ServedDataset& dataset, const CasePlace& place) const {
  const std::string stem = volume_stem(place.entry().name);
  for (const Path& folder : organ_folders(dataset)) {
    const bool has_own = is_there(folder / ("seg_" + stem)) || is_there(folder / stem) ||
                         (folder != dataset.folder() && is_file(folder / (stem + ".nii.gz")));
    if (has_own || !is_folder(folder)) return done();
    const Result<MaskLibrary> library = MaskLibrary::open(folder);
    if (library.ok() && library->has_masks()) return done();
  }
  return no_organs();
}

Result<MaskSet> Library::organ_masks(const ServedDataset& dataset, const CasePlace& place) const {
  std::optional<Grid> grid;
  if (const auto volume = find_volume(dataset, place)) {
    if (const auto header = read_volume_header(*volume); header.ok()) grid = header->grid();
  }
  for (const Path& folder : organ_folders(dataset)) {
    FIDUCIAL_TRY(MaskLibrary library, MaskLibrary::open(folder));
    FIDUCIAL_TRY(const CaseMasks masks, library.read_case(place.entry().name, grid));
    if (masks.empty()) continue;
    return organ_set(masks);
  }
  return no_organs();
}

Result<std::shared_ptr<const MaskSet>> Library::masks(const ServedDataset& dataset, const CasePlace& place,
                                                      const std::string& set) {
  const Path file = set == "reference" ? place.source->reference_file(place.at) : Path();
  const std::string key = dataset.id() + "\n" + place.entry().id + "\n" + set + "\n" + file_key(file);
  if (auto kept = masks_.find(key)) return kept;
  const auto keep = [&](Result<MaskSet> made) -> Result<std::shared_ptr<const MaskSet>> {
    if (!made.ok()) return made.error();
    auto out = std::make_shared<const MaskSet>(*std::move(made));
    masks_.keep(key, out);
    return std::shared_ptr<const MaskSet>(out);
  };
  if (set == "reference") return keep(place.source->reference_masks(place.at));
  if (set == "organs") return keep(organ_masks(dataset, place));
  if (!set.starts_with("run:"))
    return bad_usage("set \"" + set + "\"; expected reference, organs or run:RUN");
  const ServedRun* run = find_run(set.substr(4));
  if (run == nullptr) return bad_usage("no run \"" + set.substr(4) + "\"");
  FIDUCIAL_TRY(const auto content, run->open());
  if (dataset_of(*run) != &dataset)
    return Error(ErrorCode::integrity, "run \"" + run->id() + "\" scored another dataset");
  return keep(place.source->predicted_masks(place.at, material_of(content->plan)));
}

}  // namespace fiducial
