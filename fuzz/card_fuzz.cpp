// parse_card on any text: what it accepts renders to the same lines; and render_card on any JSON.
#include <string>

#include "fiducial/cards/card_config.h"
#include "fiducial/cards/card_markdown.h"

#include "fuzz_input.h"

namespace fiducial::fuzz {

namespace {

std::string right_trimmed(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') out.resize(out.find_last_not_of(" \t\r") + 1);
    out += c;
  }
  while (!out.empty() &&
         (out.back() == '\n' || out.back() == ' ' || out.back() == '\t' || out.back() == '\r')) {
    out.pop_back();
  }
  return out;
}

}  // namespace

}  // namespace fiducial::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  std::string_view text = as_text(fuzz::view(bytes, size));
  if (const Result<Json> card = parse_card(text); card.ok()) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    const Result<std::string> markdown = render_card(*card);
    fuzz::require(markdown.ok() && fuzz::right_trimmed(*markdown) == fuzz::right_trimmed(text));
  }
  if (const Result<Json> document = parse_json(text); document.ok()) {
    const Result<std::string> markdown = render_card(*document);
    fuzz::require(!markdown.ok() || markdown->ends_with('\n'));
  }
  const Result<CardConfig> config = parse_card_config(text, ".");
  fuzz::require(!config.ok() || config->fields.as_object() != nullptr);
  return 0;
}
