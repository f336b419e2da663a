#include "fiducial/datasets/medthinkvqa/release_pin.h"

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"

namespace fiducial::medthinkvqa {

namespace {

constexpr const char* pinned_revision = "5555b80e167c4796efab92fe709fb05914077dc0";
constexpr std::uintmax_t pinned_train_bytes = 84'240'662;
constexpr std::string_view pinned_train_sha256 =
    "7b38ceddc9cb1cf3a8dc0f9179c694caf826cd5716bb1b326e71d36e9e7d9b3a";
constexpr std::pair<std::string_view, std::int64_t> pinned_cases[] = {{"train", 7'347}, {"test", 720}};

// "equal", "different", or "absent".
std::string train_state(const Path& file) {
  const Result<std::uint64_t> bytes = stored_size(file);
  if (!bytes.ok()) return "absent";
  if (*bytes != pinned_train_bytes) return "different";
  Result<std::unique_ptr<FileStream>> stream = FileStream::open(file);
  if (!stream.ok()) return "absent";
  const Result<Digest> digest = HashingStream(*std::move(stream)).finish();
  return digest.ok() && digest->hex() == pinned_train_sha256 ? "equal" : "different";
}

}  // namespace

ReleasePin release_pin(const Path& folder,
                       const std::vector<std::pair<std::string, std::int64_t>>& cases_by_split) {
  const std::string train = train_state(folder / "train.jsonl");
  Json cases = Json::object({});
  bool as_many = !cases_by_split.empty();
  for (const auto& [split, found] : cases_by_split) {
    for (const auto& [name, published] : pinned_cases) {
      if (split != name) continue;
      cases.set(split, Json::object({{"found", found}, {"published", published}}));
      as_many = as_many && found == published;
    }
  }
  ReleasePin out{.json = Json::object(
                     {{"revision", pinned_revision}, {"train_jsonl", train}, {"cases", std::move(cases)}})};
  const std::string revision = std::string(pinned_revision).substr(0, 12);
  if (train == "equal" && as_many) {
    out.text = "release: train.jsonl is that of revision " + revision + ", and every split has its cases\n";
  } else if (as_many && train == "different") {
    out.text = "release: as many cases as revision " + revision + ", but train.jsonl is another file\n";
  } else if (as_many) {
    out.text = "release: as many cases as revision " + revision +
               "; only train.jsonl has a published hash, and it is not here\n";
  }
  return out;
}

}  // namespace fiducial::medthinkvqa
