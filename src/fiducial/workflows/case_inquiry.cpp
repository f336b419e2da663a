#include "fiducial/workflows/case_inquiry.h"

namespace fiducial {

void CaseInquiry::collect(std::int64_t item) {
  const auto found = dialogues_.find(item);
  for (Dialogue::Opened& question : found->second->open_questions())
    ready_.push_back({.item = item, .question = std::move(question)});
  if (!found->second->is_finished()) return;
  dialogues_.erase(found);
  ++finished_;
}

Result<std::optional<Inquiry::Asked>> CaseInquiry::next() {
  while (ready_.empty() && next_item_ < run_.items()) {
    const std::int64_t item = next_item_++;
    const AskedCase& asked_case = run_.cases()[static_cast<std::size_t>(item / run_.request().samples)];
    if (!asked_case.problem.empty()) {
      ++finished_;
      continue;
    }
    dialogues_.emplace(item, run_.begin_dialogue(asked_case, item % run_.request().samples));
    collect(item);
  }
  if (ready_.empty()) return std::optional<Asked>();
  Ready ready = std::move(ready_.front());
  ready_.pop_front();
  const AskedCase& asked_case = run_.cases()[static_cast<std::size_t>(ready.item / run_.request().samples)];
  const Ticket ticket = next_ticket_++;
  asked_.emplace(ticket, std::pair(ready.item, ready.question.exchange));
  return std::optional(Asked{.ticket = ticket,
                             .question = {.item = asked_case.title,
                                          .step = std::move(ready.question.step),
                                          .request = std::move(ready.question.request)}});
}

Outcome CaseInquiry::hear(Ticket ticket, const Heard& heard) {
  const auto asked = asked_.find(ticket);
  const auto [item, exchange] = asked->second;
  asked_.erase(asked);
  dialogues_.at(item)->hear(exchange, heard);
  collect(item);
  return done();
}

}  // namespace fiducial
