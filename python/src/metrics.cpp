#include "metrics.h"

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/stl/array.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "fiducial/base/file.h"
#include "fiducial/masks/mask_file.h"
#include "fiducial/metrics/metric.h"
#include "fiducial/spatial/components.h"

#include "errors.h"
#include "long_call.h"
#include "masks.h"

namespace fiducial::python {

namespace nb = nanobind;

namespace {

// A whole mask file of one channel, as a mask.
Result<LabelMask> read_single_mask(const Path& path) {
  FIDUCIAL_TRY(std::unique_ptr<FileStream> file, FileStream::open(path));
  const std::uint64_t size = file->size();
  FIDUCIAL_TRY(MaskFile mask,
               read_mask_file({std::move(file), size}, std::nullopt).mask.in_file(path.string()));
  const auto broken = [&path](const std::string& message) {
    return Error(ErrorCode::invalid_data, message, Place{.path = path.string()});
  };
  if (mask.shape.channels != 1) return broken(mask.shape.text() + " voxels; expected one mask");
  if (mask.values.fractional + mask.values.not_finite > 0) {
    return broken("voxels are no whole numbers; expected a mask");
  }
  return LabelMask{std::move(mask.channels.front()), mask.claims_place};
}

struct MetricRequest {
  std::vector<const MaskMetric*> metrics;
  FindingContext context;
};

Result<MetricRequest> request_of(const std::vector<std::string>& ids,
                                 const std::optional<std::array<double, 3>>& spacing_mm, double tolerance_mm,
                                 const std::optional<bool>& focal) {
  MetricRequest out{{}, {.spacing_mm = spacing_mm, .tolerance_mm = tolerance_mm, .focal = focal}};
  if (spacing_mm) {
    for (const double mm : *spacing_mm) {
      if (!std::isfinite(mm) || mm <= 0) return bad_usage("spacing must be three numbers above 0");
    }
  }
  if (!std::isfinite(tolerance_mm) || tolerance_mm < 0) return bad_usage("tolerance_mm must be 0 or more");
  for (const std::string& id : ids) {
    out.metrics.push_back(find_mask_metric(id));
    if (out.metrics.back() == nullptr)
      return bad_usage("no metric \"" + id + "\"").because(ErrorReason::unknown_name);
  }
  return out;
}

Outcome check_extents(const LabelMap& reference, const LabelMap& prediction) {
  if (reference.extent() == prediction.extent()) return done();
  return bad_usage("the arrays differ in shape: the reference has " + reference.extent().text() +
                   " voxels, the prediction " + prediction.extent().text());
}

// The published scorer casts values to 8 bits.
LabelMap as_uint8(const LabelMap& labels) {
  return labels.relabelled([](std::int32_t label) { return label & 0xFF; });
}

std::vector<Score> scores_of(const MetricRequest& request, const LabelMap& reference,
                             const LabelMap& prediction) {
  const FindingPair strict(reference, prediction, InstanceRules{}, request.context);
  std::optional<FindingPair> official;
  std::vector<Score> out;
  for (const MaskMetric* metric : request.metrics) {
    if (metric->contract.scorer == Scorer::strict) {
      out.push_back(metric->score(strict));
      continue;
    }
    if (!official)
      official.emplace(as_uint8(reference), as_uint8(prediction), InstanceRules{}, request.context);
    out.push_back(metric->score(*official));
  }
  return out;
}

nb::list scores(const LabelMask& reference, const LabelMask& prediction, const MetricRequest& request) {
  unwrap(check_extents(reference.labels, prediction.labels));
  const auto found =
      long_call(nb::none(),
                [request, a = reference.labels, b = prediction.labels](
                    Progress&) -> Result<std::vector<Score>> { return scores_of(request, a, b); });
  nb::list out;
  for (const Score& score : found) {
    out.append(score.defined() ? nb::make_tuple(score.value(), nb::none())
                               : nb::make_tuple(nb::none(), text(score.reason())));
  }
  return out;
}

nb::tuple overlap_counts(const LabelMask& reference, const LabelMask& prediction) {
  unwrap(check_extents(reference.labels, prediction.labels));
  const Overlap found = unwrapped(overlap(reference.labels.foreground(), prediction.labels.foreground()));
  return nb::make_tuple(found.reference, found.prediction, found.both);
}

nb::tuple components_of(const LabelMask& mask, int connectivity) {
  if (connectivity != 6 && connectivity != 18 && connectivity != 26) {
    throw RaisedError(bad_usage("connectivity must be 6, 18 or 26"));
  }
  Components found =
      long_call(nb::none(), [mask = mask.labels, connectivity](Progress&) -> Result<Components> {
        return components(mask.foreground(), static_cast<Connectivity>(connectivity));
      });
  return nb::make_tuple(LabelMask{std::move(found.labels), mask.placed}, found.voxels);
}

nb::list contracts() {
  nb::list out;
  for (const MaskMetric& metric : all_mask_metrics()) {
    const MetricContract& contract = metric.contract;
    nb::dict one;
    one["id"] = text(contract.id);
    one["version"] = contract.version;
    one["title"] = text(contract.title);
    one["scorer"] = text(to_string(contract.scorer));
    one["group"] = text(contract.group);
    one["better"] = text(to_string(contract.better));
    one["range"] = text(contract.range);
    one["unit"] = text(contract.unit);
    one["definition"] = text(contract.definition);
    one["needs_spacing"] = contract.needs_spacing;
    one["citation"] = text(contract.citation);
    out.append(one);
  }
  return out;
}

}  // namespace

void define_metrics(nb::module_& module) {
  module.def(
      "scores",
      [](const LabelMask& reference, const LabelMask& prediction, const std::vector<std::string>& ids,
         const std::optional<std::array<double, 3>>& spacing_mm, double tolerance_mm,
         const std::optional<bool>& focal) {
        return scores(reference, prediction, unwrapped(request_of(ids, spacing_mm, tolerance_mm, focal)));
      },
      nb::arg("reference"), nb::arg("prediction"), nb::arg("ids"), nb::arg("spacing_mm").none(),
      nb::arg("tolerance_mm"), nb::arg("focal").none(), "(value, None) or (None, reason) for every id.");
  module.def("overlap", overlap_counts, nb::arg("reference"), nb::arg("prediction"));
  module.def("components", components_of, nb::arg("mask"), nb::arg("connectivity"));
  module.def("metric_contracts", contracts);
  module.def(
      "read_mask",
      [](const Path& path) {
        return long_call(nb::none(), [path](Progress&) { return read_single_mask(path); });
      },
      nb::arg("path"));
}

}  // namespace fiducial::python
