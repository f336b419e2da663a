#include "fiducial/curate/cases/icd10_table.h"

#include <algorithm>
#include <array>

#include "fiducial/archive/zip_reader.h"
#include "fiducial/base/ascii.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/utf8.h"
#include "fiducial/text/unicode.h"

namespace fiducial {

namespace {

constexpr const char* chapters_member = "icd102019syst_chapters.txt";
constexpr const char* groups_member = "icd102019syst_groups.txt";
constexpr const char* codes_member = "icd102019syst_codes.txt";

using Fields = std::vector<std::string>;
struct Record {
  std::uint64_t line = 0;
  Fields fields;
};

Error schema_error(const char* member, std::uint64_t line, std::string message) {
  return {ErrorCode::invalid_data, std::move(message), Place{.path = member, .line = line}};
}

Error validation_error(std::string message) { return {ErrorCode::integrity, std::move(message)}; }

// The records of a text with ';' between fields; quoted fields may hold it, quotes twice and line ends.
Result<std::vector<Record>> delimited(const char* member, std::string_view text, std::size_t columns) {
  if (const auto bad = first_invalid_utf8(text)) {
    return Error(ErrorCode::invalid_data, "not valid UTF-8", Place{.path = member, .byte = *bad});
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::vector<Record> out;
  Record record{.line = 1, .fields = {""}};
  std::uint64_t line = 1;
  bool quoted = false;
  const auto end_record = [&]() -> Outcome {
    const bool is_blank = record.fields.size() == 1 && white_space_trimmed(record.fields[0]).empty();
    if (!is_blank && record.fields.size() != columns) {
      return schema_error(
          member, record.line,
          "expected " + decimal(columns) + " columns, found " + decimal(record.fields.size()));
    }
    if (!is_blank) out.push_back(std::move(record));
    record = {.line = line, .fields = {""}};
    return done();
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\n') ++line;
    if (quoted) {
      if (c != '"') {
        record.fields.back() += c;
      } else if (at + 1 < text.size() && text[at + 1] == '"') {
        record.fields.back() += text[++at];
      } else {
        quoted = false;
      }
    } else if (c == '"' && record.fields.back().empty()) {
      quoted = true;
    } else if (c == ';') {
      record.fields.emplace_back();
    } else if (c == '\n') {
      FIDUCIAL_TRY_DONE(end_record());
    } else if (c != '\r') {
      record.fields.back() += c;
    }
  }
  if (quoted) return schema_error(member, record.line, "a quoted field does not end");
  FIDUCIAL_TRY_DONE(end_record());
  return out;
}

Result<std::string> required(const char* member, const Record& record, std::size_t column) {
  std::string text(white_space_trimmed(record.fields[column]));
  if (text.empty()) return schema_error(member, record.line, "column " + decimal(column + 1) + " is empty");
  return text;
}

std::string roman(std::int64_t number) {
  constexpr std::array<std::pair<std::int64_t, const char*>, 5> parts{
      {{10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}}};
  std::string out;
  for (const auto& [value, letters] : parts) {
    for (; number >= value; number -= value) out += letters;
  }
  return out;
}

bool is_code(std::string_view text) {
  return text.size() == 3 && is_capital(text[0]) && is_digit(text[1]) &&
         (is_digit(text[2]) || is_capital(text[2]));
}

std::string start_of(const std::string& range) { return range.substr(0, 3); }

Outcome check_anchors(const Icd10Table& table, bool must_be_there) {
  constexpr std::array<std::pair<const char*, const char*>, 3> anchors{
      {{"A00", "Cholera"}, {"A01", "Typhoid and paratyphoid fevers"}, {"U07", "Emergency use of U07"}}};
  for (const auto& [code, title] : anchors) {
    const Icd10Category* found = table.find(code);
    if (found == nullptr && !must_be_there) continue;
    const std::string shown = found == nullptr ? "none" : "\"" + found->title + "\"";
    if (found == nullptr || found->title != title) {
      return validation_error("expected " + std::string(code) + " to be \"" + title + "\", found " + shown);
    }
  }
  return done();
}

Outcome check_count(const char* what, std::size_t found, std::int64_t expected) {
  if (static_cast<std::int64_t>(found) == expected) return done();
  return validation_error("expected " + decimal(expected) + " " + what + ", found " + decimal(found));
}

// Every chapter has a block and every block a category.
Outcome check_members(const Icd10Table& table) {
  std::vector<bool> block_used(table.blocks().size());
  std::vector<bool> chapter_used(table.chapters().size());
  for (const Icd10Category& category : table.categories()) block_used[category.block] = true;
  for (const Icd10Block& block : table.blocks()) chapter_used[block.chapter] = true;
  for (std::size_t i = 0; i < block_used.size(); ++i) {
    if (!block_used[i]) return validation_error("block " + table.blocks()[i].range + " has no category");
  }
  for (std::size_t i = 0; i < chapter_used.size(); ++i) {
    if (!chapter_used[i]) return validation_error(table.chapters()[i].label + " has no block");
  }
  return done();
}

Result<std::string> read_member(const ZipReader& zip, const char* name) {
  constexpr std::uint64_t max_bytes = std::uint64_t{64} << 20;
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < zip.entries().size(); ++i) {
    const std::string& entry = zip.entries()[i].name;
    if (entry == name || entry.ends_with("/" + std::string(name))) found = i;
  }
  if (!found) return Error(ErrorCode::unavailable, "the archive has no member " + std::string(name));
  if (zip.entries()[*found].size > max_bytes) return schema_error(name, 0, "the member is too large");
  FIDUCIAL_TRY(const std::unique_ptr<ByteStream> stream, zip.open_entry(*found));
  std::string text(static_cast<std::size_t>(zip.entries()[*found].size), '\0');
  FIDUCIAL_TRY(const std::size_t got, stream->read(std::as_writable_bytes(std::span(text))));
  text.resize(got);
  return text;
}

}  // namespace

Outcome Icd10Table::add_category(Icd10Category category) {
  if (!by_code_.emplace(category.code, categories_.size()).second) {
    return validation_error("expected a code once, found " + category.code + " twice");
  }
  categories_.push_back(std::move(category));
  return done();
}

const Icd10Category* Icd10Table::find(const std::string& code) const {
  const auto found = by_code_.find(code);
  return found == by_code_.end() ? nullptr : &categories_[found->second];
}

Result<Icd10Table> Icd10Table::build(const Icd10Source& source, const Icd10Counts& counts) {
  Icd10Table out;
  std::map<std::string, std::size_t> chapters;
  std::map<std::pair<std::string, std::string>, std::size_t> blocks;
  FIDUCIAL_TRY(const auto chapter_rows, delimited(chapters_member, source.chapters, 2));
  for (const Record& row : chapter_rows) {
    FIDUCIAL_TRY(const std::string number, required(chapters_member, row, 0));
    FIDUCIAL_TRY(std::string title, required(chapters_member, row, 1));
    const auto value = parse_integer(number);
    if (!value || *value < 1 || *value > 39) {
      return schema_error(chapters_member, row.line,
                          "expected the number of a chapter, found \"" + number + "\"");
    }
    chapters[number] = out.chapters_.size();
    out.chapters_.push_back({"Chapter " + roman(*value), std::move(title), ""});
  }
  FIDUCIAL_TRY(const auto block_rows, delimited(groups_member, source.groups, 4));
  for (const Record& row : block_rows) {
    std::array<std::string, 4> cells;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      FIDUCIAL_TRY(cells[i], required(groups_member, row, i));
    }
    const auto chapter = chapters.find(cells[2]);
    if (chapter == chapters.end())
      return validation_error("block " + cells[0] + "-" + cells[1] + " names an unknown chapter " + cells[2]);
    blocks[{cells[2], cells[0]}] = out.blocks_.size();
    out.blocks_.push_back({chapter->second, cells[0] + "-" + cells[1], cells[3]});
    std::string& range = out.chapters_[chapter->second].range;
    range = (range.empty() ? cells[0] : start_of(range)) + "-" + cells[1];
  }
  FIDUCIAL_TRY(const auto code_rows, delimited(codes_member, source.codes, 17));
  for (const Record& row : code_rows) {
    if (row.fields[0] != "3") continue;
    std::array<std::string, 4> cells;
    constexpr std::array<std::size_t, 4> columns{3, 4, 7, 8};
    for (std::size_t i = 0; i < cells.size(); ++i) {
      FIDUCIAL_TRY(cells[i], required(codes_member, row, columns[i]));
    }
    if (!is_code(cells[2]))
      return schema_error(codes_member, row.line, "expected a code such as M33, found \"" + cells[2] + "\"");
    const auto block = blocks.find({cells[0], cells[1]});
    if (block == blocks.end())
      return validation_error(cells[2] + " names an unknown block " + cells[1] + " of chapter " + cells[0]);
    FIDUCIAL_TRY_DONE(out.add_category({block->second, cells[2], cells[3]}));
  }
  FIDUCIAL_TRY_DONE(check_count("chapters", out.chapters_.size(), counts.chapters));
  FIDUCIAL_TRY_DONE(check_count("blocks", out.blocks_.size(), counts.blocks));
  FIDUCIAL_TRY_DONE(check_count("categories", out.categories_.size(), counts.categories));
  FIDUCIAL_TRY_DONE(check_members(out));
  FIDUCIAL_TRY_DONE(check_anchors(out, counts == Icd10Counts{}));
  return out;
}

