#include "fiducial/datasets/rexgroundingct/lint_mask.h"

#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/datasets/rexgroundingct/dataset.h"
#include "fiducial/datasets/rexgroundingct/lint_rules.h"
#include "fiducial/datasets/submission.h"
#include "fiducial/geometry/orientation.h"
#include "fiducial/masks/mask_file.h"

namespace fiducial::rexgroundingct {

namespace {

namespace rules = lint_rules;

constexpr std::int64_t entity_guideline = 3;  // "at most three representative instances per finding" in train

Result<StoredFile> open_stored(const Path& path) {
  FIDUCIAL_TRY(std::unique_ptr<FileStream> file, FileStream::open(path));
  const std::uint64_t size = file->size();
  return StoredFile{std::move(file), size};
}

// The checks of one mask, each against what its entry says.
class MaskChecks {
 public:
  MaskChecks(const MaskToLint& mask, std::string file) : mask_(mask), file_(std::move(file)) {}

  void check_stored(const StoredMaskHead& stored) {
    if (file_.ends_with(".gz") && !stored.is_gzip) {
      out_.add(rules::mask_not_gzip, {file_, "byte 0"},
               "expected gzip data as the name says, found an uncompressed file");
    }
  }

  void check_mask(const MaskFile& mask) {
    if (mask.rank != 4) {
      out_.add(rules::mask_axes, {file_, ""},
               "expected 4 axes (F,H,W,D), found an array of shape " + mask.shape.extent.text());
    }
    if (!is_integer(mask.type)) {
      out_.add(rules::mask_type, {file_, ""},
               "expected an integer type, found " + std::string(to_string(mask.type)));
    }
    check_shape(mask.shape);
    if (mask.claims_place) {
      out_.add(rules::mask_place, {file_, ""},
               "expected the identity affine, found " + OrientationCode::of(mask.affine).text() +
                   "; the CT's grid is taken all the same");
    }
    out_.add_notes(rules::mask_header, file_, mask.notes);
    if (!check_values(mask.values)) return;
    const bool same_findings = entry().lists_findings && mask.channels.size() == entry().findings.size();
    for (std::size_t i = 0; i < mask.channels.size(); ++i) {
      check_channel(mask.channels[i], static_cast<std::int64_t>(i),
                    same_findings ? &entry().findings[i] : nullptr);
    }
  }

  void add(const LintRule& rule, const Error& error) {
    out_.add(rule, LintPlace::of(file_, error), error.message());
  }
  LintProblems take() { return std::move(out_); }

 private:
  const GroundedCase& entry() const { return mask_.entry->entry; }
  LintPlace at(const std::string& pointer) const {
    return {mask_.dataset_file, mask_.entry->pointer + "/" + pointer};
  }

  void check_shape(const ChannelShape& shape) {
    if (entry().lists_findings && shape.channels != static_cast<std::int64_t>(entry().findings.size())) {
      out_.add(rules::mask_channels, {file_, ""},
               "expected " + decimal(entry().findings.size()) + " channels, one a finding, found " +
                   decimal(shape.channels));
    }
    if (entry().extent && *entry().extent != shape.extent) {
      out_.add(rules::mask_shape, at("shape"),
               "expected " + shape.extent.text() + " as in " + file_ + ", found " + entry().extent->text());
    }
  }

  // Whether counts of voxels and ids mean anything.
  bool check_values(const LabelValueFacts& values) {
    if (values.not_finite > 0 || values.fractional > 0) {
      out_.add(rules::mask_values, {file_, ""},
               "expected whole numbers, found " + decimal(values.fractional) + " fractions and " +
                   decimal(values.not_finite) + " voxels that are NaN or infinite");
      return false;
    }
    return true;
  }

  void check_channel(const LabelMap& channel, std::int64_t index, const Finding* finding) {
    const LintPlace here = LintPlace::channel(file_, index);
    const std::vector<std::int32_t> ids = channel.labels();
    if (ids.empty()) {
      out_.add(rules::mask_channel_empty, here, "expected foreground, found none");
    } else if (ids.front() < 0) {
      out_.add(rules::mask_ids_negative, here, "expected positive ids, found " + decimal(ids.front()));
    }
    if (!ids.empty() && ids.back() > 255) {
      out_.add(rules::mask_ids_over_255, here,
               "expected ids up to 255, found " + decimal(ids.back()) +
                   "; the published scorer wraps it to " + decimal(ids.back() & 0xFF));
    }
    const auto entities = static_cast<std::int64_t>(ids.size());
    if (mask_.split == "train" && entities > entity_guideline) {
      out_.add(
          rules::entities_over_guideline, here,
          "expected at most " + decimal(entity_guideline) + " entities in train, found " + decimal(entities));
    }
    if (finding == nullptr) return;
    compare(rules::mask_pixels, "pixels", finding->voxels, {index, channel.count(), "non-zero voxels"});
    compare(rules::mask_entities, "entity_counts", finding->entities, {index, entities, "distinct ids"});
  }

  struct Counted {
    std::int64_t index;
    std::int64_t value;
    std::string what;
  };

  void compare(const LintRule& rule, const std::string& key, std::optional<std::int64_t> told,
               const Counted& counted) {
    if (!told || *told == counted.value) return;
    out_.add(rule, at(key + "/" + decimal(counted.index)),
             "expected " + decimal(counted.value) + ", the " + counted.what + " of channel " +
                 decimal(counted.index) + " in " + file_ + ", found " + decimal(*told));
  }

  const MaskToLint& mask_;
  std::string file_;
  LintProblems out_;
};

// Fails where the file cannot be read; every other objection is a problem.
Result<MaskFile> check_file(const Path& path, MaskChecks& checks) {
  FIDUCIAL_TRY(StoredFile header_only, open_stored(path));
  FIDUCIAL_TRY(const StoredMaskHead head, read_stored_head(std::move(header_only)));
  FIDUCIAL_TRY(StoredFile whole, open_stored(path));
  MaskRead read = read_mask_file(std::move(whole), std::nullopt);
  FIDUCIAL_TRY(MaskFile content, std::move(read.mask));
  checks.check_stored(head);
  checks.check_mask(content);
  return content;
}

}  // namespace

MaskLint lint_mask(const MaskToLint& mask) {
  const std::string file = mask_name_in(mask.folder, mask.entry->entry.name);
  const Path path = mask.folder / file;
  MaskLint out{.file = file};
  if (!is_there(path)) {
    out.problems.add(rules::mask_missing, {file, ""}, "expected the mask of a case, found no such file");
    return out;
  }
  MaskChecks checks(mask, file);
  Result<MaskFile> content = check_file(path, checks);
  if (content.ok()) {
    out.shape = content->shape;
    if (content->claims_place) out.claimed = content->affine;
    out.channels = std::move(content->channels);
  } else {
    checks.add(rules::mask_unreadable, content.error());
  }
  out.problems = checks.take();
  return out;
}

}  // namespace fiducial::rexgroundingct
