package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

type mutationOutcome struct {
	Policy  string `json:"policy"`
	Binding string `json:"binding"`
	// Object is the whole object after this binding; absent when it changed nothing.
	Object json.RawMessage `json:"object,omitempty"`
	// Error is the server's whole message when the request is refused because of this binding.
	Error string `json:"error,omitempty"`
}

// mutate asks one binding of a MutatingAdmissionPolicy; the object of the
// attributes is changed in place, as on the server. Upstream's second round for
// policies with reinvocationPolicy IfNeeded is not made.
func mutate(hook mutating.PolicyHook, matcher *matching.Matcher, attributes admission.Attributes, cluster *cluster, converters *typeConverters) mutationOutcome {
	outcome := mutationOutcome{Policy: hook.Policy.Name, Binding: hook.Bindings[0].Name}
	object, ok := attributes.GetObject().(*unstructured.Unstructured)
	if !ok || object == nil {
		return outcome
	}
	before := object.DeepCopy()
	err := mutating.NewDispatcher(&noOpinion{}, matcher, converters).Dispatch(context.Background(), attributes, cluster, []mutating.PolicyHook{hook})
	var status *apierrors.StatusError
	if errors.As(err, &status) {
		outcome.Error = status.ErrStatus.Message
	} else if err != nil {
		outcome.Error = err.Error()
	}
	if err == nil && !equality.Semantic.DeepEqual(before.Object, object.Object) {
		if text, err := object.MarshalJSON(); err == nil {
			outcome.Object = text
		}
	}
	return outcome
}

// openAPISchemas are OpenAPI v3 components, as /openapi/v3 serves them; Kinds says which component a kind is.
type openAPISchemas struct {
	Schemas map[string]*spec.Schema `json:"schemas"`
	Kinds   map[string]string       `json:"kinds"` // "apps/v1/Deployment" or "v1/Pod" → component
}

func (s *openAPISchemas) componentOf(gvk schema.GroupVersionKind) (string, bool) {
	component, ok := s.Kinds[strings.TrimPrefix(gvk.Group+"/"+gvk.Version+"/"+gvk.Kind, "/")]
	return component, ok
}

// typeConverters makes the converter that merges ApplyConfigurations when the first one wants it.
type typeConverters struct {
	schemas   openAPISchemas
	made      bool
	converter managedfields.TypeConverter
}

func newTypeConverters(schemas openAPISchemas) *typeConverters {
	return &typeConverters{schemas: schemas}
}

func (t *typeConverters) Run(context.Context) {}

// GetTypeConverter answers kinds without a schema by what can be deduced from the object: lists are atomic then.
func (t *typeConverters) GetTypeConverter(gvk schema.GroupVersionKind) managedfields.TypeConverter {
	if _, ok := t.schemas.componentOf(gvk); !ok {
		return managedfields.NewDeducedTypeConverter()
	}
	if !t.made {
		t.made = true
		if converter, err := managedfields.NewTypeConverter(t.schemas.Schemas, false); err == nil {
			t.converter = converter
		}
	}
	if t.converter == nil {
		return managedfields.NewDeducedTypeConverter()
	}
	return t.converter
}
