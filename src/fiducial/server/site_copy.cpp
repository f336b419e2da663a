#include "fiducial/server/site_copy.h"

#include <algorithm>
#include <map>
#include <set>

#include "fiducial/base/interruption.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/datasets/dataset_terms.h"
#include "fiducial/server/app_files.h"
#include "fiducial/server/app_server.h"
#include "fiducial/server/case_json.h"
#include "fiducial/server/inner_client.h"
#include "fiducial/server/run_rows.h"

namespace fiducial {

namespace {

constexpr const char* copy_marker = "fiducial-copy.json";
constexpr std::size_t most_comparisons = 200;
constexpr std::string_view api = "/api/v1/";

// A plain server adds no fields, so the page brings its policy itself.
constexpr std::string_view copy_policy =
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self' "
    "'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; worker-src "
    "'self'; "
    "base-uri 'none'; form-action 'self'\" />";

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

// The page as it stands so many folders below the root of a copy.
std::string page_at_depth(const std::string& page, std::int64_t depth) {
  std::string root = depth == 0 ? "./" : "";
  for (std::int64_t i = 0; i < depth; ++i) root += "../";
  const std::string head = "<head>\n    " + std::string(copy_policy) +
                           "\n    <meta name=\"fiducial-copy\" content=\"" + root + "\" />";
  std::string out = replaced(replaced(page, "=\"/", "=\"" + root), "<head>", head);
  const std::size_t begin = out.find("<noscript>");
  const std::size_t end = out.find("</noscript>");
  if (begin != std::string::npos && end != std::string::npos)
    out.replace(begin, end - begin, "<noscript><p>A copy of these pages is drawn by a script.</p>");
  return out;
}

class SiteCopy {
 public:
  SiteCopy(Library& library, const SiteCopyRequest& request, Path folder)
      : library_(library), request_(request), folder_(std::move(folder)), client_(api_router(library)) {}

  Result<SiteCopyReport> write(Progress& progress) {
    FIDUCIAL_TRY_DONE(write_app());
    FIDUCIAL_TRY_DONE(write_documents());
    for (const ServedDataset* dataset : library_.datasets())
      FIDUCIAL_TRY_DONE(write_dataset(*dataset, progress));
    for (const ServedRun* run : library_.runs()) FIDUCIAL_TRY_DONE(write_run(*run));
    FIDUCIAL_TRY_DONE(write_comparisons(progress));
    FIDUCIAL_TRY_DONE(write(copy_marker, Json::object({{"schema", "fiducial.copy/v1"}}).pretty()));
    return report_;
  }

 private:
  Outcome write(const std::string& name, std::string_view bytes) {
    if (stop_requested()) return Error(ErrorCode::interrupted, "stopped by a signal; nothing was written");
    const Path file = folder_ / name;
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    FIDUCIAL_TRY_DONE(write_file(file, bytes));
    ++report_.files;
    report_.bytes += bytes.size();
    return done();
  }

  // A page of the app at a path without slashes around it.
  Outcome write_page(const std::string& path) {
    const std::int64_t depth = path.empty() ? 0 : std::ranges::count(path, '/') + 1;
    return write(path.empty() ? "index.html" : path + "/index.html", page_at_depth(page_, depth));
  }

  // What the API answers to a target, under the name that the app looks for.
  Outcome write_answer(const std::string& target, const std::string& name) {
    FIDUCIAL_TRY(const std::string bytes, client_.bytes(target));
    return write(name.substr(1), bytes);
  }
  Outcome write_document(const std::string& path) { return write_answer(path, path + ".json"); }

  Outcome write_app() {
    if (embedded_app().empty())
      return Error(ErrorCode::unavailable, "this program was built without the pages (FIDUCIAL_WEB=OFF)");
    for (const EmbeddedFile& file : embedded_app()) {
      FIDUCIAL_TRY(std::string text, file_text(file));
      if (file.path == "index.html") {
        page_ = std::move(text);
      } else {
        FIDUCIAL_TRY_DONE(write(std::string(file.path), text));
      }
    }
    for (const char* path : {"", "compare", "help/keys", "help/metrics", "api"})
      FIDUCIAL_TRY_DONE(write_page(path));
    return done();
  }

