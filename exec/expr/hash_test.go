package expr

import (
	"errors"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"
)

func TestHashes(t *testing.T) {
	checkValues(t, Settings{}, []valueTest{
		{"MD5('')", "d41d8cd98f00b204e9800998ecf8427e"},
		{"MD5(X'616263') = MD5('abc')", "TRUE"},
		{"MD5(NULL)", "NULL"},
		{"SHA256('')", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
		{"CHAR_LENGTH(SHA384('x'))", "96"},
		{"CHAR_LENGTH(SHA512('x'))", "128"},
		{"SHA2('abc', 224) = SHA224('abc')", "TRUE"},
		{"SHA2('abc', 512) = SHA512('abc')", "TRUE"},
		{"SHA2('abc', 128)", "!must be 224, 256, 384 or 512"},
		{"XXHASH64('')", "-1205034819632174695"},
		{"CRC32('The quick brown fox jumps over the lazy dog')", "1095738169"},
		{"MURMUR3('')", "0"},
		{"MURMUR3('hello')", "613153351"},
		{"MURMUR3('hello, world')", "345750399"},
		{"MURMUR3('The quick brown fox jumps over the lazy dog')", "776992547"},
	})
}

func TestBitmaps(t *testing.T) {
	checkValues(t, Settings{}, []valueTest{
		{"BITMAP_TO_STRING(BITMAP_BUILD(ARRAY[]))", "{}"},
		{"BITMAP_CARDINALITY(BITMAP_BUILD(CAST(GENERATE_SERIES(1, 100000) AS ARRAY<INT>)))", "100000"},
		{"BITMAP_AND(BITMAP_BUILD(ARRAY[1]), NULL)", "NULL"},
		{"BITMAP_CARDINALITY(X'00')", "!the BYTES are not a bitmap"},
		{"BITMAP_BUILD(GENERATE_SERIES(1, 2))", "!BITMAP_BUILD takes an ARRAY of INTs, got ARRAY<BIGINT>"},
		{"BITMAP_OR(BITMAP_BUILD(ARRAY[1]), BITMAP_BUILD(ARRAY[2])) = BITMAP_BUILD(ARRAY[2, 1])", "TRUE"},
	})
}

// TestStatefulFunctions can be bound, and are refused by Compile.
func TestStatefulFunctions(t *testing.T) {
	column := &Column{0, "a", Int, true}
	e := mustBind(t, "HAD_CHANGED(a, a + 1)", column)
	if e.Nullable() || TypeName(e.Type()) != "BOOLEAN" || IsDeterministic(e) {
		t.Errorf("%s is %s", e, TypeName(e.Type()))
	}
	if e := mustBind(t, "CHANGED(a)", column); !e.Nullable() || TypeName(e.Type()) != "INT" {
		t.Errorf("%s is %s", e, TypeName(e.Type()))
	}
	_, err := Compile(memory.DefaultAllocator, []Expr{e}, Settings{})
	if err == nil || !strings.Contains(err.Error(), "HAD_CHANGED(a, a + 1) looks at earlier rows") || errors.As(err, new(*EvalError)) {
		t.Errorf("%v", err)
	}
}
