// Writes a one-column Parquet file in memory: proves headers, libraries and C++ ABI agree.
#include <arrow/api.h>
#include <arrow/io/memory.h>
#include <parquet/arrow/writer.h>

int main() {
  arrow::StringBuilder builder;
  if (!builder.Append("probe").ok()) return 1;
  auto column = builder.Finish();
  if (!column.ok()) return 2;
  auto table = arrow::Table::Make(arrow::schema({arrow::field("x", arrow::utf8())}), {*column});
  auto sink = arrow::io::BufferOutputStream::Create();
  if (!sink.ok()) return 3;
  if (!parquet::arrow::WriteTable(*table, arrow::default_memory_pool(), *sink).ok()) return 4;
  return (*sink)->Finish().ok() ? 0 : 5;
}
