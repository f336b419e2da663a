#include "fiducial/server/plain_pages.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/pages/html.h"
#include "fiducial/server/app_server.h"
#include "fiducial/server/call.h"
#include "fiducial/server/case_json.h"
#include "fiducial/server/inner_client.h"

namespace fiducial {

std::string_view embedded_plain();

namespace {

Html anchor(const std::string& address, std::string_view words) {
  return filled("<a href=\"{{address}}\">{{words}}</a>", {{"address", address}, {"words", words}});
}

Html paragraph(std::string_view text) {
  return text.empty() ? Html() : filled("<p>{{text}}</p>\n", {{"text", text}});
}

http::Reply plain_reply(std::string_view title, const Html& body, int status = 200) {
  const Html page = filled(embedded_plain(), {{"title", title}, {"body", body}});
  http::Reply reply{.status = status, .body = page.markup()};
  reply.set("Content-Type", "text/html; charset=utf-8");
  return reply;
}

std::string address_part(const http::Request& request, std::string_view name) {
  return percent_encoded(request.part(name));
}

Result<http::Reply> plain_home(const InnerClient& client, const http::Request& /*request*/) {
  FIDUCIAL_TRY(const Json info, client.json("/api/v1/info"));
  Html body;
  for (const Json& one : *info.find("datasets")->as_array()) {
    const std::string cases = decimal(integer_at(one, "cases")) + " cases, " + text_at(one, "title");
    body += filled("<li>{{link}}: {{cases}}</li>\n",
                   {{"link", anchor("/plain/d/" + percent_encoded(text_at(one, "id")), text_at(one, "id"))},
                    {"cases", cases}});
  }
  return plain_reply("Datasets", filled("<ul>\n{{items}}</ul>\n", {{"items", body}}));
}

Result<http::Reply> plain_dataset(const InnerClient& client, const http::Request& request) {
  FIDUCIAL_TRY(const Query query, Query::parse(request.query, "q after"));
  const std::string dataset = address_part(request, "dataset");
  const std::string words = query.text("q").empty() ? "" : "q=" + percent_encoded(query.text("q")) + "&";
  FIDUCIAL_TRY(const Json list, client.json("/api/v1/datasets/" + dataset + "/cases?" + words +
                                            "after=" + percent_encoded(query.text("after"))));
  Html body;
  for (const Json& row : *list.find("items")->as_array()) {
    body += filled("<li>{{link}} {{title}} ({{split}})</li>\n",
                   {{"link", anchor("/plain/c/" + dataset + "/" + percent_encoded(text_at(row, "id")),
                                    text_at(row, "id"))},
                    {"title", text_at(row, "title")},
                    {"split", text_at(row, "split")}});
  }
  const std::string next = text_at(list, "next");
  const Html more =
      next.empty()
          ? Html()
          : anchor("/plain/d/" + dataset + "?" + words + "after=" + percent_encoded(next), "Next page");
  const Html page = filled(
      "<p>{{home}}</p>\n<form><label>Search <input name=\"q\" value=\"{{q}}\"></label> "
      "<button>Go</button></form>\n<p>{{total}} cases</p>\n<ul>\n{{items}}</ul>\n{{?more}}<p>{{more}}</p>\n"
      "{{/more}}",
      {{"home", anchor("/plain", "All datasets")},
       {"q", query.text("q")},
       {"total", decimal(integer_at(list, "total"))},
       {"items", body},
       {"more", more}});
  return plain_reply(std::string(request.part("dataset")), page);
}

// What of a case is on the page, as the address says it.
struct PlainView {
  std::string page;  // the address without a query
  std::string plane;
  std::int64_t slice = 0;
  std::int64_t slices = 0;
  std::string window;
  bool masks = true;

