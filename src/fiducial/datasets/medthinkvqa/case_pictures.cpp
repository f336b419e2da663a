#include "fiducial/datasets/medthinkvqa/case_pictures.h"

#include <algorithm>

#include "fiducial/datasets/medthinkvqa/dataset.h"
#include "fiducial/datasets/medthinkvqa/picture_files.h"

namespace fiducial::medthinkvqa {

namespace {

CasePicture read_picture(const PictureFiles& files, const std::string& path) {
  CasePicture out;
  Result<std::optional<std::string>> bytes = files.read(path);
  if (!bytes.ok()) {
    out.problem = bytes.error().text();
  } else if (!*bytes) {
    out.problem = path + ": there is no such file";
  } else {
    out.bytes = **std::move(bytes);
  }
  return out;
}

// The pictures in the rows of a table; the order of a case's images is that of its slots.
Outcome visit_embedded(const Path& folder, const SplitFile& file,
                       const std::function<bool(std::int64_t number)>& wanted, const PictureVisitor& visit) {
  const RowReading how{.with_digest = false, .with_pictures = true};
  const auto visit_row = [&](Result<RawRow> row) -> Outcome {
    if (!row.ok()) return std::move(row).error();
    FIDUCIAL_TRY(const DiagnosisCase entry, checked_case(*row));
    if (!wanted(entry.number)) return done();
    std::size_t index = 0;
    for (const RawSlot& slot : row->slots) {
      if (!row->uses(slot)) continue;
      CasePicture picture{.number = entry.number, .index = index++};
      if (slot.embedded) {
        picture.bytes = std::string(*slot.embedded);
      } else {
        picture.problem = std::string(slot.path) + ": there is no such file, and no picture in the table";
      }
      FIDUCIAL_TRY_DONE(visit(std::move(picture)));
    }
    return done();
  };
  FIDUCIAL_TRY(const Digest ignored, read_rows(folder, file, how, visit_row));
  static_cast<void>(ignored);
  return done();
}

}  // namespace

Outcome visit_pictures(const Path& folder, const DiagnosisSplit& split,
                       const std::function<bool(std::int64_t number)>& wanted, const PictureVisitor& visit) {
  FIDUCIAL_TRY(const PictureFiles files, PictureFiles::open(folder));
  const std::vector<SplitFile> splits = split_files(folder);
  const auto file = std::find_if(splits.begin(), splits.end(),
                                 [&split](const SplitFile& each) { return each.split == split.name; });
  if (!files.are_there() && file != splits.end() && file->is_parquet)
    return visit_embedded(folder, *file, wanted, visit);
  for (const DiagnosisCase& entry : split.cases) {
    if (!wanted(entry.number)) continue;
    for (std::size_t i = 0; i < entry.images.size(); ++i) {
      CasePicture picture = read_picture(files, entry.images[i].path);
      picture.number = entry.number;
      picture.index = i;
      FIDUCIAL_TRY_DONE(visit(std::move(picture)));
    }
  }
  return done();
}

}  // namespace fiducial::medthinkvqa
