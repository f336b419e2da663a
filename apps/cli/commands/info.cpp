#include <algorithm>
#include <cstdio>  // jpeglib.h needs it
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/Version.hpp>
#include <expat.h>
#include <isa-l.h>
#include <jpeglib.h>
#include <libdeflate.h>
#include <png.h>
#include <zlib.h>

#include "fiducial/base/file.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/suggestion.h"
#include "fiducial/base/system_error.h"
#include "fiducial/base/version.h"
#include "fiducial/chat/parameter_profile.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/needed_files.h"
#include "fiducial/metrics/contract.h"
#include "fiducial/table/arrow_version.h"
#include "fiducial/tasks/all_tasks.h"
#include "fiducial/terminal/text_table.h"

#include "command.h"
#include "metric_pages.h"

namespace fiducial::cli {

namespace {

// Scoring tasks as they are declared.
Json tasks_json() {
  Json out{Json::Array{}};
  for (const Task& task : all_tasks()) {
    std::vector<std::string> options;
    for (const TaskOption& option : options_of(task)) options.push_back(option.name);
    out.push(Json::object({{"id", task.id},
                           {"title", task.title},
                           {"predictions", task.predictions},
                           {"has_official", task.has_official},
                           {"metrics", Json::strings(task.metrics)},
                           {"options", Json::strings(options)}}));
  }
  return out;
}

struct InfoOptions {
  std::vector<std::string> metrics;
  std::string docs;
  std::string split;
  std::string volumes;
  std::string run;
  std::vector<std::string> sizes;
  bool needs = false;
  bool profiles = false;
  bool json = false;
};

std::string dotted(int major, int minor, int patch) {
  return decimal(major) + "." + decimal(minor) + "." + decimal(patch);
}

std::vector<std::pair<std::string, std::string>> dependencies() {
  return {{"arrow", arrow_version()},
          {"cli11", CLI11_VERSION},
          {"expat", dotted(XML_MAJOR_VERSION, XML_MINOR_VERSION, XML_MICRO_VERSION)},
          {"isa-l", dotted(ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION, ISAL_PATCH_VERSION)},
          {"libdeflate", LIBDEFLATE_VERSION_STRING},
          {"libjpeg-turbo",
           dotted(LIBJPEG_TURBO_VERSION_NUMBER / 1'000'000, LIBJPEG_TURBO_VERSION_NUMBER / 1000 % 1000,
                  LIBJPEG_TURBO_VERSION_NUMBER % 1000)},
          {"libpng", PNG_LIBPNG_VER_STRING},
          {"zlib", ZLIB_VERSION}};
}

std::vector<std::string> metric_ids() {
  std::vector<std::string> out;
  for (const MetricContract& contract : all_contracts()) out.push_back(contract.id);
  return out;
}

std::string unknown_metric(const std::string& id) {
  if (is_there(id)) {
    return "no metric \"" + id + "\"; of a dataset's folder 'fiducial stats " + id +
           "' counts what it holds, " + "'fiducial info " + id + " --needs' what it lacks";
  }
  return "no metric \"" + id + "\"; 'fiducial info' lists them" + did_you_mean(id, metric_ids());
}

Result<std::vector<MetricContract>> wanted_contracts(const std::vector<std::string>& ids) {
  std::vector<MetricContract> all = all_contracts();
  if (ids.empty()) return all;
  std::vector<MetricContract> out;
  for (const std::string& id : ids) {
    const auto known = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.id == id; });
    if (known == all.end()) return bad_usage(unknown_metric(id)).because(ErrorReason::unknown_name);
    out.push_back(*known);
  }
  return out;
}

Json build_json(const std::vector<MetricContract>& wanted) {
  Json contracts = Json::Array{};
  for (const MetricContract& contract : wanted) contracts.push(contract_json(contract));
  Json datasets = Json::Array{};
  for (const DatasetAdapter& adapter : all_dataset_adapters()) {
    Json tasks = Json::Array{};
    for (const std::string& task : adapter.tasks) tasks.push(task);
    datasets.push(Json::object({{"id", adapter.id},
                                {"title", adapter.title},
                                {"layout", adapter.layout},
                                {"tasks", std::move(tasks)}}));
  }
  Json versions = Json::Object{};
  for (const auto& [name, version] : dependencies()) versions.set(name, version);
  return Json::object({{"schema", "fiducial.info/1"},
                       {"version", tool_version},
                       {"metrics", contracts},
                       {"datasets", datasets},
                       {"tasks", tasks_json()},
                       {"dependencies", versions}});
}

std::string build_text(std::size_t width) {
  using Align = TextTable::Align;
  TextTable metrics({Align::left, Align::left, Align::left, Align::left, Align::left, Align::left});
  metrics.add_header({"metric", "scorer", "group", "better", "range", "unit", "version"});
  for (const MetricContract& contract : all_contracts()) {
    metrics.add({contract.id, std::string(to_string(contract.scorer)), contract.group,
                 std::string(to_string(contract.better)), contract.range, contract.unit,
                 decimal(contract.version)});
  }
  TextTable datasets({Align::left, Align::left});
  datasets.add_header({"dataset", "a folder with"});
  for (const DatasetAdapter& adapter : all_dataset_adapters()) datasets.add({adapter.id, adapter.layout});
  TextTable versions({Align::left, Align::left});
  versions.add_header({"built with", ""});
  for (const auto& [name, version] : dependencies()) versions.add({name, version});
  return std::string("fiducial ") + tool_version + "\n\n" + metrics.text("", width) + "\n" +
         datasets.text("", width) + "\n" + versions.text("", width);
}

