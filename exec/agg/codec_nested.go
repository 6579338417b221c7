package agg

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// Marks stand before values that may be NULL and before the elements of arrays and maps, behind the last of which is markEnd.
const (
	markEnd byte = iota
	markNullFirst
	markValue
	markNullLast
)

// orNull is the codec of values that may be NULL, which is written as the mark.
func orNull(c codec, null byte) codec {
	return codec{
		reader: func(arr arrow.Array) func([]byte, int) []byte {
			read := c.reader(arr)
			return func(dst []byte, row int) []byte {
				if arr.IsNull(row) {
					return append(dst, null)
				}
				return read(append(dst, markValue), row)
			}
		},
		write: func(b array.Builder, src []byte) []byte {
			if src[0] == null {
				b.AppendNull()
				return src[1:]
			}
			return c.write(b, src[1:])
		},
	}
}

// descending is a codec whose bytes compare the other way round.
func descending(c codec) codec {
	return codec{
		reader: func(arr arrow.Array) func([]byte, int) []byte {
			read := c.reader(arr)
			return func(dst []byte, row int) []byte {
				start := len(dst)
				dst = read(dst, row)
				invert(dst[start:], dst[start:])
				return dst
			}
		},
		write: func(b array.Builder, src []byte) []byte {
			inverted := make([]byte, len(src))
			invert(inverted, src)
			return src[len(src)-len(c.write(b, inverted)):]
		},
	}
}

func invert(dst, src []byte) {
	for i, b := range src {
		dst[i] = ^b
	}
}

// listCodec writes the elements, each with a mark, and a mark behind the last.
func listCodec(dt *arrow.ListType) (codec, error) {
	element, err := codecOf(dt.Elem())
	if err != nil {
		return codec{}, err
	}
	element = orNull(element, markNullFirst)
	return codec{
		reader: func(arr arrow.Array) func([]byte, int) []byte {
			lists := arr.(*array.List)
			read := element.reader(lists.ListValues())
			return func(dst []byte, row int) []byte {
				from, to := lists.ValueOffsets(row)
				for i := from; i < to; i++ {
					dst = read(dst, int(i))
				}
				return append(dst, markEnd)
			}
		},
		write: func(b array.Builder, src []byte) []byte {
			lists := b.(*array.ListBuilder)
			lists.Append(true)
			for src[0] != markEnd {
				src = element.write(lists.ValueBuilder(), src)
			}
			return src[1:]
		},
	}, nil
}

// structCodec writes one field after the other.
func structCodec(dt *arrow.StructType) (codec, error) {
	fields := make([]codec, dt.NumFields())
	for i, f := range dt.Fields() {
		c, err := codecOf(f.Type)
		if err != nil {
			return codec{}, err
		}
		fields[i] = orNull(c, markNullFirst)
	}
	return codec{
		reader: func(arr arrow.Array) func([]byte, int) []byte {
			read := make([]func([]byte, int) []byte, len(fields))
			for i, f := range fields {
				read[i] = f.reader(arr.(*array.Struct).Field(i))
			}
			return func(dst []byte, row int) []byte {
				for _, r := range read {
					dst = r(dst, row)
				}
				return dst
			}
		},
		write: func(b array.Builder, src []byte) []byte {
			rows := b.(*array.StructBuilder)
			rows.Append(true)
			for i, f := range fields {
				src = f.write(rows.FieldBuilder(i), src)
			}
			return src
		},
	}, nil
}

// mapCodec writes the entries in their order, each with a mark, and a mark behind the last.
func mapCodec(dt *arrow.MapType) (codec, error) {
	key, err := codecOf(dt.KeyType())
	if err != nil {
		return codec{}, err
	}
	item, err := codecOf(dt.ItemType())
	if err != nil {
		return codec{}, err
	}
	item = orNull(item, markNullFirst)
	return codec{
		reader: func(arr arrow.Array) func([]byte, int) []byte {
			maps := arr.(*array.Map)
			readKey, readItem := key.reader(maps.Keys()), item.reader(maps.Items())
			return func(dst []byte, row int) []byte {
				from, to := maps.ValueOffsets(row)
				for i := int(from); i < int(to); i++ {
					dst = readItem(readKey(append(dst, markValue), i), i)
				}
				return append(dst, markEnd)
			}
		},
		write: func(b array.Builder, src []byte) []byte {
			maps := b.(*array.MapBuilder)
			maps.Append(true)
			for src[0] != markEnd {
				src = item.write(maps.ItemBuilder(), key.write(maps.KeyBuilder(), src[1:]))
			}
			return src[1:]
		},
	}, nil
}
