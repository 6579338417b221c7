package checkpoint

import (
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"streamsql/internal/chunk"
)

// BenchmarkCheckpoint takes checkpoints of a million rows of 32 bytes, of which all or a tenth have changed since the last one,
// with a twentieth of all written anew each time. With -benchtime=200x it tells how much two hundred take on disk: "peak/live" is
// the largest size of the store by what the retained checkpoints name.
func BenchmarkCheckpoint(b *testing.B) {
	b.Run("all-dirty", func(b *testing.B) { benchmarkCheckpoint(b, 1, 1) })
	b.Run("tenth-dirty", func(b *testing.B) { benchmarkCheckpoint(b, 0.1, 20) })
}

const (
	benchState = 1_000_000 * 32
	benchChunk = 250_000
)

func benchmarkCheckpoint(b *testing.B, dirty float64, rolls int) {
	store := tempStore(b)
	r := begin(b, store, 0)
	w := NewChunkWriter(store, "j", r.attempt, 64<<20)
	defer w.Close()
	written := int(benchState * dirty)
	if rolls > 1 {
		written += benchState / rolls
	}
	random := make([]byte, 2*benchChunk)
	rand.NewChaCha8([32]byte{1}).Read(random)
	var slowest time.Duration
	var peak int64
	b.ResetTimer()
	for b.Loop() {
		began := time.Now()
		id := r.reserve()
		for size := 0; size < written; size += benchChunk {
			data := make([]byte, benchChunk)
			copy(data, random[rand.IntN(benchChunk):])
			r.chain = append(r.chain, w.Write("agg", 0, id, [2]int{0, chunk.KeyGroups}, benchChunk/32, data))
		}
		check(b, flushed(w, id))
		for r.chain[0].Checkpoint+ID(rolls) <= id {
			r.chain = r.chain[1:]
		}
		check(b, r.log.Commit(r.manifest(id)))
		slowest = max(slowest, time.Since(began))
		check(b, r.log.Retain(3))
		peak = max(peak, must[int64](b)(store.Size()))
	}
	b.StopTimer()
	live := 0
	seen := map[string]bool{}
	manifests, _, err := r.log.List()
	check(b, err)
	for _, m := range manifests {
		for _, c := range m.Chunks() {
			if !seen[c.Key] {
				seen[c.Key], live = true, live+c.Bytes
			}
		}
	}
	b.ReportMetric(float64(peak)/float64(live), "peak/live")
	b.ReportMetric(float64(peak>>20), "MB-peak")
	b.ReportMetric(float64(slowest.Milliseconds()), "slowest-ms")
}

// BenchmarkNewest verifies a checkpoint of 250 MB.
func BenchmarkNewest(b *testing.B) {
	r := begin(b, tempStore(b), 0)
	id := r.reserve()
	data := make([]byte, benchChunk)
	rand.NewChaCha8([32]byte{1}).Read(data)
	for range 1000 {
		r.chain = append(r.chain, r.writer.Write("agg", 0, id, [2]int{0, chunk.KeyGroups}, 1, data))
	}
	r.flush(id)
	check(b, r.log.Commit(r.manifest(id)))
	b.SetBytes(1000 * benchChunk)
	for b.Loop() {
		if _, _, err := r.log.Newest(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkWriteSavepoint merges a chain of three checkpoints of a hundred thousand groups.
func BenchmarkWriteSavepoint(b *testing.B) {
	j := &keyedJob{chunks: memoryChunks{}, groups: map[string]group{}}
	j.rescale(1)
	j.write(100_000, 1, 32)
	j.write(100_000, 3, 32)
	j.write(100_000, 7, 32)
	m := j.manifest()
	dir := b.TempDir()
	for b.Loop() {
		check(b, WriteSavepoint(dir+"/sp", m, j.chunks))
		b.StopTimer()
		check(b, os.RemoveAll(dir+"/sp"))
		b.StartTimer()
	}
	b.ReportMetric(float64(b.N)*100_000/b.Elapsed().Seconds()/1e6, "Mrows/s")
}
