#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/curate/engine/item_fields.h"

namespace fiducial {

// The options of an item in any of the working forms: an object of single letters keeps them in upper case;
// any other object, a list of texts or a list of objects is lettered A, B, ...
std::vector<LetteredOption> judged_options(const Json& value);

// The letters a judge named: in upper case, without one final ')' or '.', only those of real options, once
// each, in the order of the options.
std::vector<std::string> leaked_letters(const Json* named, std::span<const LetteredOption> options);

// The letter of a key: a single letter, the key of an option in the file, "A)", "A." or "option_a", or a
// position from 0.
std::optional<std::string> key_letter(std::string_view key, std::span<const LetteredOption> options);

}  // namespace fiducial
