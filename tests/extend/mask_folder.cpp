// A layout of its own: one case a file in masks/, one finding a channel.
#include <algorithm>

#include "fiducial/datasets/dataset_adapter.h"

namespace fiducial {

namespace {

class MaskFolder final : public GroundedDataset {
 public:
  explicit MaskFolder(const Path& folder) : folder_(folder) {
    for (const auto& file : std::filesystem::directory_iterator(folder / "masks")) {
      const std::string name = file.path().filename().string();
      cases_.push_back({.name = name, .patient = name});
    }
    std::sort(cases_.begin(), cases_.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  }

  const Path& folder() const override { return folder_; }
  const std::string& file_name() const override { return file_name_; }
  const Digest& digest() const override { return digest_; }
  std::vector<std::string> split_names() const override { return {"test"}; }
  const std::vector<GroundedCase>* find_split(std::string_view name) const override {
    return name == "test" ? &cases_ : nullptr;
  }
  std::string mask_name(const GroundedCase& entry) const override { return "masks/" + entry.name; }
  Result<StoredFile> open_mask(const GroundedCase& entry) const override {
    FIDUCIAL_TRY(std::unique_ptr<FileStream> file, FileStream::open(folder_ / mask_name(entry)));
    const std::uint64_t size = file->size();
    return StoredFile{std::move(file), size};
  }
  std::optional<Path> find_volume(const Path&, const GroundedCase&) const override { return std::nullopt; }

 private:
  Path folder_;
  std::string file_name_ = "masks";
  Digest digest_;
  std::vector<GroundedCase> cases_;
};

}  // namespace

DatasetAdapter mask_folder_adapter() {
  return {.id = "mask_folder",
          .title = "A folder of masks",
          .layout = "masks/",
          .recognises = [](const Path& folder) { return std::filesystem::is_directory(folder / "masks"); },
          .tasks = {"finding_masks"},
          .open_grounded = [](const Path& folder) -> Result<std::unique_ptr<GroundedDataset>> {
            return {std::make_unique<MaskFolder>(folder)};
          },
          .card = [](const Path& folder) -> Result<CardFacts> {
            CardFacts facts;
            facts.set("benchmark_details.name", "Folder of masks", "layout: mask_folder");
            const MaskFolder masks(folder);
            for (const GroundedCase& entry : *masks.find_split("test")) facts.volumes.push_back(entry.name);
            return facts;
          }};
}

}  // namespace fiducial
