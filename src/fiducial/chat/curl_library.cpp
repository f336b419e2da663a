#include "fiducial/chat/curl_library.h"

#include <dlfcn.h>
#include <string>

namespace fiducial {

namespace {

class Symbols {
 public:
  explicit Symbols(void* library) : library_(library) {}

  template <typename Function>
  void find(const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library_, name));
    if (function == nullptr && missing_.empty()) missing_ = name;
  }
  const std::string& missing() const { return missing_; }

 private:
  void* library_;
  std::string missing_;
};

Error no_curl(const std::string& why) {
  return {ErrorCode::unavailable, "asking an endpoint needs libcurl, which could not be loaded (" + why +
                                      "); Debian has it in the package libcurl4"};
}

Result<CurlLibrary> load_library() {
  void* library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return no_curl("no libcurl.so.4");
  Symbols symbols(library);
  CurlLibrary out;
  decltype(&::curl_global_init) global_init = nullptr;
  symbols.find("curl_global_init", global_init);
  symbols.find("curl_easy_init", out.easy_init);
  symbols.find("curl_easy_cleanup", out.easy_cleanup);
  symbols.find("curl_easy_setopt", out.set);
  symbols.find("curl_easy_getinfo", out.get);
  symbols.find("curl_easy_strerror", out.error_text);
  symbols.find("curl_multi_init", out.multi_init);
  symbols.find("curl_multi_cleanup", out.multi_cleanup);
  symbols.find("curl_multi_setopt", out.multi_set);
  symbols.find("curl_multi_add_handle", out.add);
  symbols.find("curl_multi_remove_handle", out.remove);
  symbols.find("curl_multi_socket_action", out.act);
  symbols.find("curl_multi_info_read", out.read_info);
  symbols.find("curl_slist_append", out.list_append);
  symbols.find("curl_slist_free_all", out.list_free);
  if (!symbols.missing().empty()) return no_curl("no " + symbols.missing());
  if (global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return no_curl("it does not start");
  return out;
}

}  // namespace

Result<const CurlLibrary*> CurlLibrary::load() {
  static const Result<CurlLibrary> library = load_library();
  if (!library.ok()) return library.error();
  return &*library;
}

}  // namespace fiducial
