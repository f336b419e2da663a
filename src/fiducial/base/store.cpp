#include "fiducial/base/store.h"

#include <algorithm>
#include <iterator>
#include <mutex>

namespace fiducial {

namespace {

constexpr std::string_view schemes[] = {"s3", "gs", "abfs", "abfss"};
constexpr std::string_view file_scheme = "file://";

struct Registered {
  std::mutex mutex;
  std::unique_ptr<Store> (*make)() = nullptr;
  std::unique_ptr<Store> made;
};

// Never destroyed: what is read at the end of the process may still need it.
Registered& registered() {
  static Registered* const out = new Registered;
  return *out;
}

Registered& registered_views() {
  static Registered* const out = new Registered;
  return *out;
}

// The registered store, made where it is not there yet; null where nobody registered one.
Store* made_store(Registered& all) {
  const std::lock_guard lock(all.mutex);
  if (all.made == nullptr && all.make != nullptr) all.made = all.make();
  return all.made.get();
}

void replace_store(Registered& all, std::unique_ptr<Store> (*make)()) {
  const std::lock_guard lock(all.mutex);
  all.make = make;
  all.made.reset();
}

bool leads_through_view(std::string_view text) {
  constexpr std::string_view name = view_folder;
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || text[at - 1] == '/') && (end == text.size() || text[end] == '/')) return true;
  }
  return false;
}

// What stands between the scheme and the first slash: the bucket.
std::string_view authority_of(std::string_view url) {
  url.remove_prefix(url.find("://") + 3);
  return url.substr(0, url.find('/'));
}

// Keys are for the environment: what is typed can be seen by all users of a machine and stays in histories.
// The URL is not repeated either.
Outcome refuse_keys(std::string_view url) {
  const std::string_view authority = authority_of(url);
  const std::size_t at = authority.find('@');
  const bool names_account = url.starts_with("abfs");  // abfs://CONTAINER@ACCOUNT.dfs.core.windows.net/
  const bool has_keys = at != std::string_view::npos &&
                        (!names_account || authority.substr(0, at).find(':') != std::string_view::npos);
  if (has_keys)
    return bad_usage(
        "a URL with a key in it: keys are taken from the environment or a profile, never from a command");
  if (url.find('?') != std::string_view::npos)
    return bad_usage("a URL with options (\"?\"): they are taken from the environment");
  if (authority.empty()) return bad_usage(std::string(url) + ": a URL without a bucket");
  return done();
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace

bool is_url(const Path& path) {
  const std::string_view text = path.native();
  if (leads_through_view(text)) return true;
  const std::size_t end = text.substr(0, 8).find("://");
  return end != std::string_view::npos &&
         std::find(std::begin(schemes), std::end(schemes), text.substr(0, end)) != std::end(schemes);
}

Result<Store*> store_of(const Path& url) {
  if (leads_through_view(url.native())) {
    if (Store* const views = made_store(registered_views())) return views;
    return path_missing("no such file", url.string());
  }
  FIDUCIAL_TRY_DONE(refuse_keys(url.native()));
  if (Store* const stores = made_store(registered())) return stores;
  return Error(ErrorCode::unavailable, "this program was linked without stores, so it opens no bucket",
               Place{.path = url.string()});
}

Result<Path> local_path(const Path& path) {
  std::string_view text = path.native();
  if (!text.starts_with(file_scheme)) return path;
  text.remove_prefix(file_scheme.size());
  if (text.starts_with("localhost/")) text.remove_prefix(text.find('/'));
  if (!text.starts_with('/'))
    return bad_usage(path.string() + ": a file URL names no other machine; expected file:///PATH");
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_coded =
        text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0;
    out += is_coded ? static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2])) : text[i];
    if (is_coded) i += 2;
  }
  return Path(out);
}

void register_stores(std::unique_ptr<Store> (*make)()) { replace_store(registered(), make); }
void register_views(std::unique_ptr<Store> (*make)()) { replace_store(registered_views(), make); }

}  // namespace fiducial
