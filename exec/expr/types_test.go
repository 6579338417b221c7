package expr

import (
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
)

func TestTypeOf(t *testing.T) {
	tests := []struct {
		name string
		args []int
		want string // or ! and the error
	}{
		{"INT", nil, "INT"},
		{"INTEGER", nil, "INT"},
		{"DECIMAL", nil, "DECIMAL(10, 0)"},
		{"DECIMAL", []int{5}, "DECIMAL(5, 0)"},
		{"NUMERIC", []int{38, 38}, "DECIMAL(38, 38)"},
		{"TIMESTAMP", nil, "TIMESTAMP(6)"},
		{"TIMESTAMP", []int{3}, "TIMESTAMP(3)"},
		{"TIMESTAMP_LTZ", []int{0}, "TIMESTAMP_LTZ(0)"},
		{"TIMESTAMP", []int{7}, "TIMESTAMP(9)"},
		{"VARCHAR", []int{20}, "STRING"},
		{"INTERVAL", nil, "INTERVAL DAY TO SECOND"},
		{"INTERVAL YEAR TO MONTH", nil, "INTERVAL YEAR TO MONTH"},
		{"TIME", []int{3}, "TIME"},
		{"DECIMAL", []int{39}, "!the precision of a DECIMAL is 1 to 38, got 39"},
		{"DECIMAL", []int{3, 4}, "!the scale of a DECIMAL(3, …) is 0 to 3, got 4"},
		{"TIMESTAMP", []int{10}, "!the precision of a timestamp is 0 to 9, got 10"},
		{"INT", []int{4}, "!INT takes no numbers in brackets"},
		{"VARCHAR", []int{0}, "!the length of a STRING is at least 1, got 0"},
		{"DECIMAL", []int{1, 2, 3}, "!DECIMAL takes at most 2 numbers in brackets, got 3"},
	}
	for _, test := range tests {
		typ, err := TypeOf(test.name, test.args)
		got := ""
		if err != nil {
			got = "!" + err.Error()
		} else {
			got = TypeName(typ)
		}
		if got != test.want {
			t.Errorf("%s%v is %s, want %s", test.name, test.args, got, test.want)
		}
	}
}

func TestCommonType(t *testing.T) {
	tests := []struct {
		a, b arrow.DataType
		want string
	}{
		{TinyInt, Int, "INT"},
		{BigInt, SmallInt, "BIGINT"},
		{Int, Float, "FLOAT"},
		{Int, Double, "DOUBLE"},
		{Float, Double, "DOUBLE"},
		{Decimal(5, 2), Float, "DOUBLE"},
		{Decimal(5, 2), Int, "DECIMAL(12, 2)"},
		{Decimal(5, 2), Decimal(5, 4), "DECIMAL(7, 4)"},
		{Decimal(38, 0), Decimal(38, 38), "DECIMAL(38, 6)"},
		{Unknown, String, "STRING"},
		{Date, Timestamp(3), "TIMESTAMP(3)"},
		{Timestamp(0), Timestamp(6), "TIMESTAMP(6)"},
		{Timestamp(6), TimestampLTZ(3), "TIMESTAMP_LTZ(6)"},
		{Date, TimestampLTZ(3), "TIMESTAMP_LTZ(3)"},
		{Int, String, ""},
		{Boolean, Int, ""},
		{Date, Time, ""},
		{DayTime, YearMonth, ""},
		{String, Bytes, ""},
		{Date, Int, ""},
	}
	for _, test := range tests {
		for _, pair := range [][2]arrow.DataType{{test.a, test.b}, {test.b, test.a}} {
			got := ""
			if typ, ok := CommonType(pair[0], pair[1]); ok {
				got = TypeName(typ)
			}
			if got != test.want {
				t.Errorf("%s and %s have %q in common, want %q", TypeName(pair[0]), TypeName(pair[1]), got, test.want)
			}
		}
	}
}

func TestCoerce(t *testing.T) {
	column := func(typ arrow.DataType) Expr { return &Column{0, "c", typ, true} }
	tests := []struct {
		e    Expr
		to   arrow.DataType
		want string // or ! and the error
	}{
		{column(Int), BigInt, "CAST(c AS BIGINT)"},
		{column(Int), Decimal(12, 2), "CAST(c AS DECIMAL(12, 2))"},
		{column(Int), Decimal(5, 0), "CAST(c AS DECIMAL(5, 0))"},
		{column(Decimal(10, 2)), Decimal(5, 1), "CAST(c AS DECIMAL(5, 1))"},
		{column(Timestamp(6)), Timestamp(3), "CAST(c AS TIMESTAMP(3))"},
		{column(Date), Timestamp(3), "CAST(c AS TIMESTAMP(3))"},
		{column(BigInt), Int, "!BIGINT does not convert to INT by itself; CAST it"},
		{column(String), Int, "!STRING does not convert to INT by itself; CAST it"},
		{column(Double), Decimal(5, 2), "!DOUBLE does not convert to DECIMAL(5, 2) by itself; CAST it"},
		{NewBigInt(7), Int, "7"},
		{NewBigInt(1 << 40), Int, "!1099511627776 is not a value of type INT"},
		{NewInt(300), TinyInt, "!300 is not a value of type TINYINT"},
		{must(NewNumber("1.50")), Double, "1.5e0"},
		{must(NewNumber("1.5")), Int, "!1.5 is not a value of type INT"},
		{must(NewNumber("2.0")), Int, "2"},
		{NewString("2024-02-29"), Date, "DATE '2024-02-29'"},
		{NewString("x"), Date, "!'x' is not a value of type DATE"},
		{NewNull(Unknown), Int, "NULL"},
		{NewString("a"), Bytes, "!STRING does not convert to BYTES by itself; CAST it"},
	}
	for _, test := range tests {
		e, err := Coerce(test.e, test.to, Settings{})
		got := ""
		if err != nil {
			got = "!" + err.Error()
		} else {
			got = e.String()
			if !arrow.TypeEqual(e.Type(), test.to) {
				t.Errorf("%s has type %s", e, TypeName(e.Type()))
			}
		}
		if got != test.want {
			t.Errorf("%s to %s is %s, want %s", test.e, TypeName(test.to), got, test.want)
		}
	}
}

