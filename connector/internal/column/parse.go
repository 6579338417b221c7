package column

import (
	"encoding/base64"

	"streamsql/internal/text"
)

// SetText writes a row from the value's text, for the shapes that formats write as text: all but the nested ones. String and
// Bytes take v as it is but for base64, which Bytes are written in. The error is text.ErrSyntax or text.ErrRange.
func (c *Column) SetText(row int, v []byte) error {
	switch c.Shape {
	case String:
		c.SetString(row, v)
		return nil
	case Bytes:
		return c.setBase64(row, v)
	case Decimal:
		return c.setDecimal(row, v)
	case Float:
		return c.setFloatText(row, v)
	}
	n, err := c.parseWord(v)
	if err != nil {
		return err
	}
	c.Words[row] = n
	return nil
}

// parseWord parses the text of a shape kept in Words, save Float.
func (c *Column) parseWord(v []byte) (int64, error) {
	switch c.Shape {
	case Bool:
		b, err := text.ParseBool(v)
		if b {
			return 1, err
		}
		return 0, err
	case Int:
		n, err := text.ParseInt64(v)
		if err == nil && (n < c.Min || n > c.Max) {
			err = text.ErrRange
		}
		return n, err
	case Date:
		n, err := text.ParseDate(v)
		return int64(n), err
	case Time:
		return text.ParseTime(v, c.Unit)
	}
	if c.Zone != nil {
		return text.ParseTimestampLTZ(v, c.Unit, c.Zone)
	}
	return text.ParseTimestamp(v, c.Unit)
}

func (c *Column) setFloatText(row int, v []byte) error {
	f, err := text.ParseFloat64(v)
	if err == nil && c.narrow() {
		var narrow float32
		narrow, err = text.ParseFloat32(v) // not by way of a float64, which would round twice
		f = float64(narrow)
	}
	if err != nil {
		return err
	}
	c.SetFloat(row, f)
	return nil
}

func (c *Column) setDecimal(row int, v []byte) error {
	precision, scale := c.decimal()
	n, err := text.ParseDecimal(v, precision, scale)
	if err != nil {
		return err
	}
	c.Wide[row] = n
	return nil
}

func (c *Column) setBase64(row int, v []byte) error {
	data, err := base64.StdEncoding.AppendDecode(c.Data[:c.Ends[row]], v)
	if err != nil {
		return text.ErrSyntax
	}
	c.Data = data
	c.Ends[row+1] = int32(len(data))
	return nil
}
