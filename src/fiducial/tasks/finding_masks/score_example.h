#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fiducial/base/number_text.h"
#include "fiducial/base/temporary_folder.h"
#include "fiducial/eval/outputs/write_scores.h"
#include "fiducial/image/nifti_example.h"
#include "fiducial/metrics/finding_example.h"
#include "fiducial/tasks/finding_masks/case_score_json.h"
#include "fiducial/tasks/finding_masks/finding_masks.h"

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

// For tests: finding masks scored as a request asks.
inline Result<ScoreRun> score_example(const TaskRequest& request, int threads = 1) {
  static const Task task = finding_masks_task();
  SilentProgress progress;
  return score_task(task, request, Executor(threads), progress);
}

// For tests: the scored cases that a run carries.
inline std::vector<CaseScore> cases_of(const ScoreRun& run) {
  std::vector<CaseScore> out;
  for (const RunCase& entry : run.cases) out.push_back(*parse_case_score(*parse_json(entry.evidence)));
  return out;
}

inline Json summary_of(const ScoreRun& run) { return summary_json(run, *pooled(run, Executor(1)), Digest()); }

inline Result<Json> write_example(const ScoreRun& run, const Path& folder, int threads = 1) {
  return write_scores(run, {.folder = folder, .more = {}}, Executor(threads));
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

  TaskRequest request(ScoreMode mode = ScoreMode::both) const {
    return {.dataset = *folder_ / "data",
            .predictions = *folder_ / "predictions",
            .values = {{"mode", {std::string(to_string(mode))}}}};
  }

  Result<ScoreRun> score(ScoreMode mode = ScoreMode::both, int threads = 1) const {
    return score_example(request(mode), threads);
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
