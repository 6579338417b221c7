package convert

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
	"streamsql/internal/dirty"
	"streamsql/internal/text"
)

// check makes sure that all allocations are given back.
func check(t *testing.T) memory.Allocator {
	mem := memory.NewCheckedAllocator(new(dirty.Allocator))
	t.Cleanup(func() { mem.AssertSize(t, 0) })
	return mem
}

var (
	ms    arrow.DataType = &arrow.TimestampType{Unit: arrow.Millisecond}
	msLTZ arrow.DataType = &arrow.TimestampType{Unit: arrow.Millisecond, TimeZone: "UTC"}
	ns    arrow.DataType = &arrow.TimestampType{Unit: arrow.Nanosecond}
	sec   arrow.DataType = &arrow.TimestampType{Unit: arrow.Second}
	us    arrow.DataType = &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "Europe/Rome"}
	dec   arrow.DataType = &arrow.Decimal128Type{Precision: 5, Scale: 2}
	dec4  arrow.DataType = &arrow.Decimal128Type{Precision: 10, Scale: 4}
	wide  arrow.DataType = &arrow.Decimal256Type{Precision: 38, Scale: 1}
	pairs                = arrow.StructOf(arrow.Field{Name: "A", Type: arrow.PrimitiveTypes.Int16, Nullable: true}, arrow.Field{Name: "b", Type: arrow.BinaryTypes.LargeString, Nullable: true})
	rows                 = arrow.StructOf(arrow.Field{Name: "b", Type: arrow.BinaryTypes.String, Nullable: true}, arrow.Field{Name: "c", Type: ms, Nullable: true}, arrow.Field{Name: "a", Type: arrow.PrimitiveTypes.Int8, Nullable: true})
	index                = &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}
)

