// Control prompts: any text gives cases or an error with a place, and what is read is written back as it was.
#include "fiducial/datasets/controls/control_prompts.h"

#include "fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fiducial;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<ControlsFile> file = parse_controls(text);
  if (!file.ok()) {
    fuzz::require(file.error().code() == ErrorCode::invalid_data);
    return 0;
  }
  std::string lines;
  for (const auto& [name, prompts] : file->cases) {
    for (const ControlPrompt& prompt : prompts) {
      if (!is_changed_finding(prompt.kind)) continue;
      fuzz::require(prompts.at(static_cast<std::size_t>(prompt.finding)).kind == ControlKind::finding);
    }
    lines += to_json(name, prompts).compact() + "\n";
  }
  const Result<ControlsFile> again = parse_controls(lines);
  fuzz::require(again.ok() && again->cases.size() == file->cases.size());
  std::string twice;
  for (const auto& [name, prompts] : again->cases) twice += to_json(name, prompts).compact() + "\n";
  fuzz::require(twice == lines);
  return 0;
}