  Outcome write_documents() {
    const std::string root(api);
    FIDUCIAL_TRY(Json info, client_.json(root + "info"));
    if (!request_.volumes) {
      Json datasets{Json::Array{}};
      for (Json one : *info.find("datasets")->as_array()) datasets.push(one.set("has_volumes", false));
      info.set("datasets", std::move(datasets));
    }
    FIDUCIAL_TRY_DONE(write("api/v1/info.json", info.compact()));
    FIDUCIAL_TRY_DONE(write_answer(root + "openapi.json", root + "openapi.json"));
    FIDUCIAL_TRY_DONE(write_document(root + "metrics"));
    FIDUCIAL_TRY(const Json metrics, client_.json(root + "metrics"));
    for (const Json& metric : *metrics.find("items")->as_array()) {
      const std::string id = text_at(metric, "id");
      FIDUCIAL_TRY_DONE(write_document(root + "metrics/" + id));
      FIDUCIAL_TRY_DONE(write_page("help/metrics/" + id));
    }
    return done();
  }

  Outcome write_dataset(const ServedDataset& dataset, Progress& progress) {
    const std::string root = std::string(api) + "datasets/" + dataset.id();
    FIDUCIAL_TRY(Json document, client_.json(root));
    if (!request_.volumes) document.set("has_volumes", false);
    FIDUCIAL_TRY_DONE(write(root.substr(1) + ".json", document.compact()));
    if (const Outcome lint = write_document(root + "/lint"); !lint.ok()) {
      if (lint.error().code() != ErrorCode::unavailable) return lint.error();
    }
    FIDUCIAL_TRY_DONE(write_page("d/" + dataset.id()));
    FIDUCIAL_TRY_DONE(write_page("d/" + dataset.id() + "/cases"));
    const auto opened = dataset.open();
    if (!opened.ok()) return done();  // the page of the dataset says why
    FIDUCIAL_TRY_DONE(write_case_list(root + "/cases", "", **opened));
    for (const ServedRun* run : library_.runs_of(dataset))
      FIDUCIAL_TRY_DONE(write_case_list(root + "/cases", run->id(), **opened));
    progress.begin(dataset.id() + ", cases", static_cast<std::int64_t>((*opened)->cases.size()));
    for (const CasePlace& place : (*opened)->cases) {
      FIDUCIAL_TRY_DONE(write_case(dataset, place));
      progress.advance(1);
    }
    progress.end();
    return done();
  }

  // All cases, with what a search looks through and what a run scored.
  Outcome write_case_list(const std::string& list, const std::string& run, const OpenedDataset& opened) {
    Json items{Json::Array{}};
    Json next("");
    while (next.as_string() != nullptr) {
      const std::string page = "?limit=1000&after=" + percent_encoded(*next.as_string());
      FIDUCIAL_TRY(const Json found, client_.json(list + page + (run.empty() ? "" : "&run=" + run)));
      for (Json row : *found.find("items")->as_array()) {
        const CaseEntry& entry = opened.find(text_at(row, "id"))->entry();
        items.push(row.set("words", entry.id + "\n" + entry.title + "\n" + entry.text));
      }
      next = *found.find("next");
    }
    const std::string name = list.substr(1) + (run.empty() ? "" : "/" + run) + ".json";
    return write(name, Json::object({{"items", std::move(items)}}).compact());
  }

