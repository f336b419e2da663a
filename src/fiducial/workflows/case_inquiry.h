#pragma once

#include <deque>
#include <map>
#include <memory>

#include "fiducial/workflows/prepared_run.h"

namespace fiducial {

// The questions of a run: case by case, sample by sample, each dialogue as far as its replies allow.
// Dialogues live from their first question to their last reply.
class CaseInquiry final : public Inquiry {
 public:
  explicit CaseInquiry(const PreparedRun& run) : run_(run) {}

  Result<std::optional<Asked>> next() override;
  Outcome hear(Ticket ticket, const Heard& heard) override;
  Extent extent() const override { return {.finished = finished_, .all = run_.items()}; }

 private:
  struct Ready {
    std::int64_t item = 0;
    Dialogue::Opened question;
  };
  void collect(std::int64_t item);

  const PreparedRun& run_;
  std::int64_t next_item_ = 0;
  std::int64_t finished_ = 0;
  std::map<std::int64_t, std::unique_ptr<Dialogue>> dialogues_;
  std::deque<Ready> ready_;
  std::map<Ticket, std::pair<std::int64_t, std::size_t>> asked_;  // item and exchange
  Ticket next_ticket_ = 0;
};

}  // namespace fiducial
