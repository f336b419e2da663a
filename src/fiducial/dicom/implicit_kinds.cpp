#include "fiducial/dicom/implicit_kinds.h"

#include <algorithm>
#include <array>
#include <utility>

namespace fiducial {

namespace {

// By tag.
constexpr std::array<std::pair<DicomTag, std::string_view>, 76> kinds{{
    {0x00080005, "CS"}, {0x00080008, "CS"}, {0x00080016, "UI"}, {0x00080018, "UI"}, {0x00080020, "DA"},
    {0x00080021, "DA"}, {0x00080022, "DA"}, {0x00080023, "DA"}, {0x00080030, "TM"}, {0x00080031, "TM"},
    {0x00080050, "SH"}, {0x00080060, "CS"}, {0x00080070, "LO"}, {0x00080080, "LO"}, {0x00080090, "PN"},
    {0x00080096, "SQ"}, {0x00081010, "SH"}, {0x00081030, "LO"}, {0x00081032, "SQ"}, {0x0008103E, "LO"},
    {0x00081048, "PN"}, {0x00081070, "PN"}, {0x00081090, "LO"}, {0x00081110, "SQ"}, {0x00081111, "SQ"},
    {0x00081115, "SQ"}, {0x00081140, "SQ"}, {0x00081150, "UI"}, {0x00081155, "UI"}, {0x00081199, "SQ"},
    {0x00082112, "SQ"}, {0x00089215, "SQ"}, {0x00100010, "PN"}, {0x00100020, "LO"}, {0x00100030, "DA"},
    {0x00100040, "CS"}, {0x00101010, "AS"}, {0x00180015, "CS"}, {0x00180050, "DS"}, {0x00180060, "DS"},
    {0x00180088, "DS"}, {0x0020000D, "UI"}, {0x0020000E, "UI"}, {0x00200010, "SH"}, {0x00200011, "IS"},
    {0x00200013, "IS"}, {0x00200032, "DS"}, {0x00200037, "DS"}, {0x00200052, "UI"}, {0x00201040, "LO"},
    {0x00209221, "SQ"}, {0x00209222, "SQ"}, {0x00280002, "US"}, {0x00280004, "CS"}, {0x00280008, "IS"},
    {0x00280010, "US"}, {0x00280011, "US"}, {0x00280030, "DS"}, {0x00280100, "US"}, {0x00280101, "US"},
    {0x00280102, "US"}, {0x00280103, "US"}, {0x30060010, "SQ"}, {0x30060012, "SQ"}, {0x30060014, "SQ"},
    {0x30060016, "SQ"}, {0x30060020, "SQ"}, {0x30060024, "UI"}, {0x30060026, "LO"}, {0x30060039, "SQ"},
    {0x30060040, "SQ"}, {0x30060042, "CS"}, {0x30060050, "DS"}, {0x30060080, "SQ"}, {0x52009229, "SQ"},
    {0x52009230, "SQ"},
}};

}  // namespace

std::string_view implicit_kind(DicomTag tag) {
  const auto found =
      std::lower_bound(kinds.begin(), kinds.end(), tag,
                       [](const auto& known, DicomTag wanted) { return known.first < wanted; });
  return found != kinds.end() && found->first == tag ? found->second : "UN";
}

}  // namespace fiducial
