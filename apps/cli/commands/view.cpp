#include <algorithm>
#include <memory>
#include <string>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/workflows/view_case.h"

#include "command.h"

namespace fiducial::cli {

namespace {

struct ViewOptions {
  ViewRequest request;
  std::string dataset, volumes, masks, split, output;
  std::int64_t finding = -1;
  bool overwrite = false;
  bool list = false;
  bool json = false;
};

Result<int> list_policies(const ViewOptions& options, Console& console) {
  if (options.json) {
    Json out = Json::Array{};
    for (const ViewPolicy& each : all_view_policies()) out.push(each.json().set("sha256", each.sha256()));
    console.print(out.pretty());
    return 0;
  }
  std::size_t width = 0;
  for (const ViewPolicy& each : all_view_policies()) width = std::max(width, each.name.size());
  std::string out;
  for (const ViewPolicy& each : all_view_policies())
    out += each.name + std::string(width + 2 - each.name.size(), ' ') + each.title + "\n";
  console.print(out);
  return 0;
}

Result<int> view(const ViewOptions& options, Console& console) {
  if (options.list) return list_policies(options, console);
  if (options.dataset.empty() || options.request.title.empty() || options.output.empty())
    return bad_usage("give DIR, CASE and -o FOLDER, or --list");
  ViewRequest request = options.request;
  request.dataset = options.dataset;
  request.volumes = options.volumes;
  request.masks = options.masks;
  if (!options.split.empty()) request.split = options.split;
  if (options.finding >= 0) request.finding = options.finding;
  FIDUCIAL_TRY(const ViewedCase viewed, view_case(request));
  FIDUCIAL_TRY(StagedFolder folder,
               StagedFolder::create(options.output, view_manifest_file, options.overwrite));
  for (const auto& [name, bytes] : viewed.files)
    FIDUCIAL_TRY_DONE(write_file(folder.staging() / name, bytes));
  FIDUCIAL_TRY_DONE(
      write_file(folder.staging() / view_manifest_file, std::string_view(viewed.manifest.pretty())));
  FIDUCIAL_TRY_DONE(folder.publish());
  if (options.json) {
    console.print(viewed.manifest.pretty());
    return 0;
  }
  std::string out = options.output + ": " + decimal(viewed.files.size()) + " pictures\n";
  for (const Json& picture : *find_array(viewed.manifest, "pictures"))
    out += "  " + text_at(picture, "file") + "  " + text_at(picture, "note") + "\n";
  console.print(out);
  return 0;
}

}  // namespace

Command view_command() {
  return {
      .name = "view",
      .summary = "Show exactly what a model is shown of a case: the pictures of a view policy",
      .example = "fiducial view radgenome train_1_a_1 --policy axial-two-windows --volumes ct-rate -o FOLDER",
      .define = [](Verb verb) -> CommandBody {
        auto options = std::make_shared<ViewOptions>();
        ViewRequest& request = options->request;
        std::vector<std::string> names;
        for (const ViewPolicy& each : all_view_policies()) names.push_back(each.name);
        verb.add_option("DIR", options->dataset, "Dataset folder");
        verb.add_option("CASE", request.title, "Title of a case, or name of a volume");
        verb.add_option("--policy", request.policy, "View policy, by name or FILE.json")->suggests(names);
        verb.add_option("-o,--output", options->output, "Folder to write");
        verb.add_option("--volumes", options->volumes, "Folder of the CTs");
        verb.add_option("--masks", options->masks, "Organ masks (default: those of the dataset)");
        verb.add_option("--region", request.region,
                        "What a question would be about: a path or name of the anatomy");
        verb.add_option(
            "--finding", options->finding,
            "The finding of that number, by its reference mask, as what a question would be about");
        verb.add_option("--split", options->split, "Split of the case (default: test)");
        verb.add_flag("--overwrite", options->overwrite, "Replace an existing output");
        verb.add_flag("--list", options->list, "List the policies that are built in");
        verb.add_flag("--json", options->json, "Print the manifest as JSON");
        return [options](Console& console) { return view(*options, console); };
      }};
}

}  // namespace fiducial::cli
