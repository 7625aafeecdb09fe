package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
)

type mutationOutcome struct {
	Policy  string `json:"policy"`
	Binding string `json:"binding"`
	// Again: in the second round, for policies with reinvocationPolicy IfNeeded when others changed the object after
	// them.
	Again bool `json:"again,omitempty"`
	// Object is the whole object after this binding; absent when Error is set.
	Object json.RawMessage `json:"object,omitempty"`
	// Error is the server's complete message when this binding rejects the request.
	Error string `json:"error,omitempty"`
}

// mutationRound is which of the two rounds of a request is evaluated.
type mutationRound struct {
	phase     string
	requested json.RawMessage
	// after is what the webhooks made of the first round's result; nil where there is none.
	after    *unstructured.Unstructured
	defaults defaulter
}

// mutate evaluates all mutating policies as the server does: those that match the original object, in order, and once
// more those that request reinvocation. The object of the attributes is changed in place. The phase first ends before
// the second round; again is that round on the webhooks' result, and reports nothing of the first round. Upstream:
// the reinvoker around the chain of mutating plugins.
func mutate(hooks []mutating.PolicyHook, of mutationRound, matcher *matching.Matcher, attributes admission.Attributes, cluster *cluster, converters *typeConverters) []mutationOutcome {
	recorder := &mutationRecorder{cluster: cluster, kind: attributes.GetKind(), requested: of.requested, defaults: of.defaults, outcomes: []mutationOutcome{}}
	if of.phase == "" {
		recorder.defaults = nil
	}
	watched := recorder.watch(hooks)
	dispatcher := mutating.NewDispatcher(&noOpinion{}, matcher, converters)
	err := dispatcher.Dispatch(context.Background(), attributes, cluster, watched)
	round := attributes.GetReinvocationContext()
	if of.phase == "again" && err == nil && of.after != nil {
		recorder.outcomes = recorder.outcomes[:0]
		err = cluster.Convert(of.after, attributes.GetObject(), nil)
		round.SetShouldReinvoke()
	}
	if err == nil && of.phase != "first" && round.ShouldReinvoke() {
		round.SetIsReinvoke()
		recorder.again = true
		err = dispatcher.Dispatch(context.Background(), attributes, cluster, watched)
	}
	if last := len(recorder.outcomes) - 1; last >= 0 {
		recorder.outcomes[last].Object = recorder.patched // The host sets the defaults of the result.
	}
	if err != nil {
		return append(recorder.outcomes, refusals(err, hooks)...)
	}
	return recorder.outcomes
}

// mutationRecorder records every patch, because the dispatcher itself returns only the final object.
type mutationRecorder struct {
	cluster *cluster
	kind    schema.GroupVersionKind
	// requested is the object as it was requested, and before are its fields, read for the first patch.
	requested json.RawMessage
	before    map[string]any
	// defaults are those of the host for a patched object; nil: it has none.
	defaults defaulter
	// patched is the object as the latest patch left it, before defaults.
	patched   json.RawMessage
	isGivenUp bool
	again     bool
	outcomes  []mutationOutcome
}

func (r *mutationRecorder) watch(hooks []mutating.PolicyHook) []mutating.PolicyHook {
	return each(hooks, func(hook *mutating.PolicyHook) mutating.PolicyHook {
		watched := *hook
		patchers := hook.Evaluator.Mutators
		watched.Evaluator.Mutators = each(patchers, func(p *patch.Patcher) patch.Patcher {
			isLast := hook == &hooks[len(hooks)-1] && p == &patchers[len(patchers)-1] && hook.Policy.Spec.ParamKind == nil
			return &watchedPatcher{Patcher: *p, recorder: r, hook: hook, isLast: isLast}
		})
		return watched
	})
}

type watchedPatcher struct {
	patch.Patcher
	recorder *mutationRecorder
	hook     *mutating.PolicyHook
	// isLast: no policy sees what it makes of the object.
	isLast bool
}

var errGivenUp = errors.New("nobody waits for the answer")

func (w *watchedPatcher) Patch(ctx context.Context, request patch.Request, budget int64) (runtime.Object, error) {
	if w.recorder.isGivenUp {
		return nil, errGivenUp
	}
	before := request.VersionedAttributes.VersionedObject.Object()
	after, err := w.Patcher.Patch(ctx, request, budget)
	if err != nil {
		return after, err
	}
	// A merged ApplyConfiguration is unstructured until the dispatcher decodes it, which reports what cannot be decoded.
	if decoded, err := w.recorder.cluster.ConvertToVersion(after, nil); err == nil && !equality.Semantic.DeepEqual(before, decoded) {
		return w.recorder.tell(w, decoded), nil
	}
	return after, nil
}

