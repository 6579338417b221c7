package analytic

import "github.com/apache/arrow/go/v17/arrow"

func init() {
	registerShift("LAG", "before")
	registerShift("LEAD", "behind")
	registerEdge("FIRST_VALUE", "first")
	registerEdge("LAST_VALUE", "last")
	Register(Function{
		Name: "NTH_VALUE", Signature: "NTH_VALUE(value, n)", Doc: "The value in the n-th row of the frame, from 1; NULL if there are fewer.",
		Example: "NTH_VALUE(price, 2) OVER (PARTITION BY auction ORDER BY ts)", Framed: true, TreatsNulls: true,
		Resolve: func(args []arrow.DataType) (Call, error) {
			if err := takes("NTH_VALUE", args, 2, 2); err != nil {
				return Call{}, err
			}
			if !isInteger(args[1]) {
				return Call{}, &ArgumentError{Arg: 1, Msg: "NTH_VALUE takes a whole number as its second argument"}
			}
			return Call{Name: "NTH_VALUE", Args: []arrow.DataType{args[0], bigint}, Result: args[0], Nullable: true, Constant: []int{1}}, nil
		},
	})
}

// registerShift adds a function that looks so many rows away.
func registerShift(name, where string) {
	Register(Function{
		Name: name, Signature: name + "(value [, offset [, default]])", TreatsNulls: true,
		Doc:     "The value of the row offset (1) rows " + where + " this one in its partition; the default (NULL) if there is none.",
		Example: name + "(price, 1, 0) OVER (PARTITION BY auction ORDER BY ts)",
		Resolve: func(args []arrow.DataType) (Call, error) {
			if err := takes(name, args, 1, 3); err != nil {
				return Call{}, err
			}
			call := Call{Name: name, Args: []arrow.DataType{args[0]}, Result: args[0], Nullable: true}
			if len(args) > 1 {
				if !isInteger(args[1]) {
					return Call{}, &ArgumentError{Arg: 1, Msg: name + " takes a whole number of rows as its second argument"}
				}
				call.Args, call.Constant = append(call.Args, bigint), []int{1}
			}
			if len(args) > 2 {
				call.Args = append(call.Args, args[0])
			}
			return call, nil
		},
	})
}

// registerEdge adds a function of the first or last row of the frame.
func registerEdge(name, which string) {
	Register(Function{
		Name: name, Signature: name + "(value)", Doc: "The value in the " + which + " row of the frame.", Framed: true, TreatsNulls: true,
		Example: name + "(price) OVER (PARTITION BY auction ORDER BY ts)",
		Resolve: func(args []arrow.DataType) (Call, error) {
			if err := takes(name, args, 1, 1); err != nil {
				return Call{}, err
			}
			return Call{Name: name, Args: args, Result: args[0], Nullable: true}, nil
		},
	})
}
