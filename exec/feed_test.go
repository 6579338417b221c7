package exec

import (
	"context"
	"io"
	"strconv"
	"sync"
	"testing"

	"streamsql/connector"
)

// feed is a source whose rows, one BIGINT each, the test hands out one by one. Position is the number of rows read.
type feed struct {
	mu     sync.Mutex
	change sync.Cond
	rows   []int64
	given  int // how many of rows may be read
	ended  bool
}

// feeds are the feeds of the tests, by table name.
var feeds sync.Map

func init() {
	connector.Register(&connector.Connector{
		Name: "feed", Doc: "rows from a test",
		NewSource: func(s connector.SourceSpec, _ *connector.Options) (connector.Source, error) {
			f, _ := feeds.Load(s.Table.Name)
			return f.(*feed), nil
		},
	})
}

func newFeed(t *testing.T, table string, rows ...int64) *feed {
	f := &feed{rows: rows}
	f.change.L = &f.mu
	feeds.Store(table, f)
	t.Cleanup(func() { feeds.Delete(table) })
	return f
}

// give lets n rows in all be read.
func (f *feed) give(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.given = n
	f.change.Broadcast()
}

// end ends the feed after the rows given.
func (f *feed) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	f.change.Broadcast()
}

func (f *feed) Splits(context.Context) ([]connector.Split, error) {
	return []connector.Split{{ID: "only"}}, nil
}

func (f *feed) Bounded() bool { return true }

func (f *feed) Replayable() bool { return true }

func (f *feed) Changelog() bool { return false }

func (f *feed) Open(ctx context.Context, _ connector.Split, p connector.Position) (connector.Reader, error) {
	at, _ := strconv.Atoi(string(p))
	r := &feedReader{feed: f, at: at}
	r.stop = context.AfterFunc(ctx, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.change.Broadcast()
	})
	return r, nil
}

type feedReader struct {
	*feed
	at   int
	stop func() bool
}

func (r *feedReader) Read(ctx context.Context) (connector.Fragment, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.at >= r.given && !r.ended && ctx.Err() == nil {
		r.change.Wait()
	}
	if ctx.Err() != nil {
		return connector.Fragment{}, ctx.Err()
	}
	if r.at >= r.given {
		return connector.Fragment{}, io.EOF
	}
	r.at++
	return connector.Fragment{
		Batch:    ints(r.rows[r.at-1]),
		Position: strconv.AppendInt(nil, int64(r.at), 10),
	}, nil
}

func (r *feedReader) Close() error {
	r.stop()
	return nil
}
