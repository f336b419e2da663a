#pragma once

#include <memory>
#include <optional>
#include <string>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/json.h"
#include "fiducial/base/line_reader.h"
#include "fiducial/curate/engine/output_files.h"

namespace fiducial {

// How the items of a file are held together, so that what is written keeps the form of what was read.
struct ContainerForm {
  enum class Kind { list, member, mapping, lines };

  Kind kind = Kind::list;
  std::string member;       // the list under a key of an object: its name
  Json::Object around;      // the object's other members, and null in the place of the list
  bool ends_a_line = true;  // the published scripts write documents without a last line end

  std::string extension() const { return kind == Kind::lines ? ".jsonl" : ".json"; }
};

struct Item {
  std::int64_t index = 0;  // from 0
  std::string key;         // in a mapping
  Json value;
  std::uint64_t line = 0;  // of a JSONL file, from 1; otherwise 0

  // What identifies it to people: title, src_key, case_title or name, else its key or index.
  std::string id() const;
};

struct ItemRules {
  bool skips_bad_lines = false;
  // The published scripts also break lines at U+2028, U+2029, U+0085, VT and FF, and so cannot read a string
  // that holds one.
  bool breaks_at_separators = false;
};

// The items of a JSON list, of {"data": [...]} (or items, records), of a mapping from id to item, or of a
// JSONL file, in order. JSONL streams; the others are held in memory.
class ItemReader {
 public:
  static Result<ItemReader> open(const Path& path, const ItemRules& rules = {});

  Result<std::optional<Item>> next();
  const ContainerForm& form() const { return form_; }
  // Reads what is left and returns the hash of the file.
  Result<Digest> finish();

 private:
  ItemReader(Path path, const ItemRules& rules) : path_(std::move(path)), rules_(rules) {}
  Outcome open_lines();
  Outcome open_document(const std::string& text);
  Result<std::optional<Item>> next_line();

  Path path_;
  ItemRules rules_;
  ContainerForm form_;
  std::vector<Item> items_;  // of a document
  std::size_t at_ = 0;
  Digest digest_;
  std::unique_ptr<HashingStream> stream_;
  std::unique_ptr<LineReader> lines_;
};

// Writes items in the form of a container, one at a time.
class ItemWriter {
 public:
  // The file must outlive the writer.
  ItemWriter(OutputFile& file, ContainerForm form) : file_(file), form_(std::move(form)) {}

  Outcome write(const Item& item);
  Outcome finish();  // call once, last

 private:
  std::string opening() const;
  std::string closing() const;

  OutputFile& file_;
  ContainerForm form_;
  std::int64_t written_ = 0;
};

}  // namespace fiducial
