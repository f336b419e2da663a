#include <set>
#include <system_error>

#include "fiducial/base/number_text.h"
#include "fiducial/base/system_error.h"
#include "fiducial/base/version.h"
#include "fiducial/curate/cases/case_schemas.h"
#include "fiducial/curate/engine/item_fields.h"
#include "fiducial/curate/engine/stage_call.h"
#include "fiducial/datasets/medthinkvqa/json_row.h"
#include "fiducial/datasets/medthinkvqa/lint_row.h"
#include "fiducial/datasets/medthinkvqa/opaque_id.h"
#include "fiducial/datasets/medthinkvqa/release_writer.h"
#include "fiducial/image/picture.h"

namespace fiducial {

namespace {

using medthinkvqa::RawRow;
using medthinkvqa::ReleaseOptions;
using medthinkvqa::ReleaseWriter;

Result<Bytes> read_bytes(const Path& path) {
  constexpr std::uint64_t max_picture_bytes = std::uint64_t{256} << 20;
  FIDUCIAL_TRY(const std::string text, read_text_file(path, max_picture_bytes));
  const ByteView bytes = as_bytes(text);
  return Bytes(bytes.begin(), bytes.end());
}

Result<ReleaseOptions> release_options(const StageCall& call) {
  ReleaseOptions out{.embeds_images = call.flag("embed-images"),
                     .hides_labels = call.flag("hide-labels"),
                     .terms = {.licence = call.text("licence"),
                               .source = call.text("source"),
                               .allowed_use = call.text("allowed-use"),
                               .contact = call.text("contact")}};
  for (const char* name : {"licence", "source", "allowed-use", "contact"}) {
    if (call.strict() && !call.has(name)) {
      return bad_usage("curate export: --" + std::string(name) +
                       " is missing; terms travel with every release");
    }
  }
  return out;
}

// Writes splits and pictures below the output folder.
class Exporter {
 public:
  Exporter(StageCall& call, ReleaseOptions options) : call_(call), options_(std::move(options)) {}

  Outcome run_split(const std::string& split, const Path& path) {
    FIDUCIAL_TRY(ItemReader reader, call_.open_items(split, path));
    FIDUCIAL_TRY(ReleaseWriter writer, ReleaseWriter::create(call_.output().staging(), split, options_));
    std::int64_t cases = 0;
    while (true) {
      FIDUCIAL_TRY(const std::optional<Item> item, reader.next());
      if (!item) break;
      FIDUCIAL_TRY(const ItemStatus status, add(*item, writer));
      FIDUCIAL_TRY_DONE(call_.record(item->index, item->id(), status));
      cases += status.is_failure() ? 0 : 1;
    }
    FIDUCIAL_TRY_DONE(writer.finish());
    FIDUCIAL_TRY_DONE(call_.close_items(split, path, reader));
    splits_.emplace_back(split, cases);
    return done();
  }

  // The card and the hashes of what the writers made.
  Outcome finish() {
    FIDUCIAL_TRY(OutputFile * card, call_.output().add("README.md"));
    FIDUCIAL_TRY_DONE(card->write(card_text()));
    Json counts = Json::Object{};
    Json hashes = Json::Object{};
    for (const auto& [split, cases] : splits_) {
      counts.set(split, cases);
      for (const char* ending : {".jsonl", ".parquet"}) {
        FIDUCIAL_TRY(const Digest digest, digest_of(split + ending));
        hashes.set(split + ending, digest.hex());
      }
    }
    call_.summary() = Json::object({{"terms", options_.terms.json()},
                                    {"cases", std::move(counts)},
                                    {"images", images_},
                                    {"hides_labels", options_.hides_labels},
                                    {"embeds_images", options_.embeds_images},
                                    {"files", std::move(hashes)},
                                    {"image_files", std::move(picture_hashes_)}});
    return done();
  }

 private:
  Result<Digest> digest_of(const std::string& name) {
    FIDUCIAL_TRY(std::unique_ptr<FileStream> file, FileStream::open(call_.output().staging() / name));
    return HashingStream(std::move(file)).finish();
  }

  Result<ItemStatus> add(const Item& item, ReleaseWriter& writer) {
    Json row = item.value;
    if (row.as_object() == nullptr) return rejected("not_an_object", "expected an object");
    if (is_working_case(row)) {
      Result<Json> released = released_from_working(row, item.index);
      if (!released.ok()) return rejected("no_question", released.error().message());
      row = *std::move(released);
    }
    const RawRow raw = medthinkvqa::row_of(row);
    const LintProblems problems = medthinkvqa::lint_row("", raw);
    for (const LintProblem& problem : problems.all()) {
      if (problem.severity == Severity::error) return rejected(problem.code, problem.message);
    }
    FIDUCIAL_TRY(const DiagnosisCase found, medthinkvqa::checked_case(raw));
    if (!titles_.insert(found.number).second) return rejected("s10_title", "the case number occurs twice");
    const DiagnosisCase shown = call_.flag("opaque-ids") ? medthinkvqa::with_opaque_id(found) : found;
    for (std::size_t i = 0; i < found.images.size(); ++i) {
      FIDUCIAL_TRY(const std::optional<ItemStatus> refused,
                   copy_picture(found.images[i], shown.images[i].path));
      if (refused) return *refused;
    }
    const Path root = call_.output().staging();
    FIDUCIAL_TRY_DONE(
        writer.add(shown, [&root](const CaseImage& image) { return read_bytes(root / image.path); }));
    return ItemStatus{};
  }

