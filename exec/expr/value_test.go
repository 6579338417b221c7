package expr

import (
	"strings"
	"testing"
	"time"
)

// TestValues evaluates expressions without columns. A wanted value that starts with ! is a part of the error.
func TestValues(t *testing.T) {
	tests := []struct{ sql, want string }{
		// integers
		{"2147483647 + 1", "!INT overflow in 2147483647 + 1"},
		{"2147483648 + 1", "2147483649"},
		{"9223372036854775807 + 1", "!BIGINT overflow"},
		{"9223372036854775808", "9223372036854775808"},
		{"-9223372036854775807 - 2", "!BIGINT overflow"},
		{"3037000500 * 3037000500", "!BIGINT overflow"},
		{"3037000499 * 3037000499", "9223372030926249001"},
		{"-7 / 2", "-3"},
		{"-7 % 2", "-1"},
		{"7 % -2", "1"},
		{"MOD(-7, 3)", "-1"},
		{"1 / 0", "!division by zero in 1 / 0"},
		{"1 % 0", "!division by zero"},
		{"CAST(-128 AS TINYINT) / CAST(-1 AS TINYINT)", "!TINYINT overflow"},
		{"-CAST(-128 AS TINYINT)", "!TINYINT overflow"},
		{"ABS(CAST(-32768 AS SMALLINT))", "!SMALLINT overflow"},
		// floating point
		{"1e0 / 0", "Infinity"},
		{"0e0 / 0", "NaN"},
		{"-1e0 / 0", "-Infinity"},
		{"5.5e0 % 2", "1.5"},
		{"SQRT(-1)", "NaN"},
		{"LN(0)", "-Infinity"},
		{"POWER(2, 0.5)", "1.4142135623730951"},
		{"SIGN(-2.5e0)", "-1.0"},
		// decimals
		{"0.1 + 0.2 = 0.3", "TRUE"},
		{"1.00 / 3", "0.3333333333333"},
		{"1.0 / 0", "!division by zero"},
		{"CAST(99999999999999999999999999999999999999 AS DECIMAL(38, 0)) + 1", "!DECIMAL(38, 0) overflow"},
		{"SIGN(-2.50)", "-1"},
		{"ABS(-2.50)", "2.50"},
		{"CEIL(-2.5)", "-2"},
		{"FLOOR(-2.5)", "-3"},
		{"CEIL(2.00)", "2"},
		// rounding
		{"ROUND(2.5)", "3"},
		{"ROUND(-2.5)", "-3"},
		{"ROUND(2.675, 2)", "2.68"},
		{"ROUND(1234, -2)", "1200"},
		{"ROUND(1250, -2)", "1300"},
		{"ROUND(2.675e0, 2)", "2.68"},
		{"ROUND(1.005e0, 2)", "1.01"},
		{"ROUND(-0.5e0)", "-1.0"},
		{"ROUND(1e300, 2)", "1e+300"},
		{"ROUND(2147483647, -1)", "!INT overflow"},
		{"ROUND(2147483647, -20)", "0"},
		{"TRUNCATE(-2.59, 1)", "-2.5"},
		{"TRUNCATE(2.3e0, 2)", "2.3"},
		{"TRUNCATE(1999, -3)", "1000"},
		{"ROUND(99.95, 1)", "100.0"},
		{"ROUND(5.5, -1)", "10"},
		// three-valued logic
		{"NULL AND FALSE", "FALSE"},
		{"NULL AND TRUE", "NULL"},
		{"NULL OR TRUE", "TRUE"},
		{"NULL OR FALSE", "NULL"},
		{"NOT NULL", "NULL"},
		{"NULL = NULL", "NULL"},
		{"NULL IS DISTINCT FROM NULL", "FALSE"},
		{"1 IS DISTINCT FROM NULL", "TRUE"},
		{"NULL BETWEEN 1 AND 2", "NULL"},
		{"3 BETWEEN NULL AND 2", "FALSE"},
		{"3 NOT BETWEEN NULL AND 2", "TRUE"},
		{"2 IN (1, NULL)", "NULL"},
		{"2 IN (2, NULL)", "TRUE"},
		{"2 NOT IN (1, NULL)", "NULL"},
		{"NULL IN (1)", "NULL"},
		{"TRUE > FALSE", "TRUE"},
		{"FALSE OR 1 / 0 = 1", "!division by zero"},
		{"TRUE OR 1 / 0 = 1", "TRUE"},
		{"FALSE AND 1 / 0 = 1", "FALSE"},
		// conditional
		{"CASE 3 WHEN 1 THEN 'a' WHEN 3 THEN 'c' END", "c"},
		{"CASE WHEN NULL THEN 1 END", "NULL"},
		{"CASE WHEN TRUE THEN 1 ELSE 1 / 0 END", "1"},
		{"IF(NULL, 1, 2)", "2"},
		{"COALESCE(1, 1 / 0)", "1"},
		{"NULLIF(1, 1)", "NULL"},
		{"CASE WHEN 1 = 1 THEN 1 ELSE 2.5 END", "1.0"},
		{"IFNULL(NULL, NULL)", "NULL"},
		{"GREATEST(1, NULL)", "NULL"},
		{"GREATEST(1, 2.5)", "2.5"},
		{"LEAST(DATE '2024-01-02', TIMESTAMP '2024-01-01 12:00:00')", "2024-01-01 12:00:00"},
		// text literals take the type of the other side
		{"DATE '2024-02-29' = '2024-02-29'", "TRUE"},
		{"5 = '5'", "TRUE"},
		{"5 < 'x'", "!'x' is not a value of type INT"},
		{"TIMESTAMP '2024-02-29 12:00:00' > '2024-02-29'", "TRUE"},
		{"TRUE = 'true'", "TRUE"},
		// casts
		{"CAST('12' AS INT)", "12"},
		{"CAST(' -12 ' AS INT)", "-12"},
		{"CAST('12.9' AS INT)", "12"},
		{"CAST('1e3' AS DOUBLE)", "1000.0"},
		{"CAST('x' AS INT)", "!'x' is not a value of type INT in CAST('x' AS INT)"},
		{"TRY_CAST('x' AS INT)", "NULL"},
		{"CAST('128' AS TINYINT)", "!'128' is not a value of type TINYINT"},
		{"CAST(300 AS TINYINT)", "!TINYINT overflow"},
		{"TRY_CAST(300 AS TINYINT)", "NULL"},
		{"CAST(1e10 AS INT)", "!does not fit INT"},
		{"CAST(-1.9e0 AS INT)", "-1"},
		{"CAST(9.223372036854775807e18 AS BIGINT)", "!does not fit BIGINT"},
		{"CAST(0e0 / 0 AS INT)", "!does not fit INT"},
		{"CAST(2.5 AS INT)", "2"},
		{"CAST(-2.5 AS INT)", "-2"},
		{"CAST(99999999999 AS DECIMAL(10, 0))", "!does not fit DECIMAL(10, 0)"},
		{"CAST(2.567 AS DECIMAL(3, 2))", "2.57"},
		{"CAST(9.999 AS DECIMAL(3, 2))", "!does not fit DECIMAL(3, 2)"},
		{"CAST(0.1e0 AS DECIMAL(20, 18))", "0.100000000000000000"},
		{"CAST(12.50 AS DOUBLE)", "12.5"},
		{"CAST(1.5 AS STRING)", "1.5"},
		{"CAST(12345678901234567890123.5 AS DOUBLE)", "1.2345678901234568e+22"},
		{"CAST(TRUE AS INT)", "1"},
		{"CAST(0 AS BOOLEAN)", "FALSE"},
		{"CAST(TRUE AS DECIMAL(5, 2))", "1.00"},
		{"CAST('yes' AS BOOLEAN)", "TRUE"},
		{"CAST('maybe' AS BOOLEAN)", "!not a value of type BOOLEAN"},
		{"CAST(TRUE AS STRING)", "TRUE"},
		{"CAST(1e0 AS STRING)", "1.0"},
		{"CAST(X'4142' AS STRING)", "AB"},
		{"CAST(X'41FF' AS STRING)", "A\uFFFD"},
		{"CAST('AB' AS BYTES)", "x'4142'"},
		{"CAST('2024-02-30' AS DATE)", "!not a value of type DATE"},
		{"CAST('2024-02-29 13:00:00' AS DATE)", "2024-02-29"},
		{"CAST('2024-02-29' AS TIMESTAMP(3))", "2024-02-29 00:00:00.000"},
		{"CAST(TIMESTAMP '2024-02-29 12:30:00.5' AS DATE)", "2024-02-29"},
		{"CAST(TIMESTAMP '1969-12-31 23:59:59.999' AS DATE)", "1969-12-31"},
		{"CAST(TIMESTAMP '2024-02-29 12:30:00.567' AS TIME)", "12:30:00.567"},
		{"CAST(TIMESTAMP '1969-12-31 23:59:59.999' AS TIMESTAMP(0))", "1969-12-31 23:59:59"},
		{"CAST(DATE '2024-02-29' AS TIMESTAMP(6))", "2024-02-29 00:00:00.000000"},
		{"CAST(DATE '9999-12-31' AS TIMESTAMP(9))", "!does not fit TIMESTAMP(9)"},
		{"CAST(TIME '12:00:00' AS TIMESTAMP(0))", "1970-01-01 12:00:00"},
		{"CAST(INTERVAL '90' MINUTE AS BIGINT)", "5400000"},
		{"CAST(CAST(5 AS BIGINT) AS INTERVAL SECOND)", "+0 00:00:00.005"},
		{"CAST(INTERVAL '1-2' YEAR TO MONTH AS STRING)", "+1-02"},
		{"CAST('-1-02' AS INTERVAL YEAR)", "-1-02"},
		{"CAST('+1 02:03:04.5' AS INTERVAL DAY)", "+1 02:03:04.500"},
		// times
		{"DATE '2024-01-31' + INTERVAL '1' MONTH", "2024-02-29"},
		{"DATE '2024-03-31' - INTERVAL '1' MONTH", "2024-02-29"},
		{"DATE '2024-02-28' + INTERVAL '2' DAY", "2024-03-01"},
		{"DATE '2024-02-28' + INTERVAL '1' HOUR", "2024-02-28 01:00:00.000"},
		{"INTERVAL '1' DAY + DATE '2024-02-28'", "2024-02-29"},
		{"TIMESTAMP '2024-02-29 12:00:00' + INTERVAL '1' YEAR", "2025-02-28 12:00:00"},
		{"TIMESTAMP '2024-02-29 12:00:00' - INTERVAL '0.5' SECOND", "2024-02-29 11:59:59.500"},
		{"TIMESTAMP '2024-03-01 00:00:00.000001' - TIMESTAMP '2024-02-29 00:00:00'", "+1 00:00:00.000"},
		{"DATE '2024-03-01' - DATE '2024-02-01'", "+29 00:00:00.000"},
		{"TIME '23:30:00' + INTERVAL '1' HOUR", "00:30:00.000"},
		{"TIME '00:30:00' - INTERVAL '1' HOUR", "23:30:00.000"},
		{"INTERVAL '1' DAY * 3", "+3 00:00:00.000"},
		{"2 * INTERVAL '5' MONTH", "+0-10"},
		{"INTERVAL '1' DAY / 2", "+0 12:00:00.000"},
		{"-INTERVAL '1' DAY", "-1 00:00:00.000"},
		{"INTERVAL '1' DAY > INTERVAL '23' HOUR", "TRUE"},
		{"TIMESTAMPDIFF(DAY, DATE '2024-03-01', DATE '2024-02-01')", "-29"},
		{"TIMESTAMPDIFF(MONTH, DATE '2024-01-31', DATE '2024-02-29')", "1"},
		{"TIMESTAMPDIFF(MONTH, DATE '2024-01-31', TIMESTAMP '2024-02-28 23:59:59')", "0"},
		{"TIMESTAMPDIFF(YEAR, DATE '2024-03-01', DATE '2023-03-02')", "0"},
		{"TIMESTAMPDIFF(SECOND, DATE '1900-01-01', DATE '2024-01-01')", "!INT overflow"},
		{"TIMESTAMPDIFF(MILLISECOND, DATE '1900-01-01', DATE '2024-01-01')", "3913056000000"},
		{"TIMESTAMPADD(MONTH, 1, TIMESTAMP '2024-01-31 10:00:00')", "2024-02-29 10:00:00"},
		{"TIMESTAMPADD(HOUR, 25, DATE '2024-01-31')", "2024-02-01 01:00:00.000"},
		{"TIMESTAMPADD(WEEK, -1, DATE '2024-01-03')", "2023-12-27"},
		{"EXTRACT(DOW FROM DATE '2024-03-03')", "1"},
		{"EXTRACT(ISODOW FROM DATE '2024-03-03')", "7"},
		{"EXTRACT(WEEK FROM DATE '2021-01-03')", "53"},
		{"EXTRACT(ISOYEAR FROM DATE '2021-01-03')", "2020"},
		{"EXTRACT(EPOCH FROM TIMESTAMP '1970-01-02 00:00:00.5')", "86400"},
		{"EXTRACT(MILLISECOND FROM TIMESTAMP '2024-01-01 00:00:01.234')", "1234"},
		{"EXTRACT(CENTURY FROM DATE '2000-12-31')", "20"},
		{"EXTRACT(DECADE FROM DATE '1999-12-31')", "199"},
		{"EXTRACT(DAY FROM INTERVAL '3 04:05:06' DAY TO SECOND)", "3"},
		{"EXTRACT(MONTH FROM INTERVAL '14' MONTH)", "2"},
		{"EXTRACT(HOUR FROM TIME '12:30:00')", "12"},
		{"FLOOR(TIMESTAMP '1969-12-31 23:59:59.5' TO MINUTE)", "1969-12-31 23:59:00.000"},
		{"CEIL(TIMESTAMP '1969-12-31 23:59:59.500' TO DAY)", "1970-01-01 00:00:00.000"},
		{"FLOOR(DATE '2024-03-05' TO WEEK)", "2024-03-03"},
		{"DATE_TRUNC('week', DATE '2024-03-03')", "2024-02-26"},
		{"CEIL(DATE '2024-02-01' TO MONTH)", "2024-02-01"},
		{"CEIL(DATE '2024-02-02' TO QUARTER)", "2024-04-01"},
		{"FLOOR(DATE '2024-02-02' TO CENTURY)", "2001-01-01"},
		{"CEIL(DATE '2024-02-02' TO DECADE)", "2030-01-01"},
		{"TO_TIMESTAMP('2024-02-29 12:00:00')", "2024-02-29 12:00:00.000"},
		{"TO_TIMESTAMP('2024-02-29')", "2024-02-29 00:00:00.000"},
		{"TO_TIMESTAMP('never')", "NULL"},
		{"TO_TIMESTAMP_LTZ(1500, 3)", "1970-01-01 00:00:01.500"},
		{"TO_TIMESTAMP_LTZ(-1, 6)", "1969-12-31 23:59:59.999"},
		{"TO_TIMESTAMP_LTZ(1.5, 0)", "1970-01-01 00:00:01.500"},
		{"TO_TIMESTAMP_LTZ(1, 4)", "!must be 0, 3, 6 or 9"},
		{"TO_TIMESTAMP_LTZ('2024-02-29T12:00:00+02:00')", "2024-02-29 10:00:00.000"},
		{"TO_TIMESTAMP_LTZ(9223372036854775807, 0)", "!time out of range"},
		// strings
		{"'a' || NULL", "NULL"},
		{"'n' || 1 || TRUE", "n1TRUE"},
		{"CONCAT('a', DATE '2024-02-29')", "a2024-02-29"},
		{"UPPER('ß\u00e4\u0131')", "ß\u00c4I"},
		{"SUBSTRING('日本語' FROM 2 FOR 1)", "本"},
		{"SUBSTRING('abc', 0)", "abc"},
		{"SUBSTRING('abc', -2)", "bc"},
		{"SUBSTRING('abc', -4)", ""},
		{"SUBSTRING('abc', 2, -1)", ""},
		{"LEFT('abc', -1)", ""},
		{"RIGHT('日本語', 2)", "本語"},
		{"LPAD('abc', 2, '-')", "ab"},
		{"LPAD('a', 3, '')", "NULL"},
		{"RPAD('日', 3, '本x')", "日本x"},
		{"REPEAT('ab', 0)", ""},
		{"REPEAT('ab', 20000000)", "!string of more than 16 MiB"},
		{"REPLACE('aaa', '', 'x')", "aaa"},
		{"SPLIT_INDEX('a||b', '|', 1)", ""},
		{"SPLIT_INDEX('a|b', '|', 2)", "NULL"},
		{"SPLIT_INDEX('a|b', '|', -1)", "NULL"},
		{"POSITION('' IN 'abc')", "1"},
		{"TRIM('  a b ')", "a b"},
		{"TRIM(LEADING 'xy' FROM 'xyxaxy')", "axy"},
		{"TRIM(TRAILING FROM 'a  ')", "a"},
		{"CHAR_LENGTH('')", "0"},
		{"'50%' LIKE '50!%' ESCAPE '!'", "TRUE"},
		{"'505' LIKE '50!%' ESCAPE '!'", "FALSE"},
		{"'a' LIKE 'a!' ESCAPE '!'", "!must stand before"},
		{"'a' LIKE 'a' ESCAPE 'ab'", "!ESCAPE takes a single character"},
		{"'日本語' LIKE '_本_'", "TRUE"},
		{"'' LIKE '%'", "TRUE"},
		{"'' LIKE '_'", "FALSE"},
		{"'abcabc' LIKE '%b_%c'", "TRUE"},
		{"'ÄB' ILIKE 'äb'", "TRUE"},
		{"'abc' NOT LIKE 'a%'", "FALSE"},
	}
	for _, test := range tests {
		e, err := bindText(test.sql, Settings{})
		got := ""
		if err != nil {
			got = "error: " + err.Error()
		} else {
			got = show(e, Settings{})
		}
		if part, isError := strings.CutPrefix(test.want, "!"); isError && !(strings.HasPrefix(got, "error: ") && strings.Contains(got, part)) || !isError && got != test.want {
			t.Errorf("%s is %q, want %q", test.sql, got, test.want)
		}
	}
}

