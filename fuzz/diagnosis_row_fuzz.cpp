// parse_json_row on any line; its fast path gives what parsing the document gives. What it accepts has
// ordered slots, and a case made of it a key among its options.
#include "fiducial/datasets/medthinkvqa/json_row.h"
#include "fiducial/datasets/medthinkvqa/lint_row.h"

#include "fuzz_input.h"

namespace fiducial::fuzz {

namespace {

void require_sane(const medthinkvqa::RawRow& row) {
  int last = 0;
  for (const medthinkvqa::RawSlot& slot : row.slots) {
    require(slot.number > last && slot.number < 100);
    last = slot.number;
  }
  for (const medthinkvqa::RawSlot* slot : medthinkvqa::sound_slots(row)) {
    require(slot->path.starts_with("images/case") && slot->path.find("/../") == std::string::npos);
  }
}

}  // namespace

}  // namespace fiducial::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  const std::string_view line = as_text(fuzz::view(bytes, size));
  if (const auto plain = medthinkvqa::PlainRowParser().parse(line)) {
    const auto whole = parse_json(line);
    fuzz::require(whole.ok() && medthinkvqa::row_of(*whole) == *plain);
  }
  const auto row = medthinkvqa::parse_json_row(line);
  if (!row.ok()) {
    fuzz::require(!row.error().text().empty());
    return 0;
  }
  fuzz::require_sane(*row);
  const bool has_errors = medthinkvqa::lint_row("test.jsonl", *row).count(Severity::error) > 0;
  const auto checked = medthinkvqa::checked_case(*row);
  if (!checked.ok()) {
    fuzz::require(has_errors);
    return 0;
  }
  fuzz::require(DiagnosisCase::letters.find(checked->key) != std::string_view::npos);
  for (const std::string& option : checked->options) fuzz::require(!option.empty());
  return 0;
}
