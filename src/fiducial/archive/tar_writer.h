#pragma once

#include <string_view>

#include "fiducial/base/bytes.h"
#include "fiducial/base/result.h"

namespace fiducial {

// A tar archive (ustar) in memory, whose bytes depend on nothing but names and contents: no time, no owner,
// mode 0644, members in the order they are added.
class TarWriter {
 public:
  // Refuses names that TarReader would refuse, and those that ustar cannot hold.
  Outcome add(std::string_view name, ByteView content);
  // The archive with its end. Call once, last.
  Bytes finish();

 private:
  Bytes bytes_;
};

}  // namespace fiducial
