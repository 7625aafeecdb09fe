package main

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/warning"
)

type admissionOutcome struct {
	Policy  string `json:"policy"`
	Binding string `json:"binding"`
	// Denied is the server's complete message when this binding rejects the request.
	Denied           string            `json:"denied,omitempty"`
	Reason           string            `json:"reason,omitempty"`
	Code             int32             `json:"code,omitempty"`
	Warnings         []string          `json:"warnings,omitempty"`
	AuditAnnotations map[string]string `json:"auditAnnotations,omitempty"`
	// Decisions has one element for each parameter object and validation. Empty: the request did not match, or a
	// match condition excluded it.
	Decisions []validationDecision `json:"decisions"`
	// AskedAuthorizer means that the outcome depends on RBAC, which is unknown
	// here: every check was answered "no opinion".
	AskedAuthorizer bool `json:"askedAuthorizer,omitempty"`
}

type validationDecision struct {
	Validation int    `json:"validation"`
	Param      string `json:"param,omitempty"`
	Action     string `json:"action"`     // admit, deny
	Evaluation string `json:"evaluation"` // admit, deny, error
	Message    string `json:"message,omitempty"`
	Reason     string `json:"reason,omitempty"`
}

func dispatch(hook validating.PolicyHook, matcher generic.PolicyMatcher, attributes admission.Attributes, cluster *cluster) admissionOutcome {
	authz := &noOpinion{}
	recorder := &recorder{Validator: hook.Evaluator}
	hook.Evaluator = recorder
	annotated := &annotatedAttributes{Attributes: attributes, annotations: map[string]string{}}
	warnings := &warningCollector{}
	ctx := warning.WithWarningRecorder(context.Background(), warnings)

	err := validating.NewDispatcher(authz, matcher).Dispatch(ctx, annotated, cluster, []validating.PolicyHook{hook})

	outcome := admissionOutcome{
		Policy: hook.Policy.Name, Binding: hook.Bindings[0].Name, Warnings: warnings.texts,
		AuditAnnotations: annotated.annotations, Decisions: recorder.decisions, AskedAuthorizer: authz.asked,
	}
	if outcome.Decisions == nil {
		outcome.Decisions = []validationDecision{}
	}
	var status *apierrors.StatusError
	if errors.As(err, &status) {
		outcome.Denied, outcome.Reason, outcome.Code = status.ErrStatus.Message, string(status.ErrStatus.Reason), status.ErrStatus.Code
	} else if err != nil {
		outcome.Denied = err.Error()
	}
	return outcome
}

// recorder records the decisions that the dispatcher merges into one answer.
type recorder struct {
	validating.Validator
	decisions []validationDecision
}

func (r *recorder) Validate(ctx context.Context, resource schema.GroupVersionResource, attributes *admission.VersionedAttributes, param runtime.Object, namespace *corev1.Namespace, budget int64, authz authorizer.UnconditionalAuthorizer) validating.ValidateResult {
	result := r.Validator.Validate(ctx, resource, attributes, param, namespace, budget, authz)
	name := ""
	if accessor, err := meta.Accessor(param); param != nil && err == nil {
		name = accessor.GetNamespace() + "/" + accessor.GetName()
	}
	for i, d := range result.Decisions {
		r.decisions = append(r.decisions, validationDecision{
			Validation: i, Param: name, Action: string(d.Action), Evaluation: string(d.Evaluation), Message: d.Message, Reason: string(d.Reason),
		})
	}
	return result
}

type warningCollector struct{ texts []string }

func (w *warningCollector) AddWarning(_, text string) { w.texts = append(w.texts, text) }

type annotatedAttributes struct {
	admission.Attributes
	annotations map[string]string
}

func (a *annotatedAttributes) AddAnnotation(key, value string) error {
	a.annotations[key] = value
	return nil
}

// noOpinion replaces the authorizer of a cluster.
type noOpinion struct{ asked bool }

func (n *noOpinion) Authorize(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
	n.asked = true
	return authorizer.DecisionNoOpinion, "authorization is not known outside the cluster", nil
}