std::string Icd10Table::text(const std::string& source, const std::string& retrieved_utc) const {
  std::string out =
      "# WHO ICD-10 Appendix (Chapter-Block-Category, 3-character)\n# Source: " + source +
      "\n# Retrieved UTC: " + retrieved_utc + "\n# Counts: chapters=" + decimal(chapters_.size()) +
      ", blocks=" + decimal(blocks_.size()) + ", categories=" + decimal(categories_.size()) + "\n\n";
  for (std::size_t c = 0; c < chapters_.size(); ++c) {
    out += chapters_[c].label + "  " + chapters_[c].title + " (" + chapters_[c].range + ")\n";
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      if (blocks_[b].chapter != c) continue;
      out += "Block | " + blocks_[b].range + "  " + blocks_[b].title + "\n";
      for (const Icd10Category& category : categories_) {
        if (category.block == b) out += "    " + category.code + "  " + category.title + "\n";
      }
      out += "\n";
    }
    out += "\n";
  }
  while (!out.empty() && (out.back() == '\n' || out.back() == ' ')) out.pop_back();
  return out + "\n";
}

Result<Icd10Table> Icd10Table::parse(std::string_view text) {
  if (const auto bad = first_invalid_utf8(text)) {
    return Error(ErrorCode::invalid_data, "not valid UTF-8", Place{.byte = *bad});
  }
  Icd10Table out;
  std::uint64_t number = 0;
  const auto at_line = [&number](std::string message) {
    return Error(ErrorCode::invalid_data, std::move(message), Place{.line = number});
  };
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with('#') || white_space_trimmed(line).empty()) continue;
    if (line.starts_with("Chapter ")) {
      const std::size_t gap = line.find("  ");
      const std::size_t open = line.rfind(" (");
      if (gap == std::string_view::npos || open == std::string_view::npos || open < gap + 2 ||
          !line.ends_with(')')) {
        return at_line("expected \"Chapter ROMAN  title (start-end)\"");
      }
      out.chapters_.push_back({std::string(line.substr(0, gap)),
                               std::string(line.substr(gap + 2, open - gap - 2)),
                               std::string(line.substr(open + 2, line.size() - open - 3))});
    } else if (line.starts_with("Block | ")) {
      if (out.chapters_.empty()) return at_line("a block stands before any chapter");
      if (line.size() < 17 || line[11] != '-' || line.substr(15, 2) != "  ")
        return at_line("expected \"Block | XXX-XXX  title\"");
      out.blocks_.push_back(
          {out.chapters_.size() - 1, std::string(line.substr(8, 7)), std::string(line.substr(17))});
    } else if (line.starts_with("    ")) {
      if (out.blocks_.empty()) return at_line("a category stands before any block");
      if (line.size() < 9 || !is_code(line.substr(4, 3)) || line.substr(7, 2) != "  ")
        return at_line("expected \"    CODE  title\"");
      Outcome added = out.add_category(
          {out.blocks_.size() - 1, std::string(line.substr(4, 3)), std::string(line.substr(9))});
      if (!added.ok()) return Error(ErrorCode::integrity, added.error().message(), Place{.line = number});
    } else {
      return at_line("expected a chapter, a block or a category");
    }
  }
  return out;
}

