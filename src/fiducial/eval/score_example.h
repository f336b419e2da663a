#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fiducial/base/number_text.h"
#include "fiducial/base/temporary_folder.h"
#include "fiducial/eval/score.h"
#include "fiducial/image/nifti_example.h"
#include "fiducial/metrics/finding_example.h"

namespace fiducial {

// For tests: a mask file (F, H, W, D) of any voxel type, not compressed.
inline Bytes mask_file_bytes(const std::vector<LabelMap>& channels, VoxelType type = VoxelType::int16,
                             double factor = 1) {
  const Extent extent = channels.front().extent();
  std::vector<double> values(channels.size() * static_cast<std::size_t>(extent.count()));
  for (std::size_t f = 0; f < channels.size(); ++f) {
    for (const LabelRun& run : channels[f].runs()) {
      for (std::int64_t x = run.begin; x < run.end; ++x) {
        values[static_cast<std::size_t>(run.row * extent.x + x) * channels.size() + f] = run.label * factor;
      }
    }
  }
  const auto count = static_cast<std::int64_t>(channels.size());
  return example_file(example_header({count, extent.x, extent.y, extent.z}, type), values);
}

// For tests: a dataset and a folder of predictions on disk.
class ExampleRun {
 public:
  ExampleRun() {
    std::filesystem::create_directories(*folder_ / "data/segmentations");
    std::filesystem::create_directories(*folder_ / "predictions");
  }

  // A case of the test split; without a prediction it is missing.
  ExampleRun& add(const std::string& name, const std::vector<LabelMap>& reference,
                  const std::optional<Bytes>& prediction) {
    Json findings = Json::object({});
    Json categories = Json::object({});
    for (std::size_t i = 0; i < reference.size(); ++i) {
      findings.set(decimal(i), "A nodule.");
      categories.set(decimal(i), i % 2 == 0 ? "2d" : "1c");
    }
    entries_.push(Json::object({{"name", name}, {"findings", findings}, {"categories", categories}}));
    write(*folder_ / ("data/segmentations/" + name), mask_file_bytes(reference));
    if (prediction) write(*folder_ / ("predictions/" + name), *prediction);
    const std::string text = Json::object({{"test", entries_}}).pretty();
    write(*folder_ / "data/dataset.json", Bytes(as_bytes(text).begin(), as_bytes(text).end()));
    return *this;
  }

  ScoreRequest request(ScoreMode mode = ScoreMode::both) const {
    ScoreRequest out;
    out.dataset = *folder_ / "data";
    out.predictions = *folder_ / "predictions";
    out.output = *folder_ / "scores";
    out.mode = mode;
    return out;
  }

  Result<ScoredRun> score(ScoreMode mode = ScoreMode::both, int threads = 1) const {
    SilentProgress progress;
    return score_run(request(mode), Executor(threads), progress);
  }

  Path path(const std::string& name) const { return *folder_ / name; }

 private:
  static void write(const Path& path, const Bytes& bytes) {
    FIDUCIAL_ASSERT(write_file(path, ByteView(bytes)).ok());
  }

  std::unique_ptr<TemporaryFolder> folder_ = std::make_unique<TemporaryFolder>();  // so that it can be moved
  Json entries_ = Json(Json::Array{});
};

// For tests: a slot of a summary, e.g. slot_of(summary, "metrics", "hit_rate").
inline const Json& slot_of(const Json& summary, const char* part, const char* slot) {
  return *summary.find(part)->find(slot);
}

}  // namespace fiducial
