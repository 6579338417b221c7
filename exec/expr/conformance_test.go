package expr

import (
	"slices"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"

	"streamsql/exec/vec"
	"streamsql/exec/vec/vectest"
	"streamsql/internal/dirty"
	"streamsql/internal/text"
)

// argumentTypes are the types the conformance suite gives to functions that accept them.
var argumentTypes = []arrow.DataType{
	Boolean, TinyInt, SmallInt, Int, BigInt, Float, Double, String, Bytes, Date, Time, DayTime, YearMonth,
	Timestamp(0), Timestamp(3), Timestamp(6), TimestampLTZ(3), TimestampLTZ(6),
	Decimal(5, 2), Decimal(20, 4), Decimal(38, 10), arrow.ListOf(BigInt), arrow.ListOf(String), arrow.MapOf(String, Double), rowType,
	arrow.ListOf(rowType), arrow.ListOf(arrow.ListOf(BigInt)), arrow.ListOf(SmallInt), periodType,
}

var (
	rowType    = arrow.StructOf(arrow.Field{Name: "f0", Type: Int, Nullable: true}, arrow.Field{Name: "f1", Type: arrow.ListOf(Boolean), Nullable: true})
	periodType = arrow.StructOf(arrow.Field{Name: "f0", Type: Timestamp(3), Nullable: true}, arrow.Field{Name: "f1", Type: DayTime, Nullable: true})
)

// words are the symbols and literal texts given to parameters that want particular ones.
var words = append(slices.Clone(truncUnits), "BOTH", "LEADING", "TRAILING", "EPOCH", "DOW", "NANOSECOND", "f0", "f1", "NFC", "NFKD",
	"NULL", "ERROR", "DEFAULT", "TRUE", "UNKNOWN", "EMPTY ARRAY", "WITHOUT ARRAY WRAPPER", "WITH CONDITIONAL ARRAY WRAPPER", "NULL ON NULL", "ABSENT ON NULL")

// subject is one call under test: its arguments are columns, or literals where the overload insists.
type subject struct {
	fn       *Function
	overload *Overload
	args     []Expr
	columns  []*Column
	settings Settings
}

// TestConformance checks, for every overload of every function over random columns, what holds for all of them.
func TestConformance(t *testing.T) {
	for _, f := range functions {
		if f.Stateful {
			continue
		}
		for i := range f.Overloads {
			t.Run(f.Name, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) { conform(t, f, &f.Overloads[i]) })
			})
		}
	}
}

func conform(t *rapid.T, f *Function, o *Overload) {
	mem := memory.NewCheckedAllocator(new(dirty.Allocator))
	s, call := drawCall(t, f, o)
	n := rapid.SampledFrom([]int{0, 1, 2, 63, 64, 65, 130, 300}).Draw(t, "rows")
	cols := make([]arrow.Array, len(s.columns))
	for i, c := range s.columns {
		cols[i] = vectest.Array(t, mem, c.T, n)
	}
	batch := vec.NewBatch(n, cols)
	whole := evaluateTexts(t, mem, call, s.settings, batch)

	if !f.Volatile {
		s.checkRows(t, mem, call, batch, whole)
		s.checkSelection(t, mem, call, batch, whole)
		s.checkConstants(t, mem, batch, whole)
	}
	s.checkNulls(t, call, batch, whole)
	batch.Release()
	if mem.CurrentAlloc() != 0 {
		t.Fatalf("%s: %d bytes left", call, mem.CurrentAlloc())
	}
}

// drawCall draws arguments until their types go together.
func drawCall(t *rapid.T, f *Function, o *Overload) (*subject, Expr) {
	var err error
	for range 100 {
		s := drawSubject(t, f, o)
		var call Expr
		if call, err = NewCall(f.Name, s.args, s.settings); err == nil {
			return s, call
		}
	}
	t.Skip(err.Error())
	return nil, nil
}

