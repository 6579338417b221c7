package expr

import (
	"math/big"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"pgregory.net/rapid"
)

func pow10(n int32) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// drawDecimal draws a literal of a random DECIMAL type.
func drawDecimal(t *rapid.T, name string) *Literal {
	p := rapid.Int32Range(1, maxPrecision).Draw(t, name+" precision")
	s := rapid.Int32Range(0, p).Draw(t, name+" scale")
	digits := rapid.Int32Range(0, p).Draw(t, name+" digits")
	v := new(big.Int)
	for range digits {
		v.Mul(v, big.NewInt(10)).Add(v, big.NewInt(rapid.Int64Range(0, 9).Draw(t, "digit")))
	}
	if rapid.Bool().Draw(t, "negative") {
		v.Neg(v)
	}
	return NewDecimal(decimal128.FromBigInt(v), p, s)
}

func rat(l *Literal) *big.Rat {
	return new(big.Rat).SetFrac(l.V.(decimal128.Num).BigInt(), pow10(l.T.(*arrow.Decimal128Type).Scale))
}

// rounded is v as text with the scale of t, half up; ok is false if it has too many digits.
func rounded(v *big.Rat, t *arrow.Decimal128Type) (text string, ok bool) {
	scaled := new(big.Rat).Mul(v, new(big.Rat).SetInt(pow10(t.Scale)))
	n, r := new(big.Int).QuoRem(scaled.Num(), scaled.Denom(), new(big.Int))
	if new(big.Int).Lsh(r.Abs(r), 1).Cmp(scaled.Denom()) >= 0 {
		n.Add(n, big.NewInt(int64(v.Sign())))
	}
	if new(big.Int).Abs(n).Cmp(pow10(t.Precision)) >= 0 {
		return "", false
	}
	return NewDecimal(decimal128.FromBigInt(n), t.Precision, t.Scale).text(nil), true
}

// TestDecimalArithmetic compares +, -, *, / and % with exact fractions.
func TestDecimalArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := drawDecimal(t, "x"), drawDecimal(t, "y")
		op := rapid.SampledFrom([]string{"+", "-", "*", "/", "%"}).Draw(t, "op")
		e, err := NewCall(op, []Expr{x, y}, Settings{})
		if err != nil {
			t.Fatal(err)
		}
		want, ok := "", true
		exact := new(big.Rat)
		switch op {
		case "+":
			exact.Add(rat(x), rat(y))
		case "-":
			exact.Sub(rat(x), rat(y))
		case "*":
			exact.Mul(rat(x), rat(y))
		default:
			if rat(y).Sign() == 0 {
				if got := show(e, Settings{}); !strings.Contains(got, "division by zero") {
					t.Fatalf("%s = %s", e, got)
				}
				return
			}
			exact.Quo(rat(x), rat(y))
			if op == "%" {
				whole := new(big.Rat).SetInt(new(big.Int).Quo(exact.Num(), exact.Denom()))
				exact.Sub(rat(x), whole.Mul(whole, rat(y)))
			}
		}
		want, ok = rounded(exact, e.Type().(*arrow.Decimal128Type))
		got := show(e, Settings{})
		if !ok && !strings.Contains(got, "overflow") || ok && got != want {
			t.Fatalf("%s %s %s as %s is %s, want %s", x, op, y, TypeName(e.Type()), got, want)
		}
	})
}

// TestDecimalCasts compares casts between DECIMALs with exact fractions.
func TestDecimalCasts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawDecimal(t, "x")
		p := rapid.Int32Range(1, maxPrecision).Draw(t, "precision")
		to := Decimal(p, rapid.Int32Range(0, p).Draw(t, "scale"))
		want, ok := rounded(rat(x), to.(*arrow.Decimal128Type))
		got := show(must(NewCast(x, to, false, Settings{})), Settings{})
		if ok && got != want || !ok && !strings.Contains(got, "does not fit") {
			t.Fatalf("%s as %s is %s, want %s", x, TypeName(to), got, want)
		}
	})
}

func TestDecimalTypes(t *testing.T) {
	tests := []struct{ sql, want string }{
		{"CAST(1 AS DECIMAL(10, 2)) + CAST(1 AS DECIMAL(5, 4))", "DECIMAL(13, 4)"},
		{"CAST(1 AS DECIMAL(10, 2)) * CAST(1 AS DECIMAL(5, 4))", "DECIMAL(15, 6)"},
		{"CAST(1 AS DECIMAL(10, 2)) / CAST(1 AS DECIMAL(5, 4))", "DECIMAL(20, 8)"},
		{"CAST(1 AS DECIMAL(10, 2)) % CAST(1 AS DECIMAL(5, 4))", "DECIMAL(5, 4)"},
		{"CAST(1 AS DECIMAL(38, 10)) * CAST(1 AS DECIMAL(38, 10))", "DECIMAL(38, 6)"},
		{"CAST(1 AS DECIMAL(10, 2)) + 1", "DECIMAL(13, 2)"},
		{"CAST(1 AS DECIMAL(10, 2)) + CAST(1 AS BIGINT)", "DECIMAL(22, 2)"},
		{"CAST(1 AS DECIMAL(10, 2)) + 1e0", "DOUBLE"},
		{"ROUND(CAST(1 AS DECIMAL(10, 4)), 2)", "DECIMAL(9, 2)"},
		{"ROUND(CAST(1 AS DECIMAL(10, 4)))", "DECIMAL(7, 0)"},
		{"COALESCE(CAST(NULL AS DECIMAL(10, 2)), CAST(1 AS DECIMAL(5, 4)))", "DECIMAL(12, 4)"},
		{"COALESCE(CAST(NULL AS DECIMAL(10, 2)), 1)", "DECIMAL(12, 2)"},
	}
	for _, test := range tests {
		if got := TypeName(mustBind(t, test.sql).Type()); got != test.want {
			t.Errorf("%s is %s, want %s", test.sql, got, test.want)
		}
	}
}

func must(e Expr, err error) Expr {
	if err != nil {
		panic(err)
	}
	return e
}
