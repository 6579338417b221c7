package expr

// Forms of the grammar that are no calls of functions: they are documented here with the functions they stand among.
func init() {
	registerSyntax("AND", "logical", "condition AND condition",
		"Whether both conditions are TRUE, in three-valued logic.", "1 < 2 AND 2 < 1", "FALSE")
	registerSyntax("OR", "logical", "condition OR condition",
		"Whether one of the conditions is TRUE, in three-valued logic.", "1 < 2 OR NULL", "TRUE")
	registerSyntax("EXISTS", categoryComparison, "EXISTS (query)",
		"Whether the query has a row.", "EXISTS (SELECT 1)", "TRUE")
	registerSyntax("CASE", categoryConditional, "CASE [value] WHEN condition THEN result … [ELSE result] END",
		"The result of the first condition that is TRUE, or that equals the value; NULL if none is and there is no ELSE.",
		"CASE WHEN 1 < 2 THEN 'less' ELSE 'more' END", "less")
	registerSyntax("CAST", categoryConversion, "CAST(value AS type)",
		"The value converted to a type; one that has no counterpart is an error.", "CAST('42' AS INT)", "42")
	registerSyntax("TRY_CAST", categoryConversion, "TRY_CAST(value AS type)",
		"The value converted to a type, NULL if it has no counterpart.", "TRY_CAST('x' AS INT)", "NULL")
	registerSyntax("::", categoryConversion, "value::type",
		"The value converted to a type, as by CAST.", "'42'::INT", "42")
	registerSyntax("DATE", categoryTemporal, "DATE 'YYYY-MM-DD'",
		"A date.", "DATE '2024-02-29'", "2024-02-29")
	registerSyntax("TIME", categoryTemporal, "TIME 'HH:MM:SS.fff'",
		"A time of day.", "TIME '12:30:00'", "12:30:00.000")
	registerSyntax("TIMESTAMP", categoryTemporal, "TIMESTAMP 'YYYY-MM-DD HH:MM:SS.fff'",
		"A date and time, of the precision its fraction is written with.", "TIMESTAMP '2024-02-29 12:30:00.5'", "2024-02-29 12:30:00.500")
	registerSyntax("INTERVAL", categoryTemporal, "INTERVAL 'value' unit [TO unit]",
		"A length of time, of months or of milliseconds.", "INTERVAL '1-2' YEAR TO MONTH", "+1-02")
}

const categoryConversion = "conversion"

func registerSyntax(name, category, syntax, doc, example, result string) {
	Register(Function{Name: name, Category: category, Syntax: syntax, Doc: doc, Example: example, ExampleResult: result})
}
