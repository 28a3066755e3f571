package sealing_test

import (
	"fmt"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/adapters/sealing"
)

func TestSealing(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Sealing")
}

var _ = Describe("What is sealed", func() {
	seal := func(k *sealing.Keys) []byte {
		GinkgoHelper()
		sealed, err := k.Seal([]byte("ana@example.org"), "leads/1/identity")
		Expect(err).NotTo(HaveOccurred())
		return sealed
	}
	made := func(k *sealing.Keys, err error) *sealing.Keys {
		GinkgoHelper()
		Expect(err).NotTo(HaveOccurred())
		return k
	}

	It("opens in its place and in no other, and names its key", func() {
		keys := made(sealing.New())
		sealed := seal(keys)
		Expect(string(sealed)).NotTo(ContainSubstring("ana"))
		Expect(sealed[:5]).To(Equal(sealing.Mark(keys.IDs()[0])))
		Expect(keys.Open(sealed, "leads/1/identity")).To(Equal([]byte("ana@example.org")))
		_, err := keys.Open(sealed, "leads/2/identity")
		Expect(err).To(HaveOccurred())
		sealed[9] ^= 1
		_, err = keys.Open(sealed, "leads/1/identity")
		Expect(err).To(HaveOccurred())
	})

	It("opens after another key took over writing, and not without its own key", func() {
		old := made(sealing.New())
		sealed := seal(old)
		both := made(old.Added())
		Expect(both.IDs()).To(HaveLen(2))
		Expect(both.Open(sealed, "leads/1/identity")).To(Equal([]byte("ana@example.org")))
		Expect(seal(both)[:5]).To(Equal(sealing.Mark(both.IDs()[0])))
		back := made(both.Writing(old.IDs()[0]))
		Expect(seal(back)[:5]).To(Equal(sealed[:5]))
		_, err := made(sealing.New()).Open(sealed, "leads/1/identity")
		Expect(err).To(HaveOccurred())
	})

	It("opens with the keys as they were written to a file", func() {
		keys := made(made(sealing.New()).Added())
		text, err := keys.JSON()
		Expect(err).NotTo(HaveOccurred())
		again := made(sealing.Parse(text))
		Expect(again.IDs()).To(Equal(keys.IDs()))
		Expect(again.Open(seal(keys), "leads/1/identity")).NotTo(BeEmpty())
	})

	It("opens on every node that derives its keys from the same secrets, whichever is current there", func() {
		one := made(sealing.Derive([]byte("old pepper"), []byte("new pepper")))
		other := made(sealing.Derive([]byte("new pepper"), []byte("old pepper")))
		Expect(other.Open(seal(one), "leads/1/identity")).NotTo(BeEmpty())
		Expect(one.IDs()[0]).To(Equal(other.IDs()[1]))
	})

	It("refuses keys that are none, and repeats nothing of them", func() {
		for _, text := range []string{"", "{}", "geheim", `{"primaryKeyId":1,"key":[]}`} {
			_, err := sealing.Parse([]byte(text))
			Expect(err).To(HaveOccurred())
			Expect(err.Error()).NotTo(ContainSubstring("geheim"))
		}
	})

	It("shows no secret when it is printed", func() {
		keys := made(sealing.Derive([]byte("geheim")))
		Expect(fmt.Sprintf("%v %+v %#v", keys, keys, keys)).NotTo(ContainSubstring("geheim"))
	})
})
