#pragma once

#include <string>

#include "fiducial/base/json.h"
#include "fiducial/base/sha256.h"

namespace fiducial {

// Reads typed members of an object. The first thing that does not fit is remembered with its name, and
// everything read after it is empty, so that a long list of members is checked once at its end.
class JsonReader {
 public:
  explicit JsonReader(const Json& object) : object_(object) {}

  std::string text(const char* key);
  std::int64_t integer(const char* key);
  double number(const char* key);
  bool flag(const char* key);
  const Json& member(const char* key);  // null where it is not there
  const Json::Array& array(const char* key);
  std::optional<Digest> optional_digest(const char* key);  // null or absent: none
  Digest digest(const char* key);

  void refuse(const char* key);
  bool ok() const { return problem_.empty(); }
  // An error that names the first member that did not fit.
  Outcome outcome(const char* what) const;

 private:
  const Json& object_;
  std::string problem_;
};

}  // namespace fiducial
