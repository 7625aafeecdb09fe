package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/open-policy-agent/frameworks/constraint/pkg/apis"
	externaldatav1 "github.com/open-policy-agent/frameworks/constraint/pkg/apis/externaldata/unversioned"
	constraintclient "github.com/open-policy-agent/frameworks/constraint/pkg/client"
	"github.com/open-policy-agent/frameworks/constraint/pkg/client/drivers/rego"
	"github.com/open-policy-agent/frameworks/constraint/pkg/externaldata"
	configv1alpha1 "github.com/open-policy-agent/gatekeeper/v3/apis/config/v1alpha1"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/controller/config/process"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/drivers/k8scel"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/expansion"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/gator"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/gator/reader"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/target"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/util"
	"github.com/open-policy-agent/opa/v1/ast"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// gatekeeperClient is Gatekeeper's own client (the constraint framework, its
// Rego driver, its CEL driver and the match semantics of its target) with its
// mutation and expansion systems, as its webhooks use them.
type gatekeeperClient struct {
	client     *constraintclient.Client
	inventory  *inventoryDriver
	namespaces map[string]*corev1.Namespace
	excluder   *process.Excluder
	mutators   *mutators
	expansions *expansion.System
	// isScoped says whether some constraint has different actions at different enforcement points.
	isScoped bool
	// inCEL are the kinds of constraints whose template has CEL: the API server itself can enforce these.
	inCEL map[string]bool
	// templates are what was made of the templates, by their text, which the next load can reuse.
	templates map[string]*madeTemplate
}

// madeTemplate is what takes the most time of a template. When one of a set of policies is edited, the others are not
// compiled again.
type madeTemplate struct {
	definition *apiextensions.CustomResourceDefinition
	compilers  map[string]*ast.Compiler
}

// keep makes the client reuse what it made of the template, until restore is called.
func (m *madeTemplate) keep() (restore func()) {
	definitionOf, compilersOf := constraintclient.CRDOf, rego.CompilersOf
	constraintclient.CRDOf = func(create func() (*apiextensions.CustomResourceDefinition, error)) (_ *apiextensions.CustomResourceDefinition, err error) {
		if m.definition == nil {
			m.definition, err = create()
		}
		return m.definition, err
	}
	rego.CompilersOf = func(compile func() (map[string]*ast.Compiler, error)) (_ map[string]*ast.Compiler, err error) {
		if m.compilers == nil {
			m.compilers, err = compile()
		}
		return m.compilers, err
	}
	return func() { constraintclient.CRDOf, rego.CompilersOf = definitionOf, compilersOf }
}

// templateMade is what a loaded client made of the same template, or nothing yet.
func (e *Engine) templateMade(text string) *madeTemplate {
	for _, loaded := range e.gatekeeper {
		if made, ok := loaded.templates[text]; ok {
			return made
		}
	}
	return &madeTemplate{}
}

type loadGatekeeperRequest struct {
	Templates   []json.RawMessage `json:"templates"`
	Constraints []json.RawMessage `json:"constraints"`
	Configs     []json.RawMessage `json:"configs"`
	Mutators    []json.RawMessage `json:"mutators"`
	Expansions  []json.RawMessage `json:"expansions"`
	Providers   []json.RawMessage `json:"providers"`  // validated, never called
	Namespaces  []json.RawMessage `json:"namespaces"` // for namespaceSelector and namespaceObject
	Inventory   []json.RawMessage `json:"inventory"`  // data.inventory
}

type objectError struct {
	List    string `json:"list"`
	Index   int    `json:"index"`
	Message string `json:"message"`
}

// closedToTheWorld removes the built-ins with which Rego in a template could reach outside.
func closedToTheWorld() ([]constraintclient.Opt, []rego.Arg, error) {
	return nil, []rego.Arg{rego.DisableBuiltins(refusedBuiltins...)}, nil
}

// newSuiteClient is the client of gator, which runs suites.
func newSuiteClient(opts ...gator.Opt) (gator.Client, error) {
	return gator.NewOPAClient(false, append(opts, gator.WithK8sCEL(), closedToTheWorld)...)
}

// enforcementPoints are those whose answers are reported; the first one decides about requests.
var enforcementPoints = []string{
	util.WebhookEnforcementPoint, util.VAPEnforcementPoint, util.GatorEnforcementPoint, util.AuditEnforcementPoint,
}

// newAdmissionClient is the client of Gatekeeper's webhook. Templates may name
// providers of external data, but the client has none, so none is ever called.
func newAdmissionClient() (*constraintclient.Client, *inventoryDriver, error) {
	inCEL, err := k8scel.New()
	if err != nil {
		return nil, nil, err
	}
	inRego, err := rego.New(rego.DisableBuiltins(refusedBuiltins...), rego.AddExternalDataProviderCache(externaldata.NewCache()))
	if err != nil {
		return nil, nil, err
	}
	inventory := newInventoryDriver(inRego)
	client, err := constraintclient.NewClient(
		constraintclient.Targets(&target.K8sValidationTarget{}),
		constraintclient.Driver(inCEL), constraintclient.Driver(inventory),
		constraintclient.EnforcementPoints(enforcementPoints...),
	)
	return client, inventory, err
}

