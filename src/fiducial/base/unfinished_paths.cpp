#include "fiducial/base/unfinished_paths.h"

#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

#include <dirent.h>

namespace fiducial {

namespace {

constexpr int deepest_level = 32;

constexpr int place_free = 0;
constexpr int place_taken = 1;
constexpr int place_used = 2;

// Where a path is remembered. A signal handler reads it, so nothing here is allocated or locked.
struct UnfinishedPlace {
  std::atomic<int> state = 0;  // one of those above
  std::array<char, 1024> path{};
};

std::array<UnfinishedPlace, 16>& places() {
  static std::array<UnfinishedPlace, 16> all;
  return all;
}

void remove_below(int folder, int level);

// Removes a file, or a folder with all it holds; whether it is gone. Calls only what a signal handler may
// call.
bool remove_entry(int parent, const char* name, int level) {
  if (::unlinkat(parent, name, 0) == 0) return true;
  const int folder = ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return false;
  remove_below(folder, level + 1);
  ::close(folder);
  return ::unlinkat(parent, name, AT_REMOVEDIR) == 0;
}

void remove_below(int folder, int level) {
  if (level > deepest_level) return;
  alignas(dirent64) std::array<char, 4096> entries{};
  while (true) {
    ::lseek(folder, 0, SEEK_SET);
    const long bytes = ::syscall(SYS_getdents64, folder, entries.data(), entries.size());
    bool has_removed = false;
    for (long at = 0; at < bytes;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries.data() + at);
      at += entry->d_reclen;
      if (std::strcmp(entry->d_name, ".") == 0 || std::strcmp(entry->d_name, "..") == 0) continue;
      if (remove_entry(folder, entry->d_name, level)) has_removed = true;
    }
    if (!has_removed) return;
  }
}

}  // namespace

void note_unfinished(const std::filesystem::path& folder) {
  // A handler may run in another working folder than the one the path was given in.
  std::error_code failure;
  const std::string path = std::filesystem::absolute(folder, failure).string();
  if (failure || path.size() >= UnfinishedPlace().path.size()) return;
  for (UnfinishedPlace& place : places()) {
    int expected = place_free;
    if (!place.state.compare_exchange_strong(expected, place_taken)) continue;
    std::memcpy(place.path.data(), path.c_str(), path.size() + 1);
    place.state.store(place_used);
    return;
  }
}

void forget_unfinished(const std::filesystem::path& folder) {
  std::error_code failure;
  const std::string path = std::filesystem::absolute(folder, failure).string();
  for (UnfinishedPlace& place : places()) {
    if (place.state.load() == place_used && path == place.path.data()) place.state.store(place_free);
  }
}

void clean_up_and_end(int signal_number) {
  for (UnfinishedPlace& place : places()) {
    if (place.state.load() == place_used) (void)remove_entry(AT_FDCWD, place.path.data(), 0);
  }
  std::signal(signal_number, SIG_DFL);
  ::raise(signal_number);
}

void install_cleanup_signals() {
  places();  // made before a handler needs it
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, clean_up_and_end);
}

}  // namespace fiducial
