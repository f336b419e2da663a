#include "fiducial/table/hub_view.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/store.h"
#include "fiducial/table/croissant_file.h"
#include "fiducial/table/csv.h"
#include "fiducial/table/feature_rows.h"

namespace fiducial {

namespace {

// A file of the view.
struct ViewFile {
  std::vector<Path> tables;  // that hold its rows; of an embedded file the one
  std::optional<HubPart> part;
  std::string column;  // of an embedded file
  std::int64_t row = 0;
  std::optional<std::uint64_t> size;
};

struct HubIndex {
  std::map<std::string, ViewFile> files;  // by path below the view
  std::set<std::string> folders;
  std::optional<Error> problem;
  std::string state;  // of the tables
  std::chrono::steady_clock::time_point looked_at;
};

bool is_shard(const Path& path) {
  const std::string name = path.filename().string();
  return name.ends_with(".parquet") && name.find("-of-") != std::string::npos;
}

// Parquet files of data/ and of the folders in it, by name.
std::vector<Path> tables_of(const Path& folder) {
  std::vector<Path> out;
  const Path data = folder / "data";
  if (!is_folder(data)) return out;
  const auto take = [&out](const Path& place) {
    const Result<std::vector<FolderEntry>> entries = entries_of(place);
    if (!entries.ok()) return;
    for (const FolderEntry& entry : *entries) {
      if (!entry.is_folder && is_shard(entry.path)) out.push_back(entry.path);
    }
  };
  take(data);
  const Result<std::vector<FolderEntry>> entries = entries_of(data);
  for (const FolderEntry& entry : entries.ok() ? *entries : std::vector<FolderEntry>()) {
    if (entry.is_folder) take(entry.path);
  }
  return out;
}

std::string state_of(const std::vector<Path>& tables) {
  std::string out;
  for (const Path& table : tables) {
    std::error_code ignored;
    const Result<std::uint64_t> size = stored_size(table);
    out += table.string() + " " + (size.ok() ? decimal(*size) : "");
    if (!is_url(table))
      out += " " + decimal(std::filesystem::last_write_time(table, ignored).time_since_epoch().count());
    out += "\n";
  }
  return out;
}

// A name that a table gives to a file: no path that leads elsewhere.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

Outcome add_embedded(HubIndex& index, const FeatureRows& rows, const Path& table, const HubPart& part) {
  for (const auto& [column, folder] : part.folders) {
    if (!is_plain_name(folder)) return invalid_data("\"" + folder + "\" is no folder's name");
    FIDUCIAL_TRY(const std::vector<std::string> names, rows.read_texts(column + ".path"));
    for (std::size_t row = 0; row < names.size(); ++row) {
      if (names[row].empty()) continue;
      if (!is_plain_name(names[row])) return invalid_data("\"" + names[row] + "\" is no file name");
      ViewFile file{.tables = {table}, .column = column, .row = static_cast<std::int64_t>(row)};
      if (!index.files.emplace(folder + "/" + names[row], std::move(file)).second)
        return invalid_data("two rows hold " + folder + "/" + names[row]);
    }
    index.folders.insert(folder);
  }
  return done();
}

Outcome add_sizes(HubIndex& index, const FeatureRows& rows) {
  const auto text = rows.about(hub_sizes_key);
  if (!text) return done();
  FIDUCIAL_TRY(const Json sizes, parse_json(*text));
  FIDUCIAL_TRY(const Json::Object* members, expect_object(sizes, ""));
  for (const auto& [name, size] : *members) {
    const auto file = index.files.find(name);
    if (file != index.files.end() && size.as_integer() != nullptr && *size.as_integer() >= 0)
      file->second.size = static_cast<std::uint64_t>(*size.as_integer());
  }
  return done();
}

Outcome add_table(HubIndex& index, const Path& table) {
  FIDUCIAL_TRY(const FeatureRows rows, FeatureRows::open(table));
  const auto text = rows.about(hub_part_key);
  if (!text) return done();
  FIDUCIAL_TRY(const Json value, parse_json(*text).in_file(table.string()));
  FIDUCIAL_TRY(const HubPart part, HubPart::parse(value).in_file(table.string()));
  if (!part.file.empty()) {
    ViewFile& file = index.files[part.file];
    file.tables.push_back(table);
    if (!file.part) file.part = part;
  }
  FIDUCIAL_TRY_DONE(add_embedded(index, rows, table, part).in_file(table.string()));
  return add_sizes(index, rows).in_file(table.string());
}

HubIndex made_index(const Path& folder) {
  HubIndex out;
  const std::vector<Path> tables = tables_of(folder);
  out.state = state_of(tables);
  if (tables.empty()) return out;
  const Result<FeatureRows> first = FeatureRows::open(tables.front());
  if (!first.ok() || !first->about(hub_part_key)) return out;
  const Outcome described = check_croissant(folder, tables);
  if (!described.ok()) out.problem = described.error();
  for (const Path& table : tables) {
    const Outcome added = add_table(out, table);
    if (!added.ok() && !out.problem) out.problem = added.error();
  }
  return out;
}

// Indices by folder: looked at again after some seconds, made again where a table changed.
std::shared_ptr<const HubIndex> index_of(const Path& folder) {
  constexpr std::chrono::seconds fresh(2);
  static std::mutex mutex;
  static auto* const known = new std::map<std::string, std::shared_ptr<HubIndex>>;
  const std::lock_guard lock(mutex);
  std::shared_ptr<HubIndex>& index = (*known)[folder.string()];
  const auto now = std::chrono::steady_clock::now();
  if (index != nullptr && now - index->looked_at < fresh) return index;
  if (index == nullptr || index->state != state_of(tables_of(folder)))
    index = std::make_shared<HubIndex>(made_index(folder));
  index->looked_at = now;
  return index;
}

// A path through a view: the folder that has it, and what follows.
struct ViewPath {
  Path folder;
  std::string below;
};

ViewPath parse_view_path(const Path& path) {
  const std::string text = path.generic_string();
  const std::string name = view_folder;
  std::size_t at = text.find(name);
  while (at != 0 && text[at - 1] != '/') at = text.find(name, at + 1);
  ViewPath out{at == 0 ? "." : text.substr(0, at - 1), text.substr(at + name.size())};
  out.below.erase(0, out.below.find_first_not_of('/'));
  while (out.below.ends_with('/')) out.below.pop_back();
  return out;
}

Result<std::string> document_text(const ViewFile& file) {
  std::map<std::string, Json> splits;
  std::vector<std::string> order = file.part->splits;
  for (const Path& table : file.tables) {
    FIDUCIAL_TRY(const FeatureRows rows, FeatureRows::open(table));
    FIDUCIAL_TRY(const Json value, parse_json(rows.about(hub_part_key).value_or("{}")));
    FIDUCIAL_TRY(const HubPart part, HubPart::parse(value).in_file(table.string()));
    if (std::find(order.begin(), order.end(), part.split) == order.end()) order.push_back(part.split);
    Json& list = splits.try_emplace(part.split, Json::Array{}).first->second;
    for (int group = 0; group < rows.groups(); ++group) {
      FIDUCIAL_TRY(const std::vector<Json> found, rows.read_group(group));
      for (const Json& row : found) {
        FIDUCIAL_TRY(Json object, published_object(part, row).in_file(table.string()));
        list.push(std::move(object));
      }
    }
  }
  Json out = Json::Object{};
  for (const std::string& split : order)
    out.set(split, splits.try_emplace(split, Json::Array{}).first->second);
  return out.compact() + "\n";
}

// The rows of tables as CSV: a group of them is in memory.
class TableText {
 public:
  explicit TableText(std::vector<Path> tables) : tables_(std::move(tables)) {}

