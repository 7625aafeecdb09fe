package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/loader"
)

type compileConftestRequest struct {
	compileRegoRequest
	Namespaces        []string `json:"namespaces"`   // names or globs; empty: ["main"]; ["*"]: all
	Ignore            string   `json:"ignore"`       // a regular expression on paths
	Capabilities      string   `json:"capabilities"` // the text of a file of capabilities; empty: all that Berth allows
	ShowBuiltinErrors bool     `json:"showBuiltinErrors"`
	// DataPaths are the files and folders of --data, among DataFiles: texts by path.
	DataPaths []string          `json:"dataPaths"`
	DataFiles map[string]string `json:"dataFiles"`
}

// conftestQuestion is a rule that Conftest evaluates, by namespace and name.
type conftestQuestion struct {
	Namespace string `json:"namespace"`
	Rule      string `json:"rule"`
}

// compileConftest compiles Rego as `conftest test` would, with Conftest's own
// functions, and returns the rules that it would evaluate.
func compileConftest(e *Engine, request []byte) (any, error) {
	var r compileConftestRequest
	if err := json.Unmarshal(request, &r); err != nil {
		return nil, err
	}
	program, errs := newConftestProgram(r)
	if len(errs) > 0 {
		return map[string]any{"errors": errs}, nil
	}
	handle := e.handle()
	e.rego[handle] = program
	return map[string]any{"handle": handle, "rules": program.rules(), "questions": program.conftest.questions}, nil
}

func newConftestProgram(r compileConftestRequest) (*regoProgram, []regoError) {
	allowed, err := conftestCapabilities(r.Capabilities)
	if err != nil {
		return nil, []regoError{{Code: "capabilities_error", Message: err.Error()}}
	}
	conftest := &conftestRego{files: map[string]*string{}, raises: r.ShowBuiltinErrors}
	if r.Ignore != "" {
		if conftest.ignored, err = regexp.Compile(r.Ignore); err != nil {
			return nil, []regoError{{Code: "ignore_error", Message: err.Error()}}
		}
	}
	if r.Data, err = conftestData(r.DataPaths, r.DataFiles); err != nil {
		return nil, []regoError{{Code: "data_error", Message: err.Error()}}
	}
	program, errs := newRegoProgram(r.compileRegoRequest, allowed, conftest)
	if len(errs) > 0 {
		return nil, errs
	}
	if errs := passingRules(program.modules); len(errs) > 0 {
		return nil, errs
	}
	namespaces, err := conftestNamespaces(program, r.Namespaces)
	if err != nil {
		return nil, []regoError{{Code: "namespace_error", Message: err.Error()}}
	}
	for _, namespace := range namespaces {
		names, counts := program.conftestRules(namespace)
		for _, name := range names {
			conftest.questions = append(conftest.questions, conftestQuestion{Namespace: namespace, Rule: name})
		}
		conftest.namespaces = append(conftest.namespaces, conftestNamespace{name: namespace, rules: names, count: counts})
	}
	return program, nil
}

// conftestCapabilities are those of a file, if there is one, without what Berth
// refuses. Conftest's own functions are never in such a file.
func conftestCapabilities(text string) (*ast.Capabilities, error) {
	own := capabilities(nil)
	if text == "" {
		for _, f := range conftestFunctions {
			own.Builtins = append(own.Builtins, f.declaration())
		}
		return own, nil
	}
	given, err := ast.LoadCapabilitiesJSON(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	given.Builtins = slices.DeleteFunc(given.Builtins, func(b *ast.Builtin) bool { return slices.Contains(refusedBuiltins, b.Name) })
	given.AllowNet = []string{}
	return given, nil
}

// conftestData loads files with OPA's own loader: folders become keys, and its YAML differs from that of manifests
// (`yes` is a text, 1.0 keeps its decimal point).
func conftestData(paths []string, files map[string]string) (json.RawMessage, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	inMemory := fstest.MapFS{}
	for name, text := range files {
		inMemory[name] = &fstest.MapFile{Data: []byte(text)}
	}
	loaded, err := loader.NewFileLoader().WithFS(inMemory).Filtered(paths, func(name string, info fs.FileInfo, _ int) bool {
		return !info.IsDir() && !slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(name))
	})
	if err != nil {
		return nil, err
	}
	return json.Marshal(loaded.Documents)
}

// passingRules are rules such as `deny.x if …`, which look as if they denied but never do. Conftest refuses to run
// with one.
func passingRules(modules map[string]*ast.Module) []regoError {
	var errs []regoError
	for _, module := range modules {
		for _, rule := range module.Rules {
			head := rule.Head
			if head == nil || head.Name != "" || head.Value == nil || len(head.Reference) == 0 || head.Value.String() != "true" {
				continue
			}
			if name := head.Reference[0].Value.String(); isConftestRule(name) {
				message := fmt.Sprintf("%s is true or undefined, which says nothing; Conftest wants `%s contains MESSAGE if`", head.Reference, name)
				errs = append(errs, regoError{Code: "conftest_rule_error", Message: message, Location: locationOf(head.Location)})
			}
		}
	}
	return sortRegoErrors(errs)
}

func conftestNamespaces(p *regoProgram, wanted []string) ([]string, error) {
	if len(wanted) == 0 {
		wanted = []string{"main"}
	}
	if !slices.ContainsFunc(wanted, func(w string) bool { return strings.ContainsAny(w, "*?[") }) {
		return wanted, nil
	}
	return p.matchingPackages(wanted)
}

// matchingPackages are the packages that one of some globs matches; a dot is an ordinary character.
func (p *regoProgram) matchingPackages(patterns []string) ([]string, error) {
	var matching []string
	for _, namespace := range p.packages() {
		for _, pattern := range patterns {
			matched, err := path.Match(pattern, namespace)
			if err != nil {
				return nil, fmt.Errorf("the pattern %q: %w", pattern, err)
			}
			if matched {
				matching = append(matching, namespace)
				break
			}
		}
	}
	return matching, nil
}

// packages are the names of a program's packages without `data.`, each once.
func (p *regoProgram) packages() []string {
	var names []string
	for _, name := range slices.Sorted(mapKeys(p.modules)) {
		if namespace := namespaceOf(p.modules[name]); !slices.Contains(names, namespace) {
			names = append(names, namespace)
		}
	}
	return names
}

func namespaceOf(module *ast.Module) string {
	return strings.Replace(module.Package.Path.String(), "data.", "", 1)
}

func mapKeys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// conftestRules are the distinct deny, violation and warn names of a namespace,
// and how many rules have each name.
func (p *regoProgram) conftestRules(namespace string) (names []string, count int) {
	for _, file := range slices.Sorted(mapKeys(p.modules)) {
		module := p.modules[file]
		if namespaceOf(module) != namespace {
			continue
		}
		for _, rule := range module.Rules {
			name := rule.Head.Name.String()
			if !isConftestRule(name) {
				continue
			}
			count++
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names, count
}
