#pragma once

#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <sys/mman.h>
#include <vector>

#include "fiducial/base/file.h"

#include "repetitions.h"

namespace fiducial::bench {

// Memory for the inflated bytes of one file, from the system and untouched.
class Pages {
 public:
  explicit Pages(std::size_t size)
      : data_(::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)),
        size_(size) {
    if (data_ == MAP_FAILED) data_ = nullptr;
  }
  ~Pages() {
    if (data_ != nullptr) ::munmap(data_, size_);
  }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  std::span<std::byte> bytes() const {
    return {static_cast<std::byte*>(data_), data_ == nullptr ? 0 : size_};
  }

 private:
  void* data_;
  std::size_t size_;
};

// The length a gzip file of one member says it has, modulo 2^32.
inline std::size_t promised_bytes(ByteView file) {
  return file.size() < 18 ? 0 : load<std::uint32_t>(file, file.size() - 4);
}

// Inflates a whole gzip file; false if it is broken or does not fill the memory exactly.
using InflateWhole = std::function<bool(ByteView file, std::span<std::byte> out)>;

// The time to inflate all files on one thread, files already in memory. fresh: into new memory, whose page
// faults count but whose return to the system does not; warm: into memory written just before.
inline int inflate_rival(int argc, char** argv, const InflateWhole& inflate) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 2 || (words[0] != "fresh" && words[0] != "warm")) {
    std::fputs("usage: RIVAL fresh|warm FILE...\n", stderr);
    return 2;
  }
  std::vector<std::string> files;
  for (std::size_t i = 1; i < words.size(); ++i) {
    Result<std::string> file = read_text_file(words[i]);
    if (!file.ok()) return 1;
    files.push_back(std::move(file).value());
  }
  return answer_repetitions([&]() -> std::optional<Took> {
    Took took;
    for (const std::string& content : files) {
      const ByteView file = as_bytes(content);
      const Pages pages(promised_bytes(file));
      bool good = words[0] == "fresh" || inflate(file, pages.bytes());
      took += timed([&] { good = good && inflate(file, pages.bytes()); });
      if (!good) return std::nullopt;
    }
    return took;
  });
}

}  // namespace fiducial::bench
