#include "fiducial/curate/reports/review_sheet.h"

#include <algorithm>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/text/html_text.h"

namespace fiducial {

namespace {

constexpr std::string_view page_head = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Reading sheet</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<style>
body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;color:#111;background:#fff}
section{border-top:2px solid #888;padding:1rem 0}
mark{background:#fde68a;border-bottom:2px solid #b45309;color:#111}
mark.denial{background:#dbeafe;border-color:#1d4ed8}
mark.question{background:none;border-bottom:2px dotted #6b7280}
mark sup{font-size:.7em;color:#374151}
table{border-collapse:collapse;width:100%}
td,th{border:1px solid #ccc;padding:.2rem .5rem;text-align:left;vertical-align:top}
label{margin-right:.8rem;white-space:nowrap}
input[type=number]{width:4rem}
button{font:inherit;padding:.3rem 1rem;position:sticky;top:.5rem}
</style></head><body>
<h1>Reading sheet</h1>
<p>Tick what is wrong. Tick "read" once a report is done: only those are counted. Nothing leaves this page but the file that the
button saves; <code>fiducial curate review FOLDER --import sheet.csv -o rates.csv</code> takes it.</p>
<p><button id="save" type="button">Save sheet.csv</button>
<label>Go on with a sheet.csv <input id="load" type="file" accept=".csv"></label></p>
<p>Ticks are kept in this browser until you save. "no finding": there is none. "source": the marks stand elsewhere than it is said.</p>
)";

constexpr std::string_view page_end = R"page(<script>
const boxes = [...document.querySelectorAll('[data-aspect], .read')];
const sections = [...document.querySelectorAll('section')];
const nameOf = (box) => [box.closest('section').dataset.id, box.dataset.kind ?? '', box.dataset.item ?? '', box.dataset.aspect ?? 'read'].join('\t');
const byName = new Map(boxes.map((box) => [nameOf(box), box]));
const store = 'fiducial-sheet:' + sections.map((report) => report.dataset.id).join(',');
const keep = () => {
  const ticks = boxes.map((box) => [nameOf(box), box.type === 'checkbox' ? Number(box.checked) : box.value]).filter(([, value]) => Number(value) !== 0);
  try { localStorage.setItem(store, JSON.stringify(ticks)); } catch { /* a page that may not store keeps nothing */ }
};
const set = (name, value) => {
  const box = byName.get(name);
  if (!box) return;
  if (box.type === 'checkbox') box.checked = Number(value) > 0;
  else box.value = value;
};
try { for (const [name, value] of JSON.parse(localStorage.getItem(store) ?? '[]')) set(name, value); } catch { /* none kept */ }
document.addEventListener('change', (event) => { if (event.target.id !== 'load') keep(); });
document.getElementById('load').addEventListener('change', async (event) => {
  const text = await event.target.files[0].text();
  const rows = text.split('\n').slice(1).filter(Boolean);
  for (const row of rows) {
    const [report, kind, item, aspect, wrong] = [...row.matchAll(/"((?:[^"]|"")*)"|([^,]+)/g)].map((cell) => (cell[1] ?? cell[2]).replaceAll('""', '"'));
    set([report, kind, item, aspect].join('\t'), wrong);
    set([report, '', '', 'read'].join('\t'), 1);
  }
  keep();
});
const quoted = (text) => '"' + String(text).replaceAll('"', '""') + '"';
document.getElementById('save').addEventListener('click', () => {
  const rows = ['Report,Kind,Item,Aspect,Wrong'];
  for (const report of document.querySelectorAll('section')) {
    if (!report.querySelector('.read').checked) continue;
    for (const box of report.querySelectorAll('[data-aspect]')) {
      const wrong = box.type === 'checkbox' ? Number(box.checked) : Math.max(0, Math.trunc(Number(box.value) || 0));
      rows.push([report.dataset.id, box.dataset.kind, box.dataset.item, box.dataset.aspect, wrong].map(quoted).join(','));
    }
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([rows.join('\n') + '\n'], {type: 'text/csv'}));
  link.download = 'sheet.csv';
  link.click();
});
</script></body></html>
)page";

struct PlacedKey {
  TextSpan span;
  const SheetItem* item = nullptr;
};

// The marks of a text: cut wherever one begins or ends, so that they may overlap.
std::string marked_text(const std::string& text, const std::vector<PlacedKey>& keys) {
  std::set<std::size_t> cuts{0, text.size()};
  for (const PlacedKey& key : keys) cuts.insert({key.span.begin, key.span.end});
  std::string out;
  for (auto begin = cuts.begin(); std::next(begin) != cuts.end(); ++begin) {
    const std::size_t end = *std::next(begin);
    const SheetItem* strongest = nullptr;
    std::string names;
    for (const PlacedKey& key : keys) {
      if (key.span.begin > *begin || key.span.end < end) continue;
      if (strongest == nullptr || strongest->kind == "question") strongest = key.item;
      if (key.span.end == end) names += (names.empty() ? "" : " ") + key.item->key;
    }
    const std::string words = html_escaped(std::string_view(text).substr(*begin, end - *begin));
    if (strongest == nullptr) {
      out += words;
    } else {
      out += "<mark class=\"" + strongest->kind + "\">" + words;
      out += (names.empty() ? "" : "<sup>" + html_escaped(names) + "</sup>") + "</mark>";
    }
  }
  return out;
}

std::vector<PlacedKey> keys_in(const SheetReport& report, const std::string& column, std::size_t size) {
  std::vector<PlacedKey> out;
  for (const SheetItem& item : report.items) {
    for (const auto& [where, span] : item.words) {
      if (where == column && span.begin < span.end && span.end <= size) out.push_back({span, &item});
    }
  }
  return out;
}

std::string box(const SheetItem& item, const std::string& aspect) {
  return "<label><input type=\"checkbox\" data-kind=\"" + html_escaped(item.kind) + "\" data-item=\"" +
         html_escaped(item.key) + "\" data-aspect=\"" + aspect + "\"> " + aspect + "</label>";
}

std::string item_row(const SheetItem& item) {
  std::string out = "<tr>";
  const auto cell = [&out](const std::string& text) { out += "<td>" + html_escaped(text) + "</td>"; };
  cell(item.key);
  if (item.kind != "question") {
    for (const std::string* value : {&item.code, &item.side, &item.place, &item.size}) cell(*value);
  }
  cell(item.detail);
  out += "<td>";
  for (const std::string& aspect : aspects_of(item.kind)) out += box(item, aspect);
  return out + "</td></tr>\n";
}

std::string report_section(const SheetReport& report) {
  std::string out =
      "<section data-id=\"" + html_escaped(report.id) + "\"><h2>" + html_escaped(report.id) + "</h2>\n";
  for (const auto& [column, text] : report.texts) {
    out += "<h3>" + html_escaped(column) + "</h3><p>" +
           marked_text(text, keys_in(report, column, text.size())) + "</p>\n";
  }
  const auto is_question = [](const SheetItem& item) { return item.kind == "question"; };
  out +=
      "<table><tr><th>Item</th><th>Code</th><th>Side</th><th>Place</th><th>Size</th>"
      "<th>What was made of it</th><th>Wrong</th></tr>\n";
  for (const SheetItem& item : report.items) out += is_question(item) ? "" : item_row(item);
  const auto questions = std::count_if(report.items.begin(), report.items.end(), is_question);
  out += "</table><details><summary>" + decimal(questions) + " questions</summary><table>\n";
  for (const SheetItem& item : report.items) out += is_question(item) ? item_row(item) : "";
  return out +
         "</table></details><p><label>findings missed <input type=\"number\" min=\"0\" value=\"0\" "
         "data-kind=\"report\" "
         "data-item=\"\" data-aspect=\"missed\"></label> <label><input type=\"checkbox\" class=\"read\"> "
         "read</label></p></section>\n";
}

}  // namespace

std::vector<std::string> aspects_of(const std::string& kind) {
  if (kind == "finding")
    return {"no finding", "source", "polarity", "code", "side", "place", "size", "text", "repeat"};
  if (kind == "denial") return {"polarity"};
  if (kind == "report") return {"missed"};
  return {"answer", "wording"};
}

std::string review_page(const std::vector<SheetReport>& reports) {
  std::string out(page_head);
  for (const SheetReport& report : reports) out += report_section(report);
  return out.append(page_end);
}

}  // namespace fiducial
