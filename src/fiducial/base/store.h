#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/bytes.h"
#include "fiducial/base/file.h"
#include "fiducial/base/result.h"

namespace fiducial {

// What a URL of a store stands for.
struct StoredEntry {
  enum class Kind { nothing, file, folder };

  Path url;
  Kind kind = Kind::nothing;
  std::uint64_t size = 0;    // of a file
  std::int64_t changed = 0;  // nanoseconds since 1970, of a file
};

// An object that was opened. It stays the one it was then: once another one has taken its name, reads fail
// with ErrorCode::integrity. Reads may come from several threads at once.
class StoredObject {
 public:
  virtual ~StoredObject() = default;
  virtual std::uint64_t size() const = 0;
  // Fills out from the offset on, unless the object ends first; returns how many bytes were written.
  virtual Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> out) = 0;
};

// An object that is read from front to back, ahead of whoever reads. The read that reaches its end also
// checks that it is the one that was opened.
class StoredStream : public ByteStream {
 public:
  virtual std::uint64_t size() const = 0;
};

// A place for objects beside the local file system: buckets, by URL. Safe from several threads at once.
//
// Errors name the URL, never a key. An object that is missing is ErrorCode::invalid_data, as a file would be;
// one that may not be read or written is ErrorCode::io; a store that does not answer is ErrorCode::remote.
class Store {
 public:
  virtual ~Store() = default;

  // An answer may be some seconds old where there is nothing.
  virtual Result<StoredEntry> find(const Path& url) = 0;
  // What lies in a folder, or at any depth below it: by name; nothing where there is no such folder.
  virtual Result<std::vector<StoredEntry>> list(const Path& folder, bool below) = 0;
  virtual Result<std::unique_ptr<StoredStream>> open_stream(const Path& url) = 0;
  virtual Result<std::unique_ptr<StoredObject>> open_object(const Path& url) = 0;
  // Puts all of a stream under a name, in exchange for what had it: readers see the old object or the new
  // one.
  virtual Outcome write(const Path& url, ByteStream& bytes) = 0;
  virtual Outcome remove(const Path& url) = 0;  // a file
};

// Whether a path is a URL of a store: s3://, gs://, abfs:// and abfss://; or leads through a view_folder.
//
// A URL is a Path like any other: "/" and filename() work on it. What the file system alone can do, such as
// std::filesystem::absolute, does not.
bool is_url(const Path& path);

// A folder that is not on disk: its files are what the tables beside it hold. Paths through it are those of a
// store, too, whichever file system the tables lie on.
inline constexpr const char* view_folder = "data!";

// The store of a URL, made when it is first asked for. Refuses URLs with keys in them, and schemes that
// nobody registered.
Result<Store*> store_of(const Path& url);

// The local path that a URL of the file system stands for ("file:///data/ct"); every other path as it is.
Result<Path> local_path(const Path& path);

// Says who serves URLs; make is called once, when the first one is opened. A second call replaces the first.
void register_stores(std::unique_ptr<Store> (*make)());
// Likewise of paths through a view_folder.
void register_views(std::unique_ptr<Store> (*make)());

}  // namespace fiducial
