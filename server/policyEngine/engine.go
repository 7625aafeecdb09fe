// Package main is Berth's policy engine: the real Open Policy Agent, the real
// Kubernetes admission CEL and the real Gatekeeper constraint framework behind
// one function, Call, which takes and gives JSON. It is compiled to WebAssembly
// and runs in a worker thread; nothing in it reads files, the clock of the
// machine (other than for limits) or the network.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
)

// An operation gets the request's JSON and returns a value to be marshalled.
type operation func(e *Engine, request []byte) (any, error)

// Engine holds what was compiled, by handle. A host keeps one per worker, and
// ends the worker to free everything.
type Engine struct {
	nextHandle int
	rego       map[int]*regoProgram
	gatekeeper map[int]*gatekeeperClient
	policies   map[int]*admissionPolicies
	compiled   compiledPolicies
	// waiting are the sessions of admit, which resume continues.
	waiting map[int]*waitingEvaluations
	// What was made for earlier requests, which later ones often need as well.
	types        *knownTypes
	environments map[string]*celEnvironment // by version
	converters   *typeConverters
	served       *servedResources
}

func NewEngine() *Engine {
	return &Engine{
		rego:         map[int]*regoProgram{},
		gatekeeper:   map[int]*gatekeeperClient{},
		policies:     map[int]*admissionPolicies{},
		compiled:     compiledPolicies{validators: map[string]validating.Validator{}, mutators: map[string]mutating.PolicyEvaluator{}},
		waiting:      map[int]*waitingEvaluations{},
		types:        newKnownTypes(),
		environments: map[string]*celEnvironment{},
	}
}

func (e *Engine) handle() int {
	e.nextHandle++
	return e.nextHandle
}

var operations = map[string]operation{
	"version":            version_,
	"compileRego":        compileRego,
	"evalRego":           evalRego,
	"compileConftest":    compileConftest,
	"checkConftest":      checkConftest,
	"compileCEL":         compileCEL,
	"typeCheckPolicy":    typeCheckPolicy,
	"verifyConftest":     verifyConftest,
	"loadPolicies":       loadPolicies,
	"admit":              admit,
	"resume":             resume,
	"loadGatekeeper":     loadGatekeeper,
	"updateGatekeeper":   updateGatekeeper,
	"reviewGatekeeper":   reviewGatekeeper,
	"runGatekeeperSuite": runGatekeeperSuite,
	"release":            release,
}

// Call answers one request `{"op": …}`. A failure of any kind, a panic in an
// upstream library included, becomes `{"error": {"message": …}}`.
func (e *Engine) Call(request []byte) (response []byte) {
	defer func() {
		if r := recover(); r != nil {
			response = failure(fmt.Errorf("the policy engine failed: %v", r))
		}
	}()
	name, err := operationOf(request)
	if err != nil {
		return failure(err)
	}
	op, ok := operations[name]
	if !ok {
		return failure(fmt.Errorf("unknown operation %q", name))
	}
	value, err := op(e, request)
	if err != nil {
		return failure(err)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return failure(err)
	}
	return out.Bytes()
}

// operationOf reads no more than the operation where that comes first: the operation reads all of its request itself.
func operationOf(request []byte) (string, error) {
	decoder := json.NewDecoder(bytes.NewReader(request))
	for _, expected := range []json.Token{json.Delim('{'), "op"} {
		if token, err := decoder.Token(); err != nil || token != expected {
			return operationAnywhere(request)
		}
	}
	var name string
	err := decoder.Decode(&name)
	return name, err
}

func operationAnywhere(request []byte) (string, error) {
	var head struct {
		Op string `json:"op"`
	}
	err := json.Unmarshal(request, &head)
	return head.Op, err
}

func failure(err error) []byte {
	out, _ := json.Marshal(map[string]any{"error": map[string]any{"message": err.Error()}})
	return out
}

// version_ tells which upstream versions were compiled in, from the build itself.
func version_(*Engine, []byte) (any, error) {
	versions := map[string]string{"go": runtime.Version(), "arch": runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			switch m.Path {
			case "github.com/open-policy-agent/opa", "k8s.io/apiserver", "github.com/google/cel-go",
				"github.com/open-policy-agent/gatekeeper/v3", "github.com/open-policy-agent/frameworks/constraint":
				versions[m.Path] = m.Version
			}
		}
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return map[string]any{"versions": versions, "heapBytes": memory.HeapAlloc, "systemBytes": memory.Sys}, nil
}

func release(e *Engine, request []byte) (any, error) {
	var r struct {
		Handle int `json:"handle"`
	}
	if err := json.Unmarshal(request, &r); err != nil {
		return nil, err
	}
	delete(e.rego, r.Handle)
	delete(e.gatekeeper, r.Handle)
	if policies, ok := e.policies[r.Handle]; ok {
		delete(e.policies, r.Handle)
		e.forgetUnused()
		e.giveUp(policies)
	}
	return map[string]any{}, nil
}
