#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/datasets/medthinkvqa/release_writer.h"
#include "fiducial/export/hf/hub_content.h"

namespace fiducial {

namespace {

// The names of files in a column of pictures.
std::string file_name_of(const CaseImage& image) { return Path(image.path).filename().string(); }

// Without empty texts, which are the same as none there.
Json row_values(const DiagnosisCase& item) {
  Json out = item.has_key() ? medthinkvqa::released_row(item) : medthinkvqa::view_row(item);
  if (!item.has_key()) return out;
  Json kept = Json::Object{};
  for (const auto& [name, value] : *out.as_object()) {
    if (value.as_string() == nullptr || !value.as_string()->empty()) kept.set(name, value);
  }
  return kept;
}

class QuestionHub {
 public:
  QuestionHub(const ExportCall& call, const DiagnosisDataset& dataset, Path folder)
      : call_(call), dataset_(dataset), folder_(std::move(folder)) {}

  Result<HubContent> write() {
    FIDUCIAL_TRY(const std::vector<std::string> names,
                 splits_to_export(call_, dataset_.split_names(), content_));
    std::vector<DiagnosisSplit> splits;
    bool has_blind = false;
    std::int64_t cases = 0;
    for (const std::string& name : names) {
      FIDUCIAL_TRY(DiagnosisSplit split, dataset_.read_split(name));
      has_blind |= std::any_of(split.cases.begin(), split.cases.end(),
                               [](const DiagnosisCase& item) { return !item.has_key(); });
      cases += static_cast<std::int64_t>(split.cases.size());
      splits.push_back(std::move(split));
    }
    HubConfig config{.name = "default", .features = medthinkvqa::release_features(false, true), .splits = {}};
    // A row of a blind copy has an id in the place of a title.
    if (has_blind) config.features.insert(config.features.begin(), Feature{.name = "id"});
    call_.progress.begin("exporting", cases);
    for (const DiagnosisSplit& split : splits) {
      FIDUCIAL_TRY(HubSplit written, write_split(split, config.features));
      add_split(std::move(written), config, content_);
    }
    call_.progress.end();
    if (!config.splits.empty()) content_.configs.push_back(std::move(config));
    return std::move(content_);
  }

 private:
  Result<HubSplit> write_split(const DiagnosisSplit& split, const std::vector<Feature>& features) {
    FIDUCIAL_TRY(FeatureShards shards,
                 FeatureShards::create(folder_ / "data", {.split = split.name,
                                                          .features = features,
                                                          .metadata = {{"terms", call_.terms.compact()}}}));
    HubSplit out{.name = split.name};
    for (const DiagnosisCase& item : split.cases) {
      call_.progress.advance(1);
      if (!reason_to_stay(call_.terms, item.title).empty()) {
        content_.left_out.push_back("\"" + item.title + "\" is flagged by the terms of the data");
        continue;
      }
      FeatureRow row{.values = row_values(item)};
      for (std::size_t i = 0; i < item.images.size(); ++i) {
        FIDUCIAL_TRY(const std::string text,
                     dataset_.read_picture(split.name, item.images[i].path).context("reading " + item.title));
        const ByteView bytes = as_bytes(text);
        row.files.emplace(medthinkvqa::picture_column(i),
                          RowFile{file_name_of(item.images[i]), Bytes(bytes.begin(), bytes.end())});
        ++content_.images;
      }
      FIDUCIAL_TRY_DONE(shards.add(row));
      ++out.rows;
    }
    FIDUCIAL_TRY(const std::vector<std::string> files, shards.finish());
    for (const std::string& file : files) out.files.push_back("data/" + file);
    return out;
  }

  const ExportCall& call_;
  const DiagnosisDataset& dataset_;
  Path folder_;
  HubContent content_;
};

}  // namespace

Result<HubContent> write_question_hub(const ExportCall& call, const DiagnosisDataset& dataset,
                                      const Path& folder) {
  return QuestionHub(call, dataset, folder).write();
}

}  // namespace fiducial
