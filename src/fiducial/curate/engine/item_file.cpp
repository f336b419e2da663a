#include "fiducial/curate/engine/item_file.h"

#include <algorithm>
#include <array>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"

namespace fiducial {

namespace {

constexpr std::size_t longest_item_line = std::size_t{64} << 20;
constexpr std::uint64_t max_document_bytes = std::uint64_t{4} << 30;

bool has_separator(std::string_view line) {
  constexpr std::array<std::string_view, 5> separators{"\v", "\f", "\xC2\x85", "\xE2\x80\xA8",
                                                       "\xE2\x80\xA9"};
  return std::any_of(separators.begin(), separators.end(), [line](std::string_view separator) {
    return line.find(separator) != std::string_view::npos;
  });
}

bool has_line_ending_name(const Path& path) {
  return path.extension() == ".jsonl" || path.extension() == ".ndjson";
}

// Whether the first line is an object by itself and there is more after it.
bool looks_like_lines(std::string_view text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos || is_blank(text.substr(end))) return false;
  const Result<Json> first = parse_json(text.substr(0, end));
  return first.ok() && first->as_object() != nullptr;
}

// The text with every line after the first moved in.
std::string moved_in(std::string text, std::size_t levels) {
  if (!text.empty() && text.back() == '\n') text.pop_back();
  std::string out;
  for (const char c : text) {
    out += c;
    if (c == '\n') out.append(2 * levels, ' ');
  }
  return out;
}

std::string quoted(const std::string& text) { return Json(text).compact(); }

}  // namespace

std::string Item::id() const {
  for (const char* name : {"title", "src_key", "case_title", "name"}) {
    if (const std::string* found = find_string(value, name); found != nullptr && !found->empty())
      return *found;
  }
  return key.empty() ? decimal(index) : key;
}

Result<ItemReader> ItemReader::open(const Path& path, const ItemRules& rules) {
  ItemReader out(path, rules);
  if (has_line_ending_name(path)) {
    FIDUCIAL_TRY_DONE(out.open_lines());
    return out;
  }
  FIDUCIAL_TRY(const std::string text, read_text_file(path, max_document_bytes));
  if (looks_like_lines(text)) {
    FIDUCIAL_TRY_DONE(out.open_lines());
  } else {
    FIDUCIAL_TRY_DONE(out.open_document(text));
  }
  return out;
}

Outcome ItemReader::open_lines() {
  form_.kind = ContainerForm::Kind::lines;
  FIDUCIAL_TRY(std::unique_ptr<FileStream> file, FileStream::open(path_));
  stream_ = std::make_unique<HashingStream>(std::move(file));
  lines_ = std::make_unique<LineReader>(*stream_, longest_item_line);
  return done();
}

Outcome ItemReader::open_document(const std::string& text) {
  digest_ = sha256(as_bytes(text));
  FIDUCIAL_TRY(Json document, parse_json(text).in_file(path_.string()));
  const auto take = [this](const Json::Array& values) {
    for (const Json& value : values)
      items_.push_back({static_cast<std::int64_t>(items_.size()), "", value, 0});
  };
  if (const Json::Array* list = document.as_array()) {
    take(*list);
    return done();
  }
  if (document.as_object() == nullptr) {
    return Error(ErrorCode::invalid_data,
                 "expected a list or an object of items, found " + std::string(document.kind()),
                 Place{.path = path_.string()});
  }
  for (const char* name : {"data", "items", "records"}) {
    const Json* list = document.find(name);
    if (list == nullptr || list->as_array() == nullptr) continue;
    form_.kind = ContainerForm::Kind::member;
    form_.member = name;
    take(*list->as_array());
    form_.around = *document.set(name, nullptr).as_object();
    return done();
  }
  form_.kind = ContainerForm::Kind::mapping;
  for (const auto& [key, value] : *document.as_object()) {
    if (key == "summary" && value.as_object() != nullptr) {
      form_.around.emplace_back(key, value);
      continue;
    }
    items_.push_back({static_cast<std::int64_t>(items_.size()), key, value, 0});
  }
  return done();
}

