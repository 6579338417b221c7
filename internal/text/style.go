package text

import (
	"encoding/base64"
	"encoding/hex"
	"math"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
)

// Style says how values of each type are written. It is immutable once in use.
type Style struct {
	Null        string // of NULL
	True, False string
	// Quote surrounds dates, times and timestamps, and numbers that are not Number; 0 means nothing does.
	Quote byte
	// Zone shows TIMESTAMP_LTZ as its wall clock; nil shows UTC with a Z.
	Zone *time.Location
	// QuoteDecimals puts Quote around decimals, which many readers of JSON would otherwise round.
	QuoteDecimals bool
	// String appends the text of a STRING, with its quotes and escapes.
	String func(dst, s []byte) []byte
	// Bytes appends the text of a BYTES.
	Bytes func(dst, s []byte) []byte
	// Nested, if not nil, is the style of the values inside of an ARRAY, MAP or ROW, whose text is then passed to String.
	Nested *Style
	// JSON writes arrays, maps and rows as JSON instead of as [a, b], {k=v} and (a, b).
	JSON bool
}

// SQL is how CAST AS STRING and the shell's tables write values. Bytes are x'0102'.
func SQL(zone *time.Location) *Style {
	if zone == nil {
		zone = time.UTC
	}
	return &Style{Null: "NULL", True: "TRUE", False: "FALSE", Zone: zone, String: appendRaw, Bytes: appendHex}
}

// JSON is how JSON documents hold values: timestamps, decimals and non-finite numbers are strings, bytes are base64.
func JSON(zone *time.Location) *Style {
	return &Style{
		Null: "null", True: "true", False: "false", Quote: '"', Zone: zone, QuoteDecimals: true, JSON: true,
		String: AppendJSONString,
		Bytes: func(dst, s []byte) []byte {
			dst = append(dst, '"')
			dst = base64.StdEncoding.AppendEncode(dst, s)
			return append(dst, '"')
		},
	}
}

func appendRaw(dst, s []byte) []byte { return append(dst, s...) }

func appendHex(dst, s []byte) []byte {
	dst = append(dst, "x'"...)
	dst = hex.AppendEncode(dst, s)
	return append(dst, '\'')
}

func (s *Style) appendBool(dst []byte, v bool) []byte {
	if v {
		return append(dst, s.True...)
	}
	return append(dst, s.False...)
}

func (s *Style) quote(dst []byte) []byte {
	if s.Quote != 0 {
		return append(dst, s.Quote)
	}
	return dst
}

func (s *Style) appendFloat(dst []byte, v float64, bits int) []byte {
	if s.JSON && (math.IsNaN(v) || math.IsInf(v, 0)) {
		return s.quote(appendFloat(s.quote(dst), v, bits))
	}
	return appendFloat(dst, v, bits)
}

func (s *Style) appendTimestamp(dst []byte, v int64, t *arrow.TimestampType) []byte {
	dst = s.quote(dst)
	if t.TimeZone == "" {
		dst = AppendTimestamp(dst, v, t.Unit)
	} else {
		dst = AppendTimestampLTZ(dst, v, t.Unit, s.Zone)
	}
	return s.quote(dst)
}
