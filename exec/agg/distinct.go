package agg

import "errors"

func distinctCall(Call, Options) (Call, error) { return Call{}, errors.New("distinct") }
