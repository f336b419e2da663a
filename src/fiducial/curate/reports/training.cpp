#include <algorithm>
#include <array>
#include <map>

#include "fiducial/base/inflate.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/curate/engine/stage_call.h"
#include "fiducial/curate/reports/sentence_weights.h"
#include "fiducial/datasets/radgenome/split.h"
#include "fiducial/datasets/rexgroundingct/dataset.h"
#include "fiducial/table/csv.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

using radgenome::PooledRow;
using radgenome::PooledTable;
using radgenome::Split;
using radgenome::TableKind;

constexpr double largest_weight = 10'000;
constexpr double weight_under_others = 10;  // set by hand in the published weights of locations
constexpr std::size_t largest_cluster_file = std::size_t{256} << 20;

// A part of train.json: the answers to one table.
struct TrainingTask {
  TableKind kind;
  const char* name;
  const char* tag;
};
constexpr TrainingTask training_tasks[] = {{TableKind::region_report, "report", "<Report> "},
                                           {TableKind::abnormality, "abnormalities", "<Abnormality> "},
                                           {TableKind::location, "location", "<Location> "},
                                           {TableKind::presence, "presence", "<Presence> "},
                                           {TableKind::size, "size", "<Size> "}};

// As published: the first character in upper case, all others in lower case, and a final period.
std::string training_answer(const TrainingTask& task, const std::string& text) {
  std::string words = ascii_lower(text);
  if (!words.empty() && words[0] >= 'a' && words[0] <= 'z')
    words[0] = static_cast<char>(words[0] - 'a' + 'A');
  if (!words.ends_with('.')) words += '.';
  return task.tag + words;
}

// The numbers of the rows of every volume.
std::vector<std::vector<std::uint32_t>> rows_by_volume(const Split& split, const PooledTable& table) {
  std::vector<std::vector<std::uint32_t>> out(split.volumes.size());
  for (std::uint32_t i = 0; i < table.rows.size(); ++i) out[table.rows[i].volume].push_back(i);
  return out;
}

Json training_entry(const Split& split, const TrainingTask& task, const PooledRow& row) {
  const bool is_location = task.kind == TableKind::location;
  Json out = Json::object({{"region", split.texts.text(is_location ? row.answer : row.place)}});
  const std::string& finding = split.texts.text(row.finding);
  if (!finding.empty()) out.set("abnormality", finding);
  return out.set("answer", training_answer(task, split.texts.text(row.answer)));
}

// Where images lie, by volume: the table image_path beside the others, if there is one.
Result<std::map<std::string, std::string>> image_paths(StageCall& call, const Path& folder) {
  std::map<std::string, std::string> out;
  for (const char* name : {"image_path.csv", "train_image_path.csv", "validation_image_path.csv",
                           "image_path.csv.gz", "train_image_path.csv.gz", "validation_image_path.csv.gz"}) {
    for (const char* below : {"", "radgenome_files", "dataset/radgenome_files"}) {
      const Path path = folder / below / name;
      std::error_code ignored;
      if (!std::filesystem::is_regular_file(path, ignored)) continue;
      FIDUCIAL_TRY(std::unique_ptr<FileStream> stored, FileStream::open(path));
      FIDUCIAL_TRY(auto rows,
                   radgenome::TableRows::open(std::move(stored), path.string(), {.answer = "nii_path"}));
      while (true) {
        FIDUCIAL_TRY(const auto row, rows.next());
        if (!row) break;
        out.emplace(row->volume, row->answer);
      }
      FIDUCIAL_TRY(const Digest digest, rows.finish());
      call.record_input("image_path", path, digest);
    }
  }
  return out;
}

