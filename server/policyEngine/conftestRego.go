package main

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"sort"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/tester"
	"github.com/open-policy-agent/opa/v1/topdown"
	"github.com/open-policy-agent/opa/v1/types"
)

// conftestRego is what Conftest adds to Rego: functions that parse
// configurations. Those that read files only see the texts that the host has
// provided. A file that was not provided yet ends the evaluation; the host
// receives its path and repeats the request with its text.
type conftestRego struct {
	files  map[string]*string // by path; nil: there is no such file for policies
	wanted []string
	raises bool // an error in a built-in ends the evaluation

	ignored    *regexp.Regexp // paths that are not tested; nil: none
	namespaces []conftestNamespace
	questions  []conftestQuestion
}

// conftestParserErr is returned when a rule uses a parser that is missing here.
const conftestParserErr = "conftest_parser_error"

type conftestFunction struct {
	name    string
	args    []types.Type
	compute func(c *conftestRego, bctx rego.BuiltinContext, operands []*ast.Term) (any, error)
}

var anyObject = types.NewObject(nil, types.NewDynamicProperty(types.S, types.NewAny()))

var conftestFunctions = []conftestFunction{
	{"parse_config", types.Args(types.S, types.S), parseConfig},
	{"parse_config_file", types.Args(types.S), parseConfigFile},
	{"parse_combined_config_files", types.Args(types.NewArray(nil, types.S)), parseCombinedConfigFiles},
}

func (c *conftestRego) raisesErrors() bool { return c != nil && c.raises }

// give adds texts that the host provides.
func (c *conftestRego) give(files map[string]*string) {
	for name, text := range files {
		c.files[name] = text
	}
	c.wanted = nil
}

func (f conftestFunction) declaration() *ast.Builtin {
	return &ast.Builtin{Name: f.name, Decl: types.NewFunction(f.args, anyObject)}
}

// functions is for OPA's evaluator, testerFunctions for its runner of tests.
func (c *conftestRego) functions() map[string]*topdown.Builtin {
	if c == nil {
		return nil
	}
	all := map[string]*topdown.Builtin{}
	for _, f := range conftestFunctions {
		all[f.name] = &topdown.Builtin{
			Decl: f.declaration(),
			Func: func(bctx topdown.BuiltinContext, operands []*ast.Term, iter func(*ast.Term) error) error {
				value, err := c.call(f, bctx, operands)
				if err != nil {
					return err
				}
				return iter(value)
			},
		}
	}
	return all
}

func (c *conftestRego) testerFunctions() []*tester.Builtin {
	var all []*tester.Builtin
	for _, f := range conftestFunctions {
		function := rego.FunctionDyn(&rego.Function{Name: f.name, Decl: types.NewFunction(f.args, anyObject)},
			func(bctx rego.BuiltinContext, operands []*ast.Term) (*ast.Term, error) {
				value, err := c.call(f, bctx, operands)
				var halt topdown.Halt
				if !errors.As(err, &halt) {
					return value, err
				}
				// OPA adds the name and the location itself.
				var unsupported *unsupportedParser
				if errors.As(halt.Err, &unsupported) {
					return nil, rego.NewHaltError(unsupported)
				}
				return nil, rego.NewHaltError(halt.Err)
			})
		all = append(all, &tester.Builtin{Decl: f.declaration(), Func: function})
	}
	return all
}

func (c *conftestRego) call(f conftestFunction, bctx rego.BuiltinContext, operands []*ast.Term) (*ast.Term, error) {
	value, err := f.compute(c, bctx, operands)
	if err != nil {
		var unsupported *unsupportedParser
		if errors.As(err, &unsupported) {
			told := &topdown.Error{Code: conftestParserErr, Message: fmt.Sprintf("%s: %v", f.name, err), Location: bctx.Location}
			return nil, topdown.Halt{Err: told.Wrap(unsupported)}
		}
		var halt topdown.Halt
		if errors.As(err, &halt) {
			return nil, halt
		}
		return nil, &topdown.Error{Code: topdown.BuiltinErr, Message: fmt.Sprintf("%s: %v", f.name, err), Location: bctx.Location}
	}
	term, err := ast.InterfaceToValue(value)
	if err != nil {
		return nil, err
	}
	return &ast.Term{Value: term, Location: bctx.Location}, nil
}

func parseConfig(_ *conftestRego, _ rego.BuiltinContext, operands []*ast.Term) (any, error) {
	parser, err := stringOf(operands[0])
	if err != nil {
		return nil, err
	}
	text, err := stringOf(operands[1])
	if err != nil {
		return nil, err
	}
	return parseConfiguration(parser, text)
}

func parseConfigFile(c *conftestRego, bctx rego.BuiltinContext, operands []*ast.Term) (any, error) {
	name, err := stringOf(operands[0])
	if err != nil {
		return nil, err
	}
	return c.parseFile(bctx, name)
}

func parseCombinedConfigFiles(c *conftestRego, bctx rego.BuiltinContext, operands []*ast.Term) (any, error) {
	var names []string
	if err := ast.As(operands[0].Value, &names); err != nil {
		return nil, err
	}
	parsed := map[string]any{}
	for _, name := range names {
		value, err := c.parseFile(bctx, name)
		if err != nil {
			return nil, err
		}
		parsed[besidePolicy(bctx, name)] = value
	}
	return combinedConfigurations(parsed), nil
}

// besidePolicy is the path of a file as a policy writes it: relative to the folder of the policy.
func besidePolicy(bctx rego.BuiltinContext, name string) string {
	return path.Join(path.Dir(bctx.Location.File), name)
}

func (c *conftestRego) parseFile(bctx rego.BuiltinContext, name string) (any, error) {
	file := besidePolicy(bctx, name)
	parser, err := parserOfFile(file)
	if err != nil {
		return nil, err
	}
	text, isKnown := c.files[file]
	if !isKnown {
		if !slices.Contains(c.wanted, file) {
			c.wanted = append(c.wanted, file)
		}
		return nil, topdown.Halt{Err: fmt.Errorf("the file %s is wanted", file)}
	}
	if text == nil {
		return nil, fmt.Errorf("there is no file %s", file)
	}
	return parseConfiguration(parser, *text)
}

func stringOf(term *ast.Term) (string, error) {
	text, ok := term.Value.(ast.String)
	if !ok {
		return "", fmt.Errorf("%v is not a string", term)
	}
	return string(text), nil
}

// combinedConfiguration is one document as Conftest combines them; it is
// converted to Rego through JSON, which preserves whole numbers.
type combinedConfiguration struct {
	Path     string `json:"path"`
	Contents any    `json:"contents"`
}

// combinedConfigurations combines files by path as --combine does: a list of documents.
func combinedConfigurations(files map[string]any) []combinedConfiguration {
	var all []combinedConfiguration
	for path, contents := range files {
		documents, ok := contents.([]any)
		if !ok {
			documents = []any{contents}
		}
		for _, document := range documents {
			all = append(all, combinedConfiguration{Path: path, Contents: document})
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Path < all[j].Path })
	return all
}
