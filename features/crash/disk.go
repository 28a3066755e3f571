package crash

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// Disk is a small file system of the running spec's own.
type Disk struct{ folder string }

const diskSize = "size=12m"

// SmallDisk mounts a disk of a few megabytes, or skips where that is not permitted.
func SmallDisk() *Disk {
	GinkgoHelper()
	d := &Disk{folder: GinkgoT().TempDir()}
	if err := syscall.Mount("tmpfs", d.folder, "tmpfs", syscall.MS_NOSUID|syscall.MS_NODEV, diskSize); err != nil {
		Skip("a full file system is not tried: mounting a small one is refused (root may): " + err.Error())
	}
	DeferCleanup(func() { Expect(syscall.Unmount(d.folder, syscall.MNT_DETACH)).To(Succeed()) })
	return d
}

// Path is a file on the disk.
func (d *Disk) Path(name string) string { return filepath.Join(d.folder, name) }

// Fill leaves no space.
func (d *Disk) Fill() {
	GinkgoHelper()
	file, err := os.Create(d.Path("filler"))
	Expect(err).NotTo(HaveOccurred())
	for block := make([]byte, 1<<20); len(block) > 0; {
		if _, err := file.Write(block); errors.Is(err, syscall.ENOSPC) {
			block = block[:len(block)/2]
		} else {
			Expect(err).NotTo(HaveOccurred())
		}
	}
	Expect(file.Close()).To(Succeed())
}

// Empty gives the space back.
func (d *Disk) Empty() {
	GinkgoHelper()
	Expect(os.Remove(d.Path("filler"))).To(Succeed())
}
