#include "fiducial/views/view_policy.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "fiducial/anatomy/anatomy.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/sha256.h"
#include "fiducial/base/suggestion.h"

namespace fiducial {

std::string_view to_string(ViewPlane plane) {
  switch (plane) {
    case ViewPlane::axial:
      return "axial";
    case ViewPlane::coronal:
      return "coronal";
    case ViewPlane::sagittal:
      return "sagittal";
  }
  return {};
}

std::string ViewWindow::text() const {
  return name.empty() ? "window " + decimal(centre_hu) + "/" + decimal(width_hu) + " HU" : name;
}

namespace {

constexpr std::string_view policy_schema_id = "fiducial.view_policy/1";
constexpr std::int64_t most_pictures_a_rule = 1000;

// Reads members of an object and refuses those that nobody asked for.
class PolicyReader {
 public:
  static Result<PolicyReader> of(const Json& object, std::string pointer,
                                 std::initializer_list<std::string_view> known) {
    FIDUCIAL_TRY(const Json::Object* members, expect_object(object, pointer));
    for (const auto& [key, value] : *members) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      return at_pointer(pointer + "/" + key, unknown_name("member", key, {known.begin(), known.end()}));
    }
    return PolicyReader(object, std::move(pointer));
  }

  std::string at(const std::string& key) const { return pointer_ + "/" + key; }
  const Json* find(const std::string& key) const { return object_->find(key); }

  Result<std::int64_t> whole(const std::string& key, std::int64_t least, std::int64_t most,
                             std::optional<std::int64_t> otherwise = std::nullopt) const {
    const Json* found = find(key);
    if (found == nullptr && otherwise) return *otherwise;
    FIDUCIAL_TRY(const Json* given, required_field(*object_, key, pointer_));
    FIDUCIAL_TRY(const std::int64_t value, expect_integer(*given, at(key)));
    if (value >= least && value <= most) return value;
    return at_pointer(at(key),
                      "expected " + decimal(least) + " to " + decimal(most) + ", found " + decimal(value));
  }

  Result<std::string> one_of(const std::string& key, const std::vector<std::string>& known,
                             const std::string& otherwise = {}) const {
    if (find(key) == nullptr && !otherwise.empty()) return otherwise;
    FIDUCIAL_TRY(std::string value, required_string(*object_, key, pointer_));
    if (std::find(known.begin(), known.end(), value) != known.end()) return value;
    return at_pointer(at(key), unknown_name("value", value, known));
  }

  Result<bool> flag(const std::string& key, bool otherwise) const {
    const Json* found = find(key);
    if (found == nullptr) return otherwise;
    if (const bool* value = found->as_bool()) return *value;
    return at_pointer(at(key), "expected true or false, found " + std::string(found->kind()));
  }

 private:
  PolicyReader(const Json& object, std::string pointer) : object_(&object), pointer_(std::move(pointer)) {}

