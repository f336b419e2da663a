// Reads DICOM files for the command, in a process of its own: fiducial-dicom headers|pixels.
//
// The files to read come on standard input, each ended by a zero byte; src/fiducial/dicom/reader_records.h
// says what is answered. Not meant to be called by people.
#include <exception>
#include <iostream>
#include <iterator>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <gdcmTrace.h>

#include "fiducial/dicom/reader_records.h"
#include "fiducial/dicom/system_call_filter.h"

#include "answer.h"
#include "questions.h"

namespace fiducial::dicom_reader {

namespace {

std::vector<std::string> asked_files() {
  const std::string text{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\0', begin), text.size());
    out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

int answer_all(bool pixels) {
  answer(Json::object({{"fiducial-dicom", reader_protocol_version}}));
  const std::vector<std::string> files = asked_files();
  for (std::size_t i = 0; i < files.size(); ++i) {
    bool good = false;
    try {
      good = pixels ? answer_pixels(i, files[i]) : answer_headers(i, files[i]);
    } catch (const std::bad_alloc&) {
      answer_error(i, "reading it needs more memory than the DICOM reader may use");
    } catch (const std::exception&) {
      answer_error(i, "cannot be read as DICOM: it is damaged or of a kind that GDCM does not know");
    }
    if (!good) return 0;
  }
  answer(Json::object({{"end", true}}));
  return 0;
}

}  // namespace

}  // namespace fiducial::dicom_reader

int main(int count, char** words) {
  const std::string_view mode = count == 2 ? words[1] : "";
  if (mode != "headers" && mode != "pixels") {
    std::cerr << "fiducial-dicom: reads DICOM files for the command fiducial; not to be called by hand\n";
    return 2;
  }
  // Where there is no such filter, the limits that the command sets still hold.
  static_cast<void>(fiducial::install_reading_filter());
  gdcm::Trace::WarningOff();
  gdcm::Trace::ErrorOff();
  try {
    return fiducial::dicom_reader::answer_all(mode == "pixels");
  } catch (...) {
    return 1;
  }
}
