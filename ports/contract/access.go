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
}
