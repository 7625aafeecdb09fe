package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/tester"
)

type verifyConftestRequest struct {
	compileConftestRequest
	Run      string             `json:"run"`      // a regular expression on data.PACKAGE.NAME; empty: all
	Readable map[string]*string `json:"readable"` // as of checkConftest
	Reported []string           `json:"reported"` // names or globs of the packages whose tests are reported; empty: all
}

type regoTest struct {
	Package  string    `json:"package"` // data.main
	Name     string    `json:"name"`    // test_denies_root
	Location *position `json:"location,omitempty"`
	Outcome  string    `json:"outcome"` // pass, fail, error, skip
	Message  string    `json:"message,omitempty"`
	Output   string    `json:"output,omitempty"` // what was printed
}

// verifyConftest runs the test_ rules with OPA's own runner, as `conftest verify` does.
func verifyConftest(_ *Engine, request []byte) (any, error) {
	var r verifyConftestRequest
	if err := json.Unmarshal(request, &r); err != nil {
		return nil, err
	}
	program, errs := newConftestProgram(r.compileConftestRequest)
	if len(errs) > 0 {
		return map[string]any{"errors": errs}, nil
	}
	program.conftest.give(r.Readable)
	ctx := context.Background()
	txn, err := program.store.NewTransaction(ctx)
	if err != nil {
		return nil, err
	}
	defer program.store.Abort(ctx, txn)
	results, err := tester.NewRunner().
		SetParallel(1).
		SetCompiler(program.compiler).
		SetStore(program.store).
		SetModules(program.modules).
		SetDefaultRegoVersion(regoVersion(r.RegoVersion)).
		CapturePrintOutput(true).
		AddCustomBuiltins(program.conftest.testerFunctions()).
		RaiseBuiltinErrors(program.conftest.raises).
		Filter(r.Run).
		RunTests(ctx, txn)
	if err != nil {
		return map[string]any{"errors": regoErrors(err)}, nil
	}
	reported, err := program.matchingPackages(r.Reported)
	if err != nil {
		return nil, err
	}
	tests := []regoTest{}
	for result := range results {
		if len(r.Reported) == 0 || slices.Contains(reported, strings.TrimPrefix(result.Package, "data.")) {
			tests = append(tests, regoTestOf(result))
		}
	}
	slices.SortFunc(tests, func(a, b regoTest) int {
		if c := strings.Compare(a.Package, b.Package); c != 0 {
			return c
		}
		return strings.Compare(a.Name, b.Name)
	})
	return map[string]any{"tests": tests, "wanted": program.conftest.wanted}, nil
}

func regoTestOf(result *tester.Result) regoTest {
	test := regoTest{Package: result.Package, Name: result.Name, Location: locationOf(result.Location), Output: string(result.Output)}
	switch {
	case result.Error != nil:
		test.Outcome, test.Message = "error", result.Error.Error()
	case result.Skip:
		test.Outcome = "skip"
	case result.Fail:
		test.Outcome = "fail"
		var failed []string
		for names, sub := range result.SubResults.Iter {
			if sub.Fail {
				failed = append(failed, fmt.Sprintf("%q", strings.Join(names, "/")))
			}
		}
		if len(failed) > 0 {
			test.Message = "failed cases: " + strings.Join(failed, ", ")
		}
	default:
		test.Outcome = "pass"
	}
	return test
}