// Writes the answers of every volume, one volume in memory at a time.
Outcome write_training(StageCall& call, const Split& split, const std::map<std::string, std::string>& paths) {
  FIDUCIAL_TRY(OutputFile * file, call.output().add("train.json"));
  std::map<TableKind, std::vector<std::vector<std::uint32_t>>> rows;
  for (const TrainingTask& task : training_tasks) {
    if (const PooledTable* table = split.find(task.kind))
      rows.emplace(task.kind, rows_by_volume(split, *table));
  }
  FIDUCIAL_TRY_DONE(file->write("{"));
  for (std::uint32_t volume = 0; volume < split.volumes.size(); ++volume) {
    const std::string& name = split.volumes.text(volume);
    Json tasks = Json::object({});
    for (const TrainingTask& task : training_tasks) {
      Json list{Json::Array{}};
      if (const PooledTable* table = split.find(task.kind)) {
        for (const std::uint32_t row : rows.at(task.kind)[volume]) {
          list.push(training_entry(split, task, table->rows[row]));
        }
      }
      tasks.set(task.name, std::move(list));
    }
    const auto path = paths.find(name);
    const Json entry = Json::object(
        {{"image_path", path == paths.end() ? Json("") : Json(path->second)}, {"task", std::move(tasks)}});
    FIDUCIAL_TRY_DONE(
        file->write((volume == 0 ? "\n" : ",\n") + Json(name).compact() + ": " + entry.compact()));
    FIDUCIAL_TRY_DONE(call.record(volume, name, ItemStatus{}));
  }
  return file->write("\n}\n");
}

// Which cluster an answer is in.
using AnswerClusters = std::map<std::string, std::int64_t>;

// {answer: cluster}, or the published form {answer: {"cluster_labels": cluster, ...}}; plain or gzip.
Result<AnswerClusters> read_clusters(StageCall& call, const Path& path) {
  FIDUCIAL_TRY(std::string stored, call.read_input("clusters", path));
  std::string text = stored;
  FIDUCIAL_TRY(const bool compressed, is_gzip_file(path));
  if (compressed) {
    InflateStream bytes(std::make_unique<MemoryStream>(as_bytes(stored)), DeflateWrapper::gzip);
    text.clear();
    std::string piece(std::size_t{1} << 20, '\0');
    for (bool more = true; more && text.size() <= largest_cluster_file;) {
      FIDUCIAL_TRY(const std::size_t got, bytes.read(std::as_writable_bytes(std::span(piece))));
      text.append(piece, 0, got);
      more = got == piece.size();
    }
    if (text.size() > largest_cluster_file)
      return invalid_data(path.string() + ": more than 256 MiB of text");
  }
  FIDUCIAL_TRY(const Json value, parse_json(text).in_file(path.string()));
  FIDUCIAL_TRY(const Json::Object* members, expect_object(value, "").in_file(path.string()));
  AnswerClusters out;
  for (const auto& [answer, entry] : *members) {
    const Json* label = entry.as_object() != nullptr ? entry.find("cluster_labels") : &entry;
    if (label == nullptr || label->as_integer() == nullptr) {
      return Error(ErrorCode::invalid_data, "expected the number of a cluster",
                   Place{.path = path.string(), .pointer = "/" + answer});
    }
    out.emplace(answer, *label->as_integer());
  }
  return out;
}

// Answers of a table with their counts, most frequent first, then as they were first met.
std::vector<std::pair<std::string, std::int64_t>> counted_answers(const Split& split,
                                                                  const TrainingTask& task) {
  std::vector<std::pair<std::string, std::int64_t>> out;
  std::map<std::string, std::size_t> places;
  const PooledTable* table = split.find(task.kind);
  if (table == nullptr) return out;
  for (const PooledRow& row : table->rows) {
    const auto [at, is_new] = places.emplace(training_answer(task, split.texts.text(row.answer)), out.size());
    if (is_new) out.emplace_back(at->first, 0);
    ++out[at->second].second;
  }
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return out;
}

