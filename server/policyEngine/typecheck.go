package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/openapi/resolver"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

type typeCheckRequest struct {
	Policy    json.RawMessage `json:"policy"`
	Resources []apiResource   `json:"resources"`
	// Types are what the host calls the schemas of kinds, by kind ("apps/v1/Deployment"). One name is always one schema.
	Types map[string]string `json:"types"`
	// The schemas that the answer to an earlier request wanted.
	openAPISchemas
}

// knownTypes are the types that the latest policies were checked with, by the host's names: those after them usually match
// the same kinds.
type knownTypes struct {
	declared map[string]*apiservercel.DeclType
	envs     validating.TypeEnvs
}

// mostTypes bounds the memory for types and environments.
const mostTypes = 64

func newKnownTypes() *knownTypes {
	return &knownTypes{declared: map[string]*apiservercel.DeclType{}, envs: validating.TypeEnvs{}}
}

func (k *knownTypes) boundMemory() {
	if len(k.declared)+len(k.envs) > mostTypes {
		clear(k.declared)
		clear(k.envs)
	}
}

type typeIssue struct {
	Field  string `json:"field"` // spec.validations[0].expression
	Kind   string `json:"kind"`  // apps/v1, Kind=Deployment
	Line   int    `json:"line"`
	Column int    `json:"column"` // from 0, in code points
	Offset int    `json:"offset"`
	Text   string `json:"message"`
}

// typeCheckPolicy runs upstream's TypeChecker, which fills status.typeChecking,
// on every expression of the policy. (Upstream itself checks validations and
// their messages only.) Where it needs schemas that it does not have, it asks
// for them instead.
func typeCheckPolicy(e *Engine, request []byte) (any, error) {
	var r typeCheckRequest
	if err := json.Unmarshal(request, &r); err != nil {
		return nil, err
	}
	policy := &admissionregistrationv1.ValidatingAdmissionPolicy{}
	if err := json.Unmarshal(r.Policy, policy); err != nil {
		return nil, err
	}
	mapper := meta.NewDefaultRESTMapper(nil)
	for _, resource := range r.Resources {
		scope := meta.RESTScopeRoot
		if resource.Namespaced {
			scope = meta.RESTScopeNamespace
		}
		mapper.AddSpecific(resource.gvk(), resource.gvr(), resource.gvr(), scope)
	}
	e.types.boundMemory()
	wanted := []string{}
	checker := &validating.TypeChecker{
		SchemaResolver: &schemas{r.openAPISchemas}, RestMapper: mapper, Envs: e.types.envs,
		Declare: func(kind schema.GroupVersionKind, declare func() (*apiservercel.DeclType, error)) (*apiservercel.DeclType, error) {
			name, isNamed := r.Types[nameOfKind(kind)]
			if !isNamed {
				return declare()
			}
			if known, ok := e.types.declared[name]; ok {
				return known, nil
			}
			if _, ok := r.componentOf(kind); !ok {
				wanted = append(wanted, nameOfKind(kind))
				return nil, resolver.ErrSchemaNotFound
			}
			declared, err := declare()
			if err == nil {
				e.types.declared[name] = declared
			}
			return declared, err
		},
	}
	checked := checker.CreateContext(policy)
	if len(wanted) > 0 {
		return map[string]any{"wanted": wanted}, nil
	}
	issues := []typeIssue{}
	check := func(field, expression string) {
		if expression == "" {
			return
		}
		for _, result := range checker.CheckExpression(checked, expression) {
			issues = append(issues, typeIssues(field, expression, result)...)
		}
	}
	for i, c := range policy.Spec.MatchConditions {
		check(fmt.Sprintf("spec.matchConditions[%d].expression", i), c.Expression)
	}
	for i, v := range policy.Spec.Variables {
		check(fmt.Sprintf("spec.variables[%d].expression", i), v.Expression)
	}
	for i, v := range policy.Spec.Validations {
		check(fmt.Sprintf("spec.validations[%d].expression", i), v.Expression)
		check(fmt.Sprintf("spec.validations[%d].messageExpression", i), v.MessageExpression)
	}
	for i, a := range policy.Spec.AuditAnnotations {
		check(fmt.Sprintf("spec.auditAnnotations[%d].valueExpression", i), a.ValueExpression)
	}
	return map[string]any{"issues": issues}, nil
}

var celError = regexp.MustCompile(`(?m)^(?:.*)ERROR: <input>:(\d+):(\d+): (.*)$`)

// typeIssues parses the positions from cel-go's text, which is all that the checker returns.
func typeIssues(field, expression string, result *validating.TypeCheckingResult) []typeIssue {
	// The checker derives type names from the kind and the time (Deployment123456789).
	unique := regexp.MustCompile(regexp.QuoteMeta(result.GVK.Kind) + `\d+`)
	text := unique.ReplaceAllString(result.String(), result.GVK.Kind)
	var issues []typeIssue
	for _, m := range celError.FindAllStringSubmatch(text, -1) {
		line, _ := strconv.Atoi(m[1])
		column, _ := strconv.Atoi(m[2])
		column-- // cel-go prints columns from 1.
		issues = append(issues, typeIssue{Field: field, Kind: result.GVK.String(), Line: line, Column: column, Offset: offsetOf(expression, line, column), Text: m[3]})
	}
	if issues == nil {
		issues = []typeIssue{{Field: field, Kind: result.GVK.String(), Line: 1, Text: strings.TrimSpace(text)}}
	}
	return issues
}

type schemas struct{ openAPISchemas }

func (s *schemas) ResolveSchema(gvk schema.GroupVersionKind) (*spec.Schema, error) {
	component, ok := s.componentOf(gvk)
	if !ok {
		return nil, fmt.Errorf("cannot resolve %v: %w", gvk, resolver.ErrSchemaNotFound)
	}
	resolved, err := resolver.PopulateRefs(func(ref string) (*spec.Schema, bool) {
		found, ok := s.Schemas[strings.TrimPrefix(ref, "#/components/schemas/")]
		return found, ok
	}, component)
	if err != nil {
		return nil, err
	}
	return withOpenFields(resolved), nil
}

// withOpenFields makes fields open for which the schema lists no fields. Upstream takes them for objects without
// fields, and the server warns about correct expressions there.
func withOpenFields(s *spec.Schema) *spec.Schema {
	if s == nil {
		return nil
	}
	open := *s
	hasFields := len(s.Properties) > 0 || s.AdditionalProperties != nil || s.Items != nil
	if keeps, _ := s.Extensions.GetBool("x-kubernetes-preserve-unknown-fields"); keeps && !hasFields {
		open.Extensions = spec.Extensions{"x-kubernetes-int-or-string": true} // The type that CEL treats as any.
		return &open
	}
	open.Properties = make(map[string]spec.Schema, len(s.Properties))
	for name := range s.Properties {
		property := s.Properties[name]
		open.Properties[name] = *withOpenFields(&property)
	}
	if s.Items != nil {
		open.Items = &spec.SchemaOrArray{Schema: withOpenFields(s.Items.Schema)}
	}
	if s.AdditionalProperties != nil {
		open.AdditionalProperties = &spec.SchemaOrBool{Allows: s.AdditionalProperties.Allows, Schema: withOpenFields(s.AdditionalProperties.Schema)}
	}
	return &open
}
