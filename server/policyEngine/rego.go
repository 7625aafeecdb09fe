package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/storage"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
	"github.com/open-policy-agent/opa/v1/topdown"
	"github.com/open-policy-agent/opa/v1/util"
)

// refusedBuiltins reach outside the policy (network, environment) or make two
// runs differ. A module that calls one does not compile, with a position.
// `time.now_ns`, `rand.intn` and `uuid.rfc4122` stay: they read the time and
// the seed of the request.
var refusedBuiltins = []string{"http.send", "net.lookup_ip_addr", "opa.runtime"}

type regoProgram struct {
	modules  map[string]*ast.Module
	compiler *ast.Compiler
	store    storage.Store
	queries  map[string]ast.Body
	// conftest is what Conftest adds to Rego; nil for other programs.
	conftest *conftestRego
}

type compileRegoRequest struct {
	Modules map[string]string `json:"modules"` // path → text
	Data    json.RawMessage   `json:"data"`    // an object, the base documents
	// RegoVersion is v1 (default) or v0. A v0 module may `import rego.v1`.
	RegoVersion string `json:"regoVersion"`
	Strict      bool   `json:"strict"`
	// AllowBuiltins removes names from the list of refused built-ins.
	AllowBuiltins []string `json:"allowBuiltins"`
}

// capabilities is OPA's own list for this version without the refused
// built-ins. AllowNet is an empty list, not nil: nil would mean "every host".
func capabilities(allow []string) *ast.Capabilities {
	c := ast.CapabilitiesForThisVersion()
	c.Builtins = slices.DeleteFunc(c.Builtins, func(b *ast.Builtin) bool {
		return slices.Contains(refusedBuiltins, b.Name) && !slices.Contains(allow, b.Name)
	})
	c.AllowNet = []string{}
	return c
}

func compileRego(e *Engine, request []byte) (any, error) {
	var r compileRegoRequest
	if err := json.Unmarshal(request, &r); err != nil {
		return nil, err
	}
	program, errs := newRegoProgram(r, capabilities(r.AllowBuiltins), nil)
	if len(errs) > 0 {
		return map[string]any{"errors": errs}, nil
	}
	handle := e.handle()
	e.rego[handle] = program
	return map[string]any{"handle": handle, "rules": program.rules()}, nil
}

func regoVersion(name string) ast.RegoVersion {
	if name == "v0" {
		return ast.RegoV0
	}
	return ast.RegoV1
}

func newRegoProgram(r compileRegoRequest, allowed *ast.Capabilities, conftest *conftestRego) (*regoProgram, []regoError) {
	version := regoVersion(r.RegoVersion)
	modules := map[string]*ast.Module{}
	var errs []regoError
	for name, text := range r.Modules {
		module, err := ast.ParseModuleWithOpts(name, text, ast.ParserOptions{
			RegoVersion: version, ProcessAnnotation: true, Capabilities: allowed,
		})
		if err != nil {
			errs = append(errs, regoErrors(err)...)
			continue
		}
		modules[name] = module
	}
	if len(errs) > 0 {
		return nil, sortRegoErrors(errs)
	}
	compiler := ast.NewCompiler().
		WithCapabilities(allowed).
		WithStrict(r.Strict).
		WithDefaultRegoVersion(version).
		WithEnablePrintStatements(true)
	compiler.Compile(modules)
	if compiler.Failed() {
		return nil, sortRegoErrors(regoErrors(compiler.Errors))
	}
	data := map[string]any{}
	if len(r.Data) > 0 {
		// OPA's own decoder: numbers stay json.Number and keep all digits.
		if err := util.UnmarshalJSON(r.Data, &data); err != nil {
			return nil, []regoError{{Code: "data_error", Message: err.Error()}}
		}
	}
	return &regoProgram{
		modules: modules, compiler: compiler, store: inmem.NewFromObject(data), queries: map[string]ast.Body{}, conftest: conftest,
	}, nil
}

type ruleInfo struct {
	Package string `json:"package"` // data.main
	Name    string `json:"name"`    // deny
	File    string `json:"file"`
	Row     int    `json:"row"`
}

