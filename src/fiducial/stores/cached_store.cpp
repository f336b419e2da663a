#include "fiducial/stores/cached_store.h"

#include <algorithm>
#include <list>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/open_file.h"
#include "fiducial/base/sha256.h"
#include "fiducial/base/system_error.h"

namespace fiducial {

namespace {

// A file of the cache, as the object that it is.
class KeptStream final : public StoredStream {
 public:
  explicit KeptStream(std::unique_ptr<FileStream> file) : file_(std::move(file)) {}
  Result<std::size_t> read(std::span<std::byte> out) override { return file_->read(out); }
  std::uint64_t size() const override { return file_->size(); }

 private:
  std::unique_ptr<FileStream> file_;
};

// Files by the time they were last read; goes away as a whole.
class CacheFolder {
 public:
  explicit CacheFolder(CacheSettings settings) : settings_(std::move(settings)) {}

  // Of an object, or of one of its blocks.
  Path path_of(const StoredEntry& entry, std::optional<std::uint64_t> block = std::nullopt) const {
    std::string said = entry.url.string() + '\n' + decimal(entry.size) + '\n' + decimal(entry.changed);
    if (block) said += "\nblock " + decimal(*block);
    const std::string name = sha256(as_bytes(said)).hex();
    return settings_.folder / name.substr(0, 2) / name;
  }

  // A file that holds so many bytes.
  static std::unique_ptr<FileStream> find(const Path& path, std::uint64_t bytes) {
    Result<std::unique_ptr<FileStream>> file = FileStream::open(path);
    if (!file.ok() || (*file)->size() != bytes) return nullptr;
    std::error_code ignored;
    std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now(), ignored);
    return *std::move(file);
  }

  bool takes(std::uint64_t bytes) const { return bytes <= settings_.most_bytes; }

  // After a file of so many bytes was added. The folder is listed now and then: others add to it, too.
  void make_room(std::uint64_t added) {
    const std::lock_guard lock(mutex_);
    unlisted_ += added;
    if (total_ && *total_ + unlisted_ <= settings_.most_bytes && unlisted_ <= settings_.most_bytes / 64)
      return;
    std::vector<Kept> files = list();
    std::uint64_t total = 0;
    for (const Kept& each : files) total += each.bytes;
    std::sort(files.begin(), files.end(), [](const Kept& a, const Kept& b) { return a.read_at < b.read_at; });
    for (const Kept& each : files) {
      if (total <= settings_.most_bytes) break;
      std::error_code ignored;
      std::filesystem::remove(each.path, ignored);
      total -= each.bytes;
    }
    total_ = total;
    unlisted_ = 0;
  }

  // Keeps bytes under a name; whoever cannot is none the worse for it.
  void keep(const Path& path, ByteView bytes) {
    if (!make_folders(path.parent_path()).ok()) return;
    const Path partial = partial_path(path);
    Result<OpenFile> copy = OpenFile::create_new(partial);
    if (!copy.ok()) return;
    if (copy->write(bytes).ok() && copy->close().ok() && rename_path(partial, path).ok()) {
      make_room(bytes.size());
      return;
    }
    std::error_code ignored;
    std::filesystem::remove(partial, ignored);
  }

 private:
  struct Kept {
    Path path;
    std::uint64_t bytes = 0;
    std::filesystem::file_time_type read_at;
  };

  std::vector<Kept> list() const {
    std::vector<Kept> out;
    std::error_code failed;
    for (std::filesystem::recursive_directory_iterator at(settings_.folder, failed), end;
         !failed && at != end; at.increment(failed)) {
      std::error_code gone;
      if (!at->is_regular_file(gone)) continue;
      const std::uint64_t bytes = at->file_size(gone);
      const auto read_at = at->last_write_time(gone);
      if (!gone) out.push_back({at->path(), bytes, read_at});
    }
    return out;
  }

  CacheSettings settings_;
  std::mutex mutex_;
  std::optional<std::uint64_t> total_;  // of the files, when they were listed last
  std::uint64_t unlisted_ = 0;          // that came since
};

// Passes an object on and keeps a copy, which gets its name where all of it was read.
class KeepingStream final : public StoredStream {
 public:
  KeepingStream(std::unique_ptr<StoredStream> stored, CacheFolder& cache, const Path& target)
      : stored_(std::move(stored)), cache_(cache), target_(target), partial_(partial_path(target)) {
    if (!make_folders(target.parent_path()).ok()) return;
    Result<OpenFile> copy = OpenFile::create_new(partial_);
    if (copy.ok()) copy_ = *std::move(copy);
  }
  ~KeepingStream() override { forget(); }
  KeepingStream(const KeepingStream&) = delete;
  KeepingStream& operator=(const KeepingStream&) = delete;

  Result<std::size_t> read(std::span<std::byte> out) override {
    FIDUCIAL_TRY(const std::size_t got, stored_->read(out));
    if (!copy_.is_open()) return got;
    copied_ += got;
    if (!copy_.write(std::span<const std::byte>(out).first(got)).ok()) {
      forget();
    } else if (got < out.size() || copied_ == stored_->size()) {
      finish();
    }
    return got;
  }
  std::uint64_t size() const override { return stored_->size(); }

 private:
  void finish() {
    const bool is_whole = copied_ == stored_->size() && copy_.close().ok();
    if (is_whole && rename_path(partial_, target_).ok()) {
      copy_ = OpenFile();
      cache_.make_room(copied_);
      return;
    }
    forget();
  }

