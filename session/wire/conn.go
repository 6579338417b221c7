package wire

import (
	"bufio"
	"encoding/json"
	"net"
	"sync"
	"time"
)

// Conn carries messages of a type T one way and of a type U the other. Send may be called by several goroutines, Receive by one.
type Conn[T, U any] struct {
	conn net.Conn
	mu   sync.Mutex
	out  *json.Encoder
	in   *json.Decoder
}

// NewClient returns the client's end.
func NewClient(c net.Conn) *Conn[Request, Answer] { return newConn[Request, Answer](c) }

// NewServer returns the server's end.
func NewServer(c net.Conn) *Conn[Answer, Request] { return newConn[Answer, Request](c) }

func newConn[T, U any](c net.Conn) *Conn[T, U] {
	return &Conn[T, U]{conn: c, out: json.NewEncoder(c), in: json.NewDecoder(bufio.NewReader(c))}
}

// Send writes a message.
func (c *Conn[T, U]) Send(m T) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.out.Encode(m)
}

// Receive reads the next message. It returns io.EOF when the other side has closed.
func (c *Conn[T, U]) Receive() (U, error) {
	var m U
	err := c.in.Decode(&m)
	return m, err
}

// SetDeadline lets every Send and Receive fail that is under way at that time or begun later; the zero time takes the limit away.
func (c *Conn[T, U]) SetDeadline(t time.Time) error { return c.conn.SetDeadline(t) }

// Close ends the connection, and with it a Send or Receive under way.
func (c *Conn[T, U]) Close() error { return c.conn.Close() }