func (p *regoProgram) rules() []ruleInfo {
	var out []ruleInfo
	for file, module := range p.modules {
		for _, rule := range module.Rules {
			out = append(out, ruleInfo{Package: module.Package.Path.String(), Name: rule.Head.Ref().String(), File: file, Row: rule.Location.Row})
		}
	}
	slices.SortFunc(out, func(a, b ruleInfo) int {
		if c := strings.Compare(a.File, b.File); c != 0 {
			return c
		}
		return a.Row - b.Row
	})
	return out
}

type evalRegoRequest struct {
	Handle int             `json:"handle"`
	Query  string          `json:"query"`
	Input  json.RawMessage `json:"input"`
	Limits limits          `json:"limits"`
	Now    string          `json:"now"`  // RFC 3339; fixes time.now_ns
	Seed   int64           `json:"seed"` // fixes rand.intn and uuid.rfc4122
	Trace  bool            `json:"trace"`
}

func evalRego(e *Engine, request []byte) (any, error) {
	var r evalRegoRequest
	if err := json.Unmarshal(request, &r); err != nil {
		return nil, err
	}
	program, ok := e.rego[r.Handle]
	if !ok {
		return nil, fmt.Errorf("no compiled Rego has the handle %d", r.Handle)
	}
	input, err := ast.ValueFromReader(strings.NewReader(string(r.Input)))
	if err != nil {
		return nil, err
	}
	result, err := program.eval(r, input)
	if err != nil {
		return map[string]any{"errors": regoErrors(err), "steps": result.Steps}, nil
	}
	return result, nil
}

type regoResult struct {
	// Results has, for each solution of the query, the values of its variables:
	// the query `value = data.main.deny` gives [{"value": […]}], or [] when undefined.
	Results []map[string]any `json:"results"`
	Prints  []string         `json:"prints,omitempty"`
	Steps   uint64           `json:"steps"`
}

func (p *regoProgram) eval(r evalRegoRequest, input ast.Value) (regoResult, error) {
	body, ok := p.queries[r.Query]
	if !ok {
		parsed, err := ast.ParseBodyWithOpts(r.Query, ast.ParserOptions{RegoVersion: ast.RegoV1, Capabilities: p.compiler.Capabilities()})
		if err != nil {
			return regoResult{}, err
		}
		if body, err = p.compiler.QueryCompiler().Compile(parsed); err != nil {
			return regoResult{}, err
		}
		p.queries[r.Query] = body
	}
	ctx := context.Background()
	txn, err := p.store.NewTransaction(ctx)
	if err != nil {
		return regoResult{}, err
	}
	defer p.store.Abort(ctx, txn)

	now := time.Unix(0, 0)
	if r.Now != "" {
		if now, err = time.Parse(time.RFC3339, r.Now); err != nil {
			return regoResult{}, err
		}
	}
	cancel := newBudget(r.Limits)
	prints := &printCollector{}
	query := topdown.NewQuery(body).
		WithCompiler(p.compiler).
		WithStore(p.store).
		WithTransaction(txn).
		WithInput(ast.NewTerm(input)).
		WithTime(now).
		WithSeed(newSeed(r.Seed)).
		WithPrintHook(prints).
		WithCancel(cancel).
		WithBuiltins(p.conftest.functions())
	var failed []topdown.Error
	if p.conftest.raisesErrors() {
		query = query.WithBuiltinErrorList(&failed)
	}
	solutions, err := query.Run(ctx)
	if err == nil && len(failed) > 0 {
		err = &failed[0]
	}
	out := regoResult{Results: []map[string]any{}, Prints: prints.lines, Steps: cancel.steps}
	if err != nil {
		return out, cancel.explain(err)
	}
	for _, solution := range solutions {
		row := map[string]any{}
		for name, term := range solution {
			if ast.Var(name).IsGenerated() || ast.Var(name).IsWildcard() {
				continue
			}
			if value, err := ast.JSON(term.Value); err == nil {
				row[string(name)] = value
			}
		}
		out.Results = append(out.Results, row)
	}
	return out, nil
}