// TestZones evaluates expressions whose value depends on the session's time zone.
func TestZones(t *testing.T) {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	s := Settings{TimeZone: zone, Clock: func() time.Time { return time.UnixMilli(1709267400123) }} // 2024-02-29 23:30:00.123 there
	tests := []struct{ sql, want string }{
		{"TIMESTAMP_LTZ '2024-02-29 23:30:00'", "2024-02-29 23:30:00"},
		{"CAST(TIMESTAMP_LTZ '2024-03-01 04:30:00Z' AS STRING)", "2024-02-29 23:30:00"},
		{"CAST(TIMESTAMP_LTZ '2024-03-01 04:30:00Z' AS TIMESTAMP(0))", "2024-02-29 23:30:00"},
		{"CAST(TIMESTAMP '2024-02-29 23:30:00' AS TIMESTAMP_LTZ(0)) = TIMESTAMP_LTZ '2024-03-01 04:30:00Z'", "TRUE"},
		{"CAST(TIMESTAMP_LTZ '2024-03-01 04:30:00Z' AS DATE)", "2024-02-29"},
		{"CAST(DATE '2024-02-29' AS TIMESTAMP_LTZ(0)) = TIMESTAMP_LTZ '2024-02-29 05:00:00Z'", "TRUE"},
		{"EXTRACT(DAY FROM TIMESTAMP_LTZ '2024-03-01 04:30:00Z')", "29"},
		{"EXTRACT(EPOCH FROM TIMESTAMP_LTZ '1970-01-01 00:00:01Z')", "1"},
		{"FLOOR(TIMESTAMP_LTZ '2024-03-01 04:30:00Z' TO MONTH)", "2024-02-01 00:00:00"},
		{"TIMESTAMP_LTZ '2024-03-10 06:30:00Z' + INTERVAL '1' DAY", "2024-03-11 02:30:00.000"},                 // 24 hours
		{"TIMESTAMP_LTZ '2024-02-10 06:30:00Z' + INTERVAL '1' MONTH", "2024-03-10 01:30:00"},                   // the same on the wall
		{"FLOOR(TIMESTAMP_LTZ '2024-11-03 06:30:00Z' TO HOUR) = TIMESTAMP_LTZ '2024-11-03 06:00:00Z'", "TRUE"}, // the second 1 o'clock
		{"TIMESTAMP '2024-02-29 23:30:00' = TIMESTAMP_LTZ '2024-03-01 04:30:00Z'", "TRUE"},
		{"DATE_FORMAT(TIMESTAMP_LTZ '2024-07-01 00:00:00Z', 'yyyy-MM-dd HH:mm XXX')", "2024-06-30 20:00 -04:00"},
		{"TO_TIMESTAMP_LTZ('01.03.2024 04:30 +00:00', 'dd.MM.yyyy HH:mm XXX')", "2024-02-29 23:30:00.000"},
		{"TO_TIMESTAMP_LTZ('2024-02-29 23:30:00')", "2024-02-29 23:30:00.000"},
		{"CURRENT_TIMESTAMP", "2024-02-29 23:30:00.123"},
		{"NOW()", "2024-02-29 23:30:00.123"},
		{"LOCALTIMESTAMP", "2024-02-29 23:30:00.123"},
		{"CURRENT_DATE", "2024-02-29"},
		{"LOCALTIME", "23:30:00.123"},
		{"PROCTIME()", "2024-02-29 23:30:00.123"},
	}
	for _, test := range tests {
		e, err := bindText(test.sql, s)
		if err != nil {
			t.Errorf("%s: %v", test.sql, err)
			continue
		}
		if got := show(e, s); got != test.want {
			t.Errorf("%s is %s, want %s", test.sql, got, test.want)
		}
	}
}
