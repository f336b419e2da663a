#include "fiducial/table/csv.h"

#include <array>

#include <gtest/gtest.h>

#include "fiducial/base/number_text.h"
#include "fiducial/base/random.h"
#include "fiducial/base/temporary_folder.h"

namespace fiducial {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(const CsvTable& table) {
  Rows out;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    out.emplace_back();
    for (std::size_t column = 0; column < table.columns().size(); ++column) {
      out.back().emplace_back(table.cell(row, column));
    }
  }
  return out;
}

Rows parsed(std::string_view text) {
  const Result<CsvTable> table = parse_csv(text);
  EXPECT_TRUE(table.ok()) << table.error().text();
  return table.ok() ? rows_of(*table) : Rows{};
}

std::string refusal(std::string_view text, const CsvLimits& limits = {}) {
  const Result<CsvTable> table = parse_csv(text, limits);
  return table.ok() ? "accepted" : table.error().text();
}

TEST(Csv, names_the_separator_that_parts_columns_instead) {
  EXPECT_EQ(refusal("name;age\nAda;36\n"),
            "line 1, at column 1: columns are separated by semicolons; expected commas");
  EXPECT_EQ(refusal("name\tage\nAda\t36\n"),
            "line 1, at column 1: columns are separated by tabs; expected commas");
  EXPECT_EQ(refusal("name;nick,age\nAda;A,36\n"), "accepted");
}

TEST(Csv, gives_cells_by_row_and_column) {
  const Result<CsvTable> table = parse_csv("name,age\nAda,36\nGrace,\n");
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table->columns(), (std::vector<std::string>{"name", "age"}));
  EXPECT_EQ(rows_of(*table), (Rows{{"Ada", "36"}, {"Grace", ""}}));
  EXPECT_EQ(table->line(1), 3U);
}

TEST(Csv, reads_quoted_commas_quotes_and_line_ends) {
  EXPECT_EQ(parsed("a,b\n\"1,2\",\"say \"\"hi\"\"\"\n\"two\nlines\",\"\"\n"),
            (Rows{{"1,2", "say \"hi\""}, {"two\nlines", ""}}));
}

TEST(Csv, counts_lines_inside_quoted_cells) {
  const Result<CsvTable> table = parse_csv("a,b\n\"1\n2\r\n3\",x\n4,5\n");
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table->line(0), 2U);
  EXPECT_EQ(table->line(1), 5U);
}

TEST(Csv, accepts_crlf_a_byte_order_mark_and_no_last_line_end) {
  EXPECT_EQ(parsed("\xEF\xBB\xBF"
                   "a,b\r\n1,2\r\n3,4"),
            (Rows{{"1", "2"}, {"3", "4"}}));
  EXPECT_EQ(parse_csv("\xEF\xBB\xBF"
                      "a,b\r\n")
                ->columns()
                .front(),
            "a");
}

TEST(Csv, skips_empty_lines_only_where_they_cannot_be_a_row) {
  EXPECT_EQ(parsed("a,b\n\n1,2\n\r\n"), (Rows{{"1", "2"}}));
  EXPECT_EQ(parsed("a\n\n1\n"), (Rows{{""}, {"1"}}));
}

TEST(Csv, gives_no_rows_for_a_header_alone) { EXPECT_EQ(parsed("a,b\n"), Rows{}); }

TEST(Csv, names_line_and_column_of_what_it_refuses) {
  EXPECT_EQ(refusal(""), "line 1: the file is empty; expected a row of column names");
  EXPECT_EQ(refusal("a,b\n1,2\n1,2,3\n"), "line 3: expected 2 cells, found 3");
  EXPECT_EQ(refusal("a,b\n1,\"2\n"), "line 2, at column 2: the quote that opens here is never closed");
  EXPECT_EQ(refusal("a,b\n1,2\"3\n"), "line 2, at column 2: a quote inside a cell that is not quoted");
  EXPECT_EQ(refusal("a,b\n\"1\"2,3\n"), "line 2, at column 1: text after the closing quote");
  EXPECT_EQ(refusal("a,b\r1,2\r"), "line 1, at column 2: a carriage return without a line feed");
  EXPECT_EQ(refusal("a,a\n"), "line 1, at column 2: a second column \"a\"");
  EXPECT_EQ(refusal("a,\n"), "line 1, at column 2: a column without a name");
  EXPECT_EQ(refusal("a\nb\xFF\n"), "line 2: the text is not UTF-8");
  EXPECT_EQ(refusal(std::string_view("a\nb\0\n", 5)), "line 2: a zero byte; expected text");
}

