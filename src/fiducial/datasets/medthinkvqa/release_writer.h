#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/bytes.h"
#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/cases/diagnosis_case.h"
#include "fiducial/table/feature_file.h"

namespace fiducial::medthinkvqa {

// What a released row says of a case, in the order of the published fields; filled image slots only.
Json released_row(const DiagnosisCase& item);

// All that a model may see of a case, with its number as the id by which answers find back.
Json view_row(const DiagnosisCase& item);

// Who may do what with a release; goes with every file of it.
struct ReleaseTerms {
  std::string licence;
  std::string source;
  std::string allowed_use;
  std::string contact;

  Json json() const;
};

struct ReleaseOptions {
  bool embeds_images =
      false;  // columns image_01 to image_49 with the bytes, as Hugging Face datasets has them
  bool hides_labels = false;  // view_row in the place of released_row
  ReleaseTerms terms;
};

// The columns of a release. A split whose cases have no key gives view_row in them.
std::vector<Feature> release_features(bool hides_labels, bool embeds_images);
std::string picture_column(std::size_t index);  // of the image at this place of a case: "image_01"

// The bytes of an image of a case, for embedding.
using PictureBytes = std::function<Result<Bytes>(const CaseImage& image)>;

// Writes the cases of one split as SPLIT.jsonl and SPLIT.parquet, in memory that does not grow with their
// number. Every Parquet file has all 49 slots, so that files of several splits have one schema.
class ReleaseWriter {
 public:
  static Result<ReleaseWriter> create(const Path& folder, const std::string& split, ReleaseOptions options);
  ReleaseWriter(ReleaseWriter&&) noexcept;
  ReleaseWriter& operator=(ReleaseWriter&&) = delete;
  ~ReleaseWriter();

  Outcome add(const DiagnosisCase& item, const PictureBytes& picture_bytes);
  Outcome finish();  // call once, last

 private:
  struct Files;
  explicit ReleaseWriter(std::unique_ptr<Files> files);

  std::unique_ptr<Files> files_;
};

}  // namespace fiducial::medthinkvqa
