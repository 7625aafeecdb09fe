package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/go-logr/logr"
	"github.com/open-policy-agent/frameworks/constraint/pkg/client/reviews"
	"github.com/open-policy-agent/frameworks/constraint/pkg/types"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/controller/config/process"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/expansion"
	mutationtypes "github.com/open-policy-agent/gatekeeper/v3/pkg/mutation/types"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/util"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

type reviewGatekeeperRequest struct {
	Handle int `json:"handle"`
	// Phase is mutate or validate, for one of the two webhooks; empty for both in order.
	Phase   string `json:"phase"`
	Objects []struct {
		Object    json.RawMessage `json:"object"`
		Operation string          `json:"operation"` // CREATE (default), UPDATE, DELETE
	} `json:"objects"`
}

type gatekeeperViolation struct {
	Constraint string         `json:"constraint"` // K8sRequiredLabels/all-must-have-owner
	Action     string         `json:"action"`     // deny, warn, dryrun, scoped
	Scoped     []string       `json:"scopedActions,omitempty"`
	Point      string         `json:"point,omitempty"`     // the enforcement point, unless it is the webhook
	Expansion  string         `json:"expansion,omitempty"` // the ExpansionTemplate that created the violating resource
	Message    string         `json:"message"`
	Details    map[string]any `json:"details,omitempty"`
}

type gatekeeperReview struct {
	Violations    []gatekeeperViolation `json:"violations"`
	Mutations     []gatekeeperMutation  `json:"mutations,omitempty"`
	MutationError string                `json:"mutationError,omitempty"`
	Error         string                `json:"error,omitempty"`
	// Looked are the kinds of the evaluated constraints that read data.inventory.
	Looked []string `json:"looked,omitempty"`
}

func reviewGatekeeper(e *Engine, request []byte) (any, error) {
	var r reviewGatekeeperRequest
	if err := json.Unmarshal(request, &r); err != nil {
		return nil, err
	}
	loaded, ok := e.gatekeeper[r.Handle]
	if !ok {
		return nil, fmt.Errorf("no Gatekeeper policies have the handle %d", r.Handle)
	}
	var answers []gatekeeperReview
	for _, one := range r.Objects {
		answer := gatekeeperReview{Violations: []gatekeeperViolation{}}
		clear(loaded.inventory.asked)
		object, err := decodeObject(one.Object)
		if err == nil {
			err = loaded.review(writtenObject{object, one.Object}, r.Phase, admissionv1.Operation(one.Operation), &answer)
		}
		answer.Error, answer.Looked = text(err), sortedKeys(loaded.inventory.asked)
		answers = append(answers, answer)
	}
	return map[string]any{"reviews": answers}, nil
}

// review runs Gatekeeper's two webhooks: the object is mutated, then it and what it expands to are validated.
func (g *gatekeeperClient) review(of writtenObject, phase string, operation admissionv1.Operation, answer *gatekeeperReview) error {
	object := of.object
	namespace := g.namespaceOf(object)
	if g.isIgnored(object, namespace) {
		return nil
	}
	isUnmutated, err := g.excluder.IsNamespaceExcluded(process.Mutation, object)
	if err != nil {
		return err
	}
	if !isUnmutated && phase != "validate" {
		object = g.mutated(object, namespace, operation, answer)
		of = writtenObject{object: object}
	}
	if phase == "mutate" {
		return nil
	}
	isExcluded, err := g.excluder.IsNamespaceExcluded(process.Webhook, object)
	if err != nil || isExcluded {
		return err
	}
	resultants, err := g.expansions.Expand(&mutationtypes.Mutable{Object: object.DeepCopy(), Namespace: namespace})
	if err != nil {
		return err
	}
	err = g.validate(of, namespace, operation, mutationtypes.SourceTypeOriginal, answer, nil)
	for _, resultant := range resultants {
		if err == nil {
			err = g.validate(writtenObject{object: resultant.Obj}, namespace, operation, mutationtypes.SourceTypeGenerated, answer, resultant)
		}
	}
	return err
}

