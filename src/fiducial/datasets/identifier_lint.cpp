#include "fiducial/datasets/identifier_lint.h"

#include "fiducial/base/number_text.h"
#include "fiducial/text/identifier_hints.h"

namespace fiducial {

void add_identifier_hints(std::string_view text, const LintRule& rule, const LintPlace& place,
                          LintProblems& out) {
  for (const IdentifierHint& hint : identifier_hints(text)) {
    out.add(rule, place,
            "a " + std::string(to_string(hint.kind)) + " perhaps, characters " + decimal(hint.begin) +
                " to " + decimal(hint.end) + ": \"" + hint.text + "\"");
  }
}

}  // namespace fiducial
