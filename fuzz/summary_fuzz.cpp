// Summaries of score folders: any JSON is compared with itself, or refused in words.
#include "fiducial/eval/folder/comparison.h"
#include "fiducial/table/parquet.h"

#include "fuzz_files.h"

namespace {

using namespace fiducial;

constexpr const char* plan = R"({"schema":"fiducial.plan/2","task":"fuzz","options":{}})";

Table rows() {
  using Strings = Column::Strings;
  Table out;
  out.columns = {{"case", Strings{"a", "b"}},
                 {"patient", Strings{"a", "b"}},
                 {"finding", Column::Integers{0, 0}},
                 {"category", Strings{"1a", "1a"}},
                 {"scorer", Strings{"strict", "strict"}},
                 {"metric", Strings{"dice", "dice"}},
                 {"status", Strings{"scored", "missing"}},
                 {"value", Column::Numbers{0.5, 0.0}}};
  return out;
}

// A folder with the summary, which is told what the plan's hash is.
Path written(const char* name, const Json& summary) {
  const Path place = fuzz::folder() / name;
  static std::error_code ignored;
  if (std::filesystem::create_directory(place, ignored)) {
    fuzz::put(place / "plan.json", plan);
    fuzz::require(write_parquet(place / "rows.parquet", rows()).ok());
  }
  fuzz::put(place / "summary.json", summary.compact());
  return place;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  Result<Json> summary = parse_json(as_text(fuzz::view(bytes, size)));
  if (!summary.ok() || summary->as_object() == nullptr) return 0;
  summary->set("provenance", Json::object({{"plan_sha256", sha256(as_bytes(plan)).hex()}}));
  const Path first = written("first", *summary);
  const Path second = written("second", summary->set("system", "other"));
  const Result<Json> compared = compare_scores({.folders = {first, second}, .slot = "", .resamples = 10});
  if (!compared.ok()) fuzz::require(!compared.error().text().empty());
  return 0;
}
