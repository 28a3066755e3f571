package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"
)

// client is one connection, or one after another.
type client struct {
	address   string
	reconnect bool
	conn      *net.TCPConn
	in        *bufio.Reader
}

func newClient(address string, reconnect bool) *client {
	return &client{address: address, reconnect: reconnect, in: bufio.NewReaderSize(nil, 4096)}
}

// answerPatience is more than any answer takes that would still count.
const answerPatience = 30 * time.Second

// exchange sends a request and gives the status of its answer.
func (c *client) exchange(request []byte) (status int, err error) {
	if c.conn == nil {
		if err := c.dial(); err != nil {
			return 0, err
		}
	}
	if err = c.conn.SetDeadline(time.Now().Add(answerPatience)); err != nil {
		return 0, err
	}
	if _, err = c.conn.Write(request); err == nil {
		status, err = c.answer()
	}
	if err != nil || c.reconnect {
		c.close()
	}
	return status, err
}

func (c *client) dial() error {
	conn, err := net.Dial("tcp", c.address)
	if err != nil {
		return err
	}
	c.conn = conn.(*net.TCPConn)
	c.in.Reset(c.conn)
	return nil
}

// close resets the connection instead of closing it in turns, which would leave its port in use for a minute.
func (c *client) close() {
	if c.conn == nil {
		return
	}
	_ = c.conn.SetLinger(0)
	_ = c.conn.Close()
	c.conn = nil
}

// answer reads a status line, headers, and a body of a stated length.
func (c *client) answer() (status int, err error) {
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		return 0, err
	}
	if len(line) < len("HTTP/1.1 200") {
		return 0, fmt.Errorf("a status line of %d bytes", len(line))
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, errors.New("no status")
	}
	length := 0
	for {
		if line, err = c.in.ReadSlice('\n'); err != nil {
			return 0, err
		}
		if len(line) <= len("\r\n") {
			break
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return 0, err
			}
		}
	}
	_, err = io.CopyN(io.Discard, c.in, int64(length))
	return status, err
}