std::string contracts_text(const std::vector<MetricContract>& contracts, std::size_t width) {
  std::string out;
  for (const MetricContract& contract : contracts) {
    TextTable table({TextTable::Align::left, TextTable::Align::left});
    for (const auto& [name, value] : contract_rows(contract)) table.add({name, value});
    append_joined(out, table.text("", width), "\n");
  }
  return out;
}

Result<int> write_pages(const Path& folder, Console& console) {
  FIDUCIAL_TRY_DONE(make_folders(folder));
  const std::vector<Page> pages = metric_pages(all_contracts());
  for (const Page& page : pages) FIDUCIAL_TRY_DONE(write_file(folder / page.file, page.text));
  console.note(folder.string() + ": " + decimal(pages.size()) + " pages");
  return 0;
}

// One file a line, source, path and bytes, for a downloader.
Result<int> show_needs(const InfoOptions& options, Console& console) {
  if (options.metrics.size() != 1) return bad_usage("--needs: expected one dataset folder");
  NeedRequest request{.dataset = options.metrics.front()};
  if (!options.split.empty()) request.split = options.split;
  if (!options.volumes.empty()) request.volumes = options.volumes;
  if (!options.run.empty()) request.run = options.run;
  for (const std::string& file : options.sizes) {
    FIDUCIAL_TRY(const FileListing listing, FileListing::read(file));
    FIDUCIAL_TRY_DONE(request.sizes.add(listing).in_file(file));
  }
  FIDUCIAL_TRY(const NeededFiles files, needed_files(request));
  if (options.json) {
    console.print(files.json().pretty());
    return 0;
  }
  for (const NeededFile& file : files.missing) {
    const std::string size = file.bytes ? decimal(*file.bytes) : "unknown";
    console.print(file.source + "\t" + file.path + "\t" + size + "\n");
  }
  console.note(decimal(files.missing.size()) + " files are missing, " + decimal(files.there) + " are there");
  if (files.missing.empty()) return 0;
  console.note("missing: " + decimal(files.known_bytes()) + " bytes and " + decimal(files.unknown_sizes()) +
               " files of unknown size" +
               (files.unknown_sizes() > 0 ? "; --sizes takes a listing of their host" : ""));
  if (files.bytes_there() > 0)
    console.note("of the missing " + decimal(files.bytes_there()) +
                 " bytes are there, in files of another size than listed");
  return 0;
}

// Parameters of models that belong together, as 'fiducial run --profile' takes them.
Result<int> show_profiles(const InfoOptions& options, Console& console) {
  std::string text;
  Json out = Json::Object{};
  for (const std::string& name : options.metrics) FIDUCIAL_TRY_DONE(read_profile(name));
  for (const ParameterProfile& each : all_profiles()) {
    const bool is_wanted =
        options.metrics.empty() ||
        std::find(options.metrics.begin(), options.metrics.end(), each.name) != options.metrics.end();
    if (!is_wanted) continue;
    text += each.name + ": " + each.about + "\n  " + each.parameters.compact() + "\n";
    out.set(each.name,
            Json::object({{"about", each.about}, {"parameters", each.parameters}, {"sha256", each.sha256}}));
  }
  console.print(options.json ? out.pretty() : text);
  return 0;
}

Result<int> show(const InfoOptions& options, Console& console) {
  if (options.profiles) return show_profiles(options, console);
  if (options.needs) return show_needs(options, console);
  if (!options.docs.empty()) return write_pages(options.docs, console);
  FIDUCIAL_TRY(const std::vector<MetricContract> contracts, wanted_contracts(options.metrics));
  if (options.json) {
    console.print(build_json(contracts).pretty());
  } else {
    console.show(options.metrics.empty() ? build_text(console.width())
                                         : contracts_text(contracts, console.width()));
  }
  return 0;
}

}  // namespace

Command info_command() {
  return {
      .name = "info",
      .summary = "Show metrics with their contracts, datasets, tasks and versions",
      .example = "fiducial info dice hit10",
      .define = [](Verb verb) -> CommandBody {
        auto options = std::make_shared<InfoOptions>();
        verb.add_option("METRIC", options->metrics,
                        "Show the whole contract of these metrics; with --needs a dataset folder")
            ->suggests(metric_ids());
        const DeclaredOption needs = verb.add_flag(
            "--needs", options->needs,
            "List the files that a dataset needs and that are not there yet, as source, path and bytes "
            "(unknown where neither a Git LFS pointer nor --sizes says it): CTs of CT-RATE, masks, images");
        verb.add_flag("--profiles", options->profiles,
                      "List the parameter profiles that 'fiducial run --profile' takes, or those named")
            ->excludes(needs);
        verb.add_option("--split", options->split, "With --needs: only this split (default: all)");
        verb.add_option("--volumes", options->volumes,
                        "With --needs: folder to look for CTs in (default: DIR/volumes)");
        verb.add_option("--run", options->run,
                        "With --needs: only what the cases of a score folder, or of predictions, need");
        verb.add_option(
            "--sizes", options->sizes,
            "With --needs: a listing of the files' host, for their sizes: JSON of the Hugging Face "
            "Hub's /tree/, or CSV with columns path and size; may be repeated");
        verb.add_option("--docs", options->docs, "Write docs/metrics into this folder instead")
            ->excludes(needs);
        verb.add_flag("--json", options->json, "Print as JSON");
        return [options](Console& console) { return show(*options, console); };
      }};
}

}  // namespace fiducial::cli
