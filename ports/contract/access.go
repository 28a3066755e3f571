package contract

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/fault"
	"continuity/ports/access"
)

// Access is the suite of access.Store.
func Access(open func() Stores) {
	var b *bench
	BeforeEach(func() { b = newBench(open) })

	It("finds a token by its hash, notes its use, and forgets it at once", func() {
		token := access.Token{
			ID: "t1", Name: "crm", Scopes: []access.Scope{access.LeadsRead, access.Handoffs}, CreatedAt: b.moment.Now,
			Destination: portal,
		}
		hash := access.Hash{1, 2, 3}
		Expect(b.SaveToken(b.ctx, token, hash)).To(Succeed())
		Expect(b.TokenOf(b.ctx, hash)).To(Equal(token))
		used := b.moment.Now.Add(time.Hour)
		Expect(b.UseToken(b.ctx, "t1", used)).To(Succeed())
		token.LastUsedAt = used
		Expect(b.Tokens(b.ctx)).To(Equal([]access.Token{token}))
		Expect(b.RevokeToken(b.ctx, "t1")).To(Succeed())
		_, err := b.TokenOf(b.ctx, hash)
		Expect(err).To(haveCode(fault.NotFound))
		Expect(b.RevokeToken(b.ctx, "t1")).To(haveCode(fault.NotFound))
	})

	It("keeps notes of who did what, and lists them from the newest on", func() {
		for _, subject := range []string{"lead 1", "lead 2", ""} {
			note := access.Note{At: b.moment.Now, Who: "crm (t1)", What: "GET /v1/leads/{id}", Subject: subject}
			Expect(b.AddNote(b.ctx, note)).To(Succeed())
		}
		newest, err := b.Notes(b.ctx, 0, 2)
		Expect(err).NotTo(HaveOccurred())
		Expect([]string{newest[0].Subject, newest[1].Subject}).To(Equal([]string{"", "lead 2"}))
		rest, err := b.Notes(b.ctx, newest[1].ID, 2)
		Expect(err).NotTo(HaveOccurred())
		Expect(rest).To(Equal([]access.Note{{
			ID: rest[0].ID, At: b.moment.Now, Who: "crm (t1)", What: "GET /v1/leads/{id}", Subject: "lead 1",
		}}))
	})
}
