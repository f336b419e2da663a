#include "fiducial/datasets/controls/control_prompts.h"

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/line_reader.h"
#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

constexpr std::uint64_t largest_controls_bytes = std::uint64_t{1} << 30;
constexpr std::size_t longest_line_bytes = std::size_t{16} << 20;

constexpr std::string_view kind_names[] = {"finding", "paraphrase",    "swapped_side", "swapped_lobe",
                                           "denied",  "other_patient", "silent"};

Result<ControlPrompt> prompt_of(const Json& value, const std::string& pointer) {
  FIDUCIAL_TRY_DONE(expect_object(value, pointer));
  ControlPrompt out;
  FIDUCIAL_TRY(const std::string kind, required_string(value, "kind", pointer));
  const auto found = find_control_kind(kind);
  if (!found) return at_pointer(pointer + "/kind", "\"" + kind + "\" is no kind of a control prompt");
  out.kind = *found;
  FIDUCIAL_TRY(out.text, required_string(value, "text", pointer));
  if (is_changed_finding(out.kind)) {
    FIDUCIAL_TRY(out.finding, required_integer(value, "finding", pointer));
  }
  out.category = text_at(value, "category");
  if (const Json* origin = value.find("origin")) out.origin = *origin;
  return out;
}

// A changed prompt belongs to a finding of the same case.
Outcome check_findings(const std::vector<ControlPrompt>& prompts) {
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    if (!is_changed_finding(prompts[i].kind)) continue;
    const std::int64_t at = prompts[i].finding;
    const bool is_there = at >= 0 && at < static_cast<std::int64_t>(prompts.size()) &&
                          prompts[static_cast<std::size_t>(at)].kind == ControlKind::finding;
    if (!is_there) {
      return at_pointer("/prompts/" + decimal(i) + "/finding",
                        "expected the place of a prompt of kind \"finding\", found " + decimal(at));
    }
  }
  return done();
}

Outcome add_case(std::string_view line, ControlCases& out) {
  FIDUCIAL_TRY(const Json value, parse_json(line));
  FIDUCIAL_TRY_DONE(expect_object(value, ""));
  FIDUCIAL_TRY(std::string name, required_string(value, "case", ""));
  FIDUCIAL_TRY(const Json* list, required_field(value, "prompts", ""));
  FIDUCIAL_TRY(const Json::Array* items, expect_array(*list, "/prompts"));
  std::vector<ControlPrompt> prompts;
  for (std::size_t i = 0; i < items->size(); ++i) {
    FIDUCIAL_TRY(prompts.emplace_back(), prompt_of((*items)[i], "/prompts/" + decimal(i)));
  }
  FIDUCIAL_TRY_DONE(check_findings(prompts));
  if (out.emplace(name, std::move(prompts)).second) return done();
  return at_pointer("/case", "expected a case once, found " + name + " again");
}

}  // namespace

std::string_view to_string(ControlKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

std::optional<ControlKind> find_control_kind(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kind_names); ++i) {
    if (kind_names[i] == name) return static_cast<ControlKind>(i);
  }
  return std::nullopt;
}

bool is_swapped(ControlKind kind) {
  return kind == ControlKind::swapped_side || kind == ControlKind::swapped_lobe;
}

bool must_be_empty(ControlKind kind) {
  return kind == ControlKind::denied || kind == ControlKind::other_patient;
}

bool is_changed_finding(ControlKind kind) { return kind == ControlKind::paraphrase || is_swapped(kind); }

Json to_json(const std::string& name, const std::vector<ControlPrompt>& prompts) {
  Json list{Json::Array{}};
  for (const ControlPrompt& prompt : prompts) {
    Json one = Json::object({{"kind", to_string(prompt.kind)}, {"text", prompt.text}});
    if (is_changed_finding(prompt.kind)) one.set("finding", prompt.finding);
    if (!prompt.category.empty()) one.set("category", prompt.category);
    if (!prompt.origin.is_null()) one.set("origin", prompt.origin);
    list.push(std::move(one));
  }
  return Json::object({{"case", name}, {"prompts", std::move(list)}});
}

Result<ControlsFile> parse_controls(std::string_view text) {
  ControlsFile out{.digest = sha256(as_bytes(text)), .cases = {}};
  MemoryStream bytes(as_bytes(text));
  LineReader lines(bytes, longest_line_bytes);
  while (true) {
    FIDUCIAL_TRY(const std::optional<std::string_view> line, lines.next());
    if (!line) return out;
    if (line->find_first_not_of(" \t") == std::string_view::npos) continue;
    const Outcome added = add_case(*line, out.cases);
    if (added.ok()) continue;
    Place place = added.error().place();
    place.line = lines.number();
    return Error(ErrorCode::invalid_data, added.error().message(), std::move(place));
  }
}

Result<ControlsFile> read_controls(const Path& folder) {
  const Path path = folder / controls_file;
  FIDUCIAL_TRY(const std::string text, read_text_file(path, largest_controls_bytes));
  return parse_controls(text).in_file(path.string());
}

Outcome hold_against(const GroundedCase& entry, const std::vector<ControlPrompt>* prompts) {
  const auto broken = [&entry](const std::string& why) {
    return invalid_data(std::string(controls_file) + ": " + entry.name + ": " + why);
  };
  if (prompts == nullptr) return broken("the case is not there");
  if (prompts->size() != entry.findings.size()) {
    return broken("expected " + decimal(entry.findings.size()) + " prompts as the dataset lists, found " +
                  decimal(prompts->size()));
  }
  for (std::size_t i = 0; i < prompts->size(); ++i) {
    if ((*prompts)[i].text != entry.findings[i].text)
      return broken("prompt " + decimal(i) + " has other words than in the dataset");
  }
  return done();
}

}  // namespace fiducial
