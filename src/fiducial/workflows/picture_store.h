#pragma once

#include <set>
#include <string>

#include "fiducial/base/file.h"
#include "fiducial/chat/chat_request.h"

namespace fiducial {

// The pictures of a run, once each, in files named by the hash of their bytes.
class PictureStore {
 public:
  // Without a folder nothing is kept: for runs that send nothing.
  explicit PictureStore(Path folder) : folder_(std::move(folder)) {}

  // Keeps a picture. Refuses what endpoints do not read, and what cannot be decoded.
  Result<ChatImage> add(const std::string& bytes);
  Result<std::string> read(const std::string& sha256) const;
  const std::set<std::string>& hashes() const { return hashes_; }

 private:
  Path folder_;
  std::set<std::string> hashes_;
};

}  // namespace fiducial
