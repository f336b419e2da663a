#pragma once

#include <string>
#include <string_view>

#include "fiducial/metrics/contract.h"

namespace fiducial {

// The part of a model's reply that answers, without its visible reasoning.
//
// Character references are decoded once. With an <answer> tag: the text from the first one to its closing tag
// or to the end. Otherwise every <think> goes with all up to its closing tag or the end, and so do
// end-of-text tokens. By official rules a closing tag alone leaves the reasoning before it in place; by
// strict rules that goes too.
std::string cleaned_reply(std::string_view reply, Scorer scorer);

}  // namespace fiducial
