package agg

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// resolveExtreme resolves MIN and MAX.
func resolveExtreme(name string, greatest bool, args []arrow.DataType, opt Options) (Call, error) {
	if err := oneArg(name, args); err != nil {
		return Call{}, err
	}
	dt := args[0]
	call := Call{Args: args, Result: dt, Nullable: true, StateTypes: args, Mergeable: true}
	switch dt.ID() {
	case arrow.BOOL:
		call.New = newExtremes(dt, greatest, opt, booleanDomain(dt), func(s seeking) Accumulator {
			return selfMerging{&booleanExtremes{extremes: extremes[uint8]{s}}}
		})
	case arrow.INT8:
		call.New = newOrdered[int8](dt, greatest, opt)
	case arrow.INT16:
		call.New = newOrdered[int16](dt, greatest, opt)
	case arrow.INT32, arrow.DATE32, arrow.TIME32:
		call.New = newOrdered[int32](dt, greatest, opt)
	case arrow.INT64, arrow.TIMESTAMP, arrow.DATE64, arrow.TIME64, arrow.DURATION:
		call.New = newOrdered[int64](dt, greatest, opt)
	case arrow.UINT8:
		call.New = newOrdered[uint8](dt, greatest, opt)
	case arrow.UINT16:
		call.New = newOrdered[uint16](dt, greatest, opt)
	case arrow.UINT32:
		call.New = newOrdered[uint32](dt, greatest, opt)
	case arrow.UINT64:
		call.New = newOrdered[uint64](dt, greatest, opt)
	case arrow.FLOAT32:
		call.New = newOrdered[float32](dt, greatest, opt)
	case arrow.FLOAT64:
		call.New = newOrdered[float64](dt, greatest, opt)
	case arrow.DECIMAL128:
		call.New = newExtremes(dt, greatest, opt, decimalDomain(dt), func(s seeking) Accumulator {
			return selfMerging{&decimalExtremes{s}}
		})
	case arrow.STRING, arrow.BINARY:
		if opt.Retract {
			return resolveTextExtremes(name, greatest, args, opt)
		}
		call.New = func(mem memory.Allocator) Accumulator {
			return selfMerging{&textExtremes{seeking: seeking{dt: dt, greatest: greatest, mem: mem}}}
		}
	default:
		return Call{}, wrongType(name, "a value that has an order", args)
	}
	if opt.Retract {
		call.StateTypes = []arrow.DataType{arrow.ListOf(dt), arrow.ListOf(bigint)}
	}
	return call, nil
}

// resolveTextExtremes resolves MIN and MAX of texts that may be retracted.
func resolveTextExtremes(name string, greatest bool, args []arrow.DataType, opt Options) (Call, error) {
	kept, err := newRecord(args, []int{0}, false)
	if err != nil {
		return Call{}, err
	}
	f := bagFunction{keeping: keep(name, kept, 0), result: args[0]}
	f.append = func(a *bagged, b array.Builder, set *bag, _ parameter) error {
		v, _ := set.least()
		if greatest {
			v, _ = set.greatest()
		}
		a.record.codecs[0].write(b, a.get(v, nil))
		return nil
	}
	return f.call(args, opt), nil
}

func newOrdered[T ordered](dt arrow.DataType, greatest bool, opt Options) func(memory.Allocator) Accumulator {
	return newExtremes(dt, greatest, opt, orderedDomain[T](dt), func(s seeking) Accumulator {
		e := &extremes[T]{s}
		return selfFolding{selfMerging{e}, e}
	})
}

// newExtremes chooses between the accumulator that keeps all values of the domain and plain, which keeps one.
func newExtremes[T any](dt arrow.DataType, greatest bool, opt Options, d domain[T], plain func(seeking) Accumulator) func(memory.Allocator) Accumulator {
	return func(mem memory.Allocator) Accumulator {
		if opt.Retract {
			return &retractedExtremes[T]{domain: d, greatest: greatest, mem: mem}
		}
		return plain(seeking{dt: dt, greatest: greatest, mem: mem})
	}
}