  // Copies a picture to its place; says what is wrong with it. A place that cannot be written is no fault of
  // the case.
  Result<std::optional<ItemStatus>> copy_picture(const CaseImage& image, const std::string& shown_path) {
    const Result<Bytes> bytes = read_bytes(Path(call_.text("images")) / image.path);
    if (!bytes.ok()) return std::optional(rejected("s13_image_missing", bytes.error().text()));
    const Result<Picture> picture = decode_picture(*bytes);
    if (!picture.ok())
      return std::optional(rejected("s13_image_damaged", image.path + ": " + picture.error().message()));
    const Path target = call_.output().staging() / shown_path;
    FIDUCIAL_TRY_DONE(make_folders(target.parent_path()));
    FIDUCIAL_TRY_DONE(write_file(target, *bytes));
    picture_hashes_.set(shown_path, sha256(*bytes).hex());
    ++images_;
    return std::optional<ItemStatus>();
  }

  std::string card_text() const {
    std::string out = "---\nlicense: other\nlicense_name: \"" + options_.terms.licence +
                      "\"\nconfigs:\n- config_name: default\n  data_files:\n";
    for (const auto& [split, cases] : splits_)
      out.append("  - split: ").append(split).append("\n    path: ").append(split).append(".parquet\n");
    out += "---\n\n# Teaching cases\n\n| | |\n|---|---|\n| licence | " + options_.terms.licence +
           " |\n| source | " + options_.terms.source + " |\n| allowed use | " + options_.terms.allowed_use +
           " |\n| contact | " + options_.terms.contact + " |\n";
    for (const auto& [split, cases] : splits_)
      out.append("| ").append(split).append(" | ").append(decimal(cases)).append(" cases |\n");
    return out + "\nWritten by fiducial " + tool_version + "; manifest.json has the hash of every file.\n";
  }

  StageCall& call_;
  ReleaseOptions options_;
  std::vector<std::pair<std::string, std::int64_t>> splits_;
  std::set<std::int64_t> titles_;
  Json picture_hashes_ = Json::Object{};
  std::int64_t images_ = 0;
};

Outcome run_export(StageCall& call) {
  FIDUCIAL_TRY(ReleaseOptions options, release_options(call));
  if (!call.has("train") && !call.has("test"))
    return bad_usage("curate export: --train or --test is missing");
  if (call.flag("opaque-ids") && !call.flag("hide-labels"))
    return bad_usage("curate export: --opaque-ids goes with --hide-labels");
  Exporter exporter(call, std::move(options));
  for (const char* split : {"train", "test"}) {
    if (call.has(split)) FIDUCIAL_TRY_DONE(exporter.run_split(split, call.text(split)));
  }
  return exporter.finish();
}

}  // namespace

Stage export_stage() {
  using Kind = StageOption::Kind;
  return {
      .name = "export",
      .summary = "Write a release: JSONL, Parquet, the images, a card and a manifest with the terms",
      .example =
          "fiducial curate export --test cases.jsonl --images source/ --licence CC-BY-NC-SA-4.0 --source "
          "ours "
          "--allowed-use research --contact us@example.org -o release",
      .options =
          {{.name = "train",
            .help = "Cases of the training split (JSON, JSONL; either schema)",
            .is_path = true},
           {.name = "test", .help = "Cases of the test split", .is_path = true},
           {.name = "images",
            .help = "Folder that the paths of the images start from",
            .required = true,
            .is_path = true},
           {.name = "embed-images", .help = "Put the images into the Parquet files too", .kind = Kind::flag},
           {.name = "hide-labels",
            .help = "Write only what a model may see: id, history, options and images",
            .kind = Kind::flag},
           {.name = "opaque-ids",
            .help = "With --hide-labels, name cases by numbers that do not show where they were published; "
                    "score knows them",
            .kind = Kind::flag},
           {.name = "licence", .help = "Licence of the release"},
           {.name = "source", .help = "Where the cases are from"},
           {.name = "allowed-use", .help = "What it may be used for"},
           {.name = "contact", .help = "Who answers questions"}},
      .writes_folder = true,
      .run = run_export};
}

}  // namespace fiducial