func drawSubject(t *rapid.T, f *Function, o *Overload) *subject {
	zone := rapid.SampledFrom([]string{"UTC", "America/New_York", "Asia/Kolkata"}).Draw(t, "zone")
	loc, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	s := &subject{fn: f, overload: o, settings: Settings{TimeZone: loc, EvalErrors: Null, Clock: func() time.Time { return time.Unix(1700000000, 0) }}}
	count := len(o.Params) - rapid.IntRange(0, o.Optional).Draw(t, "left out")
	if o.Variadic {
		count += rapid.IntRange(0, 2).Draw(t, "more")
	}
	common := arrow.DataType(nil)
	for i := range count {
		p := o.param(i)
		if l := demanded(t, p); l != nil || o.Listed && i > 0 {
			if l == nil {
				l = NewLiteral(common, literalOf(t, common))
			}
			s.args = append(s.args, l)
			continue
		}
		types := slices.DeleteFunc(slices.Clone(argumentTypes), func(t arrow.DataType) bool { return !p.accepts(&Column{T: t}) })
		typ := rapid.SampledFrom(types).Draw(t, "type")
		if common != nil && slices.ContainsFunc(types, func(t arrow.DataType) bool { return arrow.TypeEqual(t, common) }) && rapid.IntRange(0, 3).Draw(t, "same") > 0 {
			typ = common
		}
		common = typ
		c := &Column{Index: len(s.columns), Name: string(rune('a' + i)), T: typ, Null: true}
		s.columns, s.args = append(s.columns, c), append(s.args, c)
	}
	return s
}

// demanded is a literal for a parameter that only takes some.
func demanded(t *rapid.T, p *Param) *Literal {
	if p.Only == nil && !p.Symbol {
		return nil
	}
	var fit []*Literal
	for _, w := range words {
		fit = append(fit, NewSymbol(w), NewString(w))
	}
	fit = append(fit, NewDayTime(3*day), NewDayTime(-day), NewNull(String), NewNull(Int), NewNull(arrow.ListOf(Int)))
	fit = slices.DeleteFunc(fit, func(l *Literal) bool { return !p.accepts(l) })
	return rapid.SampledFrom(fit).Draw(t, "word")
}

func literalOf(t *rapid.T, typ arrow.DataType) any {
	for {
		arr := vectest.Array(t, memory.DefaultAllocator, typ, 1)
		if l, _ := literalAt(arr, 0); l.V != nil {
			return l.V
		}
	}
}

func evaluateTexts(t *rapid.T, mem memory.Allocator, e Expr, s Settings, b vec.Batch) []string {
	p, err := Compile(mem, []Expr{e}, s)
	if err != nil {
		t.Fatalf("%s: %v", e, err)
	}
	var rows []string
	for range 2 { // the second time over used buffers
		p.Resume(0)
		out, err := p.Eval(b)
		if err != nil {
			t.Fatalf("%s: %v", e, err)
		}
		if !arrow.TypeEqual(out[0].DataType(), e.Type()) || out[0].Len() != b.Len() {
			t.Fatalf("%s gives %d rows of %s, not %d of %s", e, out[0].Len(), out[0].DataType(), b.Len(), e.Type())
		}
		again := texts(out[0])
		if rows != nil && !slices.Equal(rows, again) {
			t.Fatalf("%s gives %q, then %q", e, rows, again)
		}
		rows = again
		out[0].Release()
	}
	return rows
}

// checkRows: each row has the same value when it is alone.
func (s *subject) checkRows(t *rapid.T, mem memory.Allocator, e Expr, b vec.Batch, whole []string) {
	if b.Rows == 0 {
		return
	}
	for range 5 {
		row := rapid.IntRange(0, b.Rows-1).Draw(t, "row")
		one := vec.Batch{Rows: 1}
		for _, c := range b.Cols {
			one.Cols = append(one.Cols, array.NewSlice(c, int64(row), int64(row+1)))
		}
		if got := evaluateTexts(t, mem, e, s.settings, one); got[0] != whole[row] {
			t.Fatalf("%s: row %d is %s among others and %s alone", e, row, whole[row], got[0])
		}
		one.Release()
	}
}

