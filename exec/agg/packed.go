package agg

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"

	"streamsql/exec/state"
)

// packed is a byte string: its first eight bytes, with zeros behind a shorter one, and where all of a longer one is.
type packed struct {
	head uint64
	ref  state.Ref
	size uint32
}

// packedLen is the length of strings that need no more than a head.
const packedLen = 8

// packs keeps byte strings. The one that is being looked for is not kept yet: its ref is probing.
type packs struct {
	arena state.Arena
	probe []byte
	kept  int // strings in the arena
}

const probing state.Ref = math.MaxUint32

// pack makes b, which must not change meanwhile, comparable with what is kept.
func (p *packs) pack(b []byte) packed {
	p.probe = b
	v := packed{size: uint32(len(b))}
	if len(b) >= packedLen {
		v.head = binary.BigEndian.Uint64(b)
	} else {
		var head [packedLen]byte
		copy(head[:], b)
		v.head = binary.BigEndian.Uint64(head[:])
	}
	if len(b) > packedLen {
		v.ref = probing
	}
	return v
}

// keep keeps what was packed last.
func (p *packs) keep(v packed) packed {
	if v.size > packedLen {
		v.ref = p.arena.Put(p.probe)
		p.kept++
	}
	return v
}

// free gives up what was kept.
func (p *packs) free(v packed) {
	if v.size <= packedLen {
		return
	}
	p.arena.Free(v.ref, int(v.size))
	p.kept--
}

// shrink gives up the memory of an arena that keeps nothing.
func (p *packs) shrink() {
	if p.kept == 0 {
		p.arena = state.Arena{}
	}
}

// get is the bytes of v, appended to scratch if they are in its head.
func (p *packs) get(v packed, scratch []byte) []byte {
	switch {
	case v.size <= packedLen:
		return binary.BigEndian.AppendUint64(scratch, v.head)[:len(scratch)+int(v.size)]
	case v.ref == probing:
		return p.probe
	}
	return p.arena.Get(v.ref, int(v.size))
}

func (p *packs) compare(a, b packed) int {
	if a.head != b.head {
		return cmp.Compare(a.head, b.head)
	}
	if a.size <= packedLen || b.size <= packedLen {
		return cmp.Compare(a.size, b.size)
	}
	return bytes.Compare(p.get(a, nil)[packedLen:], p.get(b, nil)[packedLen:])
}