Result<std::optional<Item>> ItemReader::next_line() {
  while (true) {
    Result<std::optional<std::string_view>> line = lines_->next();
    if (!line.ok()) return std::move(line).error().in_file(path_.string());
    if (!*line) return std::optional<Item>();
    if (is_blank(**line)) continue;
    const Place place{.path = path_.string(), .line = lines_->number()};
    if (rules_.breaks_at_separators && has_separator(**line)) {
      if (rules_.skips_bad_lines) continue;
      return Error(ErrorCode::invalid_data,
                   "a string holds a line separator, at which the published script breaks the line", place);
    }
    Result<Json> value = parse_json(**line);
    if (!value.ok()) {
      if (rules_.skips_bad_lines) continue;
      return Error(ErrorCode::invalid_data, value.error().message(), place);
    }
    return std::optional<Item>(
        Item{static_cast<std::int64_t>(at_++), "", *std::move(value), lines_->number()});
  }
}

Result<std::optional<Item>> ItemReader::next() {
  if (lines_ != nullptr) return next_line();
  if (at_ == items_.size()) return std::optional<Item>();
  return std::optional<Item>(std::move(items_[at_++]));
}

Result<Digest> ItemReader::finish() {
  if (stream_ == nullptr) return digest_;
  return stream_->finish().in_file(path_.string());
}

std::string ItemWriter::opening() const {
  if (form_.kind == ContainerForm::Kind::list) return "[";
  std::string out = "{";
  for (const auto& [name, value] : form_.around) {
    if (form_.kind == ContainerForm::Kind::mapping) continue;
    out += (out.size() > 1 ? ",\n  " : "\n  ") + quoted(name) + ": ";
    if (name == form_.member) return out + "[";
    out += moved_in(value.pretty(), 1);
  }
  return out;
}

std::string ItemWriter::closing() const {
  const bool is_empty = written_ == 0;
  if (form_.kind == ContainerForm::Kind::list) return is_empty ? "]\n" : "\n]\n";
  if (form_.kind == ContainerForm::Kind::mapping) {
    std::string out;
    for (const auto& [name, value] : form_.around) {
      out += (is_empty && out.empty() ? "\n  " : ",\n  ") + quoted(name) + ": " + moved_in(value.pretty(), 1);
    }
    return out + (is_empty && out.empty() ? "}\n" : "\n}\n");
  }
  std::string out = is_empty ? "]" : "\n  ]";
  bool after = false;
  for (const auto& [name, value] : form_.around) {
    if (after) out += ",\n  " + quoted(name) + ": " + moved_in(value.pretty(), 1);
    after = after || name == form_.member;
  }
  return out + "\n}\n";
}

Outcome ItemWriter::write(const Item& item) {
  if (form_.kind == ContainerForm::Kind::lines) {
    ++written_;
    return file_.write(item.value.compact() + "\n");
  }
  if (written_ == 0) FIDUCIAL_TRY_DONE(file_.write(opening()));
  const std::size_t levels = form_.kind == ContainerForm::Kind::member ? 2 : 1;
  std::string text = (written_ == 0 ? "\n" : ",\n") + std::string(2 * levels, ' ');
  if (form_.kind == ContainerForm::Kind::mapping) text += quoted(item.key) + ": ";
  ++written_;
  return file_.write(text + moved_in(item.value.pretty(), levels));
}

Outcome ItemWriter::finish() {
  if (form_.kind == ContainerForm::Kind::lines) return done();
  if (written_ == 0) FIDUCIAL_TRY_DONE(file_.write(opening()));
  std::string end = closing();
  if (!form_.ends_a_line) end.pop_back();
  return file_.write(end);
}

}  // namespace fiducial
