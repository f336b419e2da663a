#include "score_output.h"

#include <utility>
#include <vector>

#include "fiducial/base/interruption.h"

namespace fiducial::python {

ScoreOutput unless_given_up(ScoreOutput output) {
  output.more = [more = std::move(output.more)](const Json& summary) -> Result<std::vector<NamedText>> {
    std::vector<NamedText> files;
    if (more) {
      FIDUCIAL_TRY(files, more(summary));
    }
    if (call_given_up()) return given_up();
    return files;
  };
  return output;
}

}  // namespace fiducial::python
