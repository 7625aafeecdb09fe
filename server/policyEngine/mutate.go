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

// mutate evaluates all mutating policies as the server does: those that match the original object, in order, and once
// more those that request reinvocation. The object of the attributes is changed in place. The phase first ends before
// the second round; again is that round on the webhooks' result, and reports nothing of the first round. Upstream:
// the reinvoker around the chain of mutating plugins.
func mutate(hooks []mutating.PolicyHook, phase string, before, after *unstructured.Unstructured, defaulted map[string]json.RawMessage, matcher *matching.Matcher, attributes admission.Attributes, cluster *cluster, converters *typeConverters) mutationOutcomes {
	recorder := &mutationRecorder{cluster: cluster, kind: attributes.GetKind(), defaulted: defaulted, outcomes: []mutationOutcome{}}
	if before != nil {
		recorder.before = before.Object
	}
	watched := each(hooks, recorder.watch)
	dispatcher := mutating.NewDispatcher(&noOpinion{}, matcher, converters)
	err := dispatcher.Dispatch(context.Background(), attributes, cluster, watched)
	round := attributes.GetReinvocationContext()
	if phase == "again" && err == nil && after != nil {
		recorder.outcomes = recorder.outcomes[:0]
		err = cluster.Convert(after, attributes.GetObject(), nil)
		round.SetShouldReinvoke()
	}
	if err == nil && phase != "first" && round.ShouldReinvoke() {
		round.SetIsReinvoke()
		recorder.again = true
		err = dispatcher.Dispatch(context.Background(), attributes, cluster, watched)
	}
	if err != nil {
		return mutationOutcomes{append(recorder.outcomes, refusals(err, hooks)...), recorder.patched}
	}
	return mutationOutcomes{recorder.outcomes, recorder.patched}
}

type mutationOutcomes struct {
	outcomes []mutationOutcome
	// patched are the objects as each patch left them, before defaults, as JSON.
	patched []string
}

// mutationRecorder records every patch, because the dispatcher itself returns only the final object.
type mutationRecorder struct {
	cluster *cluster
	kind    schema.GroupVersionKind
	// before are the fields of the object as it was requested.
	before map[string]any
	// defaulted are the host's defaults for a patched object, by its JSON.
	defaulted map[string]json.RawMessage
	patched   []string
	again     bool
	outcomes  []mutationOutcome
}

func (r *mutationRecorder) watch(hook *mutating.PolicyHook) mutating.PolicyHook {
	watched := *hook
	watched.Evaluator.Mutators = each(hook.Evaluator.Mutators, func(p *patch.Patcher) patch.Patcher {
		return &watchedPatcher{Patcher: *p, cluster: r.cluster, tell: func(object runtime.Object) runtime.Object {
			return r.tell(mutationOutcome{Policy: hook.Policy.Name, Binding: hook.Bindings[0].Name, Again: r.again}, object)
		}}
	})
	return watched
}

type watchedPatcher struct {
	patch.Patcher
	cluster *cluster
	// tell records a patched object, and returns it with defaults.
	tell func(object runtime.Object) runtime.Object
}

func (w *watchedPatcher) Patch(ctx context.Context, request patch.Request, budget int64) (runtime.Object, error) {
	before := request.VersionedAttributes.VersionedObject.Object()
	after, err := w.Patcher.Patch(ctx, request, budget)
	if err != nil {
		return after, err
	}
	// A merged ApplyConfiguration is unstructured until the dispatcher decodes it, which reports what cannot be decoded.
	if decoded, err := w.cluster.ConvertToVersion(after, nil); err == nil && !equality.Semantic.DeepEqual(before, decoded) {
		return w.tell(decoded), nil
	}
	return after, nil
}

// tell records the object after a patch, in the version of the request, and returns it with its defaults where the host
// gave them. Patches of one binding are one outcome.
func (r *mutationRecorder) tell(outcome mutationOutcome, object runtime.Object) runtime.Object {
	text, err := r.written(object)
	if err != nil {
		return object
	}
	key := string(text)
	r.patched = append(r.patched, key)
	outcome.Object = text
	defaulted, hasDefaults := r.defaulted[key]
	if hasDefaults {
		outcome.Object = defaulted
	}
	last := len(r.outcomes) - 1
	if last >= 0 && r.outcomes[last].Binding == outcome.Binding && r.outcomes[last].Policy == outcome.Policy && r.outcomes[last].Again == outcome.Again {
		r.outcomes[last] = outcome
	} else {
		r.outcomes = append(r.outcomes, outcome)
	}
	if !hasDefaults {
		return object
	}
	return r.withDefaults(object, defaulted)
}

// written is an object as JSON, in the version of the request.
func (r *mutationRecorder) written(object runtime.Object) (json.RawMessage, error) {
	own, err := r.cluster.New(r.kind)
	if err != nil {
		return nil, err
	}
	if err := r.cluster.Convert(object, own, nil); err != nil {
		return nil, err
	}
	fields, err := fieldsOf(own)
	if err != nil {
		return nil, err
	}
	if _, isUntyped := own.(*unstructured.Unstructured); !isUntyped {
		withoutEmptyStructs(reflect.ValueOf(own), fields, r.before)
	}
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
