#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "fiducial/base/bytes.h"
#include "fiducial/base/json.h"
#include "fiducial/cases/diagnosis_case.h"
#include "fiducial/synth/demo_case.h"

namespace fiducial {

// A teaching case made of a painted scan: pictures of it, words about them, and five diagnoses.
struct DemoQuestion {
  DiagnosisCase item;
  std::vector<Bytes> pictures;  // JPEG, here and there PNG as in the published data; one an image of the item
};

// One question a finding of the scan. Depends on the seed, the plan and the first number only.
std::vector<DemoQuestion> make_questions(std::uint64_t seed, const DemoCasePlan& plan, const DemoCase& demo,
                                         std::int64_t first_number);

// Invented models whose strengths and faults are known.
enum class DemoReader {
  good,       // mostly right, with steps close to the expert's words
  guessing,   // a letter at random, with steps that fit any case
  text_only,  // never looks: takes the diagnosis whose name is of middle length
};

inline constexpr std::array<DemoReader, 3> all_demo_readers{DemoReader::good, DemoReader::guessing,
                                                            DemoReader::text_only};
std::string_view to_string(DemoReader reader);

// A line of a submission: title, prediction, prediction_rationale and prediction_twi.
Json reader_line(DemoReader reader, std::uint64_t seed, const DiagnosisCase& item);

}  // namespace fiducial
