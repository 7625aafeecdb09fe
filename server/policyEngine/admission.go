package main

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"

	"github.com/google/cel-go/cel"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/client-go/informers"
)

type loadPoliciesRequest struct {
	KubernetesVersion string            `json:"kubernetesVersion"`
	Resources         json.RawMessage   `json:"resources"` // what the server serves: apiResources
	Policies          []json.RawMessage `json:"policies"`  // ValidatingAdmissionPolicies
	Bindings          []json.RawMessage `json:"bindings"`
	MutatingPolicies  []json.RawMessage `json:"mutatingPolicies"`
	MutatingBindings  []json.RawMessage `json:"mutatingBindings"`
	// The openAPISchemas by which an ApplyConfiguration is merged.
	Schemas json.RawMessage `json:"schemas"`
	Kinds   json.RawMessage `json:"kinds"`
}

// admissionPolicies are compiled policies with their bindings, in the given
// order.
type admissionPolicies struct {
	*servedResources
	validating []validating.PolicyHook
	mutating   []mutating.PolicyHook
	converters *typeConverters
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
	Mutations []mutationOutcome  `json:"mutations"`
	Outcomes  []admissionOutcome `json:"outcomes"`
	Error     string             `json:"error,omitempty"`
	// Patched is set alone, while the evaluation waits for the defaults of this object, which a patch left: JSON.
	Patched string `json:"patched,omitempty"`
}

// evaluation is the answer to one request in the making. It waits where the host has to set the defaults of a patched
// object, and goes on from there.
type evaluation struct {
	next     func() (patched string, isWaiting bool)
	stop     func()
	defaults json.RawMessage
	answer   admissionAnswer
}

// defaulter gives the defaulted object for a patched one, nothing where they are equal, and false for an evaluation that
// was given up.
type defaulter func(patched string) (json.RawMessage, bool)

// newEvaluation starts with the first call of next.
func newEvaluation(answer func(defaulter) admissionAnswer) *evaluation {
	e := &evaluation{}
	e.next, e.stop = iter.Pull(func(yield func(string) bool) {
		e.answer = answer(func(patched string) (json.RawMessage, bool) {
			isWanted := yield(patched)
			return e.defaults, isWanted
		})
	})
	return e
}

// waitingEvaluations are those of one call of admit. They end with their policies at the latest.
type waitingEvaluations struct {
	policies    *admissionPolicies
	evaluations []*evaluation
}

func (w *waitingEvaluations) stop() {
	for _, it := range w.evaluations {
		it.stop()
	}
}