  // The next lines; nothing at the end.
  Result<std::string> next() {
    while (true) {
      if (!rows_ && table_ == tables_.size()) return std::string();
      if (!rows_) {
        FIDUCIAL_TRY(FeatureRows opened, FeatureRows::open(tables_[table_]));
        rows_ = std::make_unique<FeatureRows>(std::move(opened));
        group_ = 0;
        const bool is_first = table_++ == 0;
        if (is_first) return csv_row(rows_->columns());
      }
      if (group_ < rows_->groups()) return lines();
      rows_.reset();
    }
  }

 private:
  Result<std::string> lines() {
    FIDUCIAL_TRY(const std::vector<Json> found, rows_->read_group(group_++));
    std::string out;
    for (const Json& row : found) {
      std::vector<std::string> cells;
      for (const auto& [name, value] : *row.as_object())
        cells.push_back(value.as_string() == nullptr ? std::string() : *value.as_string());
      out += csv_row(cells);
    }
    return out;
  }

  std::vector<Path> tables_;
  std::unique_ptr<FeatureRows> rows_;
  std::size_t table_ = 0;
  int group_ = 0;
};

class TableStream final : public StoredStream {
 public:
  TableStream(std::vector<Path> tables, std::uint64_t size) : text_(std::move(tables)), size_(size) {}

