package exec

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"iter"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/checkpoint"
	"streamsql/exec/state"
	"streamsql/exec/vec"
)

// keyedState ties an operator's table to checkpoints: it writes the table's chunks, keeps the list of those that are live, and
// restores them. The operator's watermark is kept with it.
type keyedState struct {
	context   *Context
	table     *state.Table
	watermark int64
	chain     []checkpoint.Chunk // live chunks, oldest checkpoint first
}

// advance notes a risen watermark, and reports false for one that a restored operator has acted on before.
func (k *keyedState) advance(time int64) bool {
	if time <= k.watermark {
		return false
	}
	k.watermark = time
	return true
}

// freeze begins the table's share of a checkpoint.
func (k *keyedState) freeze(id checkpoint.ID) (Snapshot, error) {
	frozen, err := k.table.Freeze(uint64(id))
	if err != nil {
		return nil, err
	}
	return &keyedSnapshot{keyedState: k, id: id, liveFrom: checkpoint.ID(frozen.LiveFrom), watermark: k.watermark, groups: k.table.Len()}, nil
}

// keyedSnapshot writes one checkpoint of a table.
type keyedSnapshot struct {
	*keyedState
	id        checkpoint.ID
	liveFrom  checkpoint.ID
	watermark int64
	groups    int
}

func (s *keyedSnapshot) Sweep(rows int) (bool, error) {
	return s.table.Sweep(rows, func(c state.Chunk) error {
		defer c.Record.Release()
		encoded, err := vec.EncodeRecord(c.Record)
		if err != nil {
			return err
		}
		ref := s.context.Chunks.Write(s.id, c.KeyGroups, int(c.Record.NumRows()), encoded)
		s.chain = append(s.chain, ref)
		return nil
	})
}

func (s *keyedSnapshot) State() checkpoint.OperatorState {
	s.chain = slices.DeleteFunc(s.chain, func(c checkpoint.Chunk) bool { return c.Checkpoint < s.liveFrom })
	return checkpoint.OperatorState{
		Operator: s.context.Vertex, Signature: s.context.Signature, Chunks: slices.Clone(s.chain),
		Blob: keyedBlob{s.watermark, s.groups}.encode(),
	}
}

// keyedBlob is what is kept beside the chunks.
type keyedBlob struct {
	watermark int64
	groups    int // of the subtask
}

func (b keyedBlob) encode() []byte {
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, uint64(b.watermark)), uint64(b.groups))
}

func decodeKeyedBlob(s checkpoint.OperatorState) (keyedBlob, error) {
	if len(s.Blob) != 16 {
		return keyedBlob{}, fmt.Errorf("the restored state of %s has no watermark and number of groups", s.Operator)
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(s.Blob[8*i:]) }
	return keyedBlob{int64(word(0)), int(word(1))}, nil
}

// written notes that the checkpoint's chunks are durable; lost that some are not, so that what they held is written again.
func (k *keyedState) written(id checkpoint.ID) { k.table.Written(uint64(id)) }

func (k *keyedState) lost(id checkpoint.ID) {
	k.table.Abort(uint64(id))
	k.chain = slices.DeleteFunc(k.chain, func(c checkpoint.Chunk) bool { return c.Checkpoint >= id })
}

// restore fills the table with the rows of the operator's key groups from all former subtasks, and takes over their live chunks.
func (k *keyedState) restore() error {
	k.watermark = vec.MinTime
	if len(k.context.Restored) == 0 {
		return nil
	}
	k.watermark = vec.MaxTime
	var groups, rows int // of the former subtasks; of the chunks, those that this subtask takes over, about
	for _, s := range k.context.Restored {
		blob, err := decodeKeyedBlob(s)
		if err != nil {
			return err
		}
		k.watermark = min(k.watermark, blob.watermark)
		groups += blob.groups
		for _, c := range s.Chunks {
			if own, any := c.Narrow(k.context.KeyGroups.Lo, k.context.KeyGroups.Hi); any {
				k.chain = append(k.chain, own)
				rows += c.Rows * (own.KeyGroups[1] - own.KeyGroups[0]) / (c.KeyGroups[1] - c.KeyGroups[0])
			}
		}
	}
	k.chain = joined(k.chain)
	if err := k.table.Load(min(groups, rows), k.newestFirst()); err != nil {
		return err
	}
	if k.context.Foreign {
		k.table.Forget()
		k.chain = nil
	}
	return nil
}

// joined orders references from the oldest checkpoint to the newest and those to one chunk after each other, and joins the ones whose
// key groups adjoin.
func joined(chain []checkpoint.Chunk) []checkpoint.Chunk {
	slices.SortFunc(chain, func(a, b checkpoint.Chunk) int {
		return cmp.Or(cmp.Compare(a.Checkpoint, b.Checkpoint), cmp.Compare(a.Key, b.Key), cmp.Compare(a.KeyGroups[0], b.KeyGroups[0]))
	})
	out := chain[:0]
	for _, c := range chain {
		if n := len(out); n > 0 && out[n-1].Key == c.Key && out[n-1].KeyGroups[1] == c.KeyGroups[0] {
			out[n-1].KeyGroups[1] = c.KeyGroups[1]
			continue
		}
		out = append(out, c)
	}
	return out
}

// newestFirst reads the chunks of the chain in the order Load wants, each once.
func (k *keyedState) newestFirst() iter.Seq2[state.Chunk, error] {
	return func(yield func(state.Chunk, error) bool) {
		var record arrow.Record // of the chunk key
		var key string
		defer func() {
			if record != nil {
				record.Release()
			}
		}()
		for _, c := range slices.Backward(k.chain) {
			if record == nil || c.Key != key {
				next, err := k.read(c)
				if err != nil {
					yield(state.Chunk{}, err)
					return
				}
				if record != nil {
					record.Release()
				}
				record, key = next, c.Key
			}
			record.Retain()
			own := vec.KeyGroupRange{Lo: c.KeyGroups[0], Hi: c.KeyGroups[1]}
			if !yield(state.Chunk{Checkpoint: uint64(c.Checkpoint), KeyGroups: own, Record: record}, nil) {
				return
			}
		}
	}
}

func (k *keyedState) read(c checkpoint.Chunk) (arrow.Record, error) {
	encoded, err := k.context.Read(c)
	if err != nil {
		return nil, err
	}
	record, err := vec.DecodeRecord(k.context.Alloc, encoded)
	if err != nil {
		return nil, fmt.Errorf("chunk %s: %w", c.Key, err)
	}
	return record, nil
}
