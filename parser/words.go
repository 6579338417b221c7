package parser

import "strings"

// reservedWords cannot be names unless they are quoted. There are few of them, because columns of
// streams are called key, value, date, timestamp, status and so on.
const reservedWords = `
ALL AND AS BETWEEN BY CASE CAST CROSS DISTINCT ELSE EMIT END EXCEPT EXISTS FALSE FETCH FOR FROM FULL
GROUP HAVING IN INNER INSERT INTERSECT INTERVAL INTO IS JOIN LATERAL LEFT LIKE LIMIT NATURAL NOT NULL
OFFSET ON OR ORDER OVER RIGHT SELECT TABLE THEN TRUE UNION UNKNOWN UNNEST USING VALUES WHEN WHERE
WINDOW WITH`

// otherWords have a meaning in some places of the grammar and are names everywhere else.
const otherWords = `
ABSENT ACCUMULATING ADVICE AFTER ALLOWED ALTER ANALYZE ANTI ANY ARRAY ASC ASYMMETRIC AT BEGIN BIGINT BINARY
BOOL BOOLEAN BOTH BYTES CANCEL CATALOG CEIL CEILING CENTURY CHANGELOG CHANGELOG_MODE CHANGES CHAR CHARACTER
CHECKPOINT CHECKPOINTS CLOSE COMMENT CONDITIONAL CONNECTORS CONSTRAINT CONSTRAINTS COST CREATE CUBE CUMULATE
CURRENT CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP DATE DATE_DIFF DATE_TRUNC DAY DEC DECADE DECIMAL DEFAULT
DEFINE DELAY DELETE DESC DESCRIBE DESCRIPTOR DISCARDING DOUBLE DOW DOY DRAIN DROP DRY EARLY EMPTY ENFORCED
EPOCH ERROR ESCAPE ESTIMATED_COST EVERY EXCLUDING EXECUTE EXPLAIN EXTENDED EXTERNAL EXTRACT FILTER FINAL FIRE
FIRST FLOAT FLOOR FOLLOWING FORMATS FUNCTION FUNCTIONS GENERATED GROUPING GUARANTEE HOP HOUR IF IGNORE ILIKE
INCLUDING INT INTEGER ISODOW ISOYEAR JAR JOB JOBS JSON JSON_ARRAY JSON_ARRAYAGG JSON_EXECUTION_PLAN
JSON_EXISTS JSON_OBJECT JSON_OBJECTAGG JSON_QUERY JSON_VALUE KEY LANGUAGE LAST LAST_DAY LATE LATENESS LATEST
LEADING LOCAL LOCALTIME LOCALTIMESTAMP LOCATION LOGICAL MAP MATCH MATCH_RECOGNIZE MATERIALIZED MEASURES MERGE
METADATA MICROSECOND MILLENNIUM MILLISECOND MINUTE MONTH NANOSECOND NEXT NULLS NUMERIC OBJECT OF ONE
ONLY OPTIONS ORDINALITY OUTER OVERLAPS OVERLAY OVERWRITE OVERWRITING PARTITION PARTITIONED PARTITIONS PAST
PATTERN PAUSE PER PERIODIC PERMUTE PHYSICAL PLACING PLAN PLAN_ADVICE POSITION PRECEDING PRECISION PRIMARY
QUARTER RANGE REAL RECURSIVE RENAME REPLACE RESET RESPECT RESTORE RESUME RETRACTING RETURN RETURNING RETURNS
RLIKE ROLLUP ROW ROWS RUN SAVEPOINT SAVEPOINTS SCALAR SECOND SEMI SESSION SET SETS SETTINGS SHOW SIDE SIMILAR
SKIP SMALLINT SOME STATE STATEMENT STOP STRING SUBSET SUBSTR SUBSTRING SYMMETRIC SYSTEM_TIME TABLES
TBLPROPERTIES TEMPORARY TEXT TIME TIMESTAMP TIMESTAMPADD TIMESTAMPDIFF TIMESTAMP_DIFF TIMESTAMP_LTZ
TIMESTAMP_TRUNC TINYINT TO TRAILING TRIM TRUNCATE TRY_CAST TUMBLE TYPE UNBOUNDED UNCONDITIONAL UNIQUE UPDATE
USE VALUE VARBINARY VARCHAR VARYING VERIFY VIEW VIEWS VIRTUAL WATERMARK WATERMARKS WEEK WITHIN WITHOUT WRAPPER
YEAR ZONE`

// knownWord is an entry of the word table.
type knownWord struct {
	text     string
	reserved bool
}

// knownWords is the word table by upper case spelling. It is never written after it is made.
var knownWords = func() map[string]knownWord {
	table := map[string]knownWord{}
	for _, w := range strings.Fields(reservedWords) {
		table[w] = knownWord{w, true}
	}
	for _, w := range strings.Fields(otherWords) {
		table[w] = knownWord{w, false}
	}
	for _, u := range allUnits {
		for _, w := range []string{string(u), plural(u)} {
			if _, ok := table[w]; !ok {
				table[w] = knownWord{w, false}
			}
		}
	}
	return table
}()

// longestWord bounds the words that are looked up.
const longestWord = 32

// lookupWord finds a bare word of any case in the word table.
func lookupWord(text string) (knownWord, bool) {
	if len(text) > longestWord {
		return knownWord{}, false
	}
	var upper [longestWord]byte
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		upper[i] = c
	}
	w, ok := knownWords[string(upper[:len(text)])]
	return w, ok
}

// isReserved tells whether a bare word of any case is reserved.
func isReserved(text string) bool {
	w, ok := lookupWord(text)
	return ok && w.reserved
}

// allUnits are the units of time the grammar knows.
var allUnits = []TimeUnit{
	Millennium, Century, Decade, Year, ISOYear, Quarter, Month, Week, Day, DOW, ISODOW, DOY,
	Hour, Minute, Second, Millisecond, Microsecond, Nanosecond, Epoch,
}

// unitOf finds the unit a word of the grammar means, singular or plural.
var unitOf = func() map[string]TimeUnit {
	table := map[string]TimeUnit{}
	for _, u := range allUnits {
		table[string(u)] = u
		table[plural(u)] = u
	}
	return table
}()

// plural is the plural spelling of a unit.
func plural(u TimeUnit) string {
	switch u {
	case Century:
		return "CENTURIES"
	case Millennium:
		return "MILLENNIA"
	}
	return string(u) + "S"
}

// intervalUnits are the units an interval can have.
var intervalUnits = map[TimeUnit]bool{
	Year: true, Quarter: true, Month: true, Week: true, Day: true, Hour: true, Minute: true,
	Second: true, Millisecond: true, Microsecond: true, Nanosecond: true,
}
