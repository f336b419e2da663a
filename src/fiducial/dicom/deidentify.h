#pragma once

#include <map>
#include <string>
#include <vector>

#include "fiducial/dicom/data_set.h"

namespace fiducial {

// What became of an attribute.
enum class DicomAction {
  removed,   // it is not there any more
  emptied,   // it must be there, and says nothing
  replaced,  // a UID by another one, the same for the same UID
};
std::string_view to_string(DicomAction action);

// What was changed in a data set: how many attributes of each tag, and how.
using DeidentifyReport = std::map<std::pair<DicomTag, DicomAction>, std::size_t>;

// A data set by the Basic Application Level Confidentiality Profile of PS3.15, annex E, without options.
// Where the profile lists attributes to clean, this goes by kinds and keeps a list: names of persons, dates,
// times, ages and free texts go unless they are among what is kept (codes, equipment's make, acquisition,
// segments); so do private attributes, overlays and everything of unknown kind. UIDs that no standard defines
// are replaced by one that is made of their hash. PatientIdentityRemoved and the method are set.
DeidentifyReport deidentify(DicomDataSet& data);

}  // namespace fiducial
