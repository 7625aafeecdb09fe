package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
func mutate(hooks []mutating.PolicyHook, phase string, after runtime.Object, matcher *matching.Matcher, attributes admission.Attributes, cluster *cluster, converters *typeConverters) []mutationOutcome {
	recorder := &mutationRecorder{cluster: cluster, kind: attributes.GetKind(), outcomes: []mutationOutcome{}}
	watched := each(hooks, recorder.watch)
	dispatcher := mutating.NewDispatcher(&noOpinion{}, matcher, converters)
	err := dispatcher.Dispatch(context.Background(), attributes, cluster, watched)
	round := attributes.GetReinvocationContext()
	if phase == "again" && err == nil && after != nil {
		recorder.outcomes = recorder.outcomes[:0]
		attributes.GetObject().(*unstructured.Unstructured).Object = after.(*unstructured.Unstructured).Object
		round.SetShouldReinvoke()
	}
	if err == nil && phase != "first" && round.ShouldReinvoke() {
		round.SetIsReinvoke()
		recorder.again = true
		err = dispatcher.Dispatch(context.Background(), attributes, cluster, watched)
	}
	if err != nil {
		return append(recorder.outcomes, refusals(err, hooks)...)
	}
	return recorder.outcomes
}

// mutationRecorder records every patch, because the dispatcher itself returns only the final object.
type mutationRecorder struct {
	cluster  *cluster
	kind     schema.GroupVersionKind
	again    bool
	outcomes []mutationOutcome
}

func (r *mutationRecorder) watch(hook *mutating.PolicyHook) mutating.PolicyHook {
	watched := *hook
	watched.Evaluator.Mutators = each(hook.Evaluator.Mutators, func(p *patch.Patcher) patch.Patcher {
		return &watchedPatcher{Patcher: *p, tell: func(object runtime.Object) {
			r.tell(mutationOutcome{Policy: hook.Policy.Name, Binding: hook.Bindings[0].Name, Again: r.again}, object)
		}}
	})
	return watched
}

type watchedPatcher struct {
	patch.Patcher
	tell func(object runtime.Object)
}

func (w *watchedPatcher) Patch(ctx context.Context, request patch.Request, budget int64) (runtime.Object, error) {
	before := request.VersionedAttributes.VersionedObject.Object()
	after, err := w.Patcher.Patch(ctx, request, budget)
	if err == nil && !equality.Semantic.DeepEqual(before, after) {
		w.tell(after)
	}
	return after, err
}

// tell records the object after a patch, in the version of the request. Patches of one binding are one outcome.
func (r *mutationRecorder) tell(outcome mutationOutcome, object runtime.Object) {
	own := &unstructured.Unstructured{}
	own.SetGroupVersionKind(r.kind)
	if err := r.cluster.Convert(object, own, nil); err != nil {
		return
	}
	text, err := own.MarshalJSON()
	if err != nil {
		return
	}
	outcome.Object = text
	if last := len(r.outcomes) - 1; last >= 0 && r.outcomes[last].Binding == outcome.Binding && r.outcomes[last].Policy == outcome.Policy && r.outcomes[last].Again == outcome.Again {
		r.outcomes[last] = outcome
		return
	}
	r.outcomes = append(r.outcomes, outcome)
}

// refusals assigns the server's messages to the bindings that they name.
func refusals(err error, hooks []mutating.PolicyHook) []mutationOutcome {
	var status *apierrors.StatusError
	messages := []string{err.Error()}
	if errors.As(err, &status) {
		messages = []string{status.ErrStatus.Message}
		if details := status.ErrStatus.Details; details != nil && len(details.Causes) > 0 {
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
