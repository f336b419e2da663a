#include "fiducial/server/document_store.h"

#include <algorithm>

namespace fiducial {

Result<Json> DocumentStore::kept_or_made(const std::string& key, const std::function<Result<Json>()>& make) {
  std::shared_ptr<Entry> entry;
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(entries_, key, [](const auto& one) { return one->key; });
    if (found != entries_.end()) {
      entries_.splice(entries_.begin(), entries_, found);
    } else {
      entries_.push_front(std::make_shared<Entry>());
      entries_.front()->key = key;
      if (entries_.size() > most_documents) entries_.pop_back();
    }
    entry = entries_.front();
  }
  const std::lock_guard lock(entry->mutex);
  if (!entry->document) {
    FIDUCIAL_TRY(entry->document, make());
  }
  return *entry->document;
}

}  // namespace fiducial
