package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/uuid"
	expansionv1 "github.com/open-policy-agent/gatekeeper/v3/apis/expansion/unversioned"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/expansion"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/mutation"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/mutation/mutators/assign"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/mutation/mutators/assignimage"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/mutation/mutators/assignmeta"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/mutation/mutators/modifyset"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/mutation/schema"
	mutationtypes "github.com/open-policy-agent/gatekeeper/v3/pkg/mutation/types"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// mutators are Gatekeeper's mutation system, in which each mutator records its changes.
type mutators struct {
	system *mutation.System
	steps  []gatekeeperMutation
}

// gatekeeperMutation is one change: its mutator, and the whole object after it.
type gatekeeperMutation struct {
	Kind   string          `json:"kind"`
	Name   string          `json:"name"`
	Object json.RawMessage `json:"object"`
}

func newMutators() *mutators {
	// Upstream gives each run a random id; here answers have to repeat.
	return &mutators{system: mutation.NewSystem(mutation.SystemOpts{NewUUID: func() uuid.UUID { return uuid.Nil }})}
}

func (m *mutators) add(object *unstructured.Unstructured) error {
	mutator, err := mutatorOf(object)
	if err != nil {
		return err
	}
	if _, asksProvider, err := unstructured.NestedMap(object.Object, "spec", "parameters", "assign", "externalData"); asksProvider || err != nil {
		return err // A provider's answer is unknown here.
	}
	told := &toldMutator{Mutator: mutator, steps: &m.steps}
	if withSchema, ok := mutator.(schema.MutatorWithSchema); ok {
		return m.system.Upsert(&toldMutatorWithSchema{MutatorWithSchema: withSchema, told: told})
	}
	return m.system.Upsert(told)
}

func mutatorOf(object *unstructured.Unstructured) (mutationtypes.Mutator, error) {
	switch object.GetKind() {
	case "Assign":
		return made(object, assign.MutatorForAssign)
	case "AssignMetadata":
		return made(object, assignmeta.MutatorForAssignMetadata)
	case "ModifySet":
		return made(object, modifyset.MutatorForModifySet)
	case "AssignImage":
		return made(object, assignimage.MutatorForAssignImage)
	}
	return nil, fmt.Errorf("Gatekeeper has no mutator of kind %s", object.GetKind())
}

func made[T any, M mutationtypes.Mutator](object *unstructured.Unstructured, make func(*T) (M, error)) (mutationtypes.Mutator, error) {
	value, err := typed[T](object)
	if err != nil {
		return nil, err
	}
	mutator, err := make(value)
	if err != nil {
		return nil, err
	}
	return mutator, nil
}

// toldMutator records each change of the mutator that it wraps.
type toldMutator struct {
	mutationtypes.Mutator
	steps *[]gatekeeperMutation
}

func (t *toldMutator) Mutate(mutable *mutationtypes.Mutable) (bool, error) {
	before := mutable.Object.DeepCopy()
	isMutated, err := t.Mutator.Mutate(mutable)
	if err == nil && isMutated && !equality.Semantic.DeepEqual(before.Object, mutable.Object.Object) {
		if text, err := mutable.Object.MarshalJSON(); err == nil {
			*t.steps = append(*t.steps, gatekeeperMutation{Kind: t.ID().Kind, Name: t.ID().Name, Object: text})
		}
	}
	return isMutated, err
}

func (t *toldMutator) DeepCopy() mutationtypes.Mutator {
	return &toldMutator{Mutator: t.Mutator.DeepCopy(), steps: t.steps}
}

// toldMutatorWithSchema is the same for mutators whose paths imply a schema, so that upstream finds their conflicts.
type toldMutatorWithSchema struct {
	schema.MutatorWithSchema
	told *toldMutator
}

func (t *toldMutatorWithSchema) Mutate(mutable *mutationtypes.Mutable) (bool, error) {
	return t.told.Mutate(mutable)
}

func (t *toldMutatorWithSchema) DeepCopy() mutationtypes.Mutator {
	copied := t.MutatorWithSchema.DeepCopy().(schema.MutatorWithSchema)
	return &toldMutatorWithSchema{MutatorWithSchema: copied, told: &toldMutator{Mutator: copied, steps: t.told.steps}}
}

// mutate changes an object in place, as the mutating webhook does, and returns each change.
func (m *mutators) mutate(mutable *mutationtypes.Mutable) ([]gatekeeperMutation, error) {
	m.steps = nil
	_, err := m.system.Mutate(context.Background(), mutable)
	steps := m.steps
	m.steps = nil
	if err != nil {
		return nil, fmt.Errorf("%s", strings.ReplaceAll(err.Error(), "mutation "+uuid.Nil.String()+" ", ""))
	}
	return steps, nil
}

func (g *gatekeeperClient) addExpansion(object *unstructured.Unstructured) error {
	template, err := typed[expansionv1.ExpansionTemplate](object)
	if err != nil {
		return err
	}
	return g.expansions.UpsertTemplate(template)
}

// conflictsOf reports mutators that conflict with ones added later: upstream applies neither.
func conflictsOf(g *gatekeeperClient, r loadGatekeeperRequest) []objectError {
	inMutators := forEachObject("mutators", r.Mutators, func(object *unstructured.Unstructured) error {
		conflicts := g.mutators.system.GetConflicts(mutationtypes.MakeID(object))
		if len(conflicts) == 0 {
			return nil
		}
		return schema.NewErrConflictingSchema(conflicts)
	})
	cycles := g.expansions.GetConflicts()
	inExpansions := forEachObject("expansions", r.Expansions, func(object *unstructured.Unstructured) error {
		if !cycles[expansion.TemplateID(object.GetName())] {
			return nil
		}
		return fmt.Errorf("template forms expansion cycle")
	})
	return append(inMutators, inExpansions...)
}
