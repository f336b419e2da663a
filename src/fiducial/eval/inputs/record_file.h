#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/sha256.h"

namespace fiducial {

// One object of a file of records: a line of JSONL, or a row of a CSV table.
//
// Fields that are absent, null or an empty cell are nothing. A field of another type than asked for is an
// error that names it; the cells of a table are text, which is read as what is asked for.
class Record {
 public:
  enum class Source { jsonl, csv };
  Record(std::uint64_t line, Json fields, Source source)
      : line_(line), fields_(std::move(fields)), source_(source) {}

  std::uint64_t line() const { return line_; }
  const Json& fields() const { return fields_; }
  bool is_typed() const { return source_ == Source::jsonl; }

  const Json* find(const std::string& key) const;
  Result<std::optional<std::string>> text(const std::string& key) const;
  Result<std::optional<double>> number(const std::string& key) const;
  Result<std::optional<std::int64_t>> integer(const std::string& key) const;
  // The number of its case: "title" or "case", as "Case number 68" or as a number.
  Result<std::int64_t> case_number() const;

 private:
  std::uint64_t line_;
  Json fields_;
  Source source_;
};

struct RecordFile {
  std::string name;
  Digest digest;
  std::vector<Record> records;
};

// A file of JSON objects, one a line or all in a list, or where its name ends in .csv a table with named
// columns. Refuses, with the line (of a list: the place in it), what is neither, and a file without a record.
Result<RecordFile> read_records(const Path& path);
Result<std::vector<Record>> parse_jsonl_records(std::string_view text);
Result<std::vector<Record>> parse_json_list_records(std::string_view text);
Result<std::vector<Record>> parse_csv_records(std::string_view text);

// The error at the record's line of its file.
Error at_record(const Error& error, const Record& record, const std::string& path);

}  // namespace fiducial
