#include "fiducial/stores/arrow_store.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include <arrow/filesystem/filesystem.h>

#include "fiducial/base/store.h"
#include "fiducial/stores/bucket_object.h"
#include "fiducial/stores/bucket_system.h"
#include "fiducial/stores/store_error.h"

namespace fiducial {

namespace {

using Clock = std::chrono::steady_clock;
using FileSystem = std::shared_ptr<arrow::fs::FileSystem>;

// What is known of a folder is believed for so long: datasets are recognised, and volumes found, by asking
// for many names that are not there. So are objects: a folder is listed once many of it were asked for, a
// thousand with one request.
constexpr std::chrono::seconds believed_for{10};
constexpr int most_misses = 3;
constexpr std::size_t most_finds = 16;
constexpr std::size_t most_remembered = 200'000;  // entries of a list
constexpr std::size_t write_bytes = std::size_t{4} << 20;

struct Opened {
  FileSystem bucket;
  BucketPath place;
};

StoredEntry entry_of(const arrow::fs::FileInfo& info, Path url) {
  StoredEntry out{.url = std::move(url)};
  if (info.type() == arrow::fs::FileType::File) {
    out.kind = StoredEntry::Kind::file;
    out.size = static_cast<std::uint64_t>(std::max<std::int64_t>(info.size(), 0));
    // Lists tell more of the time than single answers do.
    out.changed = std::chrono::floor<std::chrono::seconds>(info.mtime()).time_since_epoch() /
                  std::chrono::nanoseconds(1);
  } else if (info.type() == arrow::fs::FileType::Directory) {
    out.kind = StoredEntry::Kind::folder;
  }
  return out;
}

class ArrowStore final : public Store {
 public:
  Result<StoredEntry> find(const Path& url) override {
    FIDUCIAL_TRY(const Opened opened, open(url));
    const bool has_folder = opened.place.path.find('/') != std::string::npos;
    if (has_folder && is_known_missing(url)) return StoredEntry{.url = url};
    if (const auto known = known_entry(url)) return *known;
    const arrow::Result<arrow::fs::FileInfo> found = opened.bucket->GetFileInfo(opened.place.path);
    if (!found.ok()) return store_error(url, found.status());
    StoredEntry out = entry_of(*found, url);
    if (out.kind == StoredEntry::Kind::nothing && has_folder) FIDUCIAL_TRY_DONE(note_missing(url));
    if (out.kind == StoredEntry::Kind::file) FIDUCIAL_TRY_DONE(note_found(out));
    return out;
  }

  Result<std::vector<StoredEntry>> list(const Path& folder, bool below) override {
    FIDUCIAL_TRY(const Opened opened, open(folder));
    arrow::fs::FileSelector selector;
    selector.base_dir = opened.place.path;
    selector.recursive = below;
    selector.allow_not_found = true;
    const arrow::Result<std::vector<arrow::fs::FileInfo>> found = opened.bucket->GetFileInfo(selector);
    if (!found.ok()) return store_error(folder, found.status());
    std::vector<StoredEntry> out;
    out.reserve(found->size());
    for (const arrow::fs::FileInfo& info : *found)
      out.push_back(entry_of(info, folder / info.path().substr(opened.place.path.size() + 1)));
    std::sort(out.begin(), out.end(),
              [](const StoredEntry& a, const StoredEntry& b) { return a.url.native() < b.url.native(); });
    if (out.size() <= most_remembered) remember(folder, out);
    return out;
  }

  Result<std::unique_ptr<StoredStream>> open_stream(const Path& url) override {
    FIDUCIAL_TRY(Opened opened, open(url));
    BucketPlace place{std::move(opened.bucket), std::move(opened.place.path), url};
    if (const auto known = known_entry(url); known && known->kind == StoredEntry::Kind::file)
      place.size = known->size;
    return open_bucket_stream(std::move(place));
  }

  Result<std::unique_ptr<StoredObject>> open_object(const Path& url) override {
    FIDUCIAL_TRY(Opened opened, open(url));
    return open_bucket_object({std::move(opened.bucket), std::move(opened.place.path), url});
  }

  // The object appears when its upload is closed. A stream that fails on the way leaves what was there.
  Outcome write(const Path& url, ByteStream& bytes) override {
    FIDUCIAL_TRY(const Opened opened, open(url));
    auto out = opened.bucket->OpenOutputStream(opened.place.path);
    if (!out.ok()) return store_error(url, out.status());
    Bytes buffer(write_bytes);
    for (;;) {
      const Result<std::size_t> got = bytes.read(buffer);
      if (!got.ok()) {
        static_cast<void>((*out)->Abort());
        return got.error();
      }
      if (const auto status = (*out)->Write(buffer.data(), static_cast<std::int64_t>(*got)); !status.ok())
        return store_error(url, status);
      if (*got < buffer.size()) break;
    }
    if (const auto status = (*out)->Close(); !status.ok()) return store_error(url, status);
    forget_folders();
    return done();
  }

  Outcome remove(const Path& url) override {
    FIDUCIAL_TRY(const Opened opened, open(url));
    if (const auto status = opened.bucket->DeleteFile(opened.place.path); !status.ok())
      return store_error(url, status);
    forget_folders();
    return done();
  }

