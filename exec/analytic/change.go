package analytic

import "github.com/apache/arrow/go/v17/arrow"

func init() {
	Register(Function{
		Name: "CHANGED", Signature: "CHANGED(value)", Doc: "The value if it differs from that of the row before, and else NULL.", TreatsNulls: true,
		Example: "CHANGED(status) OVER (PARTITION BY device ORDER BY ts)",
		Resolve: func(args []arrow.DataType) (Call, error) {
			if err := takes("CHANGED", args, 1, 1); err != nil {
				return Call{}, err
			}
			return Call{Name: "CHANGED", Args: args, Result: args[0], Nullable: true}, nil
		},
	})
	Register(Function{
		Name: "HAD_CHANGED", Signature: "HAD_CHANGED(value, …)", Doc: "Whether any of the values differs from that of the row before.", TreatsNulls: true,
		Example: "HAD_CHANGED(status, level) OVER (PARTITION BY device ORDER BY ts)",
		Resolve: func(args []arrow.DataType) (Call, error) {
			if err := takes("HAD_CHANGED", args, 1, len(args)+1); err != nil {
				return Call{}, err
			}
			return Call{Name: "HAD_CHANGED", Args: args, Result: boolean}, nil
		},
	})
}