// count, and the weight a row is drawn by: by its cluster where clusters are given, else by its own
// frequency.
Outcome write_weights(StageCall& call, const Split& split, const TrainingTask& task) {
  const std::string stem = task.kind == TableKind::abnormality ? "abnormalities" : "location";
  const auto answers = counted_answers(split, task);
  if (answers.empty()) return done();
  AnswerClusters clusters;
  const std::string option = stem + "-clusters";
  if (call.has(option)) {
    FIDUCIAL_TRY(clusters, read_clusters(call, call.text(option)));
  }
  std::map<std::int64_t, double> cluster_counts;
  double total = 0;
  for (const auto& [answer, count] : answers) {
    total += static_cast<double>(count);
    if (!call.has(option)) continue;
    const auto cluster = clusters.find(answer);
    if (cluster == clusters.end()) {
      return Error(ErrorCode::invalid_data,
                   "expected a cluster for every answer, found none for \"" + answer + "\"",
                   Place{.path = call.text(option)});
    }
    cluster_counts[cluster->second] += static_cast<double>(count);
  }
  Json::Object counts;
  Json::Object weights;
  Json labels{Json::Array{}};
  Json cluster_weights = Json::object({});
  for (const auto& [answer, count] : answers) {
    counts.emplace_back(answer, count);
    Json entry = Json::object({{"count", count}});
    if (call.has(option)) {
      const std::int64_t cluster = clusters.at(answer);
      const bool is_other = task.kind == TableKind::location && answer.starts_with("<Location> Others");
      const double weight = std::min(largest_weight, total / cluster_counts.at(cluster));
      entry.set("cluster_labels", cluster).set("cluster_weights", is_other ? weight_under_others : weight);
      labels.push(cluster);
      cluster_weights.set(decimal(cluster), weight);
    } else {
      const auto most = static_cast<double>(answers.front().second);
      entry.set("frequency_weight", std::min(largest_weight, most / static_cast<double>(count)));
    }
    weights.emplace_back(answer, std::move(entry));
  }
  if (call.has(option)) {
    counts.emplace_back("cluster_labels", std::move(labels));
    counts.emplace_back("cluster_weights", std::move(cluster_weights));
  }
  FIDUCIAL_TRY(OutputFile * count_file, call.output().add(stem + "_sentences.json"));
  FIDUCIAL_TRY_DONE(count_file->write(Json(std::move(counts)).pretty()));
  FIDUCIAL_TRY(OutputFile * weight_file, call.output().add(stem + "_sentences_weights.json"));
  return weight_file->write(Json(std::move(weights)).pretty());
}

// From 0 to 1; refuses options of the other kind of dataset.
Result<double> power_of(const StageCall& call, const std::string& option, double fallback) {
  if (!call.has(option)) return fallback;
  const std::optional<double> value = parse_double(call.text(option));
  if (!value || !(*value >= 0 && *value <= 1))
    return bad_usage("--" + option + ": expected a number from 0 to 1, found \"" + call.text(option) + "\"");
  return *value;
}

Outcome refuse_options(const StageCall& call, const std::array<const char*, 2>& options, const char* whose) {
  for (const char* option : options) {
    if (call.has(option)) return bad_usage(std::string("--") + option + " is for " + whose);
  }
  return done();
}

// The findings of a split with the cases they are of, and one weight each.
struct WeighedSplit {
  std::string name;
  std::vector<std::pair<const GroundedCase*, const Finding*>> findings;
  std::vector<double> weights;
};

// How many findings a category has, and their mean weight.
Json weights_by_category(const WeighedSplit& split) {
  std::map<std::string, std::pair<std::int64_t, double>> sums;
  for (std::size_t i = 0; i < split.findings.size(); ++i) {
    auto& [count, sum] = sums[std::string(category_group(*split.findings[i].second))];
    ++count;
    sum += split.weights[i];
  }
  Json out = Json::object({});
  for (const auto& [category, sum] : sums) {
    out.set(category, Json::object({{"findings", sum.first},
                                    {"mean_weight", sum.second / static_cast<double>(sum.first)}}));
  }
  return out;
}

Outcome write_sentence_table(OutputFile& table, const WeighedSplit& split) {
  FIDUCIAL_TRY_DONE(table.write("VolumeName,Finding,Category,Voxels,Weight,Text\n"));
  for (std::size_t i = 0; i < split.findings.size(); ++i) {
    const auto& [entry, finding] = split.findings[i];
    FIDUCIAL_TRY_DONE(table.write(csv_row_of({entry->name, decimal(finding->index), category_group(*finding),
                                              finding->voxels ? decimal(*finding->voxels) : std::string(),
                                              fixed(split.weights[i], 6), finding->text})));
  }
  return done();
}

Result<WeighedSplit> weighed_split(StageCall& call, const rexgroundingct::Dataset& dataset,
                                   const SentenceWeightRule& rule) {
  const bool has_train = dataset.find_split("train") != nullptr;
  std::optional<std::string> wanted;
  if (has_train) wanted = "train";
  if (call.has("split")) wanted = call.text("split");
  WeighedSplit out;
  FIDUCIAL_TRY(out.name, choose_split(dataset, wanted));
  std::vector<const Finding*> findings;
  std::int64_t index = 0;
  for (const GroundedCase& entry : *dataset.find_split(out.name)) {
    ItemStatus status;
    if (!entry.lists_findings) status = rejected("findings_withheld", "the dataset lists no findings of it");
    for (const Finding& finding : entry.findings) {
      out.findings.emplace_back(&entry, &finding);
      findings.push_back(&finding);
    }
    FIDUCIAL_TRY_DONE(call.record(index++, entry.name, status));
  }
  out.weights = sentence_weights(findings, rule);
  return out;
}

