#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "fiducial/base/open_file.h"
#include "fiducial/base/result.h"

namespace fiducial {

// Texts in the order they came, each under a number. Beyond a megabyte they lie in a temporary file that has
// no name and goes away with the store, so that memory does not grow with them.
class TextStore {
 public:
  using Id = std::uint64_t;
  static constexpr Id none = ~std::uint64_t{0};

  Result<Id> add(std::string_view text);

  // Reads texts of a store that gets no more; one reader a thread. Cheapest in the order they came.
  class Reader {
   public:
    explicit Reader(const TextStore& store) : store_(store) {}
    // Valid until the next call.
    Result<std::string_view> text(Id id);

   private:
    Result<std::string_view> bytes_at(std::uint64_t offset, std::size_t count);

    const TextStore& store_;
    std::string window_;
    std::uint64_t begin_ = 0;  // of the window in the file
  };

 private:
  Outcome store_recent();

  std::string recent_;        // what is not in the file
  std::uint64_t stored_ = 0;  // bytes of the file
  OpenFile file_;
};

}  // namespace fiducial
