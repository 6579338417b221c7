package state

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

func TestArena(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a Arena
		type kept struct {
			ref  Ref
			want []byte
		}
		var all []kept
		sizes := rapid.SampledFrom([]int{0, 1, 15, 16, 17, 100, 4000, 70_000, arenaBlock - 1, arenaBlock, arenaBlock + 1, 3 * arenaBlock})
		for i := range rapid.IntRange(1, 30).Draw(t, "steps") {
			if len(all) > 0 && rapid.Bool().Draw(t, "free") {
				n := rapid.IntRange(0, len(all)-1).Draw(t, "which")
				a.Free(all[n].ref, len(all[n].want))
				all = append(all[:n], all[n+1:]...)
				continue
			}
			b := bytes.Repeat([]byte{byte(i + 1)}, sizes.Draw(t, "size"))
			all = append(all, kept{a.Put(b), b})
		}
		for _, k := range all {
			if !bytes.Equal(a.Get(k.ref, len(k.want)), k.want) {
				t.Fatalf("%d bytes at %d were overwritten", len(k.want), k.ref)
			}
		}
	})
}

func TestArenaUsesFreedMemory(t *testing.T) {
	var a Arena
	for range 100_000 {
		a.Free(a.Put(make([]byte, 40)), 40)
	}
	if a.Bytes() > 4096 {
		t.Fatalf("%d bytes after freeing everything", a.Bytes())
	}
}

func TestTextWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SliceOfN(rapid.ByteRange(0, 2), 0, 14).Draw(t, "a")
		b := rapid.SliceOfN(rapid.ByteRange(0, 2), 0, 14).Draw(t, "b")
		a0, a1 := textWords(a)
		b0, b1 := textWords(b)
		same := a0 == b0 && a1 == b1
		if len(a) <= inlineText && same != bytes.Equal(a, b) {
			t.Fatalf("%v and %v: words %x %x and %x %x", a, b, a0, a1, b0, b1)
		}
		if textLength(a1) != len(a) || isLongText(a1) != (len(a) > inlineText) || isLongText(nullText) {
			t.Fatalf("%v has words %x %x", a, a0, a1)
		}
	})
}
