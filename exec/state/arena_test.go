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
