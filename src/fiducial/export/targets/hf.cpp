#include "fiducial/base/byte_stream.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/sha256.h"
#include "fiducial/base/staged_file.h"
#include "fiducial/base/system_error.h"
#include "fiducial/base/version.h"
#include "fiducial/cards/make_card.h"
#include "fiducial/export/export_target.h"
#include "fiducial/export/hf/hub_content.h"
#include "fiducial/export/hf/hub_page.h"

namespace fiducial {

namespace {

constexpr const char* hub_manifest = "manifest.json";

Result<HubContent> write_hub_data(const ExportCall& call, const DatasetAdapter& adapter, const Path& folder) {
  if (adapter.open_questions != nullptr) {
    FIDUCIAL_TRY(const std::unique_ptr<DiagnosisDataset> dataset,
                 adapter.open_questions(call.request.dataset));
    return write_question_hub(call, *dataset, folder);
  }
  if (adapter.open_tables != nullptr) {
    FIDUCIAL_TRY(const radgenome::TableFolder tables, adapter.open_tables(call.request.dataset));
    return write_table_hub(call, tables, folder);
  }
  FIDUCIAL_TRY(const OpenedGroundedDataset opened, open_grounded_dataset(call.request.dataset));
  return write_grounded_hub(call, *opened.dataset, folder);
}

Result<HubFile> hub_file(const Path& folder, const std::string& name) {
  FIDUCIAL_TRY(std::unique_ptr<FileStream> stream, FileStream::open(folder / name));
  HubFile out{.name = name, .bytes = stream->size()};
  FIDUCIAL_TRY(const Digest digest, HashingStream(std::move(stream)).finish());
  out.sha256 = digest.hex();
  return out;
}

Result<std::vector<HubFile>> hub_files(const Path& folder, const HubContent& content) {
  std::vector<HubFile> out;
  for (const HubConfig& config : content.configs) {
    for (const HubSplit& split : config.splits) {
      for (const std::string& name : split.files) {
        FIDUCIAL_TRY(HubFile file, hub_file(folder, name));
        out.push_back(std::move(file));
      }
    }
  }
  return out;
}

Json manifest_of(const ExportCall& call, const std::string& benchmark, const HubContent& content,
                 const std::vector<HubFile>& files) {
  Json splits = Json::Array{};
  for (const HubConfig& config : content.configs) {
    for (const HubSplit& split : config.splits)
      splits.push(Json::object({{"config", config.name}, {"split", split.name}, {"rows", split.rows}}));
  }
  Json listed = Json::Array{};
  for (const HubFile& file : files)
    listed.push(Json::object({{"name", file.name}, {"bytes", file.bytes}, {"sha256", file.sha256}}));
  return Json::object({{"schema", "fiducial.hub_export/1"},
                       {"tool", Json::object({{"name", "fiducial"}, {"version", tool_version}})},
                       {"benchmark", benchmark},
                       {"egress", call.terms},
                       {"splits", std::move(splits)},
                       {"masks", content.masks},
                       {"volumes", content.volumes},
                       {"images", content.images},
                       {"left_out", Json::strings(content.left_out)},
                       {"files", std::move(listed)}});
}

std::string told(const ExportCall& call, const HubContent& content) {
  std::int64_t rows = 0;
  std::size_t files = 0;
  for (const HubConfig& config : content.configs) {
    for (const HubSplit& split : config.splits) {
      rows += split.rows;
      files += split.files.size();
    }
  }
  std::string out = call.request.output.string() + ": " + decimal(rows) + " rows in " + decimal(files) +
                    (files == 1 ? " file" : " files");
  for (const auto& [count, what] : {std::pair(content.masks, "masks"), std::pair(content.volumes, "CTs"),
                                    std::pair(content.images, "images")}) {
    if (count > 0) out += ", " + decimal(count) + " " + what;
  }
  for (const std::string& sentence : content.left_out) out += "\nleft out: " + sentence;
  return out;
}

Result<ExportOutcome> export_hub(const ExportCall& call) {
  FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(call.request.dataset));
  FIDUCIAL_TRY(StagedFolder folder,
               StagedFolder::create(call.request.output, "croissant.json", call.request.overwrite));
  FIDUCIAL_TRY_DONE(make_folders(folder.staging() / "data"));
  FIDUCIAL_TRY(const HubContent content, write_hub_data(call, *adapter, folder.staging()));
  if (content.configs.empty())
    return Error(ErrorCode::invalid_data, "no case to export", Place{.path = call.request.dataset.string()});
  FIDUCIAL_TRY(const Json card, make_card({.dataset = call.request.dataset,
                                           .volumes = call.request.volumes,
                                           .check = !call.has("no-check")},
                                          call.executor, call.progress));
  const HubPage page{content, card, call.terms};
  FIDUCIAL_TRY(const std::string text, hub_page(page));
  FIDUCIAL_TRY(const std::vector<HubFile> files, hub_files(folder.staging(), content));
  ExportOutcome out{.manifest = manifest_of(call, adapter->id, content, files), .told = told(call, content)};
  FIDUCIAL_TRY_DONE(write_staged_file(folder.staging() / "README.md", text));
  FIDUCIAL_TRY_DONE(write_staged_file(folder.staging() / "terms.json", call.terms.pretty()));
  FIDUCIAL_TRY_DONE(write_staged_file(folder.staging() / "croissant.json", croissant(page, files).pretty()));
  FIDUCIAL_TRY_DONE(write_staged_file(folder.staging() / hub_manifest, out.manifest.pretty()));
  FIDUCIAL_TRY_DONE(folder.publish());
  return out;
}

}  // namespace

ExportTarget hf_target() {
  return {.id = "hf",
          .title = "a folder for the Hugging Face Hub with Croissant and a card",
          .volumes = ExportTarget::Need::optional,
          .carries_data = true,
          .leaves_machine = true,
          .options = {{.name = "no-check",
                       .help = "Make the card without a check of the data",
                       .kind = TaskOption::Kind::flag}},
          .run = export_hub};
}

}  // namespace fiducial
