#include "fiducial/datasets/prediction_files.h"

#include <gtest/gtest.h>

#include "fiducial/archive/zip_writer.h"
#include "fiducial/base/temporary_folder.h"

namespace fiducial {
namespace {

using Names = std::vector<std::string>;

std::string text_of(const PredictionFiles& files, const std::string& name) {
  Result<StoredFile> file = files.open_file(name);
  if (!file.ok()) return "error: " + file.error().text();
  Bytes bytes(static_cast<std::size_t>(file->size));
  const Result<std::size_t> got = file->bytes->read(bytes);
  return got.ok() ? std::string(as_text(bytes)) : "error: " + got.error().text();
}

Path zipped(const TemporaryFolder& folder, const Names& names) {
  MemorySink sink;
  ZipWriter writer(sink);
  for (const std::string& name : names) {
    EXPECT_TRUE(writer.add(name, as_bytes("content of " + name), ZipMethod::deflated).ok());
  }
  EXPECT_TRUE(writer.finish().ok());
  const Path path = folder / "predictions.zip";
  EXPECT_TRUE(write_file(path, ByteView(sink.bytes())).ok());
  return path;
}

TEST(PredictionFiles, are_the_files_of_a_folder_in_ascending_order) {
  const TemporaryFolder folder;
  for (const char* name : {"b.nii.gz", "a.nii.gz", "c.txt"}) {
    ASSERT_TRUE(write_file(folder / name, std::string_view(name)).ok());
  }
  std::filesystem::create_directory(folder / "sub");
  const Result<PredictionFiles> files = PredictionFiles::open(folder.path());
  ASSERT_TRUE(files.ok());
  EXPECT_FALSE(files->is_archive());
  EXPECT_EQ(files->names(), (Names{"a.nii.gz", "b.nii.gz", "c.txt"}));
  EXPECT_TRUE(files->has("b.nii.gz"));
  EXPECT_FALSE(files->has("b.nii"));
  EXPECT_FALSE(files->has("sub"));
  EXPECT_EQ(text_of(*files, "b.nii.gz"), "b.nii.gz");
}

TEST(PredictionFiles, are_the_entries_of_a_flat_zip_in_ascending_order) {
  const TemporaryFolder folder;
  const Result<PredictionFiles> files = PredictionFiles::open(zipped(folder, {"b.nii.gz", "a.nii.gz"}));
  ASSERT_TRUE(files.ok());
  EXPECT_TRUE(files->is_archive());
  EXPECT_EQ(files->names(), (Names{"a.nii.gz", "b.nii.gz"}));
  EXPECT_EQ(text_of(*files, "a.nii.gz"), "content of a.nii.gz");
  EXPECT_EQ(text_of(*files, "b.nii.gz"), "content of b.nii.gz");
}

TEST(PredictionFiles, name_a_dangling_link_when_it_is_opened) {
  const TemporaryFolder folder;
  for (const char* name : {"a.nii.gz", "z.nii.gz"}) {
    std::filesystem::create_symlink(folder / "nowhere", folder / name);
  }
  const Result<PredictionFiles> files = PredictionFiles::open(folder.path());
  ASSERT_TRUE(files.ok()) << files.error().text();
  EXPECT_EQ(files->names(), (Names{"a.nii.gz", "z.nii.gz"}));
  EXPECT_EQ(text_of(*files, "z.nii.gz"), "error: z.nii.gz: cannot open: No such file or directory");
}

TEST(PredictionFiles, of_a_zip_with_folders_are_refused) {
  const TemporaryFolder folder;
  const Path path = zipped(folder, {"predictions/a.nii.gz"});
  EXPECT_EQ(PredictionFiles::open(path).error().text(),
            path.string() + ": archive is not flat: \"predictions/a.nii.gz\" lies in a folder");
}

TEST(PredictionFiles, of_a_file_that_is_no_archive_are_refused) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "x.zip", std::string_view("no archive")).ok());
  const Result<PredictionFiles> files = PredictionFiles::open(folder / "x.zip");
  ASSERT_FALSE(files.ok());
  EXPECT_EQ(files.error().code(), ErrorCode::invalid_data);
}

TEST(PredictionFiles, that_are_not_there_are_refused) {
  EXPECT_EQ(PredictionFiles::open("no/such").error().text(), "no/such: no such folder or archive");
}

TEST(PredictionFiles, refuses_a_link_that_leads_out_of_the_folder) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "predictions/masks/seg_a");
  ASSERT_TRUE(write_file(folder / "reference.nii.gz", std::string_view("truth")).ok());
  ASSERT_TRUE(write_file(folder / "predictions/a.nii.gz", std::string_view("mine")).ok());
  std::filesystem::create_symlink("a.nii.gz", folder / "predictions/b.nii.gz");
  std::filesystem::create_symlink(folder / "predictions", folder / "linked");
  EXPECT_TRUE(PredictionFiles::open(folder / "predictions", "masks/").ok());
  EXPECT_TRUE(PredictionFiles::open(folder / "linked", "masks/").ok());
  for (const char* link : {"predictions/c.nii.gz", "predictions/masks/seg_a/heart.nii.gz"}) {
    std::filesystem::create_symlink(folder / "reference.nii.gz", folder / link);
    const Result<PredictionFiles> refused = PredictionFiles::open(folder / "predictions", "masks/");
    ASSERT_FALSE(refused.ok()) << link;
    EXPECT_EQ(refused.error().message(), "a link that leads out of the folder of predictions");
    std::filesystem::remove(folder / link);
  }
}

}  // namespace
}  // namespace fiducial
