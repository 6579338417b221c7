package parser

import (
	"errors"
	"fmt"
	"math"
	"unicode/utf8"
)

// maxSource is how many bytes a source may have.
const maxSource = math.MaxInt32

// Parse reads the statements of src, separated by semicolons. The name of the source, such as
// a file's, goes into errors and may be empty. Statements that are wrong do not keep the others from
// being read: all good ones are returned, together with one *Error for each bad one, joined by
// errors.Join in the order of the text. A single error is returned as the *Error itself.
func Parse(name, src string) ([]Stmt, error) {
	if err := checkSource(name, src); err != nil {
		return nil, err
	}
	toks := lex(src)
	var stmts []Stmt
	var errs []error
	for _, pc := range split(toks) {
		p := parser{
			name: name, src: src, open: pc.open,
			toks: toks[pc.lo : pc.hi+1], end: pc.hi - pc.lo,
		}
		s := p.statement()
		if p.err != nil {
			p.explain()
			errs = append(errs, p.err)
			continue
		}
		stmts = append(stmts, s)
	}
	if len(errs) == 1 {
		return stmts, errs[0]
	}
	return stmts, errors.Join(errs...)
}

// ParseExpr reads a single expression.
func ParseExpr(name, src string) (Expr, error) {
	if err := checkSource(name, src); err != nil {
		return nil, err
	}
	toks := lex(src)
	p := parser{name: name, src: src, toks: toks, end: len(toks) - 1, open: true}
	p.checkTokens()
	if p.err == nil {
		p.pairBrackets()
	}
	x := p.expr()
	p.finish()
	if p.err != nil {
		return nil, p.err
	}
	return x, nil
}

// checkSource reports a source that is too large or no UTF-8.
func checkSource(name, src string) error {
	if len(src) >= maxSource {
		return &Error{File: name, Line: 1, Col: 1, Msg: "the text is too large, it may have at most 2 GiB"}
	}
	if utf8.ValidString(src) {
		return nil
	}
	for i, r := range src {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(src[i:]); n == 1 {
				span := Span{int32(i), int32(i + 1)}
				return ErrorAt(name, src, span, fmt.Sprintf("the byte 0x%02x is no UTF-8 text", src[i]))
			}
		}
	}
	return nil
}
