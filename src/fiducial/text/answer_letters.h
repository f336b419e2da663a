#pragma once

#include "fiducial/text/answer_pieces.h"

namespace fiducial {

// Makes mentions of the letters that stand for options, and not of articles or of letters in names.
std::vector<AnswerPiece> with_option_letters(std::vector<AnswerPiece> pieces);

}  // namespace fiducial
