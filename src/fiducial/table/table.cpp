#include "fiducial/table/table.h"

namespace fiducial {

std::size_t Column::size() const {
  return std::visit([](const auto& items) { return items.size(); }, values);
}

const Column* Table::find(const std::string& name) const {
  for (const Column& column : columns) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

}  // namespace fiducial