// checkSelection: a selection gives the selected rows.
func (s *subject) checkSelection(t *rapid.T, mem memory.Allocator, e Expr, b vec.Batch, whole []string) {
	sel := []uint32{}
	want := []string{}
	for row, text := range whole {
		if rapid.Bool().Draw(t, "selected") {
			sel = append(sel, uint32(row))
			want = append(want, text)
		}
	}
	if got := evaluateTexts(t, mem, e, s.settings, b.Select(sel)); !slices.Equal(got, want) {
		t.Fatalf("%s: rows %v are %q, not %q", e, sel, got, want)
	}
}

// checkConstants: a literal gives what a column full of its value gives.
func (s *subject) checkConstants(t *rapid.T, mem memory.Allocator, b vec.Batch, whole []string) {
	if b.Rows == 0 || len(s.columns) == 0 || s.overload.Listed || s.fn.Name == "TYPEOF" { // which tells literals from columns
		return
	}
	row := rapid.IntRange(0, b.Rows-1).Draw(t, "constant row")
	args := slices.Clone(s.args)
	for i, a := range args {
		c, ok := a.(*Column)
		if !ok || rapid.Bool().Draw(t, "keep") {
			continue
		}
		l, ok := literalAt(b.Cols[c.Index], row)
		if ok && !(s.overload.Compares && l.T.ID() == arrow.STRING) {
			l.T = c.T
			args[i] = l
		}
	}
	e, err := NewCall(s.fn.Name, args, s.settings)
	if err != nil && s.overload.Check != nil {
		return // a value is wrong that a column may have
	}
	if err != nil {
		t.Fatalf("%s with constants: %v", s.fn.Name, err)
	}
	if original, _ := NewCall(s.fn.Name, s.args, s.settings); !arrow.TypeEqual(e.Type(), original.Type()) {
		return // the type depends on the value, as of ROUND
	}
	if got := evaluateTexts(t, mem, e, s.settings, b)[row]; got != whole[row] {
		t.Fatalf("%s: row %d is %s, with columns %s", e, row, got, whole[row])
	}
}

// checkNulls: the result is NULL where a NULL argument makes it so, and only where the expression may be NULL.
func (s *subject) checkNulls(t *rapid.T, e Expr, b vec.Batch, whole []string) {
	call, ok := e.(*Call)
	if !ok {
		return
	}
	for row, got := range whole {
		anyNull, strictNull := false, false
		for i, c := range b.Cols {
			anyNull = anyNull || c.IsNull(row)
			strictNull = strictNull || c.IsNull(row) && s.isStrict(i)
		}
		switch {
		case strictNull && got != "NULL":
			t.Fatalf("%s of NULL is %s", e, got)
		case got == "NULL" && e.Type().ID() != arrow.STRING && !e.Nullable():
			t.Fatalf("%s cannot be NULL and is in row %d", e, row)
		case got == "NULL" && !anyNull && call.overload.Nulls == Propagate && !CanFail(e) && e.Type().ID() != arrow.STRING:
			t.Fatalf("%s is NULL in row %d, of %v", e, row, rowText(b, row))
		}
	}
}

// isStrict reports whether a NULL in the column makes the result NULL.
func (s *subject) isStrict(column int) bool {
	return slices.ContainsFunc(s.args[:s.overload.strict(len(s.args))], func(a Expr) bool {
		c, ok := a.(*Column)
		return ok && c.Index == column
	})
}

func rowText(b vec.Batch, row int) []string {
	var values []string
	for _, c := range b.Cols {
		values = append(values, string(text.SQL(nil).Append(nil, c, row)))
	}
	return values
}