Result<Icd10Source> read_icd10_archive(const Path& zip) {
  std::error_code ignored;
  if (!std::filesystem::exists(zip, ignored)) {
    return Error(ErrorCode::unavailable, "no such file; WHO publishes it as icd102019enMeta.zip",
                 Place{.path = zip.string()});
  }
  FIDUCIAL_TRY(const ZipReader reader, ZipReader::open(zip));
  Icd10Source out;
  FIDUCIAL_TRY(out.chapters, read_member(reader, chapters_member).in_file(zip.string()));
  FIDUCIAL_TRY(out.groups, read_member(reader, groups_member).in_file(zip.string()));
  FIDUCIAL_TRY(out.codes, read_member(reader, codes_member).in_file(zip.string()));
  return out;
}

std::string icd10_category_in(std::string_view text) {
  std::string word;
  for (std::size_t at = 0; at < text.size();) {
    const FirstCodePoint point = first_code_point(text.substr(at));
    if (!is_white_space(point.value)) word.append(text, at, point.bytes);
    at += point.bytes;
  }
  for (char& c : word) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  }
  const std::string_view all = word;
  if (all.size() >= 3 && is_code(all.substr(0, 3)) && (all.size() == 3 || all[3] == '.' || all[3] == '-')) {
    return word.substr(0, 3);
  }
  for (std::size_t at = 0; at + 3 <= all.size(); ++at) {
    if (is_code(all.substr(at, 3))) return word.substr(at, 3);
  }
  return {};
}

