package analytic

import "github.com/apache/arrow/go/v17/arrow"

func init() {
	registerRank("ROW_NUMBER", bigint, "The number of the row in the order of its partition, from 1.")
	registerRank("RANK", bigint, "One more than the number of rows that sort before the row; rows that sort alike have the same rank.")
	registerRank("DENSE_RANK", bigint, "One more than the number of different sort keys before the row.")
	registerRank("PERCENT_RANK", double, "The share of the other rows of the partition that sort before the row, from 0 to 1.")
	registerRank("CUME_DIST", double, "The share of the rows of the partition that do not sort behind the row.")
	Register(Function{
		Name: "NTILE", Signature: "NTILE(n)", Doc: "The number of the row's part when the partition is divided into n parts of equal size, in order.",
		Example: "NTILE(4) OVER (ORDER BY price)",
		Resolve: func(args []arrow.DataType) (Call, error) {
			if err := takes("NTILE", args, 1, 1); err != nil {
				return Call{}, err
			}
			if !isInteger(args[0]) {
				return Call{}, &ArgumentError{Arg: 0, Msg: "NTILE takes a whole number"}
			}
			return Call{Name: "NTILE", Args: []arrow.DataType{bigint}, Result: bigint, Constant: []int{0}}, nil
		},
	})
}

func registerRank(name string, result arrow.DataType, doc string) {
	Register(Function{
		Name: name, Signature: name + "()", Doc: doc, Example: name + "() OVER (PARTITION BY auction ORDER BY price DESC)",
		Resolve: func(args []arrow.DataType) (Call, error) {
			return Call{Name: name, Result: result}, takes(name, args, 0, 0)
		},
	})
}