// conversions: values of the file as JSON, what the table shows of them, and the faults as row: reason.
var conversions = []struct {
	from, to arrow.DataType
	in, out  string
	faults   string
	zone     string
}{
	{arrow.FixedWidthTypes.Boolean, arrow.FixedWidthTypes.Boolean, `[true, null, false]`, "TRUE|NULL|FALSE", "", ""},
	{arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Int8, `[1, -128, 127, null, 128]`, "1|-128|127|NULL|?", "4: the value 128 is out of range of TINYINT", ""},
	{arrow.PrimitiveTypes.Uint64, arrow.PrimitiveTypes.Int64, `[1, 9007199254740992, 9223372036854775808]`, "1|9007199254740992|?", "2: the value 9223372036854775808 is out of range of BIGINT", ""},
	{arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int32, `[-1, null]`, "-1|NULL", "", ""},
	{arrow.PrimitiveTypes.Uint32, arrow.PrimitiveTypes.Int32, `[4294967295]`, "?", "0: the value 4294967295 is out of range of INT", ""},
	{arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Float64, `[3, null]`, "3.0|NULL", "", ""},
	{arrow.PrimitiveTypes.Float64, arrow.PrimitiveTypes.Float32, `[1.5, 1e300]`, "1.5|?", "1: the value 1e+300 is out of range of FLOAT", ""},
	{arrow.FixedWidthTypes.Float16, arrow.PrimitiveTypes.Float64, `[1.5, null]`, "1.5|NULL", "", ""},
	{dec, arrow.PrimitiveTypes.Float64, `["1.25", null]`, "1.25|NULL", "", ""},
	{arrow.PrimitiveTypes.Int32, dec, `[999, null, 1000]`, "999.00|NULL|?", "2: the value 1000 does not fit DECIMAL(5, 2)", ""},
	{dec4, dec, `["1.2345", "1.2350", "-0.0050", "1000.0000"]`, "1.23|1.24|-0.01|?", "3: the value 1000.0000 does not fit DECIMAL(5, 2)", ""},
	{dec, dec4, `["1.25"]`, "1.2500", "", ""},
	{wide, dec, `["1.5", null]`, "1.50|NULL", "", ""},
	{arrow.BinaryTypes.LargeString, arrow.BinaryTypes.String, `["a", null, "", "Zoë"]`, "a|NULL||Zoë", "", ""},
	{arrow.BinaryTypes.Binary, arrow.BinaryTypes.String, `["YQ==", "/w==", null]`, "a|?|NULL", "1: the text is not valid UTF-8", ""},
	{&arrow.FixedSizeBinaryType{ByteWidth: 2}, arrow.BinaryTypes.String, `["YWI=", null]`, "ab|NULL", "", ""},
	{arrow.BinaryTypes.String, arrow.BinaryTypes.Binary, `["a"]`, "x'61'", "", ""},
	{arrow.FixedWidthTypes.Date64, arrow.PrimitiveTypes.Date32, `["2024-03-01", null]`, "2024-03-01|NULL", "", ""},
	{arrow.FixedWidthTypes.Time64us, arrow.FixedWidthTypes.Time32ms, `["10:00:00.123456", null]`, "10:00:00.123|NULL", "", ""},
	{ns, ms, `["2024-03-01 10:00:00.123456789", "1969-12-31 23:59:59.999999999"]`, "2024-03-01 10:00:00.123|1969-12-31 23:59:59.999", "", ""},
	{sec, ns, `["2024-03-01 10:00:00", "9999-01-01"]`, "2024-03-01 10:00:00.000000000|?", "1: the timestamp is out of range of TIMESTAMP(9)", ""},
	{us, ms, `["2024-03-01 10:00:00"]`, "2024-03-01 10:00:00.000", "", "Europe/Rome"},
	{ms, msLTZ, `["2024-03-01 10:00:00", null]`, "2024-03-01 09:00:00.000|NULL", "", "Europe/Rome"},
	{ms, msLTZ, `["2024-03-01 10:00:00"]`, "2024-03-01 10:00:00.000", "", ""},
	{arrow.ListOf(arrow.PrimitiveTypes.Int64), arrow.ListOf(arrow.PrimitiveTypes.Int8), `[[1, null], null, [], [2, 300]]`, "[1, NULL]|NULL|[]|?", "3: the value 300 is out of range of TINYINT", ""},
	{arrow.FixedSizeListOf(2, arrow.BinaryTypes.String), arrow.ListOf(arrow.BinaryTypes.String), `[["a", "b"], null]`, "[a, b]|NULL", "", ""},
	{arrow.MapOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int16), arrow.MapOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64), `[[{"key": "a", "value": 1}], null]`, "{a=1}|NULL", "", ""},
	{pairs, rows, `[{"A": 1, "b": "x"}, null, {"A": 300, "b": null}]`, "(x, NULL, 1)|NULL|?", "2: in a: the value 300 is out of range of TINYINT", ""},
	{arrow.Null, arrow.PrimitiveTypes.Int64, `[null, null]`, "NULL|NULL", "", ""},
	{index, arrow.BinaryTypes.String, `["a", null, "b", "a"]`, "a|NULL|b|a", "", ""},
}

func TestConversions(t *testing.T) {
	for _, c := range conversions {
		t.Run(fmt.Sprintf("%s to %s", c.from, c.to), func(t *testing.T) {
			mem := check(t)
			zone, err := time.LoadLocation(c.zone)
			if err != nil {
				t.Fatal(err)
			}
			column, ok := New(c.from, c.to, zone)
			if !ok {
				t.Fatal("there is no conversion")
			}
			if own, ok := Type(c.from); !ok {
				t.Error("no table can have the type")
			} else if _, ok := New(c.from, own, zone); !ok {
				t.Errorf("the file's own type, %s, cannot be read", own)
			}
			in, _, err := array.FromJSON(memory.DefaultAllocator, c.from, strings.NewReader(c.in))
			if err != nil {
				t.Fatal(err)
			}
			whole, faults := show(t, mem, column, in, c.to)
			if whole != c.out || faults != c.faults {
				t.Errorf("got %s with %q, want %s with %q", whole, faults, c.out, c.faults)
			}
			for from := range in.Len() {
				rest := vec.Slice(in, from, in.Len())
				got, _ := show(t, mem, column, rest, c.to)
				if want := strings.Join(strings.Split(whole, "|")[from:], "|"); got != want {
					t.Errorf("from row %d on there is %s", from, got)
				}
				rest.Release()
			}
			empty := vec.Slice(in, 0, 0)
			defer empty.Release()
			show(t, mem, column, empty, c.to)
		})
	}
}

