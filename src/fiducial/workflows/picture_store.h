#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <unordered_map>

#include "fiducial/base/file.h"
#include "fiducial/chat/chat_request.h"

namespace fiducial {

// The pictures of a run, once each, in files named by the hash of their bytes. One thread.
class PictureStore {
 public:
  // Without a folder nothing is kept: for runs that send nothing.
  explicit PictureStore(Path folder) : folder_(std::move(folder)) {}

  // Keeps a picture. Refuses what endpoints do not read, and what cannot be decoded.
  Result<ChatImage> add(const std::string& bytes);
  // Whether a picture of that hash was kept by an earlier run; it counts as one of this run's.
  bool has_kept(const std::string& sha256);
  // The bytes of a picture. They are hashed once, and again where the file changed since.
  Result<std::string> read(const std::string& sha256) const;
  // The hashes of all that is kept, by this run and those before it.
  std::set<std::string> kept() const;

 private:
  struct Checked {
    std::filesystem::file_time_type written_at;
    std::size_t bytes = 0;
    friend bool operator==(const Checked&, const Checked&) = default;
  };

  Path folder_;
  std::set<std::string> hashes_;
  mutable std::unordered_map<std::string, Checked> checked_;  // files that were held against their names
};

}  // namespace fiducial
