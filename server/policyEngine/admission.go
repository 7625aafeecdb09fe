package main

import (
	"encoding/json"
	"fmt"
	"maps"

	"github.com/google/cel-go/cel"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/client-go/informers"
)

type loadPoliciesRequest struct {
	KubernetesVersion string            `json:"kubernetesVersion"`
	Resources         []apiResource     `json:"resources"` // what the server serves
	Policies          []json.RawMessage `json:"policies"`  // ValidatingAdmissionPolicies
	Bindings          []json.RawMessage `json:"bindings"`
	MutatingPolicies  []json.RawMessage `json:"mutatingPolicies"`
	MutatingBindings  []json.RawMessage `json:"mutatingBindings"`
	// The schemas by which an ApplyConfiguration is merged; see openAPISchemas.
	openAPISchemas
}

// admissionPolicies are compiled policies with their bindings, in the given
// order.
type admissionPolicies struct {
	resources   []apiResource
	equivalents runtime.EquivalentResourceRegistry
	validating  []validating.PolicyHook
	mutating    []mutating.PolicyHook
	converters  *typeConverters
	// plainValuesAreOptional: see the patch of cel-go in tools/policy-engine.
	plainValuesAreOptional bool
	// texts are the keys of what was compiled for these policies, which the next load can reuse.
	texts map[string]bool
}

// compiledPolicies caches what was compiled, by version and text: when a set of
// policies is edited, only the changed ones are compiled again.
type compiledPolicies struct {
	validators map[string]validating.Validator
	mutators   map[string]mutating.PolicyEvaluator
}

type admitRequest struct {
	Handle int `json:"handle"`
	// Phase is first or again, the two rounds of mutating policies, or validate, so that the host can apply defaults and
	// call webhooks in between; empty for all in order.
	Phase string `json:"phase"`
	// Objects of the cluster: Namespaces (for selectors and namespaceObject) and possible parameters.
	Objects  []json.RawMessage  `json:"objects"`
	Requests []admissionRequest `json:"requests"`
}

type admissionAnswer struct {
	Mutations []mutationOutcome `json:"mutations"`
	// Patched are the objects as each patch left them, before defaults, as JSON.
	Patched  []string           `json:"patched,omitempty"`
	Outcomes []admissionOutcome `json:"outcomes"`
	Error    string             `json:"error,omitempty"`
}

// loadPolicies compiles admission policies and pairs them with their bindings.
// What cannot be decoded is reported by list and index; the rest is loaded.
func loadPolicies(e *Engine, request []byte) (any, error) {
	var r loadPoliciesRequest
	if err := json.Unmarshal(request, &r); err != nil {
		return nil, err
	}
	env, err := celEnvironment(r.KubernetesVersion, "run")
	if err != nil {
		return nil, err
	}
	loaded := &admissionPolicies{
		resources: r.Resources, equivalents: equivalentsOf(r.Resources),
		converters: newTypeConverters(r.openAPISchemas), texts: map[string]bool{},
	}
	loaded.plainValuesAreOptional = version.MustParseGeneric(r.KubernetesVersion).LessThan(version.MajorMinor(1, 37))
	loader := &policyLoader{env: env, version: r.KubernetesVersion, compiled: e.compiled, into: loaded, errors: []objectError{}}
	loader.loadValidating(r.Policies, r.Bindings)
	loader.loadMutating(r.MutatingPolicies, r.MutatingBindings)
	handle := e.handle()
	e.policies[handle] = loaded
	return map[string]any{"handle": handle, "errors": loader.errors}, nil
}

// forgetUnused drops what no loaded set of policies refers to.
func (e *Engine) forgetUnused() {
	used := func(text string) bool {
		for _, p := range e.policies {
			if p.texts[text] {
				return true
			}
		}
		return false
	}
	maps.DeleteFunc(e.compiled.validators, func(text string, _ validating.Validator) bool { return !used(text) })
	maps.DeleteFunc(e.compiled.mutators, func(text string, _ mutating.PolicyEvaluator) bool { return !used(text) })
}

type policyLoader struct {
	env      *environment.EnvSet
	version  string
	compiled compiledPolicies
	into     *admissionPolicies
	errors   []objectError
}

func (l *policyLoader) failed(list string, index int, err error) {
	l.errors = append(l.errors, objectError{List: list, Index: index, Message: err.Error()})
}

func (l *policyLoader) loadValidating(policyTexts, bindingTexts []json.RawMessage) {
	policies := map[string]*admissionregistrationv1.ValidatingAdmissionPolicy{}
	evaluators := map[string]validating.Validator{}
	for i, text := range policyTexts {
		policy := &admissionregistrationv1.ValidatingAdmissionPolicy{}
		if err := json.Unmarshal(text, policy); err != nil {
			l.failed("policies", i, err)
			continue
		}
		setDefault(&policy.Spec.FailurePolicy, admissionregistrationv1.Fail)
		setMatchDefaults(policy.Spec.MatchConstraints)
		evaluator, err := compiledOnce(l, l.compiled.validators, text, func() (validating.Validator, error) { return compileValidating(l.env, policy) })
		if err != nil {
			l.failed("policies", i, err)
			continue
		}
		policies[policy.Name], evaluators[policy.Name] = policy, evaluator
	}
	for i, text := range bindingTexts {
		binding := &admissionregistrationv1.ValidatingAdmissionPolicyBinding{}
		if err := json.Unmarshal(text, binding); err != nil {
			l.failed("bindings", i, err)
			continue
		}
		setMatchDefaults(binding.Spec.MatchResources)
		if policy, ok := policies[binding.Spec.PolicyName]; ok {
			l.into.validating = append(l.into.validating, validating.PolicyHook{
				Policy: policy, Bindings: []*admissionregistrationv1.ValidatingAdmissionPolicyBinding{binding}, Evaluator: evaluators[policy.Name],
			})
		}
	}
}