// isIgnored says whether the webhooks, as Gatekeeper's manifests configure them, exclude a namespace.
func (g *gatekeeperClient) isIgnored(object *unstructured.Unstructured, namespace *corev1.Namespace) bool {
	labels := map[string]string{}
	switch {
	case object.GroupVersionKind() == namespaceKind:
		labels = object.GetLabels()
	case namespace != nil:
		labels = namespace.Labels
	}
	_, isIgnored := labels["admission.gatekeeper.sh/ignore"]
	return isIgnored || labels[corev1.LabelMetadataName] == "gatekeeper-system"
}

// mutated returns the object as the mutating webhook leaves it; when that fails, its failure policy admits the
// object.
func (g *gatekeeperClient) mutated(object *unstructured.Unstructured, namespace *corev1.Namespace, operation admissionv1.Operation, answer *gatekeeperReview) *unstructured.Unstructured {
	mutable := &mutationtypes.Mutable{
		Object: object.DeepCopy(), Namespace: namespace, Operation: operation, Source: mutationtypes.SourceTypeOriginal,
	}
	if object.GroupVersionKind() == namespaceKind {
		mutable.Namespace, _ = typed[corev1.Namespace](object)
	}
	steps, err := g.mutators.mutate(mutable)
	if err != nil {
		answer.MutationError = bounded(err.Error())
		return object
	}
	answer.Mutations = steps
	return mutable.Object
}

// validate evaluates the constraints on one object: at the webhook and, for scoped constraints, at the other points
// for what the webhook does not report.
func (g *gatekeeperClient) validate(of writtenObject, namespace *corev1.Namespace, operation admissionv1.Operation,
	source mutationtypes.SourceType, answer *gatekeeperReview, made *expansion.Resultant) error {
	defer of.keep()()
	review := of.review(namespace, operation, source)
	points := enforcementPoints[:1]
	if g.isScoped {
		points = enforcementPoints
	}
	said := map[string]bool{}
	for _, point := range points {
		opts := []reviews.ReviewOpt{reviews.EnforcementPoint(point)}
		if opt := util.NamespaceReviewOpt(namespace, logr.Discard()); opt != nil {
			opts = append(opts, opt)
		}
		responses, err := g.client.Review(context.Background(), review, opts...)
		if responses != nil {
			if made != nil {
				expansion.OverrideEnforcementAction(made.EnforcementAction, responses)
				expansion.AggregateResponses(made.TemplateName, &types.Responses{ByTarget: map[string]*types.Response{}}, responses)
			}
			g.take(responses, point, answer, made, said)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (g *gatekeeperClient) take(responses *types.Responses, point string, answer *gatekeeperReview, made *expansion.Resultant, said map[string]bool) {
	results, rest := boundedList(responses.Results())
	var violations []gatekeeperViolation
	for _, result := range results {
		violation := violationOf(result, point, made)
		isElsewhere := point == util.VAPEnforcementPoint && !g.inCEL[result.Constraint.GetKind()]
		isIdle := violation.Action == string(util.Scoped) && len(violation.Scoped) == 0
		if !isElsewhere && !isIdle && !said[violation.Constraint+"\n"+violation.Message] {
			violations = append(violations, violation)
		}
	}
	// Only now, since one point may report the same twice.
	for _, violation := range violations {
		said[violation.Constraint+"\n"+violation.Message] = true
	}
	if rest != "" && len(violations) > 0 {
		violations[len(violations)-1].Message += " " + rest
	}
	answer.Violations = append(answer.Violations, violations...)
}

func violationOf(result *types.Result, point string, made *expansion.Resultant) gatekeeperViolation {
	violation := gatekeeperViolation{
		Constraint: result.Constraint.GetKind() + "/" + result.Constraint.GetName(), Action: result.EnforcementAction,
		Scoped: result.ScopedEnforcementActions, Message: bounded(result.Msg), Details: boundedDetails(result.Metadata),
	}
	if point != util.WebhookEnforcementPoint {
		violation.Point = point
	}
	if made != nil {
		violation.Expansion = made.TemplateName
	}
	return violation
}
