#pragma once

#include "fiducial/text/answer_pieces.h"

namespace fiducial {

// Replaces the texts of options by mentions, longest first. An option is mentioned by its text, by the text
// without brackets, by what brackets hold and by either side of a slash.
std::vector<AnswerPiece> with_option_texts(std::vector<AnswerPiece> pieces,
                                           const std::array<std::string, 5>& options, bool first_of_equal);

}  // namespace fiducial
