"""A CT volume to read: tissue, air and scanner noise, 512 x 512 x 240 int16, written once by nibabel."""

import os

import numpy


def ct_volume(case):
    path = case / "ct_512x512x240.nii.gz"
    if not path.exists():
        import nibabel

        generator = numpy.random.default_rng(7)
        x, y = numpy.ogrid[-1:1:512j, -1:1:512j]
        body = numpy.where(x * x / 0.7 + y * y / 0.45 < 1, 40.0, -1000.0)
        body[(abs(x) - 0.38) ** 2 / 0.06 + y * y / 0.16 < 1] = -850
        voxels = numpy.empty((512, 512, 240), numpy.int16, order="F")
        for z in range(240):
            noise = generator.normal(0, 18, (512, 512))
            voxels[:, :, z] = numpy.where(body > -1000, body + noise, -1024).round()
        unfinished = path.with_name("unfinished.nii.gz")
        nibabel.Nifti1Image(voxels, numpy.diag([-0.7, -0.7, 1.0, 1])).to_filename(unfinished)
        os.replace(unfinished, path)
    return path