  Outcome write_case(const ServedDataset& dataset, const CasePlace& place) {
    const std::string address = std::string(api) + "cases/" + dataset.id() + "/" + place.entry().id;
    FIDUCIAL_TRY(Json document, client_.json(address));
    const Json* volume = document.find("volume");
    const Json* available = volume == nullptr ? nullptr : volume->find("available");
    const bool has_volume = available != nullptr && available->as_bool() != nullptr && *available->as_bool();
    if (has_volume && !request_.volumes) {
      Json without = *volume;
      without.set("available", false).set("reason", "the CT is not part of this copy");
      document.set("volume", std::move(without));
    }
    FIDUCIAL_TRY_DONE(write_masks(address, document));
    FIDUCIAL_TRY_DONE(write(address.substr(1) + ".json", document.compact()));
    if (!place.source->volume_name(place.at).empty()) FIDUCIAL_TRY_DONE(write_document(address + "/notes"));
    if (has_volume && request_.volumes) FIDUCIAL_TRY_DONE(write_volume(address + "/volume"));
    const std::size_t pictures = place.source->pictures(place.at);
    for (std::size_t i = 1; i <= pictures; ++i) {
      const std::string image = address + "/images/" + decimal(i);
      FIDUCIAL_TRY_DONE(write_answer(image, image));
    }
    if (pictures > 0 || (has_volume && request_.volumes))
      FIDUCIAL_TRY_DONE(write_answer(address + "/thumb", address + "/thumb"));
    ++report_.cases;
    return write_page("c/" + dataset.id() + "/" + place.entry().id);
  }

  // The sets that can be read; the document says of the others why they are not there.
  Outcome write_masks(const std::string& address, Json& document) {
    Json sets{Json::Array{}};
    for (Json set : *document.find("sets")->as_array()) {
      const std::string id = text_at(set, "id");
      const Json* available = set.find("available");
      if (available != nullptr && available->as_bool() != nullptr && *available->as_bool()) {
        const auto runs = client_.bytes(address + "/masks?set=" + percent_encoded(id));
        if (runs.ok()) {
          FIDUCIAL_TRY_DONE(write(address.substr(1) + "/masks/" + replaced(id, ":", "/") + ".runs", *runs));
          if (id == "organs") FIDUCIAL_TRY_DONE(write_document(address + "/organs"));
        } else {
          set.set("available", false).set("reason", runs.error().message());
        }
      }
      sets.push(std::move(set));
    }
    document.set("sets", std::move(sets));
    return done();
  }

  // Slabs as they are packed for slow lines: browsers unpack them.
  Outcome write_volume(const std::string& base) {
    FIDUCIAL_TRY(const Json meta, client_.json(base + "/meta"));
    for (std::int64_t slab = 0; slab < integer_at(meta, "slabs"); ++slab) {
      const std::string name = base + "/slab/" + decimal(slab);
      FIDUCIAL_TRY_DONE(write_answer(name + "?coding=dp", name));
    }
    FIDUCIAL_TRY(Json whole, client_.json(base + "/meta"));  // all of it is read now, so its range is known
    whole.set("coding", Json::array({"dp"})).set("pictures", false);
    return write(base.substr(1) + "/meta.json", whole.compact());
  }

  Outcome write_run(const ServedRun& run) {
    const std::string root = std::string(api) + "runs/" + run.id();
    FIDUCIAL_TRY_DONE(write_page("r/" + run.id()));
    FIDUCIAL_TRY_DONE(write_page("r/" + run.id() + "/rows"));
    const auto content = run.open();
    if (!content.ok()) return done();  // the list of runs says why
    FIDUCIAL_TRY_DONE(write_document(root));
    FIDUCIAL_TRY(const RunCases about, RunCases::of(library_, run, **content));
    if (!(*content)->rows) return done();
    const Table& table = *(*content)->rows;
    Json columns{Json::Array{}};
    for (const Column& column : table.columns) columns.push(column.name);
    Json rows{Json::Array{}};
    Json case_ids{Json::Array{}};
    const Column* names = table.find("case");
    for (std::size_t row = 0; row < table.rows(); ++row) {
      Json cells{Json::Array{}};
      for (const Column& column : table.columns) cells.push(cell_json(column, row));
      rows.push(std::move(cells));
      const CasePlace* place = names == nullptr ? nullptr : about.find(cell_text(*names, row));
      case_ids.push(place == nullptr ? Json() : Json(place->entry().id));
    }
    return write(root.substr(1) + "/rows.json", Json::object({{"columns", std::move(columns)},
                                                              {"rows", std::move(rows)},
                                                              {"case_ids", std::move(case_ids)}})
                                                    .compact());
  }

