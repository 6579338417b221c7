package expr

import "bytes"

func init() {
	Register(Function{
		Name: "PARSE_URL", Category: categoryString,
		Doc:     "A part of a URL: 'HOST', 'PATH', 'QUERY', 'REF', 'PROTOCOL', 'FILE', 'AUTHORITY' or 'USERINFO', or the value of a key of its 'QUERY'; NULL if there is none.",
		Example: "PARSE_URL('http://example.com/a?k=v#top', 'QUERY', 'k')", ExampleResult: "v",
		Overloads: []Overload{{
			Params: []Param{stringParam, named(stringParam, "part"), named(stringParam, "key")}, Optional: 1, Returns: returns(String),
			Nulls: PropagateOrNull, Slow: true, Compile: only(parseURLKernel),
		}},
	})
}

// url is the parts of a URL, nil for those it does not have.
type url struct {
	protocol, authority, user, host, path, query, ref, file []byte
}

func parseURL(s []byte) (u url, ok bool) {
	var found bool
	if u.protocol, s, found = bytes.Cut(s, []byte(":")); !found || !isScheme(u.protocol) {
		return u, false
	}
	if s, u.ref, found = bytes.Cut(s, []byte("#")); !found {
		u.ref = nil
	}
	u.host, u.file = []byte{}, s
	if rest, ok := bytes.CutPrefix(s, []byte("//")); ok {
		end := bytes.IndexAny(rest, "/?")
		if end < 0 {
			end = len(rest)
		}
		u.authority, u.file = rest[:end], rest[end:]
		u.user, u.host = splitAuthority(u.authority)
	}
	if u.path, u.query, found = bytes.Cut(u.file, []byte("?")); !found {
		u.query = nil
	}
	return u, true
}

func isScheme(s []byte) bool {
	for i, c := range s {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (i == 0 || c-'0' > 9 && c != '+' && c != '-' && c != '.') {
			return false
		}
	}
	return len(s) > 0
}

// splitAuthority divides user@host:port; the user is nil if there is none.
func splitAuthority(s []byte) (user, host []byte) {
	if at := bytes.LastIndexByte(s, '@'); at >= 0 {
		user, s = s[:at], s[at+1:]
	}
	if colon := bytes.LastIndexByte(s, ':'); colon > bytes.LastIndexByte(s, ']') {
		s = s[:colon]
	}
	return user, s
}

// part is a part by its name, nil if the URL does not have it.
func (u *url) part(name string) []byte {
	switch name {
	case "HOST":
		return u.host
	case "PATH":
		return u.path
	case "QUERY":
		return u.query
	case "REF":
		return u.ref
	case "PROTOCOL":
		return u.protocol
	case "FILE":
		return u.file
	case "AUTHORITY":
		return u.authority
	case "USERINFO":
		return u.user
	}
	return nil
}

// queryValue is the value of the first key=value of a query with that key.
func queryValue(query, key []byte) []byte {
	for more := query != nil; more; {
		var pair []byte
		pair, query, more = bytes.Cut(query, []byte("&"))
		if value, ok := bytes.CutPrefix(pair, key); ok && len(value) > 0 && value[0] == '=' {
			return value[1:]
		}
	}
	return nil
}

func parseURLKernel(f *Frame, args []*Vector, out *Vector) error {
	for _, row := range f.Rows() {
		var found []byte
		if u, ok := parseURL(args[0].bytes(row)); ok {
			part := args[1].str(row)
			switch {
			case len(args) == 2:
				found = u.part(part)
			case part == "QUERY":
				found = queryValue(u.query, args[2].bytes(row))
			}
		}
		if found == nil {
			f.SetNull(row)
			continue
		}
		out.data = append(out.data, found...)
		out.end(row)
	}
	return nil
}
