#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fiducial/datasets/diagnosis_dataset.h"
#include "fiducial/datasets/medthinkvqa/pictures.h"
#include "fiducial/datasets/medthinkvqa/raw_row.h"

namespace fiducial::medthinkvqa {

// A row of a real file is under 100 KiB.
inline constexpr std::size_t max_line_bytes = std::size_t{64} << 20;

// The file of a split.
struct SplitFile {
  std::string split;
  std::string file;  // relative to the folder
  bool is_parquet = false;
  std::vector<std::string> shards = {};  // where it is cut into several files, or lies deeper: those files
  std::string problem = {};              // why it cannot be read: a shard that is not there

  std::vector<std::string> files() const { return shards.empty() ? std::vector<std::string>{file} : shards; }
};

// The files of the splits in a folder: {train,test}.jsonl, else {train,test}.parquet, else a link to a file
// of such a name that is not there, else shards (split_shards.h).
std::vector<SplitFile> split_files(const Path& folder);

// Refuses a file that Git LFS left in the place of the real one.
Outcome refuse_lfs_pointer(const Path& path);

// How rows are read.
struct RowReading {
  std::size_t max_line_bytes = medthinkvqa::max_line_bytes;
  bool with_digest = true;     // of the file
  int threads = 0;             // 0 means one per core; rows come in their order all the same
  bool with_pictures = false;  // those embedded in a Parquet file; without them they never leave the disk
};

// Calls visit for every row in the order of the file: a row, or why a line is none. Stops at the first error
// that visit returns. Gives the hash of the file, where it is asked for.
using RowVisitor = std::function<Outcome(Result<RawRow>)>;
Result<Digest> read_rows(const Path& folder, const SplitFile& split, const RowReading& how,
                         const RowVisitor& visit);

// A MedThinkVQA release: a file of cases a split, and images/.
class Dataset final : public DiagnosisDataset {
 public:
  static Result<Dataset> open(const Path& folder);

  const Path& folder() const override { return folder_; }
  std::vector<std::string> split_names() const override;
  Result<DiagnosisSplit> read_split(const std::string& name) const override;
  Result<std::string> read_picture(const std::string& split, const std::string& path) const override;

 private:
  Dataset(Path folder, std::vector<SplitFile> splits);
  Result<const SplitFile*> find_split(const std::string& name) const;

  Path folder_;
  std::vector<SplitFile> splits_;
  std::shared_ptr<Pictures> pictures_;
};

}  // namespace fiducial::medthinkvqa
