#include "drawing.h"

#include "fiducial/base/number_text.h"
#include "fiducial/report/text_table.h"

namespace fiducial::cli {

Bar share_bar(std::int64_t count, std::int64_t whole, const std::string& what) {
  const double share = whole == 0 ? 0 : 100.0 * static_cast<double>(count) / static_cast<double>(whole);
  return {share, what + ": " + grouped_digits(count) + " (" + fixed(share, 1) + " %)"};
}

}  // namespace fiducial::cli
