package file

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"streamsql/connector/format"
)

const (
	firstBlock = 128 << 10 // before the length of a row is known
	minBlock   = 16 << 10
	maxBlock   = 4 << 20
)

// pipeline decodes a stream with several goroutines. One reads blocks; each block is decoded by a goroutine of its own as soon as a
// decoder is free; next takes the results in the order of the blocks.
type pipeline struct {
	name     string // of the file, in messages
	in       *stream
	blocks   blocks
	rows     int // of a chunk, at most
	decoders chan format.Decoder
	pending  chan *job    // blocks being decoded, in order
	size     atomic.Int64 // wanted of the next block
	cancel   context.CancelFunc
	running  sync.WaitGroup
}

// job is a block being decoded.
type job struct {
	done   chan struct{}
	chunks []format.Chunk
	err    error
}

// start starts reading.
func (p *pipeline) start() {
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	p.pending = make(chan *job, cap(p.decoders))
	p.size.Store(firstBlock)
	p.running.Add(1)
	go p.produce(ctx)
}

// next waits for the next block and returns what was in it, and io.EOF after the last.
func (p *pipeline) next(ctx context.Context) ([]format.Chunk, error) {
	var j *job
	var more bool
	select {
	case j, more = <-p.pending:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if !more {
		return nil, io.EOF
	}
	<-j.done // decoding ends soon
	return j.chunks, j.err
}

// produce reads blocks until there are no more.
func (p *pipeline) produce(ctx context.Context) {
	defer p.running.Done()
	defer close(p.pending)
	for {
		var d format.Decoder
		select {
		case d = <-p.decoders:
		case <-ctx.Done():
			return
		}
		b, err := p.blocks.next(int(p.size.Load()))
		if errors.Is(err, io.EOF) {
			return
		}
		j := &job{done: make(chan struct{})}
		if err != nil {
			j.err = fmt.Errorf("read %s: %w", p.name, reason(err))
			close(j.done)
		} else {
			p.running.Add(1)
			go p.decode(j, d, b)
		}
		select {
		case p.pending <- j:
		case <-ctx.Done():
			<-j.done
			j.release()
			return
		}
		if err != nil {
			return
		}
	}
}

// decode decodes a block.
func (p *pipeline) decode(j *job, d format.Decoder, data []byte) {
	defer p.running.Done()
	defer close(j.done)
	defer func() {
		if r := recover(); r != nil { // the task that reads reports it as its own
			j.err = fmt.Errorf("decode %s: panic: %v\n%s", p.name, r, debug.Stack())
		}
	}()
	rows := 0
	for rest := data; len(rest) > 0; {
		c := d.Decode(rest, p.rows)
		j.chunks = append(j.chunks, c)
		rest = rest[c.Bytes:]
		rows += c.Batch.Rows
	}
	if rows > 0 { // the next block is to make one batch, nearly full
		perRow := len(data)/rows + 1
		p.size.Store(int64(min(max(perRow*p.rows*31/32, minBlock), maxBlock)))
	}
	p.decoders <- d
	recycle(data)
}

// release gives up the batches of a block that nobody will read.
func (j *job) release() {
	for _, c := range j.chunks {
		c.Batch.Release()
	}
}

// close stops reading and closes the stream.
func (p *pipeline) close() error {
	p.cancel()
	for j := range p.pending {
		<-j.done
		j.release()
	}
	p.running.Wait()
	return p.in.Close()
}
