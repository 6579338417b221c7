package planner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"streamsql/connector"
	"streamsql/internal/suggest"
	"streamsql/parser"
)

// externalType is a TYPE of CREATE EXTERNAL TABLE: the options it stands for, and those its LOCATION does.
type externalType struct {
	options  map[string]string
	location func(string) map[string]string
}

func atPath(location string) map[string]string { return map[string]string{"path": location} }

// externalTypes are the types that other engines know by these names. Any connector is a type by its own name as well.
var externalTypes = map[string]externalType{
	"text":    {map[string]string{connector.Key: "filesystem", "format": "csv"}, atPath},
	"csv":     {map[string]string{connector.Key: "filesystem", "format": "csv"}, atPath},
	"json":    {map[string]string{connector.Key: "filesystem", "format": "json"}, atPath},
	"parquet": {map[string]string{connector.Key: "filesystem", "format": "parquet"}, atPath},
	"kafka": {map[string]string{connector.Key: "kafka", "format": "json"}, func(location string) map[string]string {
		servers, topic, _ := strings.Cut(location, "/")
		return map[string]string{"properties.bootstrap.servers": servers, "topic": topic}
	}},
}

// external turns TYPE, LOCATION and TBLPROPERTIES into options.
func (d *tableDefinition) external() error {
	e := d.tree.External
	if e == nil {
		return nil
	}
	name := strings.ToLower(e.Type.Value)
	known, ok := externalTypes[name]
	if !ok {
		if _, err := connector.Lookup(name); err != nil {
			return d.at(e.Type).error("unknown type '"+e.Type.Value+"' of external table", suggest.Hint(name, externalNames()))
		}
		known = externalType{map[string]string{connector.Key: name}, atPath}
	}
	options := map[string]parser.Property{}
	add := func(at parser.Span, values map[string]string) {
		for k, v := range values {
			options[k] = parser.Property{Span: at, Key: parser.Text{Span: at, Value: k}, Value: parser.Text{Span: at, Value: v}}
		}
	}
	add(e.Type.Span, known.options)
	if e.Location != nil {
		add(e.Location.Span, known.location(e.Location.Value))
	}
	if e.Properties != nil {
		values, err := properties(e.Properties.Value)
		if err != nil {
			return d.errorf(e.Properties, "TBLPROPERTIES takes a JSON object of options: %s", err)
		}
		add(e.Properties.Span, values)
	}
	for _, p := range options {
		d.with = append(d.with, p)
	}
	return nil
}

func externalNames() []string {
	names := connector.Names()
	for name := range externalTypes {
		names = append(names, name)
	}
	return names
}

// properties reads a JSON object of strings, numbers and booleans.
func properties(text string) (map[string]string, error) {
	var object map[string]any
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.UseNumber()
	if err := decoder.Decode(&object); err != nil {
		return nil, err
	}
	values := map[string]string{}
	for k, v := range object {
		switch v := v.(type) {
		case string, json.Number, bool:
			values[k] = fmt.Sprint(v)
		default:
			return nil, fmt.Errorf("'%s' is neither text, a number nor a boolean", k)
		}
	}
	return values, nil
}