// loadPolicies compiles admission policies and pairs them with their bindings.
// What cannot be decoded is reported by list and index; the rest is loaded.
func loadPolicies(e *Engine, request []byte) (any, error) {
	var r loadPoliciesRequest
	if err := json.Unmarshal(request, &r); err != nil {
		return nil, err
	}
	env, err := e.celEnvironment(r.KubernetesVersion, "run")
	if err != nil {
		return nil, err
	}
	converters, err := e.typeConverters(r.Schemas, r.Kinds)
	if err != nil {
		return nil, err
	}
	served, err := e.servedResources(r.Resources)
	if err != nil {
		return nil, err
	}
	loaded := &admissionPolicies{servedResources: served, converters: converters, texts: map[string]bool{}}
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

// giveUp ends the evaluations that wait for defaults.
func (e *Engine) giveUp(policies *admissionPolicies) {
	for session, waiting := range e.waiting {
		if waiting.policies == policies {
			delete(e.waiting, session)
			waiting.stop()
		}
	}
}

type policyLoader struct {
	env      *celEnvironment
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
	answer := func(one *admissionRequest, defaults defaulter) admissionAnswer {
		return answerTo(*one, r.Phase, cluster, loaded, matcher, mutatingHooks, validatingHooks, params, defaults)
	}
	if len(mutatingHooks) == 0 {
		defer loaded.evaluating()()
		// Nothing waits for defaults, so no request needs a stack of its own, which grew with each of them.
		return map[string]any{"answers": each(r.Requests, func(one *admissionRequest) admissionAnswer { return answer(one, nil) })}, nil
	}
	return e.proceed(&waitingEvaluations{loaded, each(r.Requests, func(one *admissionRequest) *evaluation {
		return newEvaluation(func(defaults defaulter) admissionAnswer { return answer(one, defaults) })
	})}), nil
}

// evaluating sets what expressions mean for the minor of the policies, until done is called.
func (p *admissionPolicies) evaluating() (done func()) {
	cel.PlainValuesAreOptional = p.plainValuesAreOptional
	return func() { cel.PlainValuesAreOptional = false }
}

type resumeRequest struct {
	Handle int `json:"handle"` // the session of the answer before
	// Defaulted are the objects for which the evaluations wait, in the order of their answers, with defaults; null where
	// these change nothing.
	Defaulted []json.RawMessage `json:"defaulted"`
}

// resume goes on with the evaluations of an admit that wait for defaults.
func resume(e *Engine, request []byte) (any, error) {
	var r resumeRequest
	if err := json.Unmarshal(request, &r); err != nil {
		return nil, err
	}
	session, ok := e.waiting[r.Handle]
	if !ok || len(r.Defaulted) != len(session.evaluations) {
		return nil, fmt.Errorf("no %d evaluations wait with the handle %d", len(r.Defaulted), r.Handle)
	}
	delete(e.waiting, r.Handle)
	for i, it := range session.evaluations {
		it.defaults = r.Defaulted[i]
	}
	return e.proceed(session), nil
}

// proceed gives the answers of evaluations that are finished now. The others wait in a session.
func (e *Engine) proceed(all *waitingEvaluations) map[string]any {
	done := all.policies.evaluating()
	left := &waitingEvaluations{policies: all.policies}
	isPanicking := true
	defer func() {
		done()
		if isPanicking {
			all.stop()
		}
	}()
	answers := each(all.evaluations, func(it **evaluation) admissionAnswer {
		patched, isWaiting := (*it).next()
		if !isWaiting {
			return (*it).answer
		}
		left.evaluations = append(left.evaluations, *it)
		return admissionAnswer{Patched: patched, Mutations: []mutationOutcome{}, Outcomes: []admissionOutcome{}}
	})
	isPanicking = false
	if len(left.evaluations) == 0 {
		return map[string]any{"answers": answers}
	}
	session := e.handle()
	e.waiting[session] = left
	return map[string]any{"answers": answers, "session": session}
}

func answerTo(request admissionRequest, phase string, cluster *cluster, loaded *admissionPolicies, matcher *matching.Matcher, mutatingHooks []mutating.PolicyHook, validatingHooks []validating.PolicyHook, params []informers.GenericInformer, defaults defaulter) admissionAnswer {
	answer := admissionAnswer{Mutations: []mutationOutcome{}, Outcomes: []admissionOutcome{}}
	attributes, err := cluster.attributes(request)
	if err != nil {
		answer.Error = err.Error()
		return answer
	}
	if exempt(attributes) {
		return answer
	}
	restore := hideCreated(attributes, params)
	defer func() { restore() }()
	if len(mutatingHooks) > 0 {
		after, err := decodeOptional(request.After)
		if err != nil {
			answer.Error = err.Error()
			return answer
		}
		answer.Mutations = mutate(mutatingHooks, mutationRound{
			phase: phase, requested: request.Object, after: after,
			// While this evaluation waits, others see the object as a parameter.
			defaults: func(patched string) (json.RawMessage, bool) {
				restore()
				defaulted, ok := defaults(patched)
				restore = hideCreated(attributes, params)
				return defaulted, ok
			},
		}, matcher, attributes, cluster, loaded.converters)
	}
	for _, hook := range validatingHooks {
		answer.Outcomes = append(answer.Outcomes, dispatch(hook, generic.NewPolicyMatcher(matcher), attributes, cluster))
	}
	return answer
}
