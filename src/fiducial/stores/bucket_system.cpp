#include "fiducial/stores/bucket_system.h"

#include <cstdlib>
#include <dlfcn.h>
#include <initializer_list>
#include <string_view>
#include <utility>

#include <arrow/config.h>
#include <arrow/filesystem/azurefs.h>
#include <arrow/filesystem/filesystem.h>
#include <arrow/filesystem/gcsfs.h>

#include "fiducial/stores/store_error.h"

namespace fiducial {

namespace {

using FileSystem = std::shared_ptr<arrow::fs::FileSystem>;

// The first of some variables that has a value.
std::string variable(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const char* const value = std::getenv(name);
    if (value != nullptr && *value != '\0') return value;
  }
  return {};
}

struct Endpoint {
  std::string scheme = "https";
  std::string host;  // with its port; empty: the vendor's own
};

// "http://127.0.0.1:9000/" or "127.0.0.1:9000".
Endpoint endpoint_of(std::string_view text) {
  Endpoint out;
  if (const std::size_t at = text.find("://"); at != std::string_view::npos) {
    out.scheme = text.substr(0, at);
    text.remove_prefix(at + 3);
  }
  out.host = text.substr(0, text.find('/'));
  return out;
}

std::string_view authority_of(std::string_view root) { return root.substr(root.find("://") + 3); }

#ifdef FIDUCIAL_S3_LIBRARY
using EndS3 = arrow::Status (*)();
EndS3 end_s3 = nullptr;  // what Arrow's S3 asks to be called at the end

// Arrow's S3 is a library of its own beside Arrow's, loaded when it is needed: it is large.
arrow::Status load_s3() {
  Dl_info arrow_library{};
  if (::dladdr(reinterpret_cast<const void*>(&arrow::GetBuildInfo), &arrow_library) == 0)
    return arrow::Status::Invalid("Arrow's library cannot be found");
  const Path library = Path(arrow_library.dli_fname).parent_path() / FIDUCIAL_S3_LIBRARY;
  ARROW_RETURN_NOT_OK(arrow::fs::LoadFileSystemFactories(library.c_str()));
  void* const loaded = ::dlopen(library.c_str(), RTLD_NOW | RTLD_NOLOAD);
  end_s3 = reinterpret_cast<EndS3>(::dlsym(loaded, "_ZN5arrow2fs17EnsureS3FinalizedEv"));
  if (end_s3 == nullptr) return arrow::Status::Invalid("Arrow's S3 library is another one than expected");
  return arrow::Status::OK();
}

void end_buckets() { static_cast<void>(end_s3()); }
#else
arrow::Status load_s3() { return arrow::Status::OK(); }

void end_buckets() { arrow::fs::EnsureFinalized(); }
#endif

arrow::Result<FileSystem> open_s3(const std::string& root) {
  static const arrow::Status loaded = load_s3();
  ARROW_RETURN_NOT_OK(loaded);
  const Endpoint endpoint = endpoint_of(variable({"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"}));
  std::string region = variable({"AWS_REGION", "AWS_DEFAULT_REGION"});
  // Without a region Arrow asks AWS where the bucket is, which nobody else's endpoint knows.
  if (region.empty() && !endpoint.host.empty()) region = "us-east-1";
  std::string uri = root + "?scheme=" + endpoint.scheme;
  if (!endpoint.host.empty()) uri += "&endpoint_override=" + endpoint.host;
  if (!region.empty()) uri += "&region=" + region;
  auto made = arrow::fs::FileSystemFromUri(uri);
  // What was begun last is ended first: before Arrow looks, at its own end, whether that was done.
  static const int registered = std::atexit(end_buckets);
  if (registered != 0) return arrow::Status::OutOfMemory("no place for what is done at the end");
  return made;
}

arrow::Result<FileSystem> open_gs(const std::string& root) {
  static const std::string retry_limit = "retry_limit_seconds=20";
  const std::string emulator = variable({"STORAGE_EMULATOR_HOST", "CLOUD_STORAGE_EMULATOR_ENDPOINT"});
  const std::string bucket(authority_of(root));
  if (emulator.empty()) return arrow::fs::FileSystemFromUri(root + "?" + retry_limit);
  Endpoint endpoint = endpoint_of(emulator);
  if (emulator.find("://") == std::string::npos) endpoint.scheme = "http";
  return arrow::fs::FileSystemFromUri("gs://anonymous@" + bucket + "?scheme=" + endpoint.scheme +
                                      "&endpoint_override=" + endpoint.host + "&" + retry_limit);
}

// abfs://CONTAINER@ACCOUNT.dfs.core.windows.net, or abfs://CONTAINER with the account of the environment.
arrow::Result<FileSystem> open_abfs(const std::string& root) {
  arrow::fs::AzureOptions options;
  const std::string_view authority = authority_of(root);
  const std::size_t at = authority.find('@');
  options.account_name = at == std::string_view::npos
                             ? variable({"AZURE_STORAGE_ACCOUNT", "AZURE_STORAGE_ACCOUNT_NAME"})
                             : std::string(authority.substr(at + 1, authority.find('.', at) - at - 1));
  if (options.account_name.empty())
    return arrow::Status::Invalid(
        "no account: AZURE_STORAGE_ACCOUNT, or abfs://CONTAINER@ACCOUNT.dfs.core.windows.net");
  if (const Endpoint endpoint = endpoint_of(variable({"AZURE_STORAGE_BLOB_ENDPOINT"}));
      !endpoint.host.empty()) {
    options.blob_storage_authority = options.dfs_storage_authority = endpoint.host;
    options.blob_storage_scheme = options.dfs_storage_scheme = endpoint.scheme;
  }
  const std::string key = variable({"AZURE_STORAGE_KEY", "AZURE_STORAGE_ACCOUNT_KEY"});
  if (key.empty()) {
    ARROW_RETURN_NOT_OK(options.ConfigureDefaultCredential());
  } else {
    ARROW_RETURN_NOT_OK(options.ConfigureAccountKeyCredential(key));
  }
  return arrow::fs::AzureFileSystem::Make(options);
}

}  // namespace

BucketPath bucket_path(const Path& url) {
  const std::string& text = url.native();
  const std::size_t bucket = text.find("://") + 3;
  const std::size_t slash = std::min(text.find('/', bucket), text.size());
  BucketPath out{text.substr(0, slash), text.substr(bucket, slash - bucket)};
  out.path = out.path.substr(0, out.path.find('@'));  // a container's account is no part of its paths
  std::string key = text.substr(slash);
  while (key.ends_with('/')) key.pop_back();
  for (std::size_t at = key.find("//"); at != std::string::npos; at = key.find("//")) key.erase(at, 1);
  out.path += key;
  return out;
}

Result<std::shared_ptr<arrow::fs::FileSystem>> open_bucket(const std::string& root, const Path& url) {
  auto made =
      root.starts_with("s3:") ? open_s3(root) : (root.starts_with("gs:") ? open_gs(root) : open_abfs(root));
  if (!made.ok()) return store_error(url, made.status());
  return *std::move(made);
}

}  // namespace fiducial
