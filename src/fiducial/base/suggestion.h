#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/error.h"

namespace fiducial {

// How many characters must be inserted, deleted, replaced or exchanged with their neighbour to make one word
// of another (optimal string alignment). Bytes, not letters.
std::size_t typing_mistakes(std::string_view a, std::string_view b);

// The known name that was probably meant: the same but for case, "-" and "_", else one that begins with the
// word, else one that a few typing mistakes make of it. Nothing where none is near.
std::optional<std::string> nearest_name(std::string_view word, const std::vector<std::string>& known);

// "; did you mean NAME?", or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

// "no KIND "WORD"; there is A, B, C", with what was probably meant.
std::string unknown_name(std::string_view kind, std::string_view word, const std::vector<std::string>& known);

// The error that says so, behind what names the place it was given in ("--split: ").
Error no_such_name(std::string_view kind, std::string_view word, const std::vector<std::string>& known,
                   const std::string& given_in = "");

// What an error about a path leaves unsaid, as "; did you mean PATH?": a neighbour with nearly the same name,
// the one file of a folder that stands where a file goes, the folder of a file that stands where one goes.
// By the error's reason. Empty where there is nothing to add.
std::string path_advice(const Error& error);

}  // namespace fiducial
