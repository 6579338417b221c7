package expr

import "testing"

func TestMathematics(t *testing.T) {
	checkValues(t, Settings{}, []valueTest{
		{"LOG(1)", "0.0"},
		{"LOG(2, 8)", "3.0"},
		{"LOG(1, 8)", "Infinity"},
		{"ROUND(SIN(PI() / 6), 9)", "0.5"},
		{"ATAN2(1, 1) * 4 = PI()", "TRUE"},
		{"IS_NAN(ASIN(2))", "TRUE"},
		{"ROUND(E(), 5)", "2.71828"},
		{"IS_NAN(NULL)", "NULL"},
		{"IS_NAN(1e0 / 0)", "FALSE"},
		{"IS_INF(-1e0 / 0)", "TRUE"},
		{"DIV(-7, 2)", "-3"},
		{"DIV(7, 0)", "!division by zero"},
		{"DIV(-7.5, 2)", "-3"},
		{"DIV(7.5e0, 2)", "3.0"},
		{"TRY_DIVIDE(7, 2)", "3"},
		{"TRY_DIVIDE(7.0, 0)", "NULL"},
		{"TRY_DIVIDE(1e0, 0)", "NULL"},
		{"TYPEOF(TRY_DIVIDE(1.00, 3)) = TYPEOF(1.00 / NULLIF(3, 0))", "TRUE"},
		{"WIDTH_BUCKET(-1, 0, 10, 5)", "0"},
		{"WIDTH_BUCKET(0, 0, 10, 5)", "1"},
		{"WIDTH_BUCKET(10, 0, 10, 5)", "6"},
		{"WIDTH_BUCKET(9.99, 0, 10, 5)", "5"},
		{"WIDTH_BUCKET(9, 10, 0, 5)", "1"},
		{"WIDTH_BUCKET(11, 10, 0, 5)", "0"},
		{"WIDTH_BUCKET(1, 0, 10, 0)", "!at least one part"},
		{"WIDTH_BUCKET(1, 1, 1, 4)", "!two different bounds"},
		{"BIT_COUNT(-1)", "32"},
		{"BIT_COUNT(CAST(-1 AS TINYINT))", "8"},
		{"BIN(-1) = REPEAT('1', 64)", "TRUE"},
		{"BIN(0)", "0"},
		{"HEX(20)", "14"},
		{"HEX(-1)", "FFFFFFFFFFFFFFFF"},
		{"HEX('hello,world')", "68656C6C6F2C776F726C64"},
		{"HEX(X'00FF')", "00FF"},
		{"UNHEX('F')", "x'0f'"},
		{"UNHEX('0x41')", "NULL"},
		{"UNHEX('')", "x''"},
		{"UNHEX('aBc')", "x'0abc'"},
	})
}

func TestForms(t *testing.T) {
	checkValues(t, Settings{}, []valueTest{
		{"`DATE`('2024-02-29')", "!DATE is written DATE 'YYYY-MM-DD'"},
		{"is_null(NULL)", "TRUE"},
		{"is_not_distinct_from(1, NULL)", "FALSE"},
	})
	f, err := Lookup("case")
	if err != nil || f.Synopsis()[0] != "CASE [value] WHEN condition THEN result … [ELSE result] END" {
		t.Errorf("%v, %v", f, err)
	}
	f, err = Lookup("between_symmetric")
	if err != nil || f.Name != "BETWEEN SYMMETRIC" {
		t.Errorf("%v, %v", f, err)
	}
}
