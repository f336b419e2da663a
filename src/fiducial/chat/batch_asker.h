#pragma once

#include <memory>

#include "fiducial/chat/asker.h"

namespace fiducial {

// Asks all questions of an inquiry in batches, which vendors answer within a day at a lower price: all that
// can be asked now goes out together, its results are journalled and heard, and more may follow from them.
//
// A batch is noted in the journal before it is handed in and again with its id, so that whoever is killed
// goes on with the same one: a batch whose id was never heard of is looked for among those of the account.
// Ends as Asker does; the batches of a run that was stopped stay with the endpoint.
class BatchAsker {
 public:
  // Refuses a vendor without batches.
  static Result<std::unique_ptr<BatchAsker>> make(AskSettings settings, ImageBytes images, Journal& journal,
                                                  AskWatcher& watcher);
  ~BatchAsker();
  BatchAsker(const BatchAsker&) = delete;
  BatchAsker& operator=(const BatchAsker&) = delete;

  Outcome ask(Inquiry& inquiry);
  const AskState& state() const;

 private:
  class Loop;
  explicit BatchAsker(std::unique_ptr<Loop> loop);
  std::unique_ptr<Loop> loop_;
};

}  // namespace fiducial