  std::string query(std::string_view of_plane, std::int64_t of_slice) const {
    return "plane=" + std::string(of_plane) + "&slice=" + decimal(of_slice) + "&window=" + window +
           (masks ? "" : "&masks=none");
  }
  std::string address(std::string_view of_plane, std::int64_t of_slice) const {
    return page + "?" + query(of_plane, of_slice) + "#slice";
  }
};

struct NamedWindow {
  std::string_view name;
  double centre_hu = 0;
  double width_hu = 0;
};
constexpr auto plain_windows = std::to_array<NamedWindow>(
    {{"lung", -600, 1500}, {"mediastinum", 50, 350}, {"soft", 40, 400}, {"bone", 480, 2500}});

const NamedWindow& window_named(std::string_view name) {
  const auto* const found = std::ranges::find(plain_windows, name, &NamedWindow::name);
  return found == plain_windows.end() ? plain_windows.front() : *found;
}

// A plane as it is drawn: the letters of both ends of its slices, rows and columns, and what lies where.
struct PlainPlane {
  std::string_view name;
  std::string_view along;
  std::string_view across;
  std::string_view down;
  std::string_view sides;
};
constexpr std::array<PlainPlane, 3> plain_planes{
    {{"axial", "SI", "LR", "AP", "the patient's right is on the left, the front on top"},
     {"coronal", "AP", "LR", "SI", "the patient's right is on the left, the head on top"},
     {"sagittal", "LR", "AP", "SI", "the patient's front is on the left, the head on top"}}};
constexpr double picture_pixels = 560;  // of the longer side

const PlainPlane& plane_named(std::string_view name) {
  return *std::ranges::find(plain_planes, name, &PlainPlane::name);
}

// The axis of the array that runs between two ends of the patient.
std::size_t axis_between(const Json& meta, std::string_view ends) {
  const Json::Array& axes = *meta.find("axes")->as_array();
  const auto found = std::ranges::find_if(
      axes, [&](const Json& axis) { return ends.find(*axis.as_string()) != std::string_view::npos; });
  return static_cast<std::size_t>(found - axes.begin());
}

std::int64_t slice_count(const Json& meta, const PlainPlane& plane) {
  return *(*meta.find("dimensions")->as_array())[axis_between(meta, plane.along)].as_integer();
}

double edge_mm(const Json& meta, std::string_view ends) {
  const std::size_t axis = axis_between(meta, ends);
  return static_cast<double>(*(*meta.find("dimensions")->as_array())[axis].as_integer()) *
         (*meta.find("spacing_mm")->as_array())[axis].as_number().value_or(1);
}

Html slice_links(const PlainView& view) {
  Html out;
  for (const std::int64_t step : {std::int64_t{-10}, std::int64_t{-1}, std::int64_t{1}, std::int64_t{10}}) {
    const std::int64_t to = std::clamp(view.slice + step, std::int64_t{0}, view.slices - 1);
    const std::string words = step < 0 ? decimal(-step) + " before" : decimal(step) + " after";
    out += anchor(view.address(view.plane, to), words) + Html::of_markup(" \n");
  }
  for (const std::string_view plane : {"axial", "coronal", "sagittal"}) {
    if (plane != view.plane)
      out += anchor(view.page + "?plane=" + std::string(plane), plane) + Html::of_markup(" \n");
  }
  for (const NamedWindow& window : plain_windows) {
    PlainView other = view;
    other.window = window.name;
    if (window.name != view.window)
      out += anchor(other.address(view.plane, view.slice), window.name) + Html::of_markup(" \n");
  }
  PlainView turned = view;
  turned.masks = !view.masks;
  return out + anchor(turned.address(view.plane, view.slice), view.masks ? "without masks" : "with masks");
}

std::string reference_masks(const Json& document) {
  std::string out;
  for (const Json& finding : *document.find("findings")->as_array()) {
    const Json* place = finding.find("place");
    if (place == nullptr || place->is_null()) continue;
    out += (out.empty() ? "reference:" : ",reference:") + decimal(integer_at(finding, "index"));
  }
  return out;
}

Result<Html> slice_figure(const InnerClient& client, const Json& document, PlainView view,
                          std::optional<std::int64_t> slice) {
  const std::string base = text_at(*document.find("volume"), "base");
  FIDUCIAL_TRY(const Json meta, client.json(base + "/meta"));
  const PlainPlane& plane = plane_named(view.plane);
  view.slices = slice_count(meta, plane);
  view.slice = std::clamp(slice.value_or(view.slices / 2), std::int64_t{0}, view.slices - 1);
  const NamedWindow& window = window_named(view.window);
  const std::string masks = view.masks ? reference_masks(document) : "";
  const std::string picture = base + "/slice/" + view.plane + "/" + decimal(view.slice) +
                              ".png?l=" + shortest(window.centre_hu) + "&w=" + shortest(window.width_hu) +
                              (masks.empty() ? "" : "&mode=outline&masks=" + percent_encoded(masks));
  const std::string words = view.plane + " slice " + decimal(view.slice + 1) + " of " + decimal(view.slices) +
                            ", " + std::string(window.name) + " window: " + std::string(plane.sides);
  // Voxels are drawn as pixels; the page gives them their shape.
  const double across_mm = edge_mm(meta, plane.across);
  const double down_mm = edge_mm(meta, plane.down);
  const double scale = picture_pixels / std::max(across_mm, down_mm);
  return filled(
      "<figure id=\"slice\"><img src=\"{{picture}}\" width=\"{{width}}\" height=\"{{height}}\" "
      "alt=\"{{words}}\">\n"
      "<figcaption>{{words}}</figcaption></figure>\n<p>{{links}}</p>\n",
      {{"picture", picture},
       {"width", decimal(std::lround(scale * across_mm))},
       {"height", decimal(std::lround(scale * down_mm))},
       {"words", words},
       {"links", slice_links(view)}});
}

Html finding_list(const Json& document, const PlainView& view) {
  Html items;
  for (const Json& finding : *document.find("findings")->as_array()) {
    const Json* slice = finding.find("largest_slice");
    const std::string text = text_at(finding, "text");
    const bool is_placed = slice != nullptr && slice->as_integer() != nullptr;
    items += filled("<li>{{text}} {{category}}</li>\n",
                    {{"text", is_placed ? anchor(view.address("axial", *slice->as_integer()), text)
                                        : Html::of_text(text)},
                     {"category", text_at(finding, "category_title")}});
  }
  return items.empty() ? Html() : filled("<h2>Findings</h2>\n<ol>\n{{items}}</ol>\n", {{"items", items}});
}

Html question_text_of(const Json& question) {
  Html out = paragraph(text_at(question, "history"));
  for (const Json& image : *question.find("images")->as_array()) {
    const std::string caption = text_at(image, "caption");
    out += filled(
        "<figure><img src=\"{{url}}\" alt=\"{{words}}\"><figcaption>{{words}}</figcaption></figure>\n",
        {{"url", text_at(image, "url")}, {"words", caption.empty() ? text_at(image, "label") : caption}});
  }
  Html options;
  for (const std::string& option : strings_at(question, "options"))
    options += filled("<li>{{text}}</li>\n", {{"text", option}});
  return out + filled("<ol type=\"A\">\n{{options}}</ol>\n", {{"options", options}}) +
         paragraph("Key: " + text_at(question, "key"));
}

Html texts_of(const Json& document) {
  Html out;
  if (const Json* question = document.find("question"); question != nullptr && !question->is_null())
    out += question_text_of(*question);
  if (const Json* report = document.find("report"); report != nullptr && !report->is_null())
    out += Html::of_markup("<h2>Report</h2>\n") + paragraph(text_at(*report, "text"));
  return out;
}

Html neighbours(const Json& document, const std::string& dataset) {
  Html out = anchor("/plain/d/" + dataset, "All cases");
  for (const char* which : {"previous", "next"}) {
    const std::string id = text_at(document, which);
    if (!id.empty())
      out += Html::of_markup(" \n") + anchor("/plain/c/" + dataset + "/" + percent_encoded(id), which);
  }
  return filled("<p>{{links}}</p>\n", {{"links", out}});
}

Result<http::Reply> plain_case(const InnerClient& client, const http::Request& request) {
  FIDUCIAL_TRY(const Query query, Query::parse(request.query, "plane slice window masks"));
  const std::string dataset = address_part(request, "dataset");
  const std::string id = address_part(request, "case");
  FIDUCIAL_TRY(const Json document, client.json("/api/v1/cases/" + dataset + "/" + id));
  const PlainView view{.page = "/plain/c/" + dataset + "/" + id,
                       .plane = query.text("plane", "axial"),
                       .window = std::string(window_named(query.text("window")).name),
                       .masks = query.text("masks") != "none"};
  Html body = neighbours(document, dataset);
  if (const Json* volume = document.find("volume"); volume != nullptr && !volume->is_null()) {
    const std::string reason = text_at(*volume, "reason");
    const auto slice =
        query.find("slice") ? std::optional(query.integer("slice", 0)) : std::optional<std::int64_t>();
    auto figure =
        reason.empty() ? slice_figure(client, document, view, slice) : Result<Html>(paragraph(reason));
    body += figure.ok() ? *figure : paragraph(figure.error().message());
  }
  body += finding_list(document, view) + texts_of(document);
  return plain_reply(text_at(document, "title"), body);
}

using PlainHandler = Result<http::Reply> (*)(const InnerClient& client, const http::Request& request);

}  // namespace

void add_plain_pages(http::Router& router, Library& library) {
  const auto client = std::make_shared<const InnerClient>(api_router(library));
  const std::pair<const char*, PlainHandler> pages[] = {{"/plain", plain_home},
                                                        {"/plain/d/{dataset}", plain_dataset},
                                                        {"/plain/c/{dataset}/{case}", plain_case}};
  for (const auto& [pattern, handler] : pages) {
    router.add({.method = "GET",
                .pattern = pattern,
                .handler = [client, handler = handler](const http::Request& request) {
                  Result<http::Reply> reply = handler(*client, request);
                  if (reply.ok()) return finished_reply(request, *std::move(reply));
                  return plain_reply("No such page", paragraph(reply.error().message()), 404);
                }});
  }
}

}  // namespace fiducial