  std::uint64_t size() const override { return size_; }
  Result<std::size_t> read(std::span<std::byte> out) override {
    std::size_t done = 0;
    while (done < out.size() && !ended_) {
      if (at_ == lines_.size()) {
        FIDUCIAL_TRY(lines_, text_.next());
        at_ = 0;
        ended_ = lines_.empty();
      }
      const std::size_t count = std::min(out.size() - done, lines_.size() - at_);
      std::copy_n(as_bytes(lines_).begin() + static_cast<std::ptrdiff_t>(at_), count,
                  out.begin() + static_cast<std::ptrdiff_t>(done));
      at_ += count;
      done += count;
    }
    return done;
  }

 private:
  TableText text_;
  std::uint64_t size_;
  std::string lines_;
  std::size_t at_ = 0;
  bool ended_ = false;
};

class TextStream final : public StoredStream {
 public:
  explicit TextStream(std::string text) : text_(std::move(text)), bytes_(as_bytes(text_)) {}
  std::uint64_t size() const override { return text_.size(); }
  Result<std::size_t> read(std::span<std::byte> out) override { return bytes_.read(out); }

 private:
  std::string text_;
  MemoryStream bytes_;
};

class TextObject final : public StoredObject {
 public:
  explicit TextObject(std::string text) : text_(std::move(text)) {}
  std::uint64_t size() const override { return text_.size(); }
  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> out) override {
    if (offset >= text_.size()) return std::size_t{0};
    const std::size_t count = std::min(out.size(), text_.size() - static_cast<std::size_t>(offset));
    std::copy_n(as_bytes(text_).begin() + static_cast<std::ptrdiff_t>(offset), count, out.begin());
    return count;
  }

 private:
  std::string text_;
};

Result<std::string> table_text(const ViewFile& file) {
  TableText lines(file.tables);
  std::string out;
  while (true) {
    FIDUCIAL_TRY(const std::string more, lines.next());
    if (more.empty()) return out;
    out += more;
  }
}

Result<std::string> whole_text(const ViewFile& file) {
  if (file.part) return file.part->form == HubPart::Form::table ? table_text(file) : document_text(file);
  FIDUCIAL_TRY(const FeatureRows rows, FeatureRows::open(file.tables.front()));
  FIDUCIAL_TRY(std::optional<std::string> bytes, rows.read_file(file.column, file.row));
  return std::move(bytes).value_or(std::string());
}

std::int64_t time_of_change(const Path& table) {
  std::error_code failed;
  const auto time = std::filesystem::last_write_time(table, failed);
  return failed ? 0 : time.time_since_epoch().count();
}

// What a view holds can be read.
class HubViews final : public Store {
 public:
  Result<StoredEntry> find(const Path& url) override {
    const ViewPath path = parse_view_path(url);
    const std::shared_ptr<const HubIndex> index = index_of(path.folder);
    if (index->problem) return *index->problem;
    StoredEntry out{.url = url};
    if ((path.below.empty() && !index->files.empty()) || index->folders.contains(path.below))
      out.kind = StoredEntry::Kind::folder;
    const auto file = index->files.find(path.below);
    if (file == index->files.end()) return out;
    out.kind = StoredEntry::Kind::file;
    out.changed = time_of_change(file->second.tables.front());
    if (file->second.size) {
      out.size = *file->second.size;
    } else {
      FIDUCIAL_TRY(const std::string text, whole_text(file->second));
      out.size = text.size();
    }
    return out;
  }