  const Json* object_;
  std::string pointer_;
};

// "asked", or something that the anatomy knows.
Result<std::string> region_name(const PolicyReader& reader) {
  const Json* found = reader.find("of");
  if (found == nullptr) return std::string("asked");
  FIDUCIAL_TRY(std::string name, expect_string(*found, reader.at("of")));
  const Anatomy& anatomy = Anatomy::chest_ct();
  if (name == "asked" || anatomy.find(name) != nullptr || anatomy.is_region(name)) return name;
  return at_pointer(reader.at("of"),
                    "\"" + name + "\" is no structure or region of the anatomy, and not \"asked\"");
}

Result<PictureCodec> parse_codec(const Json* json) {
  PictureCodec out;
  if (json == nullptr) return out;
  FIDUCIAL_TRY(const PolicyReader reader, PolicyReader::of(*json, "/codec", {"format", "quality"}));
  FIDUCIAL_TRY(const std::string format, reader.one_of("format", {"png", "jpeg", "as_is"}));
  out.format = format == "png"    ? PictureCodec::Format::png
               : format == "jpeg" ? PictureCodec::Format::jpeg
                                  : PictureCodec::Format::as_is;
  FIDUCIAL_TRY(const std::int64_t quality, reader.whole("quality", 1, 100, 90));
  out.quality = static_cast<int>(quality);
  return out;
}

Result<ViewWindow> parse_window(const Json& json, const std::string& pointer) {
  FIDUCIAL_TRY(const PolicyReader reader, PolicyReader::of(json, pointer, {"name", "centre_hu", "width_hu"}));
  ViewWindow out{.name = text_at(json, "name")};
  FIDUCIAL_TRY(out.centre_hu, reader.whole("centre_hu", -4096, 4096));
  FIDUCIAL_TRY(out.width_hu, reader.whole("width_hu", 1, 16'384));
  return out;
}

Result<SliceRule> parse_slices(const Json& json) {
  FIDUCIAL_TRY(const PolicyReader reader,
               PolicyReader::of(json, "/slices", {"rule", "count", "mm", "most", "of"}));
  SliceRule out;
  FIDUCIAL_TRY(const std::string rule, reader.one_of("rule", {"uniform", "every_mm", "through"}));
  if (rule == "every_mm") {
    out.kind = SliceRule::Kind::every_mm;
    FIDUCIAL_TRY(const double step_mm, [&]() -> Result<double> {
      const auto given = number_at(json, "mm");
      if (given && *given >= 0.1 && *given <= 1000) return *given;
      return at_pointer("/slices/mm", "expected 0.1 to 1000 millimetres");
    }());
    out.step_um = std::llround(step_mm * 1000);
    FIDUCIAL_TRY(out.most, reader.whole("most", 1, most_pictures_a_rule));
    return out;
  }
  out.kind = rule == "through" ? SliceRule::Kind::through : SliceRule::Kind::uniform;
  FIDUCIAL_TRY(out.count, reader.whole("count", 1, most_pictures_a_rule));
  if (out.kind == SliceRule::Kind::through) {
    FIDUCIAL_TRY(out.of, region_name(reader));
  }
  return out;
}

Result<RegionRule> parse_region(const Json& json) {
  FIDUCIAL_TRY(const PolicyReader reader,
               PolicyReader::of(json, "/region", {"of", "as", "margin_mm", "if_absent"}));
  RegionRule out;
  FIDUCIAL_TRY(const std::string as, reader.one_of("as", {"outline", "crop", "mask"}));
  out.kind = as == "outline" ? RegionRule::Kind::outline
             : as == "crop"  ? RegionRule::Kind::crop
                             : RegionRule::Kind::mask;
  FIDUCIAL_TRY(out.of, region_name(reader));
  FIDUCIAL_TRY(out.margin_mm, reader.whole("margin_mm", 0, 1000, 0));
  FIDUCIAL_TRY(const std::string absent, reader.one_of("if_absent", {"fail", "whole_scan"}, "fail"));
  out.whole_scan_if_absent = absent == "whole_scan";
  return out;
}

Result<std::vector<ViewPlane>> parse_planes(const Json& document) {
  FIDUCIAL_TRY(const Json* planes, required_field(document, "planes", ""));
  FIDUCIAL_TRY(const Json::Array* names, expect_array(*planes, "/planes"));
  std::vector<ViewPlane> out;
  for (std::size_t i = 0; i < names->size(); ++i) {
    const std::string pointer = "/planes/" + decimal(i);
    FIDUCIAL_TRY(const std::string name, expect_string((*names)[i], pointer));
    const std::vector<std::string> known{"axial", "coronal", "sagittal"};
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) return at_pointer(pointer, unknown_name("plane", name, known));
    out.push_back(static_cast<ViewPlane>(found - known.begin()));
  }
  if (out.empty()) return at_pointer("/planes", "expected at least one plane");
  return out;
}

Outcome parse_scan_members(const Json& document, ViewPolicy& out) {
  FIDUCIAL_TRY(const PolicyReader reader,
               PolicyReader::of(document, "",
                                {"schema", "name", "title", "of", "codec", "longest_px", "planes", "windows",
                                 "windows_as", "slices", "region", "montage", "side_letters"}));
  FIDUCIAL_TRY(out.longest_px, reader.whole("longest_px", 16, 4096));
  FIDUCIAL_TRY(out.planes, parse_planes(document));
  FIDUCIAL_TRY(const Json* windows, required_field(document, "windows", ""));
  FIDUCIAL_TRY(const Json::Array* listed, expect_array(*windows, "/windows"));
  for (std::size_t i = 0; i < listed->size(); ++i) {
    FIDUCIAL_TRY(ViewWindow window, parse_window((*listed)[i], "/windows/" + decimal(i)));
    out.windows.push_back(std::move(window));
  }
  if (out.windows.empty()) return at_pointer("/windows", "expected at least one window");
  FIDUCIAL_TRY(const std::string as, reader.one_of("windows_as", {"pictures", "channels"}, "pictures"));
  out.windows_as_channels = as == "channels";
  if (out.windows_as_channels && out.windows.size() != 3)
    return at_pointer("/windows",
                      "expected three windows for red, green and blue, found " + decimal(out.windows.size()));
  FIDUCIAL_TRY(const Json* slices, required_field(document, "slices", ""));
  FIDUCIAL_TRY(out.slices, parse_slices(*slices));
  if (const Json* region = reader.find("region")) {
    FIDUCIAL_TRY(out.region, parse_region(*region));
  }
  if (const Json* montage = reader.find("montage")) {
    FIDUCIAL_TRY(const PolicyReader cells, PolicyReader::of(*montage, "/montage", {"columns", "rows"}));
    FIDUCIAL_TRY(out.montage_columns, cells.whole("columns", 1, 16));
    FIDUCIAL_TRY(out.montage_rows, cells.whole("rows", 1, 16));
  }
  FIDUCIAL_TRY(out.side_letters, reader.flag("side_letters", true));
  if (out.codec.format == PictureCodec::Format::as_is)
    return at_pointer("/codec/format", "a scan has no pictures that could be shown as they are");
  return done();
}

Outcome parse_image_members(const Json& document, ViewPolicy& out) {
  FIDUCIAL_TRY(const PolicyReader reader, PolicyReader::of(document, "",
                                                           {"schema", "name", "title", "of", "codec",
                                                            "longest_px", "grey_window", "background"}));
  FIDUCIAL_TRY(out.longest_px, reader.whole("longest_px", 16, 16'384, 0));
  if (const Json* window = reader.find("grey_window")) {
    FIDUCIAL_TRY(const PolicyReader greys, PolicyReader::of(*window, "/grey_window", {"black", "white"}));
    GreyWindow grey;
    FIDUCIAL_TRY(grey.black, greys.whole("black", 0, 254));
    FIDUCIAL_TRY(grey.white, greys.whole("white", grey.black + 1, 255));
    out.grey_window = grey;
  }
  if (reader.find("background") != nullptr) {
    FIDUCIAL_TRY(const std::int64_t grey, reader.whole("background", 0, 255));
    out.background = static_cast<std::uint8_t>(grey);
  }
  const bool is_as_is = out.codec.format == PictureCodec::Format::as_is;
  if (is_as_is && (out.longest_px > 0 || out.grey_window || out.background))
    return at_pointer("/codec/format", "images that are shown as they are cannot be changed, too");
  return done();
}

}  // namespace

Result<ViewPolicy> ViewPolicy::parse(std::string_view text, const std::string& place) {
  FIDUCIAL_TRY(const Json document, parse_json(text).in_file(place));
  auto parsed = [&document]() -> Result<ViewPolicy> {
    FIDUCIAL_TRY_DONE(expect_object(document, "").ok() ? done()
                                                       : Outcome(expect_object(document, "").error()));
    ViewPolicy out;
    FIDUCIAL_TRY(const std::string schema, required_string(document, "schema", ""));
    if (schema != policy_schema_id)
      return at_pointer("/schema", "expected " + std::string(policy_schema_id) + ", found " + schema);
    FIDUCIAL_TRY(out.name, required_string(document, "name", ""));
    if (is_blank(out.name)) return at_pointer("/name", "expected a name");
    out.title = text_at(document, "title");
    FIDUCIAL_TRY(const std::string of, required_string(document, "of", ""));
    if (of != "scans" && of != "images")
      return at_pointer("/of", unknown_name("value", of, {"scans", "images"}));
    FIDUCIAL_TRY(out.codec, parse_codec(document.find("codec")));
    out.kind = of == "scans" ? Kind::scans : Kind::images;
    FIDUCIAL_TRY_DONE(out.kind == Kind::scans ? parse_scan_members(document, out)
                                              : parse_image_members(document, out));
    return out;
  }();
  if (!parsed.ok()) return Error(parsed.error()).in_file(place);
  return parsed;
}

bool ViewPolicy::shows_asked_region() const {
  return (slices.kind == SliceRule::Kind::through && slices.of == "asked") ||
         (region && region->of == "asked");
}

namespace {

Json slices_json(const SliceRule& rule) {
  switch (rule.kind) {
    case SliceRule::Kind::uniform:
      return Json::object({{"rule", "uniform"}, {"count", rule.count}});
    case SliceRule::Kind::every_mm:
      return Json::object(
          {{"rule", "every_mm"}, {"mm", static_cast<double>(rule.step_um) / 1000}, {"most", rule.most}});
    case SliceRule::Kind::through:
      return Json::object({{"rule", "through"}, {"of", rule.of}, {"count", rule.count}});
  }
  return {};
}

Json region_json(const RegionRule& rule) {
  const char* as = rule.kind == RegionRule::Kind::outline ? "outline"
                   : rule.kind == RegionRule::Kind::crop  ? "crop"
                                                          : "mask";
  return Json::object({{"of", rule.of},
                       {"as", as},
                       {"margin_mm", rule.margin_mm},
                       {"if_absent", rule.whole_scan_if_absent ? "whole_scan" : "fail"}});
}

Json codec_json(const PictureCodec& codec) {
  if (codec.format == PictureCodec::Format::png) return Json::object({{"format", "png"}});
  if (codec.format == PictureCodec::Format::as_is) return Json::object({{"format", "as_is"}});
  return Json::object({{"format", "jpeg"}, {"quality", std::int64_t{codec.quality}}});
}

void set_scan_members(const ViewPolicy& policy, Json& out) {
  Json planes = Json::Array{};
  for (const ViewPlane plane : policy.planes) planes.push(to_string(plane));
  Json windows = Json::Array{};
  for (const ViewWindow& window : policy.windows) {
    Json each = Json::Object{};
    if (!window.name.empty()) each.set("name", window.name);
    windows.push(each.set("centre_hu", window.centre_hu).set("width_hu", window.width_hu));
  }
  out.set("planes", std::move(planes)).set("windows", std::move(windows));
  out.set("windows_as", policy.windows_as_channels ? "channels" : "pictures");
  out.set("slices", slices_json(policy.slices));
  if (policy.region) out.set("region", region_json(*policy.region));
  out.set("montage", Json::object({{"columns", policy.montage_columns}, {"rows", policy.montage_rows}}));
  out.set("side_letters", policy.side_letters);
}

}  // namespace

Json ViewPolicy::json() const {
  Json out = Json::object({{"schema", policy_schema_id}, {"name", name}, {"title", title}});
  out.set("of", kind == Kind::scans ? "scans" : "images");
  if (kind == Kind::scans) {
    set_scan_members(*this, out);
  } else {
    if (grey_window)
      out.set("grey_window", Json::object({{"black", grey_window->black}, {"white", grey_window->white}}));
    if (background) out.set("background", std::int64_t{*background});
  }
  if (longest_px > 0) out.set("longest_px", longest_px);
  return out.set("codec", codec_json(codec));
}

std::string ViewPolicy::sha256() const {
  const Json all = json();
  Json what = Json::Object{};
  for (const auto& [key, value] : *all.as_object()) {
    if (key != "name" && key != "title") what.set(key, value);
  }
  return fiducial::sha256(as_bytes(what.compact())).hex();
}

}  // namespace fiducial