std::string icd10_block_in(std::string_view text) {
  std::string word(text);
  for (char& c : word) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  }
  for (std::size_t at = 0; at + 7 <= word.size(); ++at) {
    const std::string_view piece = std::string_view(word).substr(at, 7);
    if (is_code(piece.substr(0, 3)) && piece[3] == '-' && is_code(piece.substr(4, 3)))
      return std::string(piece);
  }
  return {};
}

std::string icd10_chapter_in(std::string_view text) {
  constexpr std::string_view numerals = "IVXLC";
  std::string word(white_space_trimmed(text));
  for (char& c : word) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  }
  const auto numeral_at = [&](std::size_t at) {
    const std::size_t end = std::min(word.find_first_not_of(numerals, at), word.size());
    const bool stops =
        end == word.size() || !is_word_character(first_code_point(std::string_view(word).substr(end)).value);
    return end > at && stops ? word.substr(at, end - at) : std::string();
  };
  const std::size_t named = word.find("CHAPTER");
  if (named != std::string::npos) {
    std::size_t at = named + 7;
    while (at < word.size() && (word[at] == ' ' || word[at] == '\t')) ++at;
    const std::string numeral = numeral_at(at);
    if (!numeral.empty()) return "Chapter " + numeral;
  }
  const std::string bare = numeral_at(0);
  return !bare.empty() && bare.size() == word.size() ? "Chapter " + bare : std::string();
}

}  // namespace fiducial