  Result<std::vector<StoredEntry>> list(const Path& folder, bool below) override {
    const ViewPath path = parse_view_path(folder);
    const std::shared_ptr<const HubIndex> index = index_of(path.folder);
    if (index->problem) return *index->problem;
    const std::string prefix = path.below.empty() ? "" : path.below + "/";
    std::vector<StoredEntry> out;
    for (const std::string& each : index->folders) {
      if (prefix.empty() && !below) out.push_back({folder / each, StoredEntry::Kind::folder});
    }
    for (const auto& [name, file] : index->files) {
      const bool is_inside = name.starts_with(prefix);
      if (!is_inside || (!below && name.find('/', prefix.size()) != std::string::npos)) continue;
      out.push_back({folder / name.substr(prefix.size()), StoredEntry::Kind::file, file.size.value_or(0),
                     time_of_change(file.tables.front())});
    }
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.url < b.url; });
    return out;
  }

  Result<std::unique_ptr<StoredStream>> open_stream(const Path& url) override {
    FIDUCIAL_TRY(const ViewFile file, file_of(url));
    if (file.part && file.part->form == HubPart::Form::table && file.size)
      return std::unique_ptr<StoredStream>(new TableStream(file.tables, *file.size));
    FIDUCIAL_TRY(std::string text, whole_text(file));
    return std::unique_ptr<StoredStream>(new TextStream(std::move(text)));
  }

  Result<std::unique_ptr<StoredObject>> open_object(const Path& url) override {
    FIDUCIAL_TRY(const ViewFile file, file_of(url));
    FIDUCIAL_TRY(std::string text, whole_text(file));
    return std::unique_ptr<StoredObject>(new TextObject(std::move(text)));
  }

  Outcome write(const Path& url, ByteStream&) override { return read_only(url); }
  Outcome remove(const Path& url) override { return read_only(url); }

 private:
  static Error read_only(const Path& url) {
    return bad_usage(url.string() + ": tables hold this folder; nothing is written there");
  }

  static Result<ViewFile> file_of(const Path& url) {
    const ViewPath path = parse_view_path(url);
    const std::shared_ptr<const HubIndex> index = index_of(path.folder);
    if (index->problem) return *index->problem;
    const auto file = index->files.find(path.below);
    if (file == index->files.end()) return path_missing("no such file", url.string());
    return file->second;
  }
};

std::unique_ptr<Store> make_views() { return std::make_unique<HubViews>(); }

}  // namespace

Result<Json> published_object(const HubPart& part, const Json& row) {
  const auto is_listed = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  Json out = Json::Object{};
  for (const auto& [name, value] : *row.as_object()) {
    if (value.is_null() || name == part.more || is_listed(part.left_out, name)) continue;
    if (!is_listed(part.keyed, name) || value.as_array() == nullptr) {
      out.set(name, value);
      continue;
    }
    Json object = Json::Object{};
    for (std::size_t i = 0; i < value.as_array()->size(); ++i) {
      const Json& item = (*value.as_array())[i];
      if (!item.is_null()) object.set(decimal(i), item);
    }
    out.set(name, std::move(object));
  }
  const std::string* more = part.more.empty() ? nullptr : find_string(row, part.more);
  if (more == nullptr) return out;
  FIDUCIAL_TRY(const Json further, parse_json(*more));
  FIDUCIAL_TRY(const Json::Object* members, expect_object(further, "/" + part.more));
  for (const auto& [name, value] : *members) out.set(name, value);
  std::vector<Json::Member> kept = *out.as_object();
  std::erase_if(kept, [](const Json::Member& each) { return each.second.is_null(); });
  return Json(std::move(kept));
}

Json HubPart::json() const {
  Json out = Json::object(
      {{"schema", "fiducial.hub/1"}, {"file", file}, {"form", form == Form::table ? "table" : "document"}});
  if (form == Form::document) {
    out.set("split", split).set("splits", Json::strings(splits)).set("keyed", Json::strings(keyed));
    out.set("more", more);
  }
  out.set("left_out", Json::strings(left_out));
  Json places = Json::Object{};
  for (const auto& [column, folder] : folders) places.set(column, folder);
  return out.set("folders", std::move(places));
}

Result<HubPart> HubPart::parse(const Json& value) {
  if (text_at(value, "schema") != "fiducial.hub/1")
    return invalid_data("metadata of another schema: \"" + text_at(value, "schema") + "\"");
  HubPart out{.form = text_at(value, "form") == "document" ? Form::document : Form::table,
              .file = text_at(value, "file"),
              .split = text_at(value, "split"),
              .splits = strings_at(value, "splits"),
              .keyed = strings_at(value, "keyed"),
              .left_out = strings_at(value, "left_out"),
              .more = text_at(value, "more")};
  if (!out.file.empty() && !is_plain_name(out.file))
    return invalid_data("\"" + out.file + "\" is no file name");
  if (const Json::Object* folders = find_object(value, "folders")) {
    for (const auto& [column, folder] : *folders) {
      if (folder.as_string() != nullptr) out.folders.emplace_back(column, *folder.as_string());
    }
  }
  return out;
}

std::optional<Path> find_hub_view(const Path& folder) {
  static std::once_flag once;
  std::call_once(once, [] { register_views(make_views); });
  const std::shared_ptr<const HubIndex> index = index_of(folder);
  if (index->files.empty() && !index->problem) return std::nullopt;
  return folder / view_folder;
}

}  // namespace fiducial
