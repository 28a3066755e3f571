package crash

import (
	"encoding/json"
	"io"
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// Slow is a submission on its way: the service has its head, and not yet all of its body.
type Slow struct {
	*Crowd
	rest   []byte
	body   *io.PipeWriter
	answer chan int
}

// Begin sends the head of a submission and the first half of its body.
func (s *Service) Begin() *Slow {
	GinkgoHelper()
	v := newVisitor(http.DefaultClient)
	r := v.submit(3)
	v.sent = append(v.sent, r)
	raw, err := json.Marshal(r.body)
	Expect(err).NotTo(HaveOccurred())
	body, writer := io.Pipe()
	slow := &Slow{
		Crowd: &Crowd{service: s, visitors: []*visitor{v}},
		rest:  raw[len(raw)/2:], body: writer, answer: make(chan int, 1),
	}
	request, err := http.NewRequest(http.MethodPost, s.Public+r.path, body)
	Expect(err).NotTo(HaveOccurred())
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	request.ContentLength = int64(len(raw))
	go func() {
		response, err := v.client.Do(request)
		if err != nil {
			slow.answer <- 0
			return
		}
		r.accepted = response.StatusCode == http.StatusNoContent
		_ = response.Body.Close()
		slow.answer <- response.StatusCode
	}()
	_, err = writer.Write(raw[:len(raw)/2])
	Expect(err).NotTo(HaveOccurred())
	return slow
}

// Finish sends the rest and gives the status of the answer, 0 for none.
func (s *Slow) Finish() int {
	GinkgoHelper()
	_, err := s.body.Write(s.rest)
	Expect(err).NotTo(HaveOccurred())
	Expect(s.body.Close()).To(Succeed())
	var status int
	Eventually(s.answer, "20s").Should(Receive(&status))
	return status
}
