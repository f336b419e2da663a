#pragma once

#include "fiducial/cases/diagnosis_case.h"

namespace fiducial::medthinkvqa {

// A number of twelve digits that stands for a case where its own would tell where it was published. Follows
// from the number alone, so that whoever holds the cases can find back; it hides nothing from whoever looks.
std::int64_t opaque_case_number(std::int64_t number);

// A case under its opaque number, in its title and the paths of its images.
DiagnosisCase with_opaque_id(DiagnosisCase item);

}  // namespace fiducial::medthinkvqa