// tell records the object after a patch, in the version of the request, and returns it with its defaults where the host
// has some. Patches of one binding are one outcome.
func (r *mutationRecorder) tell(by *watchedPatcher, object runtime.Object) runtime.Object {
	text, err := r.written(object)
	if err != nil {
		return object
	}
	r.patched = text
	defaulted := r.defaultsOf(text, by)
	outcome := mutationOutcome{Policy: by.hook.Policy.Name, Binding: by.hook.Bindings[0].Name, Again: r.again, Object: text}
	if defaulted != nil {
		outcome.Object = defaulted
	}
	last := len(r.outcomes) - 1
	if last >= 0 && r.outcomes[last].Binding == outcome.Binding && r.outcomes[last].Policy == outcome.Policy && r.outcomes[last].Again == outcome.Again {
		r.outcomes[last] = outcome
	} else {
		r.outcomes = append(r.outcomes, outcome)
	}
	if defaulted == nil {
		return object
	}
	return r.withDefaults(object, defaulted)
}

// defaultsOf is nil where there are none, or nobody sees them.
func (r *mutationRecorder) defaultsOf(patched json.RawMessage, by *watchedPatcher) json.RawMessage {
	if r.defaults == nil || by.isLast {
		return nil
	}
	defaulted, isWanted := r.defaults(string(patched))
	r.isGivenUp = !isWanted
	if len(defaulted) == 0 || string(defaulted) == "null" {
		return nil
	}
	return defaulted
}

// written is an object as JSON, in the version of the request.
func (r *mutationRecorder) written(object runtime.Object) (json.RawMessage, error) {
	if object.GetObjectKind().GroupVersionKind() != r.kind {
		own, err := r.cluster.New(r.kind)
		if err != nil {
			return nil, err
		}
		if err := r.cluster.Convert(object, own, nil); err != nil {
			return nil, err
		}
		object = own
	}
	if untyped, ok := object.(*unstructured.Unstructured); ok {
		return json.Marshal(untyped.Object)
	}
	fields, err := fieldsOf(object)
	if err != nil {
		return nil, err
	}
	if r.before == nil {
		if before, err := decodeOptional(r.requested); err == nil && before != nil {
			r.before = before.Object
		}
	}
	withoutEmptyStructs(reflect.ValueOf(object), fields, r.before)
	return json.Marshal(fields)
}

// withDefaults is the object that the host made, in the version of the patched one.
func (r *mutationRecorder) withDefaults(patched runtime.Object, text json.RawMessage) runtime.Object {
	fields, err := decodeObject(text)
	if err != nil {
		return patched
	}
	object, err := r.cluster.New(patched.GetObjectKind().GroupVersionKind())
	if err != nil || r.cluster.Convert(fields, object, nil) != nil {
		return patched
	}
	return object
}

// refusals assigns the server's messages to the bindings that they name.
func refusals(err error, hooks []mutating.PolicyHook) []mutationOutcome {
	var status *apierrors.StatusError
	messages := []string{err.Error()}
	if errors.As(err, &status) {
		messages = []string{status.ErrStatus.Message}
		if details := status.ErrStatus.Details; details != nil && len(details.Causes) > 1 {
			messages = nil
			for _, cause := range details.Causes {
				messages = append(messages, cause.Message)
			}
		}
	}
	var told []mutationOutcome
	for _, message := range messages {
		for _, hook := range hooks {
			policy, binding := hook.Policy.Name, hook.Bindings[0].Name
			byBinding := fmt.Sprintf("policy '%s' with binding '%s' ", policy, binding)
			byPolicy := fmt.Sprintf("policy %q ", policy)
			if strings.HasPrefix(message, byBinding) || strings.HasPrefix(message, byPolicy) || len(hooks) == 1 {
				told = append(told, mutationOutcome{Policy: policy, Binding: binding, Error: message})
				break
			}
		}
	}
	if told == nil && len(hooks) > 0 {
		told = []mutationOutcome{{Policy: hooks[0].Policy.Name, Binding: hooks[0].Bindings[0].Name, Error: messages[0]}}
	}
	return told
}
