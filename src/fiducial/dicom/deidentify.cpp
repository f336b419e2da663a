#include "fiducial/dicom/deidentify.h"

#include <algorithm>
#include <array>

#include "fiducial/dicom/uid.h"

namespace fiducial {

namespace {

// Texts that say what was done and nothing about whom; in the order of their tags.
constexpr std::array<DicomTag, 43> kept_texts{
    0x00080005, 0x00080008, 0x00080060, 0x00080064, 0x00080068, 0x00080070, 0x00080100, 0x00080102,
    0x00080103, 0x00080104, 0x00081090, 0x00082218, 0x00120062, 0x00120063, 0x00180015, 0x00180020,
    0x00180021, 0x00180022, 0x00180060, 0x00181020, 0x00181160, 0x00181210, 0x00185100, 0x00200060,
    0x00209421, 0x00280004, 0x00280301, 0x00281055, 0x00282110, 0x00282114, 0x0028135A, 0x00540081,
    0x00620001, 0x00620005, 0x00620006, 0x00620008, 0x00620009, 0x00620013, 0x00620020, 0x00700080,
    0x30060026, 0x30060042, 0x300600A4};

// What a file of ours must have, if only empty.
constexpr std::array<DicomTag, 12> emptied_texts{0x00080020, 0x00080030, 0x00080050, 0x00080090,
                                                 0x00100010, 0x00100020, 0x00100030, 0x00100040,
                                                 0x00200010, 0x00201040, 0x00700084, 0x30060036};
// Dates that must have a value; the earliest one says nothing.
constexpr std::array<DicomTag, 2> dummy_dates{0x00080023, 0x00080033};

constexpr std::array<std::string_view, 10> number_kinds{"AT", "DS", "FD", "FL", "IS",
                                                        "SL", "SS", "UL", "US", "SQ"};

template <std::size_t N>
bool has(const std::array<DicomTag, N>& tags, DicomTag tag) {
  return std::find(tags.begin(), tags.end(), tag) != tags.end();
}

// Numbers of patients, pregnancies, series times and the like are no measures of the image.
bool is_number_of_patient(DicomTag tag) { return tag >> 16U == 0x0010 || tag >> 16U == 0x0040; }

bool is_ours_to_know(const DicomElement& element) {
  const std::uint32_t group = element.tag >> 16U;
  const bool is_overlay = (group & 0xFF00U) == 0x5000 || (group & 0xFF00U) == 0x6000;
  return group % 2 == 0 && !is_overlay && element.kind != "UN";
}

class Cleaner {
 public:
  void clean(DicomDataSet& data) {
    std::vector<DicomElement> kept;
    for (DicomElement& element : data.elements()) {
      if (clean(element)) kept.push_back(std::move(element));
    }
    data.elements() = std::move(kept);
  }
  DeidentifyReport take() { return std::move(report_); }

 private:
  void note(DicomTag tag, DicomAction action) { ++report_[{tag, action}]; }

  // Whether the element stays.
  bool clean(DicomElement& element) {
    const bool unknown = !is_ours_to_know(element);
    if (!unknown && element.is_sequence()) return clean_items(element);
    if (!unknown && element.kind == "UI") return clean_uid(element);
    const bool is_number =
        std::find(number_kinds.begin(), number_kinds.end(), element.kind) != number_kinds.end();
    if (!unknown && (has(kept_texts, element.tag) || (is_number && !is_number_of_patient(element.tag))))
      return true;
    if (has(dummy_dates, element.tag) && !unknown) {
      element.value = element.kind == "DA" ? "19000101" : "000000";
      note(element.tag, DicomAction::emptied);
      return true;
    }
    if (!unknown && has(emptied_texts, element.tag)) {
      if (!element.value.empty()) note(element.tag, DicomAction::emptied);
      element.value.clear();
      return true;
    }
    note(element.tag, DicomAction::removed);
    return false;
  }

  // A request, a physician's identification and what was done before are sequences about persons.
  bool clean_items(DicomElement& element) {
    constexpr std::array<DicomTag, 12> about_persons{0x00080096, 0x00081049, 0x00081052, 0x00081062,
                                                     0x00081072, 0x00081084, 0x00081110, 0x00081111,
                                                     0x00081120, 0x00101002, 0x00321064, 0x00400275};
    if (has(about_persons, element.tag) || element.tag >> 16U == 0x0010) {
      note(element.tag, DicomAction::removed);
      return false;
    }
    for (DicomDataSet& item : element.items) clean(item);
    return true;
  }

  bool clean_uid(DicomElement& element) {
    std::string uid = element.value;
    while (!uid.empty() && (uid.back() == '\0' || uid.back() == ' ')) uid.pop_back();
    if (uid.empty() || uid.starts_with("1.2.840.10008.")) return true;
    note(element.tag, DicomAction::replaced);
    element.value = uid_of("de-identified " + uid);
    if (element.value.size() % 2 != 0) element.value += '\0';
    return true;
  }

  DeidentifyReport report_;
};

}  // namespace

std::string_view to_string(DicomAction action) {
  constexpr std::string_view names[] = {"removed", "emptied", "replaced"};
  return names[static_cast<std::size_t>(action)];
}

DeidentifyReport deidentify(DicomDataSet& data) {
  Cleaner cleaner;
  cleaner.clean(data);
  data.set(0x00120062, "CS", "YES");
  data.set(0x00120063, "LO", "PS3.15 Basic Application Level Confidentiality Profile");
  DicomDataSet method;
  method.set(0x00080100, "SH", "113100");
  method.set(0x00080102, "SH", "DCM");
  method.set(0x00080104, "LO", "Basic Application Confidentiality Profile");
  data.set_items(0x00120064, {std::move(method)});
  return cleaner.take();
}

}  // namespace fiducial
