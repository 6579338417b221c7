package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
)

// dataset is a table in memory, the same in each run of the program. Its columns are BIGINT or STRING.
type dataset struct {
	names   []string
	types   []arrow.DataType
	batches []vec.Batch
	// loop is the batch that reading goes on with after the last one, for tables that are read more than once.
	loop int
}

// columns lists the columns with their SQL types, for CREATE TABLE.
func (d *dataset) columns(text string) string {
	list := make([]string, len(d.names))
	for i, t := range d.types {
		list[i] = d.names[i] + " BIGINT"
		if t.ID() == arrow.STRING {
			list[i] = d.names[i] + " " + text
		}
	}
	return strings.Join(list, ", ")
}

// rows is the number of rows.
func (d *dataset) rows() (n int) {
	for _, b := range d.batches {
		n += b.Rows
	}
	return n
}

// add appends rows made by row, which sets the values of one.
func (d *dataset) add(rows int, row func(values []int64)) {
	values := make([]int64, len(d.names))
	for done := 0; done < rows; done += vec.DefaultRows {
		n := min(vec.DefaultRows, rows-done)
		builders := make([]array.Builder, len(d.types))
		for i, t := range d.types {
			builders[i] = array.NewBuilder(memory.DefaultAllocator, t)
			builders[i].Reserve(n)
		}
		for range n {
			row(values)
			for i, b := range builders {
				switch b := b.(type) {
				case *array.Int64Builder:
					b.Append(values[i])
				case *array.StringBuilder:
					b.Append(fmt.Sprintf("key-%d", values[i]))
				}
			}
		}
		b := vec.Batch{Rows: n}
		for _, builder := range builders {
			b.Cols = append(b.Cols, builder.NewArray())
		}
		d.batches = append(d.batches, b)
	}
}

// keyed is a dataset of keys k at random, from 0 on and so far apart, with values v from 0 to 999.
func keyed(keyType arrow.DataType, rows, keys int, apart int64) *dataset {
	d := &dataset{names: []string{"k", "v"}, types: []arrow.DataType{keyType, arrow.PrimitiveTypes.Int64}}
	r := random()
	d.add(rows, func(row []int64) { row[0], row[1] = apart*r.Int64N(int64(keys)), r.Int64N(1000) })
	return d
}

// hot is a dataset that has each of the keys once and from then on, read in a loop, just the first of them.
func hot(rows, keys, first int) *dataset {
	d := &dataset{names: []string{"k", "v"}, types: []arrow.DataType{arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Int64}}
	r := random()
	next := int64(0)
	d.add(keys, func(row []int64) { row[0], row[1] = next, r.Int64N(1000); next++ })
	d.loop = len(d.batches)
	d.add(rows, func(row []int64) { row[0], row[1] = r.Int64N(int64(first)), r.Int64N(1000) })
	return d
}

func random() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }
