#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace fiducial {

// What the prediction for one case may cost. A file of some kilobytes can ask for hours: honest masks are far
// below all of these.
struct CaseLimits {
  std::int64_t runs = 16'000'000;       // changes of label along the rows of a mask file
  std::int64_t components = 1'000'000;  // of one mask
  std::int64_t decoded_mib = 65'536;    // of one mask file, without its compression
  std::int64_t seconds = 600;           // of one processor
};

// Says that what this thread does until the end of the scope is for one case with these limits. What reads
// masks asks for them; what computes tells the budget what it met. A budget that is overdrawn stays so:
// whoever opened the scope asks for the reason and fails the case.
class CaseBudget {
 public:
  explicit CaseBudget(const CaseLimits& limits);
  ~CaseBudget();
  CaseBudget(const CaseBudget&) = delete;
  CaseBudget& operator=(const CaseBudget&) = delete;

  // The limits that hold for this thread: the usual ones outside of any scope.
  static CaseLimits limits();
  // Tells the scope of this thread, if any, how many components a mask has.
  static void met_components(std::int64_t count);

  // Whether the scope of this thread, if any, has used up its time. Long loops ask before each costly step,
  // and leave with whatever they have: the case fails.
  static bool is_out_of_time();

  // Why the case must fail, if it must.
  std::optional<std::string> overdrawn() const;

 private:
  bool took_too_long() const;

  CaseLimits limits_;
  CaseBudget* outer_;
  double began_s_;
  std::int64_t components_ = 0;  // the most that a mask had
};

}  // namespace fiducial
