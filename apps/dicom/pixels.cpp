#include <gdcmImageReader.h>

#include "answer.h"
#include "questions.h"

namespace fiducial::dicom_reader {

bool answer_pixels(std::size_t number, const std::string& file) {
  gdcm::ImageReader reader;
  reader.SetFileName(file.c_str());
  if (!reader.Read()) {
    answer_error(number,
                 "its pixels cannot be read: the file is damaged or of a kind that GDCM does not know");
    return false;
  }
  const gdcm::Image& image = reader.GetImage();
  const gdcm::PixelFormat format = image.GetPixelFormat();
  const std::size_t frames = image.GetNumberOfDimensions() > 2 ? image.GetDimension(2) : 1;
  const std::size_t values = std::size_t{image.GetDimension(0)} * image.GetDimension(1);
  Bytes buffer(image.GetBufferLength());
  const bool decoded = format.GetSamplesPerPixel() == 1 && values > 0 && frames > 0 &&
                       buffer.size() % (values * frames) == 0 &&
                       image.GetBuffer(reinterpret_cast<char*>(buffer.data()));
  if (!decoded) {
    answer_error(number, "its pixels cannot be decoded (" +
                             std::string(gdcm::TransferSyntax::GetTSString(image.GetTransferSyntax())) + ")");
    return false;
  }
  const std::size_t frame_bytes = buffer.size() / frames;
  for (std::size_t frame = 0; frame < frames; ++frame) {
    answer(Json::object({{"file", number},
                         {"frame", frame},
                         {"frames", frames},
                         {"bytes_per_value", frame_bytes / values},
                         {"bits_stored", int{format.GetBitsStored()}},
                         {"signed", format.GetPixelRepresentation() != 0},
                         {"bytes", frame_bytes}}));
    answer(ByteView(buffer).subspan(frame * frame_bytes, frame_bytes));
  }
  return true;
}

}  // namespace fiducial::dicom_reader