// Of a dataset whose findings have masks: how often a sentence is drawn, or what its loss is multiplied by.
Outcome run_sentence_weights(StageCall& call) {
  FIDUCIAL_TRY_DONE(
      refuse_options(call, {"abnormalities-clusters", "location-clusters"}, "tables of RadGenome-Chest CT"));
  SentenceWeightRule rule;
  FIDUCIAL_TRY(rule.category_power, power_of(call, "category-power", rule.category_power));
  FIDUCIAL_TRY(rule.size_power, power_of(call, "size-power", rule.size_power));
  FIDUCIAL_TRY(const rexgroundingct::Dataset dataset, rexgroundingct::Dataset::open(call.text("DIR")));
  call.record_input("dataset", dataset.folder() / dataset.file_name(), dataset.digest());
  FIDUCIAL_TRY(const WeighedSplit split, weighed_split(call, dataset, rule));
  FIDUCIAL_TRY(OutputFile * table, call.output().add("sentence_weights.csv"));
  FIDUCIAL_TRY_DONE(write_sentence_table(*table, split));
  call.summary() =
      Json::object({{"split", split.name},
                    {"findings", static_cast<std::int64_t>(split.findings.size())},
                    {"rule", "1 / (findings of the category ^ category_power * voxels ^ size_power), mean 1"},
                    {"category_power", rule.category_power},
                    {"size_power", rule.size_power},
                    {"categories", weights_by_category(split)}});
  return done();
}

Outcome run_training(StageCall& call) {
  const Path dataset = call.text("DIR");
  if (rexgroundingct::find_dataset_file(dataset)) return run_sentence_weights(call);
  FIDUCIAL_TRY_DONE(refuse_options(call, {"category-power", "size-power"},
                                   "a folder with the dataset.json of ReXGroundingCT"));
  FIDUCIAL_TRY(const radgenome::TableFolder folder, radgenome::TableFolder::open(dataset));
  std::optional<std::string> wanted;
  if (call.has("split")) wanted = call.text("split");
  if (!wanted && folder.split_names().front() == "train") wanted = "train";
  FIDUCIAL_TRY(const std::string name, folder.choose_split(wanted));
  FIDUCIAL_TRY(const Split split, radgenome::read_split(folder, name, radgenome::TableUse::whole));
  for (const auto& table : split.tables) {
    if (table) call.record_input("table", dataset / table->file, table->digest);
  }
  FIDUCIAL_TRY(const auto paths, image_paths(call, dataset));
  FIDUCIAL_TRY_DONE(write_training(call, split, paths));
  FIDUCIAL_TRY_DONE(write_weights(call, split, training_tasks[1]));
  FIDUCIAL_TRY_DONE(write_weights(call, split, training_tasks[2]));
  call.summary() =
      Json::object({{"split", name}, {"volumes", static_cast<std::int64_t>(split.volumes.size())}});
  return done();
}

}  // namespace

Stage training_stage() {
  return {
      .name = "training",
      .summary = "Write tables for training: answers with sampling weights, or weights of finding sentences",
      .example = "fiducial curate training radgenome/ -o training --location-clusters clusters.json",
      .inputs = {{.name = "DIR",
                  .help = "Folder of RadGenome-Chest CT's tables (vqa_*.csv, region_report.csv), or of a "
                          "ReXGroundingCT dataset.json",
                  .required = true}},
      .options = {{.name = "split", .help = "Split to write (default: train, else the usual one)"},
                  {.name = "abnormalities-clusters",
                   .help =
                       "JSON of answers and their clusters: weights are then total / count of the cluster",
                   .is_path = true},
                  {.name = "location-clusters", .help = "The same for locations", .is_path = true},
                  {.name = "category-power",
                   .help = "Of sentences: how strongly rare categories are preferred, 0 to 1 (default 0.5)"},
                  {.name = "size-power",
                   .help = "Of sentences: how strongly small findings are preferred, 0 to 1 (default 0.25)"}},
      .writes_folder = true,
      .run = run_training};
}

}  // namespace fiducial
