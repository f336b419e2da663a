#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "fiducial/base/result.h"

namespace fiducial {

// Texts in the order they came, each under a number. Beyond a megabyte they lie in a temporary file that has
// no name and goes away with the store, so that memory does not grow with them.
class TextStore {
 public:
  using Id = std::uint64_t;
  static constexpr Id none = ~std::uint64_t{0};

  TextStore() = default;
  TextStore(TextStore&& other) noexcept
      : recent_(std::move(other.recent_)),
        stored_(std::exchange(other.stored_, 0)),
        descriptor_(std::exchange(other.descriptor_, -1)) {}
  TextStore& operator=(TextStore&& other) noexcept;
  TextStore(const TextStore&) = delete;
  TextStore& operator=(const TextStore&) = delete;
  ~TextStore();

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
  int descriptor_ = -1;
};

}  // namespace fiducial
