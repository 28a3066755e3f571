package crash

import (
	"net"
	"net/url"
	"sync"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// Network stands between a service and its database, and can be cut.
type Network struct {
	target, address string

	silent atomic.Bool

	mu       sync.Mutex
	listener net.Listener // nil while cut
	conns    map[net.Conn]bool
}

// Between puts a network in front of the server that a database URL names, and gives the URL through it.
func Between(databaseURL string) (*Network, string) {
	GinkgoHelper()
	at, err := url.Parse(databaseURL)
	Expect(err).NotTo(HaveOccurred())
	n := &Network{target: at.Host, address: "127.0.0.1:0", conns: map[net.Conn]bool{}}
	n.Restore()
	DeferCleanup(n.Cut)
	at.Host = n.address
	return n, at.String()
}

// Silence loses everything that is said from now on, and ends no connection: nobody is told.
func (n *Network) Silence() { n.silent.Store(true) }

// Restore lets connections through again, at the same address; the old ones are gone.
func (n *Network) Restore() {
	GinkgoHelper()
	n.Cut()
	n.silent.Store(false)
	n.mu.Lock()
	defer n.mu.Unlock()
	listener, err := net.Listen("tcp", n.address)
	Expect(err).NotTo(HaveOccurred())
	n.listener, n.address = listener, listener.Addr().String()
	go n.serve(listener)
}

// Cut ends every connection in the middle of whatever it says, and refuses new ones.
func (n *Network) Cut() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.listener == nil {
		return
	}
	_ = n.listener.Close()
	n.listener = nil
	for conn := range n.conns {
		_ = conn.Close()
	}
	clear(n.conns)
}

func (n *Network) serve(listener net.Listener) {
	for {
		near, err := listener.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", n.target)
		if err != nil || !n.keep(listener, near, far) {
			_ = near.Close()
			continue
		}
		go n.pipe(near, far)
		go n.pipe(far, near)
	}
}

// keep remembers a pair of connections, unless the network was cut meanwhile.
func (n *Network) keep(through net.Listener, pair ...net.Conn) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, conn := range pair {
		if n.listener != through {
			_ = conn.Close()
			continue
		}
		n.conns[conn] = true
	}
	return n.listener == through
}

func (n *Network) pipe(to, from net.Conn) {
	block := make([]byte, 32<<10)
	for {
		read, err := from.Read(block)
		if err == nil && !n.silent.Load() {
			_, err = to.Write(block[:read])
		}
		if err != nil {
			break
		}
	}
	_ = to.Close()
	_ = from.Close()
}