  // Runs that can be compared: those of one task, split and dataset.
  std::vector<std::vector<std::string>> comparable_runs() const {
    std::map<std::string, std::vector<std::string>> groups;
    for (const ServedRun* run : library_.runs()) {
      const auto content = run->open();
      if (run->kind() != ServedRun::Kind::scores || !content.ok() || !(*content)->rows) continue;
      const Json& summary = (*content)->summary;
      const ServedDataset* dataset = library_.dataset_of(*run);
      groups[text_at(summary, "task") + "\n" + text_at(summary, "benchmark") + "\n" +
             text_at(summary, "split") + "\n" + (dataset == nullptr ? "" : dataset->id())]
          .push_back(run->id());
    }
    std::vector<std::vector<std::string>> out;
    for (auto& [key, runs] : groups) {
      if (runs.size() > 1) out.push_back(std::move(runs));
    }
    return out;
  }

  // All runs of a group together, and each with each, either first.
  Outcome write_comparisons(Progress& progress) {
    std::vector<std::string> wanted;
    for (const std::vector<std::string>& runs : comparable_runs()) {
      std::string all;
      for (const std::string& run : runs) all += (all.empty() ? "" : ",") + run;
      if (runs.size() > 2) wanted.push_back(all);
      for (const std::string& a : runs) {
        for (const std::string& b : runs) {
          if (a != b) wanted.push_back(a + "," + b);
        }
      }
    }
    if (wanted.size() > most_comparisons) {
      report_.comparisons_left_out = static_cast<std::int64_t>(wanted.size() - most_comparisons);
      wanted.resize(most_comparisons);
    }
    progress.begin("comparisons", static_cast<std::int64_t>(wanted.size()));
    for (const std::string& runs : wanted) {
      FIDUCIAL_TRY_DONE(write_comparison(runs));
      progress.advance(1);
    }
    progress.end();
    return done();
  }

  Outcome write_comparison(const std::string& runs) {
    const std::string root = std::string(api) + "compare";
    const Result<Json> comparison = client_.json(root + "?runs=" + runs);
    if (!comparison.ok()) return done();  // runs that share no case
    FIDUCIAL_TRY_DONE(write(root.substr(1) + "/" + runs + ".json", comparison->compact()));
    const Json* slots = comparison->find("slots");
    if (slots == nullptr || slots->as_object() == nullptr) return done();
    for (const auto& [slot, value] : *slots->as_object()) {
      const auto by_slot = client_.bytes(root + "?runs=" + runs + "&slot=" + percent_encoded(slot));
      if (by_slot.ok())
        FIDUCIAL_TRY_DONE(write(root.substr(1) + "/" + runs + "/" + slot + ".json", *by_slot));
    }
    return done();
  }

  Library& library_;
  const SiteCopyRequest& request_;
  Path folder_;
  InnerClient client_;
  std::string page_;
  SiteCopyReport report_;
};

// What the terms of the datasets forbid is refused before anything is written.
Outcome check_terms(const Library& library) {
  for (const ServedDataset* dataset : library.datasets()) {
    FIDUCIAL_TRY_DONE(allow_split_by_terms(dataset->folder(), ""));
    const auto opened = dataset->open();
    if (!opened.ok()) continue;
    std::string last;
    std::set<std::string> names;
    for (const CasePlace& place : (*opened)->cases) {
      names.insert(place.entry().name);
      if (place.entry().split == last) continue;
      last = place.entry().split;
      FIDUCIAL_TRY_DONE(allow_split_by_terms(dataset->folder(), last));
    }
    FIDUCIAL_TRY_DONE(allow_cases_by_terms(dataset->folder(), names));
  }
  return done();
}

}  // namespace

Result<SiteCopyReport> write_site_copy(Library& library, const SiteCopyRequest& request, Progress& progress) {
  FIDUCIAL_TRY_DONE(check_terms(library));
  FIDUCIAL_TRY(StagedFolder folder, StagedFolder::create(request.folder, copy_marker, request.overwrite));
  FIDUCIAL_TRY(const SiteCopyReport report, SiteCopy(library, request, folder.staging()).write(progress));
  FIDUCIAL_TRY_DONE(folder.publish());
  return report;
}

}  // namespace fiducial