func loadGatekeeper(e *Engine, request []byte) (any, error) {
	var r loadGatekeeperRequest
	if err := json.Unmarshal(request, &r); err != nil {
		return nil, err
	}
	client, inventory, err := newAdmissionClient()
	if err != nil {
		return nil, err
	}
	mutators := newMutators()
	loaded := &gatekeeperClient{
		client: client, inventory: inventory, namespaces: map[string]*corev1.Namespace{}, excluder: process.New(), inCEL: map[string]bool{},
		mutators: mutators, expansions: expansion.NewSystem(mutators.system), templates: map[string]*madeTemplate{},
	}
	errs := slices.Concat(
		forEachObject("configs", r.Configs, loaded.addConfig),
		forEachObject("templates", r.Templates, func(object *unstructured.Unstructured) error { return loaded.addTemplate(e, object) }),
		forEachObject("constraints", r.Constraints, loaded.addConstraint),
		forEachObject("mutators", r.Mutators, mutators.add),
		forEachObject("expansions", r.Expansions, loaded.addExpansion),
		forEachObject("providers", r.Providers, checkProvider),
		forEachObject("namespaces", r.Namespaces, loaded.addNamespace),
		forEachObject("inventory", r.Inventory, loaded.put),
	)
	errs = append(errs, conflictsOf(loaded, r)...)
	handle := e.handle()
	e.gatekeeper[handle] = loaded
	return map[string]any{"handle": handle, "errors": orEmpty(errs)}, nil
}

func forEachObject(list string, texts []json.RawMessage, do func(*unstructured.Unstructured) error) []objectError {
	errs := []objectError{}
	for i, text := range texts {
		object, err := decodeObject(text)
		if err == nil {
			err = do(object)
		}
		if err != nil {
			errs = append(errs, objectError{List: list, Index: i, Message: err.Error()})
		}
	}
	return errs
}

func typed[T any](object *unstructured.Unstructured) (*T, error) {
	var out T
	err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, &out)
	return &out, err
}

// addConfig applies the namespaces that a Config excludes from Gatekeeper.
func (g *gatekeeperClient) addConfig(object *unstructured.Unstructured) error {
	if object.GetName() != "config" {
		return fmt.Errorf("config resource must have name 'config'")
	}
	config, err := typed[configv1alpha1.Config](object)
	if err == nil {
		g.excluder.Add(config.Spec.Match)
	}
	return err
}

var templateScheme = sync.OnceValues(func() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	return scheme, apis.AddToScheme(scheme)
})

func (g *gatekeeperClient) addTemplate(e *Engine, object *unstructured.Unstructured) error {
	scheme, err := templateScheme()
	if err != nil {
		return err
	}
	text, err := object.MarshalJSON()
	if err != nil {
		return err
	}
	template, err := reader.ToTemplate(scheme, object)
	if err != nil {
		return err
	}
	for _, target := range template.Spec.Targets {
		if len(target.Operations) > 1 && slices.ContainsFunc(target.Operations, func(it admissionregistrationv1.OperationType) bool { return it == "*" }) {
			return fmt.Errorf("if '*' is present, must not specify other operations")
		}
		for _, code := range target.Code {
			if code.Engine == "K8sNativeValidation" {
				g.inCEL[template.Spec.CRD.Spec.Names.Kind] = true
			}
		}
	}
	made := e.templateMade(string(text))
	defer made.keep()()
	_, err = g.client.AddTemplate(context.Background(), template)
	if err == nil {
		g.templates[string(text)] = made
	}
	return err
}

func (g *gatekeeperClient) addConstraint(object *unstructured.Unstructured) error {
	if _, err := g.client.AddConstraint(context.Background(), object); err != nil {
		return err
	}
	action, found, err := unstructured.NestedString(object.Object, "spec", "enforcementAction")
	if err != nil || !found || action == "" {
		return err
	}
	g.isScoped = g.isScoped || action == string(util.Scoped)
	return util.ValidateEnforcementAction(util.EnforcementAction(action), object.Object)
}

// checkProvider says whether Gatekeeper would accept a provider of external data.
func checkProvider(object *unstructured.Unstructured) error {
	provider, err := typed[externaldatav1.Provider](object)
	if err != nil {
		return err
	}
	return externaldata.NewCache().Upsert(provider)
}

func (g *gatekeeperClient) addNamespace(object *unstructured.Unstructured) error {
	namespace, err := typed[corev1.Namespace](object)
	if err != nil {
		return err
	}
	if namespace.Labels == nil {
		namespace.Labels = map[string]string{}
	}
	namespace.Labels[corev1.LabelMetadataName] = namespace.Name
	g.namespaces[namespace.Name] = namespace
	return nil
}

// namespaceOf returns the Namespace of an object. A request implies that the namespace exists, so an undescribed one
// has only its name. nil for a cluster-scoped object.
func (g *gatekeeperClient) namespaceOf(object *unstructured.Unstructured) *corev1.Namespace {
	name := object.GetNamespace()
	if known, ok := g.namespaces[name]; ok || name == "" {
		return known
	}
	namespace := &corev1.Namespace{}
	namespace.Name = name
	namespace.Labels = map[string]string{corev1.LabelMetadataName: name}
	return namespace
}

// orEmpty returns [] in JSON instead of null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
