package vec

import (
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"
)

func TestPoolCountsBytesInUse(t *testing.T) {
	p := NewPool(0, nil)
	a := p.Allocate(100)
	b := p.Allocate(1)
	if got := p.InUse(); got != 128+64 {
		t.Fatalf("in use %d, want 192", got)
	}
	a = p.Reallocate(128, a)
	a = p.Reallocate(129, a)
	if got := p.InUse(); got != 256+64 {
		t.Fatalf("in use %d, want 320", got)
	}
	p.Free(a)
	p.Free(b)
	if p.InUse() != 0 || p.Peak() != 128+256+64 {
		t.Fatalf("in use %d, peak %d", p.InUse(), p.Peak())
	}
}

func TestPoolBuffersDoNotOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := NewPool(0, nil)
		mem := memory.NewCheckedAllocator(p)
		var live [][]byte
		for i := range rapid.IntRange(1, 60).Draw(t, "steps") {
			if len(live) > 0 && rapid.Bool().Draw(t, "free") {
				b := live[0]
				live = live[1:]
				for _, c := range b {
					if c != b[0] {
						t.Fatal("a buffer was written through another")
					}
				}
				mem.Free(b)
				continue
			}
			b := mem.Allocate(rapid.IntRange(1, 5000).Draw(t, "size"))
			for j := range b {
				b[j] = byte(i)
			}
			live = append(live, b)
		}
		for _, b := range live {
			mem.Free(b)
		}
		if p.InUse() != 0 || mem.CurrentAlloc() != 0 {
			t.Fatalf("in use %d, %d", p.InUse(), mem.CurrentAlloc())
		}
	})
}

func TestPoolLimit(t *testing.T) {
	var held []byte
	var asked int64
	var p *Pool
	p = NewPool(1000, func(excess int64) {
		asked = excess
		p.Free(held)
		held = nil
	})
	held = p.Allocate(1024)
	if err := p.Check(); err != nil || asked != 24 {
		t.Fatalf("after reclaiming: err %v, asked %d", err, asked)
	}
	p.Reserve(4096)
	err := p.Check()
	if err == nil || !strings.Contains(err.Error(), "4096 bytes in use, the limit is 1000") {
		t.Fatalf("got %v", err)
	}
	p.Reserve(-4096)
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
}