// show is the values that a table shows, with a mark for faults.
func show(t *testing.T, mem memory.Allocator, c *Column, in arrow.Array, to arrow.DataType) (values, faults string) {
	t.Helper()
	out, bad := c.Convert(mem, in)
	defer out.Release()
	if !arrow.TypeEqual(out.DataType(), to) || out.Len() != in.Len() {
		t.Fatalf("%d rows of type %s", out.Len(), out.DataType())
	}
	isBad := map[int]bool{}
	var reasons []string
	for _, f := range bad {
		isBad[f.Row] = true
		reasons = append(reasons, fmt.Sprintf("%d: %s", f.Row, f.Reason))
	}
	style := text.SQL(nil)
	var shown []string
	for i := range out.Len() {
		if isBad[i] {
			shown = append(shown, "?")
		} else {
			shown = append(shown, string(style.Append(nil, out, i)))
		}
	}
	return strings.Join(shown, "|"), strings.Join(reasons, "\n")
}

func TestRefused(t *testing.T) {
	for _, c := range [][2]arrow.DataType{
		{arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int32},
		{arrow.PrimitiveTypes.Int32, arrow.BinaryTypes.String},
		{arrow.PrimitiveTypes.Float64, arrow.PrimitiveTypes.Int64},
		{arrow.PrimitiveTypes.Float64, dec},
		{arrow.PrimitiveTypes.Date32, ms},
		{ms, arrow.PrimitiveTypes.Date32},
		{arrow.PrimitiveTypes.Int64, ms},
		{arrow.FixedWidthTypes.Boolean, arrow.PrimitiveTypes.Int8},
		{arrow.ListOf(arrow.BinaryTypes.String), arrow.ListOf(arrow.PrimitiveTypes.Int8)},
		{arrow.ListOf(arrow.BinaryTypes.String), arrow.BinaryTypes.String},
		{pairs, arrow.StructOf(arrow.Field{Name: "a", Type: ms})},
		{arrow.FixedWidthTypes.Duration_ms, arrow.PrimitiveTypes.Int64},
	} {
		if _, ok := New(c[0], c[1], nil); ok {
			t.Errorf("%s is read as %s", c[0], c[1])
		}
	}
	for _, from := range []arrow.DataType{arrow.FixedWidthTypes.Duration_ms, arrow.FixedWidthTypes.MonthInterval, &arrow.Decimal256Type{Precision: 60}, arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, arrow.BinaryTypes.String)} {
		if own, ok := Type(from); ok {
			t.Errorf("a table would hold %s as %s", from, own)
		}
	}
}

// TestLimits compares which values fit with what their conversion gives.
func TestLimits(t *testing.T) {
	for _, by := range [][2]int64{{1, 1}, {3, 1}, {1, 3}, {10, 1}, {1, 10}} {
		mul, div := by[0], by[1]
		for low := int64(-12); low < 12; low++ {
			for high := low; high < 12; high++ {
				least, greatest := ceil(low, mul, div), floor(high, mul, div)
				for v := int64(-150); v < 150; v++ {
					result := floorDiv(v*mul, div)
					if fits := low <= result && result <= high; fits != (least <= v && v <= greatest) {
						t.Fatalf("%d·%d/%d = %d in [%d, %d]: %t", v, mul, div, result, low, high, fits)
					}
				}
			}
		}
	}
	if ceil(math.MinInt64, 1000, 1) != math.MinInt64/1000 || floor(math.MaxInt64-1, 1000, 1) != math.MaxInt64/1000 || floor(math.MaxInt64-1, 1, 10) < math.MaxInt64/10 {
		t.Error("the limits of 64 bits are not kept")
	}
}
