package expr

import "strconv"

func init() {
	Register(Function{
		Name: "INET_ATON", Category: categoryString,
		Doc:     "The number of an IPv4 address; NULL if the string is none.",
		Example: "INET_ATON('10.0.5.9')", ExampleResult: "167773449",
		Overloads: []Overload{{Params: []Param{stringParam}, Returns: returns(BigInt), Nulls: PropagateOrNull, Slow: true, Compile: only(inetNumbers)}},
	})
	Register(Function{
		Name: "INET_NTOA", Category: categoryString,
		Doc:     "The IPv4 address of a number; NULL if it is not from 0 to 4294967295.",
		Example: "INET_NTOA(167773449)", ExampleResult: "10.0.5.9",
		Overloads: []Overload{{Params: []Param{intParam}, Returns: returns(String), Nulls: PropagateOrNull, Slow: true, Compile: only(inetTexts)}},
	})
}

func inetNumbers(f *Frame, args []*Vector, out *Vector) error {
	o := values[int64](out)
	for _, row := range f.Rows() {
		var ok bool
		if o[row], ok = parseInet(args[0].bytes(row)); !ok {
			f.SetNull(row)
		}
	}
	return nil
}

// parseInet reads up to four numbers between points; of fewer, the last stands at the end: 127.1 is 127.0.0.1.
func parseInet(s []byte) (address int64, ok bool) {
	part, places, count := int64(0), 0, 0
	for i := 0; i <= len(s); i++ {
		switch {
		case i < len(s) && s[i]-'0' < 10:
			part, places = part*10+int64(s[i]-'0'), places+1
			if part > 255 {
				return 0, false
			}
		case places > 0 && (i == len(s) || s[i] == '.'):
			if count++; i == len(s) {
				address <<= 8 * max(0, 4-count)
			}
			address, part, places = address<<8|part, 0, 0
		default:
			return 0, false
		}
	}
	return address, count <= 4
}

func inetTexts(f *Frame, args []*Vector, out *Vector) error {
	x := numberArg[int64](args[0])
	for _, row := range f.Rows() {
		v := x.row(row)
		if v>>32 != 0 {
			f.SetNull(row)
			continue
		}
		for shift := 24; shift >= 0; shift -= 8 {
			out.data = strconv.AppendInt(out.data, v>>shift&255, 10)
			if shift > 0 {
				out.data = append(out.data, '.')
			}
		}
		out.end(row)
	}
	return nil
}
