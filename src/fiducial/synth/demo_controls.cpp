#include "fiducial/synth/demo_controls.h"

#include "fiducial/base/json_fields.h"
#include "fiducial/base/random.h"
#include "fiducial/base/system_error.h"
#include "fiducial/datasets/controls/control_prompts.h"
#include "fiducial/image/label_encoder.h"
#include "fiducial/masks/mask_file.h"

namespace fiducial {

namespace {

LabelMap ones_of_mask(const Mask& mask) {
  std::vector<LabelRun> runs;
  runs.reserve(mask.runs().size());
  for (const MaskRun& run : mask.runs()) runs.push_back({run.row, run.begin, run.end, 1});
  return {mask.grid(), std::move(runs)};
}

// One system's answers to the prompts of a case.
class ControlAnswers {
 public:
  ControlAnswers(const std::vector<LabelMap>& findings, Random random)
      : findings_(findings), random_(random), nothing_(findings.front().grid()) {}

  std::vector<LabelMap> of(const std::string& system, const std::vector<ControlPrompt>& prompts) {
    std::vector<LabelMap> out;
    for (const ControlPrompt& prompt : prompts) {
      const std::uint64_t chance = random_.below(120);
      if (system == "silent") {
        out.push_back(nothing_);
      } else if (system == "deaf") {
        out.push_back(all_findings());
      } else {
        out.push_back(heeded(prompt, prompts, chance));
      }
    }
    return out;
  }

 private:
  // It misses one paraphrase in twelve, takes one swapped place in five for the right one, and answers one in
  // eight of those that ask for what is not there.
  const LabelMap& heeded(const ControlPrompt& prompt, const std::vector<ControlPrompt>& prompts,
                         std::uint64_t chance) const {
    const bool is_changed = is_changed_finding(prompt.kind);
    const ControlPrompt& own = is_changed ? prompts[static_cast<std::size_t>(prompt.finding)] : prompt;
    if (prompt.kind == ControlKind::finding) return finding_of(own);
    if (prompt.kind == ControlKind::paraphrase) return chance < 10 ? nothing_ : finding_of(own);
    if (is_swapped(prompt.kind)) return chance < 24 ? finding_of(own) : nothing_;
    return chance < 15 ? findings_.front() : nothing_;
  }

  const LabelMap& finding_of(const ControlPrompt& prompt) const {
    return findings_[static_cast<std::size_t>(integer_at(prompt.origin, "finding"))];
  }

  LabelMap all_findings() const {
    Mask out(nothing_.grid());
    for (const LabelMap& each : findings_) out = united(out, each.foreground());
    return ones_of_mask(out);
  }

  const std::vector<LabelMap>& findings_;
  Random random_;
  LabelMap nothing_;
};

}  // namespace

Outcome write_demo_control_answers(const DemoControls& from, const Path& folder) {
  FIDUCIAL_TRY(const ControlsFile controls, read_controls(from.controls));
  for (const auto& [name, prompts] : controls.cases) {
    FIDUCIAL_TRY(std::unique_ptr<FileStream> file, FileStream::open(from.masks / name));
    const std::uint64_t size = file->size();
    MaskRead read = read_mask_file({std::move(file), size}, std::nullopt);
    FIDUCIAL_TRY(const MaskFile mask, std::move(read.mask).in_file((from.masks / name).string()));
    for (const std::string system : demo_control_systems) {
      ControlAnswers answers(mask.channels, Random(from.seed, system + " answers " + name));
      FIDUCIAL_TRY(const NiftiImage image, encode_labels(answers.of(system, prompts), ChannelAxis::first));
      FIDUCIAL_TRY_DONE(make_folders(folder / system));
      FIDUCIAL_TRY_DONE(write_nifti(folder / system / name, image));
    }
  }
  return done();
}

}  // namespace fiducial
