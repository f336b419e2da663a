// Listings of a host's files: any text gives sizes by path, or an error with words.
#include "fiducial/datasets/file_listing.h"

#include "fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  const Result<FileListing> listing = FileListing::parse(as_text(fuzz::view(bytes, size)));
  if (!listing.ok()) {
    fuzz::require(listing.error().code() == ErrorCode::invalid_data && !listing.error().message().empty());
    return 0;
  }
  FileListing twice = *listing;
  fuzz::require(twice.add(*listing).ok());
  return 0;
}
