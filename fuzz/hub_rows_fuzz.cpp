// Parquet files of an export for Hugging Face: any bytes are rows, a part and files, or an error in words.
#include "fiducial/table/feature_rows.h"
#include "fiducial/table/hub_view.h"

#include "fuzz_files.h"

namespace {

using namespace fiducial;

void read_rows(const FeatureRows& rows, const HubPart& part) {
  for (int group = 0; group < rows.groups(); ++group) {
    const Result<std::vector<Json>> found = rows.read_group(group);
    if (!found.ok()) continue;
    for (const Json& row : *found) (void)published_object(part, row).ok();
  }
  for (const std::string& column : rows.file_columns()) {
    (void)rows.read_texts(column + ".path").ok();
    (void)rows.read_file(column, 0).ok();
    (void)rows.read_file(column, rows.rows() - 1).ok();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const fuzz::MemoryFile file(as_text(fuzz::view(bytes, size)));
  const Result<FeatureRows> rows = FeatureRows::open(file.path());
  fuzz::require(rows.ok() || !rows.error().text().empty());
  if (!rows.ok()) return 0;
  HubPart part;
  if (const auto text = rows->about(hub_part_key)) {
    const Result<Json> value = parse_json(*text);
    const Result<HubPart> parsed = value.ok() ? HubPart::parse(*value) : value.error();
    if (parsed.ok()) part = *parsed;
  }
  read_rows(*rows, part);
  return 0;
}