func (l *policyLoader) loadMutating(policyTexts, bindingTexts []json.RawMessage) {
	policies := map[string]*admissionregistrationv1.MutatingAdmissionPolicy{}
	evaluators := map[string]mutating.PolicyEvaluator{}
	for i, text := range policyTexts {
		policy := &admissionregistrationv1.MutatingAdmissionPolicy{}
		if err := json.Unmarshal(text, policy); err != nil {
			l.failed("mutatingPolicies", i, err)
			continue
		}
		setDefault(&policy.Spec.FailurePolicy, admissionregistrationv1.Fail)
		setMatchDefaults(policy.Spec.MatchConstraints)
		evaluator, err := compiledOnce(l, l.compiled.mutators, text, func() (mutating.PolicyEvaluator, error) { return compileMutating(l.env, policy) })
		if err != nil {
			l.failed("mutatingPolicies", i, err)
			continue
		}
		policies[policy.Name], evaluators[policy.Name] = policy, evaluator
	}
	for i, text := range bindingTexts {
		binding := &admissionregistrationv1.MutatingAdmissionPolicyBinding{}
		if err := json.Unmarshal(text, binding); err != nil {
			l.failed("mutatingBindings", i, err)
			continue
		}
		setMatchDefaults(binding.Spec.MatchResources)
		if policy, ok := policies[binding.Spec.PolicyName]; ok {
			l.into.mutating = append(l.into.mutating, mutating.PolicyHook{
				Policy: policy, Bindings: []*admissionregistrationv1.MutatingAdmissionPolicyBinding{binding}, Evaluator: evaluators[policy.Name],
			})
		}
	}
}

func compiledOnce[E any](l *policyLoader, known map[string]E, text json.RawMessage, compile func() (E, error)) (E, error) {
	key := l.version + " " + string(text)
	if evaluator, ok := known[key]; ok {
		l.into.texts[key] = true
		return evaluator, nil
	}
	evaluator, err := compile()
	if err == nil {
		known[key] = evaluator
		l.into.texts[key] = true
	}
	return evaluator, err
}

// admit processes each request as a server does: first the mutating policies,
// then the validating ones on the mutated object. Every binding of those is
// evaluated on its own, so that every denial is reported.
func admit(e *Engine, request []byte) (any, error) {
	var r admitRequest
	if err := json.Unmarshal(request, &r); err != nil {
		return nil, err
	}
	loaded, ok := e.policies[r.Handle]
	if !ok {
		return nil, fmt.Errorf("no policies have the handle %d", r.Handle)
	}
	cluster, err := newCluster(loaded, r.Objects)
	if err != nil {
		return nil, err
	}
	cel.PlainValuesAreOptional = loaded.plainValuesAreOptional
	defer func() { cel.PlainValuesAreOptional = false }()
	matcher := matching.NewMatcher(cluster.namespaces, noClient{})
	validatingHooks := each(loaded.validating, func(h *validating.PolicyHook) validating.PolicyHook {
		hook := *h
		hook.ParamInformer, hook.ParamScope, hook.ConfigurationError = cluster.paramsOf(hook.Policy.Spec.ParamKind)
		return hook
	})
	mutatingHooks := each(loaded.mutating, func(h *mutating.PolicyHook) mutating.PolicyHook {
		hook := *h
		hook.ParamInformer, hook.ParamScope, hook.ConfigurationError = cluster.paramsOf(hook.Policy.Spec.ParamKind)
		return hook
	})
	if r.Phase == "validate" {
		mutatingHooks = nil
	}
	if r.Phase == "first" || r.Phase == "again" {
		validatingHooks = nil
	}
	params := append(
		each(validatingHooks, func(h *validating.PolicyHook) informers.GenericInformer { return h.ParamInformer }),
		each(mutatingHooks, func(h *mutating.PolicyHook) informers.GenericInformer { return h.ParamInformer })...)
	answers := make([]admissionAnswer, 0, len(r.Requests))
	for _, one := range r.Requests {
		answers = append(answers, answerTo(one, r.Phase, cluster, loaded, matcher, mutatingHooks, validatingHooks, params))
	}
	return map[string]any{"answers": answers}, nil
}

func answerTo(request admissionRequest, phase string, cluster *cluster, loaded *admissionPolicies, matcher *matching.Matcher, mutatingHooks []mutating.PolicyHook, validatingHooks []validating.PolicyHook, params []informers.GenericInformer) admissionAnswer {
	answer := admissionAnswer{Mutations: []mutationOutcome{}, Outcomes: []admissionOutcome{}}
	attributes, err := cluster.attributes(request)
	if err != nil {
		answer.Error = err.Error()
		return answer
	}
	if exempt(attributes) {
		return answer
	}
	defer hideCreated(attributes, params)()
	if len(mutatingHooks) > 0 {
		before, after, err := request.aroundWebhooks()
		if err != nil {
			answer.Error = err.Error()
			return answer
		}
		mutated := mutate(mutatingHooks, phase, before, after, request.Defaulted, matcher, attributes, cluster, loaded.converters)
		answer.Mutations, answer.Patched = mutated.outcomes, mutated.patched
	}
	for _, hook := range validatingHooks {
		answer.Outcomes = append(answer.Outcomes, dispatch(hook, generic.NewPolicyMatcher(matcher), attributes, cluster))
	}
	return answer
}
