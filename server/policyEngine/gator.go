package main

import (
	"context"
	"encoding/json"
	"maps"
	"testing/fstest"

	"github.com/open-policy-agent/gatekeeper/v3/pkg/gator/verify"
)

type runGatekeeperSuiteRequest struct {
	Files map[string]string `json:"files"` // path below the root of the files → text
	Suite string            `json:"suite"` // path of the suite
	Run   string            `json:"run"`   // gator verify --run
}

type suiteCase struct {
	Name    string `json:"name"`
	Skipped bool   `json:"skipped,omitempty"`
	Error   string `json:"error,omitempty"`
	Print   string `json:"print,omitempty"`
}

type suiteTest struct {
	suiteCase
	Cases []suiteCase `json:"cases"`
}

// runGatekeeperSuite is `gator verify` over files in memory.
func runGatekeeperSuite(_ *Engine, request []byte) (any, error) {
	var r runGatekeeperSuiteRequest
	if err := json.Unmarshal(request, &r); err != nil {
		return nil, err
	}
	files := fstest.MapFS{}
	for name, text := range maps.All(r.Files) {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	suites, err := verify.ReadSuites(files, r.Suite, r.Suite, false)
	if err != nil {
		return nil, err
	}
	filter, err := verify.NewFilter(r.Run)
	if err != nil {
		return nil, err
	}
	runner, err := verify.NewRunner(files, newSuiteClient)
	if err != nil {
		return nil, err
	}
	tests := []suiteTest{}
	for _, suite := range suites {
		result := runner.Run(context.Background(), filter, suite)
		if result.Error != nil {
			return nil, result.Error
		}
		for _, test := range result.TestResults {
			one := suiteTest{suiteCase: suiteCase{Name: test.Name, Skipped: test.Skipped, Error: text(test.Error)}, Cases: []suiteCase{}}
			for _, c := range test.CaseResults {
				one.Cases = append(one.Cases, suiteCase{Name: c.Name, Skipped: c.Skipped, Error: text(c.Error), Print: c.Print})
			}
			tests = append(tests, one)
		}
	}
	return map[string]any{"tests": tests}, nil
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
