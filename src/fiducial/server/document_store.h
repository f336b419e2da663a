#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "fiducial/base/json.h"

namespace fiducial {

// Documents that take long to make, kept under a key that names all they depend on. Safe from any thread: who
// asks for one that is being made waits for it, others do not.
class DocumentStore {
 public:
  Result<Json> kept_or_made(const std::string& key, const std::function<Result<Json>()>& make);

 private:
  struct Entry {
    std::string key;
    std::mutex mutex;
    std::optional<Json> document;
  };

  static constexpr std::size_t most_documents = 256;

  std::mutex mutex_;
  std::list<std::shared_ptr<Entry>> entries_;  // the most recently used first
};

}  // namespace fiducial
