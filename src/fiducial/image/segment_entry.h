#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace fiducial {

// A code of a scheme: {"SCT", "39607008", "Lung"}.
struct CodedName {
  std::string scheme;
  std::string value;
  std::string meaning;

  bool empty() const { return value.empty(); }
  friend bool operator==(const CodedName&, const CodedName&) = default;
};

// What a label of a mask file stands for, as segmentation formats say it.
struct SegmentEntry {
  std::string id;
  std::string name;
  std::int32_t label = 1;
  std::int32_t layer = 0;                       // the channel that holds it
  std::array<double, 3> colour{0.5, 0.5, 0.5};  // red, green, blue of 0 .. 1
  CodedName category;                           // anatomical structure, ...
  CodedName type;                               // lung
  CodedName side;                               // left

  friend bool operator==(const SegmentEntry&, const SegmentEntry&) = default;
};

}  // namespace fiducial
