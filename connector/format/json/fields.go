package json

import (
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/connector/internal/column"
)

// field is where a value goes: a column of the table or of a nested type. Either col is set or op is true.
type field struct {
	col    *column.Column
	op     bool    // the kind of the row, in changelog-json
	object *object // of a ROW
	inner  []*field

	seen  uint64 // stamp of the last object that had the field
	null  uint64 // stamp of the last object in which it was null
	exact uint64 // stamp of the last object in which a key of exactly its name had it
}

func newField(c *column.Column) *field {
	f := &field{col: c}
	switch c.Shape {
	case column.Struct:
		fields := make([]*field, len(c.Fields))
		for i, inner := range c.Fields {
			fields[i] = newField(inner)
		}
		f.object = newObject(fields)
	case column.List, column.Map:
		for _, inner := range c.Fields {
			f.inner = append(f.inner, newField(inner))
		}
	}
	return f
}

// maxKeys bounds the number of distinct keys an object remembers.
const maxKeys = 4096

// object finds the fields of a JSON object. It learns the order of the keys: after each key it expects the one that followed last
// time, and compares bytes only.
type object struct {
	fields []*field
	exact  map[string]*field
	folded map[string]*field // by lower case; the first of several
	keys   map[string]*key   // by the bytes they are written with
	start  key               // its next is the first key expected
	spare  key               // for keys beyond maxKeys
}

// key is a key as it stands in records.
type key struct {
	quoted []byte // with its quotes
	field  *field // nil: no column
	exact  bool   // it is the field's name to the letter
	next   *key   // the one that followed it last time
}

const opName = "_op"

func newObject(fields []*field) *object {
	o := &object{fields: fields, exact: map[string]*field{}, folded: map[string]*field{}, keys: map[string]*key{}}
	for _, f := range fields {
		name := opName
		if !f.op {
			name = f.col.Name
		}
		if o.exact[name] == nil {
			o.exact[name] = f
		}
		if lower := strings.ToLower(name); o.folded[lower] == nil && !f.op {
			o.folded[lower] = f
		}
	}
	return o
}

// learn returns the key written as quoted, whose name is name.
func (o *object) learn(quoted []byte, name string) *key {
	k := &o.spare
	if len(o.keys) < maxKeys {
		k = &key{quoted: append([]byte(nil), quoted...)}
		o.keys[string(k.quoted)] = k
	}
	k.field = o.exact[name]
	k.exact = k.field != nil
	if k.field == nil {
		k.field = o.folded[strings.ToLower(name)]
	}
	return k
}

// newRecord returns the object of a table's records: the wanted columns and, with op, the kind of the row.
func newRecord(cols []*column.Column, op bool) *object {
	fields := make([]*field, len(cols))
	for i, c := range cols {
		fields[i] = newField(c)
	}
	if op {
		fields = append(fields, &field{op: true})
	}
	return newObject(fields)
}

// supported reports whether JSON can hold the type.
func supported(t arrow.DataType) bool {
	_, ok := column.New(arrow.Field{Type: t}, nil)
	return ok
}
