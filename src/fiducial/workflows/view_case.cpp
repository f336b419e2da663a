#include "fiducial/workflows/view_case.h"

#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/base/sha256.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/medthinkvqa/case_pictures.h"
#include "fiducial/datasets/rexgroundingct/dataset.h"
#include "fiducial/masks/mask_file.h"
#include "fiducial/views/image_view.h"
#include "fiducial/workflows/scan_cases.h"

namespace fiducial {

namespace {

std::string ending_of(ByteView bytes) {
  switch (sniffed_format(bytes)) {
    case PictureFormat::jpeg:
      return ".jpg";
    case PictureFormat::png:
      return ".png";
    case PictureFormat::gif:
      return ".gif";
    case PictureFormat::webp:
      return ".webp";
    default:
      return ".bin";
  }
}

void add_picture_to(ViewedCase& viewed, Json& pictures, Bytes bytes, const std::string& note) {
  const std::string number = decimal(viewed.files.size() + 1);
  const std::string name =
      std::string(number.size() < 3 ? 3 - number.size() : 0, '0') + number + ending_of(bytes);
  pictures.push(Json::object({{"file", name}, {"sha256", sha256(bytes).hex()}, {"note", note}}));
  viewed.files.emplace_back(name, std::move(bytes));
}

Result<ViewedCase> view_images(const ViewRequest& request, const ViewPolicy& policy,
                               const DatasetAdapter& adapter, Json& pictures) {
  FIDUCIAL_TRY(const std::unique_ptr<DiagnosisDataset> dataset, adapter.open_questions(request.dataset));
  FIDUCIAL_TRY(const std::string name, choose_split(*dataset, request.split));
  FIDUCIAL_TRY(const DiagnosisSplit split, dataset->read_split(name));
  const auto found = std::find_if(split.cases.begin(), split.cases.end(),
                                  [&](const DiagnosisCase& each) { return each.title == request.title; });
  if (found == split.cases.end()) return bad_usage("\"" + request.title + "\" is no case of " + name);
  std::vector<std::string> bytes(found->images.size());
  FIDUCIAL_TRY_DONE(medthinkvqa::visit_pictures(
      request.dataset, split, [&](std::int64_t number) { return number == found->number; },
      [&](const medthinkvqa::CasePicture& picture) -> Outcome {
        const std::string label = "image " + decimal(picture.index + 1) + ": ";
        if (!picture.problem.empty()) return invalid_data(label + picture.problem);
        Result<Bytes> viewed = viewed_image(policy, as_bytes(picture.bytes));
        if (!viewed.ok()) return Error(viewed.error()).context(label + "drawing it");
        bytes.at(picture.index) = as_text(*viewed);
        return done();
      }));
  ViewedCase out;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const ByteView view = as_bytes(bytes[i]);
    add_picture_to(out, pictures, Bytes(view.begin(), view.end()), "Image " + decimal(i + 1));
  }
  return out;
}

// The reference mask of a finding: for a person who looks at it, never for a run.
Result<Mask> finding_mask(const ViewRequest& request, const DatasetAdapter& adapter, const std::string& scan,
                          const Grid& grid) {
  if (adapter.open_grounded == nullptr)
    return bad_usage("--finding: " + adapter.id + " has no findings with masks");
  FIDUCIAL_TRY(const std::unique_ptr<GroundedDataset> dataset, adapter.open_grounded(request.dataset));
  for (const std::string& split : dataset->split_names()) {
    for (const GroundedCase& entry : *dataset->find_split(split)) {
      if (entry.name != scan) continue;
      FIDUCIAL_TRY(StoredFile stored, dataset->open_mask(entry));
      MaskRead read = read_mask_file(std::move(stored), std::nullopt);
      if (!read.mask.ok()) return std::move(read.mask).error();
      const std::vector<LabelMap>& labels = read.mask->channels;
      if (*request.finding >= static_cast<std::int64_t>(labels.size()))
        return bad_usage("--finding: " + scan + " has " + decimal(labels.size()) + " findings, from 0");
      const Mask mask = labels[static_cast<std::size_t>(*request.finding)].foreground();
      if (mask.extent() != grid.extent)
        return invalid_data("the mask of " + scan + " is on another grid than the CT");
      return mask;
    }
  }
  return bad_usage("--finding: " + scan + " is no case of the dataset");
}

Result<ViewedCase> view_scan(const ViewRequest& request, const ViewPolicy& policy,
                             const DatasetAdapter& adapter, Json& pictures) {
  if (request.volumes.empty()) return bad_usage("--volumes: say where the CTs are");
  const std::string scan = request.title.ends_with(".nii.gz") ? request.title : request.title + ".nii.gz";
  const auto volume = rexgroundingct::find_volume(request.volumes, scan);
  if (!volume)
    return Error(ErrorCode::unavailable, "there is no CT of " + scan,
                 Place{.path = request.volumes.string()});
  FIDUCIAL_TRY(const ScanArray array, ScanArray::read(*volume));
  AskedRegion asked{.path = request.region};
  std::optional<Mask> mask;
  if (request.finding) {
    FIDUCIAL_TRY(mask, finding_mask(request, adapter, scan, array.grid));
    asked.mask = &*mask;
    asked.title = "finding";
  }
  CaseMasks masks(array.grid);
  const std::vector<std::string> wanted = wanted_structures(policy, asked);
  if (!wanted.empty()) {
    FIDUCIAL_TRY(MaskLibrary library, open_organ_masks(request.dataset, request.masks));
    FIDUCIAL_TRY(masks, library.read_case(scan, array.grid, wanted));
  }
  FIDUCIAL_TRY(std::vector<ViewPicture> drawn, scan_pictures(policy, array, asked, masks));
  ViewedCase out;
  for (ViewPicture& picture : drawn) add_picture_to(out, pictures, std::move(picture.file), picture.note);
  return out;
}

}  // namespace

Result<ViewedCase> view_case(const ViewRequest& request) {
  FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(request.dataset));
  const bool has_images = adapter->open_questions != nullptr;
  const std::string usual = has_images ? "images-as-is" : "axial-two-windows";
  FIDUCIAL_TRY(const ViewPolicy policy, ViewPolicy::load(request.policy.empty() ? usual : request.policy));
  if ((policy.kind == ViewPolicy::Kind::images) != has_images)
    return bad_usage("--policy: " + policy.name + " is of " + (has_images ? "scans" : "images") + ", and " +
                     adapter->id + " has " + (has_images ? "images" : "scans"));
  Json pictures = Json::Array{};
  FIDUCIAL_TRY(ViewedCase out, has_images ? view_images(request, policy, *adapter, pictures)
                                          : view_scan(request, policy, *adapter, pictures));
  out.manifest = Json::object({{"schema", "fiducial.view/1"},
                               {"case", request.title},
                               {"region", request.region},
                               {"policy", policy.json().set("sha256", policy.sha256())},
                               {"pictures", std::move(pictures)}});
  if (request.finding) out.manifest.set("finding", *request.finding);
  return out;
}

}  // namespace fiducial
