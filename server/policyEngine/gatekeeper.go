package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/open-policy-agent/frameworks/constraint/pkg/apis"
	constraintclient "github.com/open-policy-agent/frameworks/constraint/pkg/client"
	"github.com/open-policy-agent/frameworks/constraint/pkg/client/drivers/rego"
	"github.com/open-policy-agent/frameworks/constraint/pkg/client/reviews"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/gator"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/gator/reader"
	mutationtypes "github.com/open-policy-agent/gatekeeper/v3/pkg/mutation/types"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/target"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/util"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// gatekeeperClient is Gatekeeper's own client: the constraint framework, its
// Rego driver, its CEL driver and the match semantics of its target.
type gatekeeperClient struct {
	client     gator.Client
	namespaces map[string]*corev1.Namespace
}

type loadGatekeeperRequest struct {
	Templates   []json.RawMessage `json:"templates"`
	Constraints []json.RawMessage `json:"constraints"`
	Inventory   []json.RawMessage `json:"inventory"` // data.inventory; Namespaces also serve namespaceSelector
}

type objectError struct {
	List    string `json:"list"`
	Index   int    `json:"index"`
	Message string `json:"message"`
}

// closedToTheWorld takes the built-ins off that Rego in a template could leave with.
func closedToTheWorld() ([]constraintclient.Opt, []rego.Arg, error) {
	return nil, []rego.Arg{rego.DisableBuiltins(refusedBuiltins...)}, nil
}

func newGatekeeperClient(opts ...gator.Opt) (gator.Client, error) {
	return gator.NewOPAClient(false, append(opts, gator.WithK8sCEL(), closedToTheWorld)...)
}

func loadGatekeeper(e *Engine, request []byte) (any, error) {
	var r loadGatekeeperRequest
	if err := json.Unmarshal(request, &r); err != nil {
		return nil, err
	}
	client, err := newGatekeeperClient()
	if err != nil {
		return nil, err
	}
	loaded := &gatekeeperClient{client: client, namespaces: map[string]*corev1.Namespace{}}
	errs := slices.Concat(
		forEachObject("templates", r.Templates, loaded.addTemplate),
		forEachObject("constraints", r.Constraints, loaded.addConstraint),
		forEachObject("inventory", r.Inventory, loaded.put),
	)
	handle := e.handle()
	e.gatekeeper[handle] = loaded
	return map[string]any{"handle": handle, "errors": orEmpty(errs)}, nil
}

type updateGatekeeperRequest struct {
	Handle int               `json:"handle"`
	Put    []json.RawMessage `json:"put"`    // new or changed objects of the inventory
	Remove []json.RawMessage `json:"remove"` // objects that are gone; apiVersion, kind and metadata are enough
}

// updateGatekeeper brings the inventory up to date; templates and constraints stay compiled.
func updateGatekeeper(e *Engine, request []byte) (any, error) {
	var r updateGatekeeperRequest
	if err := json.Unmarshal(request, &r); err != nil {
		return nil, err
	}
	loaded, ok := e.gatekeeper[r.Handle]
	if !ok {
		return nil, fmt.Errorf("no Gatekeeper policies have the handle %d", r.Handle)
	}
	errs := slices.Concat(forEachObject("remove", r.Remove, loaded.remove), forEachObject("put", r.Put, loaded.put))
	return map[string]any{"errors": orEmpty(errs)}, nil
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

func (g *gatekeeperClient) addTemplate(object *unstructured.Unstructured) error {
	scheme := runtime.NewScheme()
	if err := apis.AddToScheme(scheme); err != nil {
		return err
	}
	template, err := reader.ToTemplate(scheme, object)
	if err != nil {
		return err
	}
	_, err = g.client.AddTemplate(context.Background(), template)
	return err
}

func (g *gatekeeperClient) addConstraint(object *unstructured.Unstructured) error {
	_, err := g.client.AddConstraint(context.Background(), object)
	return err
}

func (g *gatekeeperClient) put(object *unstructured.Unstructured) error {
	if object.GroupVersionKind() == namespaceKind {
		namespace := &corev1.Namespace{}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, namespace); err != nil {
			return err
		}
		g.namespaces[namespace.Name] = namespace
	}
	_, err := g.client.AddData(context.Background(), object)
	return err
}

func (g *gatekeeperClient) remove(object *unstructured.Unstructured) error {
	if object.GroupVersionKind() == namespaceKind {
		delete(g.namespaces, object.GetName())
	}
	_, err := g.client.RemoveData(context.Background(), object)
	return err
}

type reviewGatekeeperRequest struct {
	Handle  int `json:"handle"`
	Objects []struct {
		Object    json.RawMessage `json:"object"`
		Operation string          `json:"operation"` // CREATE (default), UPDATE, DELETE
	} `json:"objects"`
}

type gatekeeperViolation struct {
	Constraint string         `json:"constraint"` // K8sRequiredLabels/all-must-have-owner
	Action     string         `json:"action"`     // deny, warn, dryrun, scoped
	Scoped     []string       `json:"scopedActions,omitempty"`
	Message    string         `json:"message"`
	Details    map[string]any `json:"details,omitempty"`
}

type gatekeeperReview struct {
	Violations []gatekeeperViolation `json:"violations"`
	Error      string                `json:"error,omitempty"`
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
		object, err := decodeObject(one.Object)
		if err != nil {
			answer.Error = err.Error()
			answers = append(answers, answer)
			continue
		}
		responses, err := loaded.client.Review(context.Background(), target.AugmentedUnstructured{
			Object: *object, Namespace: loaded.namespaces[object.GetNamespace()],
			Operation: admissionv1.Operation(one.Operation), Source: mutationtypes.SourceTypeOriginal,
		}, reviews.EnforcementPoint(util.GatorEnforcementPoint))
		if err != nil {
			answer.Error = err.Error()
		}
		if responses != nil {
			results, rest := boundedList(responses.Results())
			for _, result := range results {
				answer.Violations = append(answer.Violations, gatekeeperViolation{
					Constraint: result.Constraint.GetKind() + "/" + result.Constraint.GetName(), Action: result.EnforcementAction,
					Scoped: result.ScopedEnforcementActions, Message: bounded(result.Msg), Details: boundedDetails(result.Metadata),
				})
			}
			if rest != "" {
				last := &answer.Violations[len(answer.Violations)-1]
				last.Message += " " + rest
			}
		}
		answers = append(answers, answer)
	}
	return map[string]any{"reviews": answers}, nil
}

// orEmpty makes [] in JSON of what would be null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
