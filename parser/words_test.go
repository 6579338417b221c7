package parser

import (
	"go/ast"
	goparser "go/parser"
	gotoken "go/token"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestWords checks that every word the grammar looks for is in the word table, and that every word of the
// table is looked for.
func TestWords(t *testing.T) {
	used := map[string]bool{}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if name := f.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && name != "words.go" {
			wordsOf(t, name, used)
		}
	}
	for _, w := range strings.Fields(reservedWords + otherWords) {
		if !used[w] {
			t.Errorf("the word %s is not used", w)
		}
	}
}

// wordsOf adds the words of all strings in a file, and checks those that the grammar looks for.
func wordsOf(t *testing.T, file string, used map[string]bool) {
	tree, err := goparser.ParseFile(gotoken.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			for _, w := range stringWords(n) {
				used[w] = true
			}
		case *ast.CallExpr:
			sel, ok := n.Fun.(*ast.SelectorExpr)
			if !ok || !looksForWords[sel.Sel.Name] {
				break
			}
			for _, a := range n.Args {
				for _, w := range stringWords(a) {
					if _, known := lookupWord(w); !known && isPlainWord(w) {
						t.Errorf("%s looks for %s, which is not in the word table", file, w)
					}
				}
			}
		}
		return true
	})
}

// looksForWords are the functions that compare tokens with words.
var looksForWords = map[string]bool{
	"is": true, "isAt": true, "accept": true, "expect": true, "looksAt": true, "match": true, "oneOf": true,
	"jobAfter": true, "statementSet": true, "timeLiteral": true, "split": true, "divider": true,
}

// stringWords are the words of a string literal.
func stringWords(x ast.Node) []string {
	lit, ok := x.(*ast.BasicLit)
	if !ok || lit.Kind != gotoken.STRING {
		return nil
	}
	s, err := strconv.Unquote(lit.Value)
	if err != nil {
		return nil
	}
	return strings.Fields(s)
}