TEST(Csv, stops_at_its_limits) {
  EXPECT_EQ(refusal("a,b,c\n", {.columns = 2}), "line 1: more than 2 columns");
  EXPECT_EQ(refusal("a,b\n1,2\n3,4\n", {.cells = 3}), "line 3: more than 3 cells");
  EXPECT_EQ(refusal("a,b\n", {.bytes = 3}), "more than 3 bytes of text");
  EXPECT_EQ(refusal(std::string(20'000, ',')), "line 1: more than 10000 columns");
}

TEST(Csv, lists_the_columns_when_one_is_missing) {
  const Result<CsvTable> table = parse_csv("a,b\n1,x\n");
  EXPECT_EQ(table->find_column("b"), 1U);
  EXPECT_EQ(table->column("c").error().text(), "line 1: no column \"c\"; there is a, b");
  EXPECT_EQ(table->cell_error(0, 1, "expected a number, found \"x\"").text(),
            "line 2, at column 2: b: expected a number, found \"x\"");
}

TEST(Csv, names_the_file_it_cannot_read) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "bad.csv", "a,b\n1\n").ok());
  const Result<CsvTable> table = read_csv(folder / "bad.csv");
  ASSERT_FALSE(table.ok());
  EXPECT_EQ(table.error().text(), (folder / "bad.csv").string() + ", line 2: expected 2 cells, found 1");
}

TEST(Csv, keeps_a_byte_order_mark_that_is_part_of_a_name) {
  const std::vector<std::string> names{
      "\xEF\xBB\xBF"
      "a"};
  EXPECT_EQ(parse_csv(csv_row(names))->columns(), names);
}

TEST(Csv, reads_back_what_it_writes) {
  Random random(7);
  constexpr std::array<const char*, 8> pieces{"a", ",", "\"", "\n", "\r\n", "\r", "\xC3\xA9", ""};
  for (int round = 0; round < 300; ++round) {
    const auto columns = static_cast<std::size_t>(random.between(1, 4));
    Rows rows(static_cast<std::size_t>(random.between(0, 5)), std::vector<std::string>(columns));
    std::vector<std::string> names;
    for (std::size_t i = 0; i < columns; ++i) names.push_back("c" + std::string(i, ','));
    std::string text = csv_row(names);
    for (auto& row : rows) {
      for (std::string& cell : row) {
        for (auto count = random.between(0, 4); count > 0; --count) {
          cell += pieces[static_cast<std::size_t>(random.between(0, 7))];
        }
      }
      text += csv_row(row);
    }
    EXPECT_EQ(parsed(text), rows) << text;
  }
}

// The cells of every row, after the number of its line.
void append_numbered(const CsvTable& table, Rows& rows) {
  Rows cells = rows_of(table);
  for (std::size_t row = 0; row < cells.size(); ++row) {
    cells[row].insert(cells[row].begin(), decimal(table.line(row)));
    rows.push_back(cells[row]);
  }
}

Result<Rows> rows_in_batches(std::string_view text, std::size_t batch_bytes) {
  MemoryStream stream(std::as_bytes(std::span(text)));
  CsvBatches batches(stream, batch_bytes);
  Rows rows;
  while (true) {
    FIDUCIAL_TRY(const std::optional<CsvTable> table, batches.next());
    if (!table) return rows;
    append_numbered(*table, rows);
  }
}

TEST(CsvBatches, give_the_rows_and_lines_of_the_whole_table_at_any_size) {
  const std::string text =
      "\xEF\xBB\xBFname,text\r\na,\"two\nlines, \"\"quoted\"\"\"\nb,plain\n\nc,\"\"\r\nd,\xC3\xA9";
  const Result<CsvTable> whole = parse_csv(text);
  ASSERT_TRUE(whole.ok());
  Rows expected;
  append_numbered(*whole, expected);
  for (std::size_t batch = 1; batch < 80; ++batch) {
    const Result<Rows> rows = rows_in_batches(text, batch);
    ASSERT_TRUE(rows.ok()) << batch << ": " << rows.error().text();
    EXPECT_EQ(*rows, expected) << batch;
  }
}

TEST(CsvBatches, refuse_what_the_whole_table_refuses_with_the_same_line) {
  for (const std::string_view text : {"", "a,b\n1,2\n1,2,3\n", "a,b\n1,2\"3\n", "a,b\n1,2\n1,\"2\n",
                                      "a\nb\xFF\n", "a,a\n", "a,b\n\"1\"2,3\n"}) {
    for (const std::size_t batch : {1U, 5U, 1000U}) {
      const Result<Rows> rows = rows_in_batches(text, batch);
      EXPECT_EQ(rows.ok() ? "accepted" : rows.error().text(), refusal(text)) << batch;
    }
  }
}

TEST(CsvRow, quotes_commas_quotes_and_line_ends_only) {
  EXPECT_EQ(csv_row_of({"a b", "c,d", "say \"x\"", "two\nlines", ""}),
            "a b,\"c,d\",\"say \"\"x\"\"\",\"two\nlines\",\n");
  EXPECT_EQ(csv_row_of({""}), "\"\"\n");
}

}  // namespace
}  // namespace fiducial
