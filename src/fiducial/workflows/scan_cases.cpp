#include "fiducial/workflows/scan_cases.h"

#include <algorithm>
#include <set>
#include <system_error>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/sha256.h"
#include "fiducial/datasets/rexgroundingct/dataset.h"
#include "fiducial/datasets/volume_file.h"
#include "fiducial/workflows/case_list.h"

namespace fiducial {

namespace {

std::string without_ending(const std::string& scan) {
  for (const std::string_view ending : {".nii.gz", ".nii"}) {
    if (scan.ends_with(ending)) return scan.substr(0, scan.size() - ending.size());
  }
  return scan;
}

Json frame_json(const PictureFrame& frame) {
  return Json::array({static_cast<std::int64_t>(frame.axes.plane), frame.slice, frame.left, frame.top,
                      frame.columns, frame.rows});
}

std::optional<PictureFrame> frame_in(const Json& json, const Grid& grid) {
  const Json::Array* values = json.as_array();
  if (values == nullptr || values->size() != 6) return std::nullopt;
  std::array<std::int64_t, 6> number{};
  for (std::size_t i = 0; i < number.size(); ++i) {
    const std::int64_t* value = (*values)[i].as_integer();
    if (value == nullptr || *value < 0) return std::nullopt;
    number[i] = *value;
  }
  if (number[0] > 2) return std::nullopt;
  return PictureFrame{.axes = PlaneAxes::of(grid, static_cast<ViewPlane>(number[0])),
                      .slice = number[1],
                      .left = number[2],
                      .top = number[3],
                      .columns = number[4],
                      .rows = number[5]};
}

Json image_json(const ShownImage& image) {
  Json frames = Json::Array{};
  for (const PictureFrame& frame : image.frames) frames.push(frame_json(frame));
  return Json::object({{"sha256", image.image.sha256},
                       {"media_type", image.image.media_type},
                       {"note", image.note},
                       {"frames", std::move(frames)}});
}

std::optional<ShownImage> image_in(const Json& json, std::size_t number, const Grid& grid) {
  ShownImage out{.number = number,
                 .image = {.sha256 = text_at(json, "sha256"), .media_type = text_at(json, "media_type")},
                 .note = text_at(json, "note")};
  const Json::Array* frames = find_array(json, "frames");
  for (std::size_t i = 0; frames != nullptr && i < frames->size(); ++i) {
    const auto frame = frame_in((*frames)[i], grid);
    if (!frame) return std::nullopt;
    out.frames.push_back(*frame);
  }
  if (out.image.sha256.empty() || out.image.media_type.empty()) return std::nullopt;
  return out;
}

// What pictures depend on: the policy and the files, by size and time.
Json key_of(const ViewPolicy& policy, const Path& volume, const Path& masks) {
  std::error_code ignored;
  const auto changed = std::filesystem::last_write_time(volume, ignored).time_since_epoch().count();
  const bool is_plain = is_file(volume);
  return Json::object(
      {{"policy", policy.sha256()},
       {"volume_bytes",
        is_plain ? static_cast<std::int64_t>(std::filesystem::file_size(volume, ignored)) : std::int64_t{0}},
       {"volume_changed", static_cast<std::int64_t>(changed)},
       {"masks", sha256(as_bytes(masks.string())).hex()}});
}

}  // namespace

Result<MaskLibrary> open_organ_masks(const Path& dataset, const Path& masks) {
  if (!masks.empty()) return MaskLibrary::open(masks);
  std::error_code ignored;
  const Path organs = dataset / "organs";
  return MaskLibrary::open(std::filesystem::is_directory(organs, ignored) ? organs : dataset);
}

Result<std::vector<AskedCase>> asked_items(const ScanSplit& split, const RunRequest& request) {
  std::set<std::string> listed;
  if (!request.case_list.empty()) {
    FIDUCIAL_TRY(listed, read_case_list(request.case_list));
  }
  const std::set<std::string> wanted = listed;
  const auto is_named = [&](const std::string& name) {
    listed.erase(name);
    return wanted.contains(name);
  };
  std::set<std::string> scans;
  std::vector<AskedCase> out;
  for (const ScanItem& item : split.items) {
    const bool by_title = is_named(item.title);
    const bool by_scan = is_named(item.scan);
    const bool by_stem = is_named(without_ending(item.scan));
    if (!request.case_list.empty() && !by_title && !by_scan && !by_stem) continue;
    if (request.limit && !scans.contains(item.scan) &&
        static_cast<std::int64_t>(scans.size()) >= *request.limit)
      break;
    scans.insert(item.scan);
    AskedCase asked_case{.title = item.title, .shown = {}};
    asked_case.shown.scan = item.scan;
    asked_case.shown.questions = item.questions;
    asked_case.region = item.region;
    out.push_back(std::move(asked_case));
  }
  if (!listed.empty() && !(request.limit && !out.empty()))
    return Error(ErrorCode::invalid_data, "\"" + *listed.begin() + "\" is no case of " + split.name,
                 Place{.path = request.case_list.string()});
  return out;
}

Result<ScanPictures::Drawn> ScanPictures::kept(const Result<std::vector<ViewPicture>>& pictures) {
  Drawn out;
  if (!pictures.ok()) {
    out.problem = pictures.error().text();
    return out;
  }
  for (const ViewPicture& picture : *pictures) {
    FIDUCIAL_TRY(ChatImage image, store_.add(std::string(as_text(picture.file))));
    out.images.push_back({.number = out.images.size() + 1,
                          .image = std::move(image),
                          .note = picture.note,
                          .frames = picture.frames});
  }
  return out;
}

Result<CaseMasks> ScanPictures::read_masks(const std::string& scan, const Grid& grid,
                                           const std::vector<std::string>& regions) {
  std::vector<std::string> wanted;
  for (const std::string& region : regions) {
    for (std::string& name : wanted_structures(policy_, {.path = region})) wanted.push_back(std::move(name));
  }
  if (wanted.empty()) return CaseMasks(grid);
  if (!library_) {
    FIDUCIAL_TRY(library_, open_organ_masks(request_.dataset, request_.masks));
  }
  return library_->read_case(scan, grid, wanted);
}

Result<ScanPictures::DrawnRegions> ScanPictures::drawn(const std::string& scan, const Path& volume,
                                                       const std::vector<std::string>& regions) {
  DrawnRegions out;
  const Result<ScanArray> array = ScanArray::read(volume);
  if (!array.ok()) {
    for (const std::string& region : regions) out[region].problem = array.error().text();
    return out;
  }
  FIDUCIAL_TRY(const CaseMasks masks, read_masks(scan, array->grid, regions));
  for (const std::string& region : regions) {
    FIDUCIAL_TRY(out[region], kept(scan_pictures(policy_, *array, {.path = region}, masks)));
  }
  return out;
}

std::optional<ScanPictures::DrawnRegions> ScanPictures::remembered(const std::string& scan, const Json& key,
                                                                   const std::vector<std::string>& regions) {
  const Path file = folder_ / (without_ending(scan) + ".json");
  if (folder_.empty() || !is_file(file)) return std::nullopt;
  const Result<std::string> text = read_text_file(file);
  if (!text.ok()) return std::nullopt;
  const Result<Json> document = parse_json(*text);
  if (!document.ok()) return std::nullopt;
  const Json* known = document->find("key");
  const Json* drawn = document->find("regions");
  if (known == nullptr || known->compact() != key.compact() || drawn == nullptr) return std::nullopt;
  const auto volume = rexgroundingct::find_volume(request_.volumes, scan);
  const Result<NiftiHeader> header = read_volume_header(*volume);
  if (!header.ok()) return std::nullopt;
  DrawnRegions out;
  for (const std::string& region : regions) {
    const Json* entry = drawn->find(region);
    if (entry == nullptr) return std::nullopt;
    Drawn& its = out[region];
    its.problem = text_at(*entry, "problem");
    const Json::Array* images = find_array(*entry, "images");
    for (std::size_t i = 0; images != nullptr && i < images->size(); ++i) {
      const auto image = image_in((*images)[i], i + 1, header->grid());
      if (!image || !store_.has_kept(image->image.sha256)) return std::nullopt;
      its.images.push_back(*image);
    }
  }
  return out;
}

Outcome ScanPictures::show(const std::string& scan, std::span<AskedCase*> items) {
  std::set<std::string> unique;
  for (const AskedCase* item : items)
    unique.insert(policy_.shows_asked_region() ? item->region : std::string());
  const std::vector<std::string> regions(unique.begin(), unique.end());
  const auto volume = rexgroundingct::find_volume(request_.volumes, scan);
  if (!volume) {
    for (AskedCase* item : items) item->problem = "there is no CT of " + scan + " below --volumes";
    return done();
  }
  const Json key = key_of(policy_, *volume, request_.masks);
  std::optional<DrawnRegions> found = remembered(scan, key, regions);
  if (!found) {
    FIDUCIAL_TRY(found, drawn(scan, *volume, regions));
    Json drawn_json = Json::Object{};
    for (const auto& [region, its] : *found) {
      Json images = Json::Array{};
      for (const ShownImage& image : its.images) images.push(image_json(image));
      drawn_json.set(region, Json::object({{"problem", its.problem}, {"images", std::move(images)}}));
    }
    if (!folder_.empty()) {
      std::error_code ignored;
      std::filesystem::create_directories(folder_, ignored);
      const Json document =
          Json::object({{"schema", "fiducial.run_views/1"}, {"key", key}, {"regions", drawn_json}});
      FIDUCIAL_TRY_DONE(write_file(folder_ / (without_ending(scan) + ".json"),
                                   std::string_view(document.compact() + "\n")));
    }
  }
  for (AskedCase* item : items) {
    const Drawn& its = found->at(policy_.shows_asked_region() ? item->region : std::string());
    item->problem = its.problem;
    item->shown.image_count = its.images.size();
    for (const std::size_t at : request_.images.chosen(its.images.size()))
      item->shown.images.push_back(its.images[at]);
  }
  return done();
}

}  // namespace fiducial
