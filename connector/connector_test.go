package connector

import (
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
)

func testConnector() *Connector {
	return &Connector{
		Name: "test",
		Options: []Option{
			{Key: "path", Required: true, Doc: "where it is"},
			{Key: "limit", Type: Count},
			{Key: "size", Type: Positive, Default: "7"},
			{Key: "pause", Type: Duration, Default: "10 s"},
			{Key: "mark", Type: Character, Default: ","},
			{Key: "loud", Type: Flag, Default: "true"},
			{Key: "mode", Type: Word, Words: []string{"fast", "slow"}, Default: "fast"},
			{Key: "fields.*.kind", Type: Word, Words: []string{"random", "sequence"}, Default: "random"},
		},
		More: func(t Table) ([]Option, error) {
			if t.Options["mode"] == "slow" {
				return []Option{{Key: "slow.rate", Type: Positive}}, nil
			}
			return nil, nil
		},
	}
}

func testTable(options ...string) Table {
	t := Table{Options: map[string]string{Key: "test", "path": "p"}, Schema: arrow.NewSchema([]arrow.Field{{Name: "userId", Type: arrow.PrimitiveTypes.Int64}}, nil)}
	for i := 0; i < len(options); i += 2 {
		t.Options[options[i]] = options[i+1]
	}
	return t
}

func TestOptions(t *testing.T) {
	o, err := testConnector().Parse(testTable("limit", "5", "pause", "1 min", "mark", `\t`, "loud", "FALSE", "mode", "Slow", "fields.userid.kind", "sequence"))
	if err != nil {
		t.Fatal(err)
	}
	if o.Text("path") != "p" || o.Count("limit") != 5 || o.Count("size") != 7 || o.Duration("pause") != time.Minute ||
		o.Character("mark") != '\t' || o.Flag("loud") || o.Word("mode") != "slow" || !o.Has("limit") || o.Has("size") {
		t.Errorf("options are %v", o.given)
	}
	if got := o.Column("fields.*.kind", "userId"); got != "sequence" {
		t.Errorf("the column's option is %q", got)
	}
	if got := o.Column("fields.*.kind", "other"); got != "random" {
		t.Errorf("the column's default is %q", got)
	}
}

func TestWrongOptions(t *testing.T) {
	for want, options := range map[string][]string{
		"unknown option 'pth' of connector 'test'; did you mean 'path'?":                                                                                {"pth", "x"},
		"unknown option 'slow.rate' of connector 'test'; known are connector, fields.userid.kind, limit, loud, mark, mode, on.error, path, pause, size": {"slow.rate", "1"},
		"option 'slow.rate': '0' is not a whole number from 1 on":                                                                                       {"mode", "slow", "slow.rate", "0"},
		"option 'limit': '-1' is not a whole number from 0 on":                                                                                          {"limit", "-1"},
		"option 'pause': \"soon\" is not a duration; write for example '10 s', '300 ms' or '5 min'":                                                     {"pause", "soon"},
		"option 'mark': ',,' is not one ASCII character":                                                                                                {"mark", ",,"},
		"option 'loud': 'very' is neither true nor false":                                                                                               {"loud", "very"},
		"option 'mode': unknown value 'fats'; did you mean 'fast'?":                                                                                     {"mode", "fats"},
		"option 'path': it is empty":                                                                                                                    {"path", ""},
		"option 'fields.useid.kind': there is no column 'useid'; did you mean 'userId'?":                                                                {"fields.useid.kind", "random"},
		"unknown option 'fields.userid.knd' of connector 'test'; did you mean 'fields.userid.kind'?":                                                    {"fields.userid.knd", "random"},
		"option 'on.error': unknown value 'ignore'; known are fail, skip, dead-letter":                                                                  {"on.error", "ignore"},
	} {
		if _, err := testConnector().Parse(testTable(options...)); err == nil || err.Error() != want {
			t.Errorf("%v: error is %v, want %s", options, err, want)
		}
	}
	table := testTable()
	delete(table.Options, "path")
	if _, err := testConnector().Parse(table); err == nil || err.Error() != "connector 'test' needs the option 'path': where it is" {
		t.Errorf("error is %v", err)
	}
}

func TestRegistry(t *testing.T) {
	Register(testConnector())
	defer delete(registry, "test")
	if c, err := Lookup("TEST"); err != nil || c.Name != "test" {
		t.Errorf("%v, %v", c, err)
	}
	if _, err := Lookup("tset"); err == nil || err.Error() != "unknown connector 'tset'; did you mean 'test'?" {
		t.Errorf("error is %v", err)
	}
	if err := Check(testTable()); err != nil {
		t.Error(err)
	}
	if err := Check(Table{}); err == nil || err.Error() != "option 'connector' is missing; known connectors are test" {
		t.Errorf("error is %v", err)
	}
	if _, err := NewSource(SourceSpec{Table: testTable()}); err == nil || err.Error() != "connector 'test' can only be written to" {
		t.Errorf("error is %v", err)
	}
	if _, err := NewSink(SinkSpec{Table: testTable()}); err == nil || err.Error() != "connector 'test' can only be read from" {
		t.Errorf("error is %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a name was taken twice")
		}
	}()
	Register(testConnector())
}

func TestOnError(t *testing.T) {
	for _, c := range []struct {
		options map[string]string
		want    ErrorPolicy
	}{
		{nil, FailOnError},
		{map[string]string{"on.error": "Skip"}, SkipErrors},
		{map[string]string{"on.error": "dead-letter", "csv.ignore-parse-errors": "true"}, DeadLetter},
		{map[string]string{"csv.ignore-parse-errors": "true"}, SkipErrors},
		{map[string]string{"json.ignore-parse-errors": "false"}, FailOnError},
	} {
		if got, err := OnError(c.options); err != nil || got != c.want {
			t.Errorf("OnError(%v) = %v, %v; want %v", c.options, got, err, c.want)
		}
	}
	if _, err := OnError(map[string]string{"on.error": "ignore"}); err == nil {
		t.Error("an unknown policy was accepted")
	}
}
