package main

import (
	"encoding/json"
	"unsafe"

	"github.com/open-policy-agent/frameworks/constraint/pkg/client/drivers/rego"
	mutationtypes "github.com/open-policy-agent/gatekeeper/v3/pkg/mutation/types"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/target"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// writtenObject is an object with its JSON; nil where policies changed or made it.
type writtenObject struct {
	object *unstructured.Unstructured
	text   json.RawMessage
}

// review is what the client is given: with the JSON as it came, where there is one, since of an object alone upstream
// makes its JSON.
func (w writtenObject) review(namespace *corev1.Namespace, operation admissionv1.Operation, source mutationtypes.SourceType) any {
	if w.text == nil || operation == admissionv1.Delete {
		return target.AugmentedUnstructured{Object: *w.object, Namespace: namespace, Operation: operation, Source: source}
	}
	kind := w.object.GroupVersionKind()
	return target.AugmentedReview{Namespace: namespace, Source: source, AdmissionRequest: &admissionv1.AdmissionRequest{
		Kind:      metav1.GroupVersionKind{Group: kind.Group, Version: kind.Version, Kind: kind.Kind},
		Object:    runtime.RawExtension{Raw: w.text},
		Name:      w.object.GetName(),
		Namespace: w.object.GetNamespace(),
		Operation: operation,
	}}
}

// keep makes the client use the object, whose JSON it would decode twice, until restore is called.
func (w writtenObject) keep() (restore func()) {
	decoded, mapOf := target.Decoded, rego.ReviewMap
	target.Decoded = func(text []byte) *unstructured.Unstructured {
		if w.isText(text) {
			return w.object
		}
		return decoded(text)
	}
	rego.ReviewMap = func(review any) (map[string]any, error) {
		of, ok := review.(interface {
			GetAdmissionRequest() *admissionv1.AdmissionRequest
		})
		if !ok || !w.isText(of.GetAdmissionRequest().Object.Raw) {
			return mapOf(review)
		}
		rest := *of.GetAdmissionRequest()
		rest.Object = runtime.RawExtension{}
		fields, err := mapOf(rest)
		if err == nil {
			fields["object"] = withFloats(w.object.Object)
		}
		return fields, err
	}
	return func() { target.Decoded, rego.ReviewMap = decoded, mapOf }
}

// isText says whether a text is that of the object, not an equal one.
func (w writtenObject) isText(text []byte) bool {
	return len(text) > 0 && len(text) == len(w.text) && unsafe.SliceData(text) == unsafe.SliceData(w.text)
}

// withFloats is a copy of a JSON value as encoding/json decodes it, to which every number is a float64.
func withFloats(value any) any {
	switch value := value.(type) {
	case map[string]any:
		copied := make(map[string]any, len(value))
		for key, it := range value {
			copied[key] = withFloats(it)
		}
		return copied
	case []any:
		copied := make([]any, len(value))
		for i, it := range value {
			copied[i] = withFloats(it)
		}
		return copied
	case int64:
		return float64(value)
	}
	return value
}
