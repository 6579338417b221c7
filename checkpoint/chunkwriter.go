package checkpoint

import (
	"errors"
	"fmt"
	"hash/crc32"
	"sync"

	"streamsql/internal/failpoint"
	"streamsql/storage"
)

// ErrWriterClosed is what Flush reports once the writer has been closed.
var ErrWriterClosed = errors.New("chunk writer is closed")

// ChunkWriter writes the chunks of one attempt of a job in the background. Chunks become durable in the order they were given;
// any number of tasks may use it.
type ChunkWriter struct {
	store   *storage.Store
	job     string
	attempt Attempt
	limit   int

	mu       sync.Mutex
	changed  sync.Cond // queue, queued or closed has changed
	queue    []writeItem
	queued   int // bytes in the queue or being written
	seq      uint64
	closed   bool
	finished chan struct{}

	failed failures // used by run alone
}

// writeItem is a chunk to be written, or a flush.
type writeItem struct {
	checkpoint ID
	chunk      storage.Chunk
	done       func(error) // of a flush
}

// writeBatch is the number of bytes handed to the store at once.
const writeBatch = 4 << 20

// NewChunkWriter starts the writer of an attempt. It holds at most about limit bytes that are not yet written.
func NewChunkWriter(store *storage.Store, job string, attempt Attempt, limit int) *ChunkWriter {
	w := &ChunkWriter{store: store, job: job, attempt: attempt, limit: limit, finished: make(chan struct{})}
	w.changed.L = &w.mu
	go w.run()
	return w
}

// Write enqueues a chunk of an operator's keyed state and returns the reference to it, which is good once a later Flush of the
// checkpoint has succeeded. It takes over data and waits while the queue is full. After Close the chunk is dropped.
func (w *ChunkWriter) Write(operator string, subtask int, id ID, keyGroups [2]int, rows int, data []byte) Chunk {
	crc := crc32.ChecksumIEEE(data)
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.queued > 0 && w.queued+len(data) > w.limit && !w.closed {
		w.changed.Wait()
	}
	w.seq++
	key := storage.ChunkID{
		Job: w.job, Attempt: uint64(w.attempt), Operator: operator, Subtask: subtask, Checkpoint: uint64(id), Seq: w.seq,
	}.Key()
	w.enqueue(writeItem{checkpoint: id, chunk: storage.Chunk{Key: key, Data: data}})
	return Chunk{Key: string(key), Checkpoint: id, KeyGroups: keyGroups, Rows: rows, Bytes: len(data), CRC: crc}
}

// Flush has done called, from the writer's goroutine, once everything written so far is durable. The error is that of the first
// chunk of the checkpoint that could not be written; chunks of other checkpoints do not matter. A task that gets one must put the
// rows back among the changed ones, and decline every later checkpoint whose barrier it has passed already: those lack the rows
// too. done must not block.
func (w *ChunkWriter) Flush(id ID, done func(error)) {
	w.mu.Lock()
	if !w.closed {
		w.enqueue(writeItem{checkpoint: id, done: done})
		w.mu.Unlock()
		return
	}
	w.mu.Unlock()
	done(ErrWriterClosed)
}

// Close drops what is not yet written, reports ErrWriterClosed to the flushes that wait and ends the writer.
func (w *ChunkWriter) Close() {
	w.mu.Lock()
	w.closed = true
	w.changed.Broadcast()
	w.mu.Unlock()
	<-w.finished
}

// enqueue appends the item unless the writer is closed. w.mu is held.
func (w *ChunkWriter) enqueue(item writeItem) {
	if w.closed {
		return
	}
	w.queue = append(w.queue, item)
	w.queued += len(item.chunk.Data)
	w.changed.Broadcast()
}

// run writes what is enqueued until the writer is closed.
func (w *ChunkWriter) run() {
	defer close(w.finished)
	for {
		items, ok := w.take()
		if !ok {
			for _, item := range items {
				item.report(ErrWriterClosed)
			}
			return
		}
		w.write(items)
		w.written(items)
	}
}

// take waits for items and returns the first batch of them. When the writer is closed it returns all that are left and false.
func (w *ChunkWriter) take() (items []writeItem, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.queue) == 0 && !w.closed {
		w.changed.Wait()
	}
	n, bytes := 0, 0
	for n < len(w.queue) && (w.closed || bytes < writeBatch) {
		bytes += len(w.queue[n].chunk.Data)
		n++
	}
	items = w.queue[:n:n]
	w.queue = w.queue[n:]
	return items, !w.closed
}

// written makes room for the bytes of the items and wakes those who wait for it.
func (w *ChunkWriter) written(items []writeItem) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, item := range items {
		w.queued -= len(item.chunk.Data)
	}
	w.changed.Broadcast()
}

// write makes the chunks of the items durable, then answers their flushes.
func (w *ChunkWriter) write(items []writeItem) {
	chunks := make([]storage.Chunk, 0, len(items))
	for _, item := range items {
		if item.done == nil {
			chunks = append(chunks, item.chunk)
		}
	}
	if err := w.put(chunks); err != nil {
		for _, item := range items {
			if item.done == nil {
				w.failed.add(item.checkpoint, err)
			}
		}
	}
	for _, item := range items {
		item.report(w.failed.of(item.checkpoint))
	}
}

func (w *ChunkWriter) put(chunks []storage.Chunk) error {
	if len(chunks) == 0 {
		return nil
	}
	if err := failpoint.Err(failpoint.ChunkWrite); err != nil {
		return err
	}
	if err := w.store.PutChunks(chunks); err != nil {
		return fmt.Errorf("job %s: %w", w.job, err)
	}
	return w.store.Sync()
}

// report answers a flush.
func (i writeItem) report(err error) {
	if i.done != nil {
		i.done(err)
	}
}

// failures remembers the checkpoints of which a chunk could not be written. It forgets the oldest ones, and from then on takes
// everything up to them for failed.
type failures struct {
	byID  map[ID]error
	floor ID
}

// maxFailures is the number of failed checkpoints remembered.
const maxFailures = 64

func (f *failures) add(id ID, err error) {
	if f.byID == nil {
		f.byID = make(map[ID]error)
	}
	if f.byID[id] == nil {
		f.byID[id] = err
	}
	for len(f.byID) > maxFailures {
		oldest := id
		for other := range f.byID {
			oldest = min(oldest, other)
		}
		delete(f.byID, oldest)
		f.floor = max(f.floor, oldest)
	}
}

func (f *failures) of(id ID) error {
	if err := f.byID[id]; err != nil {
		return err
	}
	if id <= f.floor {
		return fmt.Errorf("chunks of checkpoint %d were given up for lost after many failures", id)
	}
	return nil
}
