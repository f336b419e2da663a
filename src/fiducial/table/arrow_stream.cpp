#include "fiducial/table/arrow_stream.h"

#include <cstring>

#include <arrow/api.h>
#include <arrow/io/memory.h>
#include <arrow/ipc/writer.h>

#include "fiducial/table/arrow_table.h"

namespace fiducial {

namespace {

arrow::Result<std::shared_ptr<arrow::Buffer>> streamed(const arrow::Table& table) {
  ARROW_ASSIGN_OR_RAISE(auto out, arrow::io::BufferOutputStream::Create());
  ARROW_ASSIGN_OR_RAISE(auto writer, arrow::ipc::MakeStreamWriter(out, table.schema()));
  ARROW_RETURN_NOT_OK(writer->WriteTable(table));
  ARROW_RETURN_NOT_OK(writer->Close());
  return out->Finish();
}

}  // namespace

Result<Bytes> arrow_stream_bytes(const Table& table) {
  FIDUCIAL_TRY(const std::shared_ptr<arrow::Table> converted, arrow_table(table));
  const arrow::Result<std::shared_ptr<arrow::Buffer>> buffer = streamed(*converted);
  if (!buffer.ok()) return Error(ErrorCode::internal, buffer.status().message());
  Bytes out(static_cast<std::size_t>((*buffer)->size()));
  if (!out.empty()) std::memcpy(out.data(), (*buffer)->data(), out.size());
  return out;
}

}  // namespace fiducial