 private:
  Result<Opened> open(const Path& url) {
    BucketPath place = bucket_path(url);
    const std::lock_guard lock(mutex_);
    FileSystem& bucket = buckets_[place.root];
    if (bucket == nullptr) {
      FIDUCIAL_TRY(bucket, open_bucket(place.root, url));
    }
    return Opened{bucket, std::move(place)};
  }

  // What was found out about a folder a moment ago.
  struct KnownFolder {
    Clock::time_point until;
    bool is_missing = false;
    int misses = 0;                            // names that were asked for and are not there
    std::map<std::string, StoredEntry> found;  // by name
    bool is_listed = false;                    // found is all that lies in it
  };

  KnownFolder* find_known(const Path& folder) {
    const auto found = folders_.find(folder.native());
    return found != folders_.end() && Clock::now() < found->second.until ? &found->second : nullptr;
  }

  // Whether what is known of the folders above says that there is nothing of that name.
  bool is_known_missing(const Path& url) {
    const std::lock_guard lock(mutex_);
    if (folders_.empty()) return false;
    const KnownFolder* const above = find_known(url.parent_path());
    if (above != nullptr && above->is_listed && !above->found.contains(url.filename().string())) return true;
    for (Path folder = url.parent_path(); is_url(folder); folder = folder.parent_path()) {
      const KnownFolder* const known = find_known(folder);
      if (known != nullptr && known->is_missing) return true;
    }
    return false;
  }

  // Remembers which folders above a URL are not there. Whoever asks one folder for many names that it lacks
  // is answered by its list.
  Outcome note_missing(const Path& url) {
    for (Path folder = url.parent_path(); is_url(folder); folder = folder.parent_path()) {
      const int misses = count_miss(folder);
      if (misses == most_misses) return list_folder(folder);
      if (misses > 1) return done();
      FIDUCIAL_TRY(const Opened opened, open(folder));
      const arrow::Result<arrow::fs::FileInfo> found = opened.bucket->GetFileInfo(opened.place.path);
      if (!found.ok()) return store_error(folder, found.status());
      if (found->type() != arrow::fs::FileType::NotFound) return done();
      const std::lock_guard lock(mutex_);
      folders_[folder.native()].is_missing = true;
    }
    return done();
  }

  int count_miss(const Path& folder) {
    const std::lock_guard lock(mutex_);
    return ++known_folder(folder).misses;
  }

  // Whoever asks one folder for many objects is answered by its list.
  Outcome note_found(const StoredEntry& entry) {
    const Path folder = entry.url.parent_path();
    {
      const std::lock_guard lock(mutex_);
      KnownFolder& known = known_folder(folder);
      known.found.insert_or_assign(entry.url.filename().string(), entry);
      if (known.is_listed || known.found.size() != most_finds) return done();
    }
    return list_folder(folder);
  }

  Outcome list_folder(const Path& folder) {
    FIDUCIAL_TRY_DONE(list(folder, false));
    return done();
  }

  // All that lies in a folder, or at any depth below it.
  void remember(const Path& folder, const std::vector<StoredEntry>& entries) {
    std::map<std::string, KnownFolder> listed;
    const Clock::time_point until = Clock::now() + believed_for;
    listed[folder.native()] = {.until = until, .is_listed = true};
    for (const StoredEntry& entry : entries) {
      KnownFolder& known = listed[entry.url.parent_path().native()];
      known.until = until;
      known.is_listed = true;
      known.found.insert_or_assign(entry.url.filename().string(), entry);
    }
    // A folder is there where something lies in it, whether or not the list names it.
    for (const StoredEntry& entry : entries) {
      const Path parent = entry.url.parent_path();
      const auto above = listed.find(parent.parent_path().native());
      if (above == listed.end()) continue;
      above->second.found.try_emplace(parent.filename().string(),
                                      StoredEntry{.url = parent, .kind = StoredEntry::Kind::folder});
    }
    const std::lock_guard lock(mutex_);
    for (auto& [url, known] : listed) folders_.insert_or_assign(url, std::move(known));
  }

  // Under the lock.
  KnownFolder& known_folder(const Path& folder) {
    if (find_known(folder) == nullptr) folders_[folder.native()] = {.until = Clock::now() + believed_for};
    return folders_[folder.native()];
  }

  std::optional<StoredEntry> known_entry(const Path& url) {
    const std::lock_guard lock(mutex_);
    const KnownFolder* const above = find_known(url.parent_path());
    if (above == nullptr) return std::nullopt;
    const auto found = above->found.find(url.filename().string());
    return found == above->found.end() ? std::nullopt : std::optional(found->second);
  }

  void forget_folders() {
    const std::lock_guard lock(mutex_);
    folders_.clear();
  }

  std::mutex mutex_;
  std::map<std::string, FileSystem> buckets_;   // by scheme and bucket
  std::map<std::string, KnownFolder> folders_;  // by URL
};

// Set before the first URL is opened, by whoever starts the program.
CacheSettings& wanted_cache() {
  static CacheSettings settings;
  return settings;
}

std::unique_ptr<Store> make_store() { return cached_store(std::make_unique<ArrowStore>(), wanted_cache()); }

}  // namespace

void use_arrow_stores(CacheSettings cache) {
  wanted_cache() = std::move(cache);
  register_stores(make_store);
}

}  // namespace fiducial