func TestLiterals(t *testing.T) {
	for text, want := range map[string]string{
		"0": "INT", "2147483647": "INT", "2147483648": "BIGINT", "9223372036854775808": "DECIMAL(19, 0)", "1.50": "DECIMAL(3, 2)", "0.5": "DECIMAL(1, 1)",
		".5": "DECIMAL(1, 1)", "00012.0": "DECIMAL(3, 1)", "1e3": "DOUBLE", "123456789012345678901234567890123456789": "!", "1e999": "!", "": "!", "1x": "!",
	} {
		l, err := NewNumber(text)
		got := "!"
		if err == nil {
			got = TypeName(l.T)
		}
		if got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"2024-02-29 12:00:00": "TIMESTAMP(0)", "2024-02-29 12:00:00.5": "TIMESTAMP(3)", "2024-02-29 12:00:00.123456": "TIMESTAMP(6)",
		"2024-02-29 12:00:00.1234567890": "TIMESTAMP(9)", "2024-02-29": "!", "2024-02-30 12:00:00": "!",
	} {
		l, err := NewTimestamp(text)
		got := "!"
		if err == nil {
			got = TypeName(l.T)
		}
		if got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

func TestIntervals(t *testing.T) {
	tests := []struct {
		value, from, to string
		neg             bool
		want            string
	}{
		{"10", "MINUTE", "", false, "INTERVAL '10' MINUTE"},
		{"10", "MINUTE", "", true, "INTERVAL '-10' MINUTE"},
		{"-10", "MINUTE", "", true, "INTERVAL '10' MINUTE"},
		{"90", "SECOND", "", false, "INTERVAL '90' SECOND"},
		{"120", "SECOND", "", false, "INTERVAL '2' MINUTE"},
		{"1.5", "SECOND", "", false, "INTERVAL '1.500' SECOND"},
		{"1", "WEEK", "", false, "INTERVAL '7' DAY"},
		{"2", "QUARTER", "", false, "INTERVAL '6' MONTH"},
		{"5", "MILLISECOND", "", false, "INTERVAL '0.005' SECOND"},
		{"1-2", "YEAR", "MONTH", false, "INTERVAL '14' MONTH"},
		{"2", "YEAR", "", false, "INTERVAL '2' YEAR"},
		{"0", "DAY", "", false, "INTERVAL '0' SECOND"},
		{"1 02:03:04.5", "DAY", "SECOND", false, "INTERVAL '93784.500' SECOND"},
		{"1 02", "DAY", "HOUR", false, "INTERVAL '26' HOUR"},
		{"02:30", "HOUR", "MINUTE", false, "INTERVAL '150' MINUTE"},
		{"-1 00:00:00.5", "DAY", "SECOND", false, "INTERVAL '-86400.500' SECOND"},
		{"x", "DAY", "", false, "!'x' is not an INTERVAL DAY"},
		{"1", "DAY", "SECOND", false, "!'1' is not an INTERVAL DAY TO SECOND"},
		{"1.5", "MINUTE", "", false, "!'1.5' is not an INTERVAL MINUTE"},
		{"1", "SECOND", "DAY", false, "!'1' is not an INTERVAL SECOND TO DAY"},
		{"1", "DAY", "MONTH", false, "!'1' is not an INTERVAL DAY TO MONTH"},
		{"9223372036854775807", "DAY", "", false, "!'9223372036854775807' is not an INTERVAL DAY"},
		{"999999999", "YEAR", "", false, "!'999999999' is not an INTERVAL YEAR"},
		{"", "DAY", "", false, "!'' is not an INTERVAL DAY"},
		{"1.", "SECOND", "", false, "!'1.' is not an INTERVAL SECOND"},
	}
	for _, test := range tests {
		l, err := NewInterval(test.value, test.from, test.to, test.neg)
		got := ""
		if err != nil {
			got = "!" + err.Error()
		} else {
			got = l.String()
		}
		if got != test.want {
			t.Errorf("%q %s %s is %s, want %s", test.value, test.from, test.to, got, test.want)
		}
	}
}

func TestSynopsis(t *testing.T) {
	for name, want := range map[string]string{
		"SUBSTRING": "SUBSTRING(string, start [, length])", "COALESCE": "COALESCE(value, …)", "UPPER": "UPPER(string)",
		"ROUND": "ROUND(number [, digits])", "UUID": "UUID()",
	} {
		f, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Synopsis()[0]; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