  // A copy that is not whole, or that has its name already.
  void forget() {
    if (!partial_.empty()) {
      std::error_code ignored;
      std::filesystem::remove(partial_, ignored);
    }
    copy_ = OpenFile();
  }

  std::unique_ptr<StoredStream> stored_;
  CacheFolder& cache_;
  Path target_;
  Path partial_;
  OpenFile copy_;
  std::uint64_t copied_ = 0;
};

// Reads an archive anywhere, and keeps the blocks that were read: nobody needs all of it for a member.
class KeepingObject final : public StoredObject {
 public:
  KeepingObject(std::unique_ptr<StoredObject> stored, CacheFolder& cache, StoredEntry entry)
      : stored_(std::move(stored)), cache_(cache), entry_(std::move(entry)) {}

  std::uint64_t size() const override { return entry_.size; }
  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> out) override {
    std::size_t filled = 0;
    while (filled < out.size() && offset + filled < entry_.size) {
      const std::uint64_t at = offset + filled;
      FIDUCIAL_TRY(const std::shared_ptr<const Bytes> bytes, block(at / block_bytes));
      const std::size_t skipped = at % block_bytes;
      const std::size_t count = std::min(out.size() - filled, bytes->size() - skipped);
      std::copy_n(bytes->begin() + static_cast<std::ptrdiff_t>(skipped), count,
                  out.begin() + static_cast<std::ptrdiff_t>(filled));
      filled += count;
    }
    return filled;
  }

 private:
  static constexpr std::uint64_t block_bytes = std::uint64_t{1} << 20;
  static constexpr std::size_t blocks_held = 8;
  using Block = std::pair<std::uint64_t, std::shared_ptr<const Bytes>>;

  Result<std::shared_ptr<const Bytes>> block(std::uint64_t number) {
    {
      const std::lock_guard lock(mutex_);
      for (const Block& each : held_) {
        if (each.first == number) return each.second;
      }
    }
    FIDUCIAL_TRY(const std::shared_ptr<const Bytes> bytes, read_block(number));
    const std::lock_guard lock(mutex_);
    held_.emplace_front(number, bytes);
    if (held_.size() > blocks_held) held_.pop_back();
    return bytes;
  }

  Result<std::shared_ptr<const Bytes>> read_block(std::uint64_t number) {
    const std::uint64_t begin = number * block_bytes;
    const auto bytes = std::make_shared<Bytes>(std::min(block_bytes, entry_.size - begin));
    const Path path = cache_.path_of(entry_, number);
    if (const auto kept = CacheFolder::find(path, bytes->size())) {
      const Result<std::size_t> got = kept->read(*bytes);
      if (got.ok() && *got == bytes->size()) return std::shared_ptr<const Bytes>(bytes);
    }
    FIDUCIAL_TRY(const std::size_t got, stored_->read_at(begin, *bytes));
    if (got != bytes->size())
      return Error(ErrorCode::integrity, "the object became shorter while it was read",
                   Place{.path = entry_.url.string()});
    if (cache_.takes(entry_.size)) cache_.keep(path, *bytes);
    return std::shared_ptr<const Bytes>(bytes);
  }

  std::unique_ptr<StoredObject> stored_;
  CacheFolder& cache_;
  StoredEntry entry_;
  std::mutex mutex_;
  std::list<Block> held_;  // the newest first
};

class CachedStore final : public Store {
 public:
  CachedStore(std::unique_ptr<Store> store, CacheSettings settings)
      : store_(std::move(store)), cache_(std::move(settings)) {}

  Result<StoredEntry> find(const Path& url) override { return store_->find(url); }
  Result<std::vector<StoredEntry>> list(const Path& folder, bool below) override {
    return store_->list(folder, below);
  }
  Result<std::unique_ptr<StoredStream>> open_stream(const Path& url) override {
    FIDUCIAL_TRY(const StoredEntry entry, store_->find(url));
    if (entry.kind == StoredEntry::Kind::file && cache_.takes(entry.size)) {
      if (auto kept = CacheFolder::find(cache_.path_of(entry), entry.size))
        return std::unique_ptr<StoredStream>(new KeptStream(std::move(kept)));
      FIDUCIAL_TRY(std::unique_ptr<StoredStream> stored, store_->open_stream(url));
      if (stored->size() != entry.size) return stored;
      return std::unique_ptr<StoredStream>(
          new KeepingStream(std::move(stored), cache_, cache_.path_of(entry)));
    }
    return store_->open_stream(url);
  }
  Result<std::unique_ptr<StoredObject>> open_object(const Path& url) override {
    FIDUCIAL_TRY(std::unique_ptr<StoredObject> stored, store_->open_object(url));
    FIDUCIAL_TRY(StoredEntry entry, store_->find(url));
    if (entry.kind != StoredEntry::Kind::file || stored->size() != entry.size) return stored;
    return std::unique_ptr<StoredObject>(new KeepingObject(std::move(stored), cache_, std::move(entry)));
  }
  Outcome write(const Path& url, ByteStream& bytes) override { return store_->write(url, bytes); }
  Outcome remove(const Path& url) override { return store_->remove(url); }

 private:
  std::unique_ptr<Store> store_;
  CacheFolder cache_;
};

}  // namespace

std::unique_ptr<Store> cached_store(std::unique_ptr<Store> store, CacheSettings settings) {
  if (settings.folder.empty()) return store;
  return std::make_unique<CachedStore>(std::move(store), std::move(settings));
}

}  // namespace fiducial
