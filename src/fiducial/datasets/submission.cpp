#include "fiducial/datasets/submission.h"

#include <memory>
#include <span>

#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/geometry/orientation.h"
#include "fiducial/masks/mask_format.h"
#include "fiducial/spatial/finding_order.h"
#include "fiducial/spatial/orientation_probe.h"

namespace fiducial {

namespace {

std::string range_text(const LabelValueFacts& values) {
  return decimal(values.least) + " to " + decimal(values.greatest);
}

// Remembers how the bytes start.
class StartRecorder final : public ByteStream {
 public:
  explicit StartRecorder(std::unique_ptr<ByteStream> upstream) : upstream_(std::move(upstream)) {}

  Result<std::size_t> read(std::span<std::byte> out) override {
    FIDUCIAL_TRY(const std::size_t got, upstream_->read(out));
    for (std::size_t i = 0; i < got && start_.size() < 2; ++i) start_.push_back(out[i]);
    return got;
  }
  bool is_gzip() const { return start_ == Bytes{std::byte{0x1f}, std::byte{0x8b}}; }

 private:
  std::unique_ptr<ByteStream> upstream_;
  Bytes start_;
};

bool has_shape(const MaskHead& head, const std::optional<ChannelShape>& expected) {
  return head.rank == 4 && (!expected || head.shape == *expected);
}

void check_values(const MaskFile& mask, const std::string& name, LintProblems& out) {
  const LabelValueFacts& values = mask.values;
  if (values.not_finite > 0) {
    out.add(
        submission_rules::prediction_not_finite, {name, ""},
        "expected whole numbers, found " + decimal(values.not_finite) + " voxels that are NaN or infinite");
    return;
  }
  if (values.fractional > 0) {
    out.add(submission_rules::prediction_probabilities, {name, ""},
            "expected a mask, found probabilities: " + percent_text(values.fractional, values.foreground, 2) +
                " of the non-zero voxels are no whole numbers");
    return;
  }
  if (!is_integer(mask.type)) {
    out.add(
        submission_rules::prediction_type, {name, ""},
        "expected an integer type, found " + std::string(to_string(mask.type)) + " with whole numbers only");
  }
  if (values.least < 0 || values.greatest > 255) {
    out.add(submission_rules::prediction_values_wrap, {name, ""},
            "expected values in 0..255, found " + range_text(values) +
                "; the published scorer wraps them to 8 bits");
  }
  for (std::size_t i = 0; i < mask.channels.size(); ++i) {
    if (!mask.channels[i].empty()) continue;
    out.add(submission_rules::prediction_channel_empty,
            LintPlace::channel(name, static_cast<std::int64_t>(i)), "expected foreground, found none");
  }
}

void check_place(const MaskFile& mask, const ExpectedPrediction& expected, LintProblems& out) {
  if (!mask.claims_place || mask.shape_error) return;
  const std::string code = OrientationCode::of(mask.affine).text();
  if (!expected.volume || expected.volume->extent != mask.shape.extent) {
    out.add(submission_rules::prediction_place_unchecked, {expected.name, ""},
            "the header claims " + code + "; without the CT it is not known whether that is right");
    return;
  }
  const Grid claimed{mask.shape.extent, mask.affine};
  if (same_grid(claimed, *expected.volume)) return;
  out.add(submission_rules::prediction_place, {expected.name, ""},
          "expected the identity or the CT's affine (" + OrientationCode::of(expected.volume->affine).text() +
              "), found " + code + " with a corner voxel " +
              fixed(largest_corner_distance_mm(claimed, *expected.volume), 3) + " mm away");
}

void check_compression(const std::string& stored_name, bool is_gzip, LintProblems& out) {
  if (!stored_name.ends_with(".gz") || is_gzip) return;
  out.add(submission_rules::prediction_not_gzip, {stored_name, "byte 0"},
          "expected gzip data as the name says, found an uncompressed file");
}

void check_mask(const MaskFile& mask, const StoredMaskHead& stored, const ExpectedPrediction& expected,
                LintProblems& out) {
  if (mask.shape_error) {
    out.add(submission_rules::prediction_shape, {expected.name, ""}, mask.shape_error->message());
  } else if (mask.rank != 4) {
    out.add(submission_rules::prediction_shape, {expected.name, ""},
            "expected 4 axes (F,H,W,D), found an array of shape " + stored.head.shape_text);
  }
  check_values(mask, expected.name, out);
  check_place(mask, expected, out);
  out.add_notes(submission_rules::prediction_header, expected.name, mask.notes);
}

std::string gain_text(double as_is, double other) {
  return "Dice would be " + fixed(other, 4) + " instead of " + fixed(as_is, 4);
}

// Says what a prediction that fits badly would fit better under: the better one, where both would help.
void probe_fit(const MaskFile& mask, const ExpectedPrediction& expected, LintProblems& out) {
  if (expected.reference.empty()) return;
  const auto turned = probe_orientation(expected.reference, mask.channels);
  const auto order = mask.shape_error ? std::nullopt : probe_finding_order(expected.reference, mask.channels);
  if (order && (!turned || order->dice_reordered > turned->dice_transformed)) {
    out.add(submission_rules::prediction_reordered, {expected.name, ""},
            "the findings fit their references in the order '" + order->name() +
                "': " + gain_text(order->dice_as_is, order->dice_reordered) +
                "; write finding i to channel i, in the order of the dataset");
  } else if (turned) {
    out.add(submission_rules::prediction_turned, {expected.name, ""},
            "the mask fits its reference under '" + turned->transform.name() +
                "': " + gain_text(turned->dice_as_is, turned->dice_transformed) +
                "; write it on the voxels of the CT as they are stored");
  }
}

// Fails where the file cannot be read; every other objection is a problem.
Outcome check_content(const PredictionFiles& files, const ExpectedPrediction& expected,
                      CheckedPrediction& out) {
  FIDUCIAL_TRY(StoredFile stored, files.open_file(expected.name));
  out.file->bytes = stored.size;
  FIDUCIAL_TRY(StoredFile again, files.open_file(expected.name));
  const Result<StoredMaskHead> head = read_stored_head(std::move(again));
  MaskRead read = read_mask_file(std::move(stored), expected.shape);
  out.file->digest = read.digest;
  if (!head.ok()) return head.error();
  if (!read.mask.ok() && !has_shape(head->head, expected.shape)) {
    out.problems.add(submission_rules::prediction_shape, {expected.name, ""}, read.mask.error().message());
    return done();
  }
  FIDUCIAL_TRY(const MaskFile mask, std::move(read.mask));
  check_compression(out.file->name, head->is_gzip, out.problems);
  check_mask(mask, *head, expected, out.problems);
  probe_fit(mask, expected, out.problems);
  return done();
}

}  // namespace

Result<StoredMaskHead> read_stored_head(StoredFile file) {
  auto recorder = std::make_unique<StartRecorder>(std::move(file.bytes));
  const StartRecorder& start = *recorder;
  FIDUCIAL_TRY(const std::unique_ptr<MaskReader> reader,
               open_masks({.file = {std::move(recorder), file.size}, .places = nullptr}));
  return StoredMaskHead{reader->head(), start.is_gzip()};
}

Result<std::optional<PredictionFiles>> open_submission(const Path& path, LintProblems& out,
                                                       const std::string& beside) {
  Result<PredictionFiles> files = PredictionFiles::open(path, beside);
  if (files.ok()) return std::optional(*std::move(files));
  if (!is_there(path)) return std::move(files).error();
  out.add(submission_rules::submission_refused, LintPlace::of(path.filename().string(), files.error()),
          files.error().message());
  return std::optional<PredictionFiles>();
}

CheckedPrediction check_prediction(const PredictionFiles& files, const ExpectedPrediction& expected) {
  CheckedPrediction out;
  const std::string& name = expected.name;
  if (!files.has(name)) {
    out.problems.add(submission_rules::prediction_missing, {name, ""},
                     "expected a file of this name, found none");
    return out;
  }
  out.file = SubmittedFile{.name = *files.find(name)};
  if (Outcome outcome = check_content(files, expected, out); !outcome.ok()) {
    out.problems.add(submission_rules::prediction_unreadable, LintPlace::of(name, outcome.error()),
                     outcome.error().message());
  }
  return out;
}

LintProblems check_extra_files(const PredictionFiles& files, const std::map<std::string, std::string>& splits,
                               const std::string& split) {
  LintProblems out;
  for (const std::string& name : files.names()) {
    auto found = splits.find(name);
    if (found == splits.end()) {
      const auto other =
          other_format_of(name, [&](const std::string& each) { return splits.contains(each); });
      if (other) found = splits.find(*other);
    }
    if (found != splits.end() && found->second == split) continue;
    const std::string expected = "expected only files of the cases of \"" + split + "\", found ";
    if (found == splits.end()) {
      out.add(submission_rules::prediction_extra, {name, ""}, expected + "one that belongs to no case");
    } else {
      out.add(files.is_archive() ? submission_rules::prediction_extra
                                 : submission_rules::prediction_of_other_split,
              {name, ""}, expected + "one of \"" + found->second + "\"");
    }
  }
  return out;
}

}  // namespace fiducial
