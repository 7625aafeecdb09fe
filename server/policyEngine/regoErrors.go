package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/topdown"
)

type position struct {
	File   string `json:"file,omitempty"`
	Row    int    `json:"row"`    // from 1
	Col    int    `json:"col"`    // from 1, in bytes of the line
	Offset int    `json:"offset"` // from 0, in bytes of the file
}

type regoError struct {
	Code     string    `json:"code"` // rego_parse_error, rego_type_error, rego_unsafe_var_error, eval_…
	Message  string    `json:"message"`
	Location *position `json:"location,omitempty"`
	Details  []string  `json:"details,omitempty"`
	// Rule is the evaluated rule, for an evaluation error.
	Rule string `json:"rule,omitempty"`
}

func regoErrors(err error) []regoError {
	var list ast.Errors
	if errors.As(err, &list) {
		out := make([]regoError, 0, len(list))
		for _, e := range list {
			out = append(out, oneRegoError(e))
		}
		return out
	}
	var one *ast.Error
	if errors.As(err, &one) {
		return []regoError{oneRegoError(one)}
	}
	var eval *topdown.Error
	if errors.As(err, &eval) {
		return []regoError{{Code: eval.Code, Message: eval.Message, Location: locationOf(eval.Location)}}
	}
	return []regoError{{Code: "error", Message: err.Error()}}
}

func oneRegoError(e *ast.Error) regoError {
	out := regoError{Code: e.Code, Message: e.Message, Location: locationOf(e.Location)}
	if e.Details != nil {
		out.Details = e.Details.Lines()
	}
	return out
}

func locationOf(l *ast.Location) *position {
	if l == nil {
		return nil
	}
	return &position{File: l.File, Row: l.Row, Col: l.Col, Offset: l.Offset}
}

func sortRegoErrors(errs []regoError) []regoError {
	slices.SortStableFunc(errs, func(a, b regoError) int {
		if a.Location == nil || b.Location == nil {
			return 0
		}
		if c := strings.Compare(a.Location.File, b.Location.File); c != 0 {
			return c
		}
		return a.Location.Offset - b.Location.Offset
	})
	return errs
}
