package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules"
	"k8s.io/apiserver/pkg/authentication/user"
)

type admissionRequest struct {
	Operation   string          `json:"operation"` // CREATE (default), UPDATE, DELETE, CONNECT
	Object      json.RawMessage `json:"object"`
	OldObject   json.RawMessage `json:"oldObject"`
	Options     json.RawMessage `json:"options"`
	Subresource string          `json:"subresource"`
	DryRun      bool            `json:"dryRun"`
	// After is what the webhooks made of the first round's result; for the phase again.
	After json.RawMessage `json:"after"`
	User  struct {
		Name   string              `json:"name"`
		UID    string              `json:"uid"`
		Groups []string            `json:"groups"`
		Extra  map[string][]string `json:"extra"`
	} `json:"user"`
}

func (c *cluster) attributes(r admissionRequest) (admission.Attributes, error) {
	object, err := optionalTyped(r.Object)
	if err != nil {
		return nil, err
	}
	oldObject, err := optionalTyped(r.OldObject)
	if err != nil {
		return nil, err
	}
	options, err := optionalObject(r.Options)
	if err != nil {
		return nil, err
	}
	about := object
	if about == nil {
		about = oldObject
	}
	if about == nil {
		return nil, errors.New("a request needs an object or an oldObject")
	}
	gvk := about.GetObjectKind().GroupVersionKind()
	metadata, err := meta.Accessor(about)
	if err != nil {
		return nil, err
	}
	for _, resource := range c.resources {
		if resource.gvk() != gvk {
			continue
		}
		namespace := ""
		if resource.Namespaced {
			if namespace = metadata.GetNamespace(); namespace == "" {
				namespace = metav1.NamespaceDefault
				metadata.SetNamespace(namespace) // The server's handler does so before admission.
			}
			if !c.known[namespace] {
				assumed := &unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{"name": namespace}}}
				if err := c.addNamespace(assumed); err != nil {
					return nil, err
				}
			}
		}
		if gvk == namespaceKind {
			namespace = metadata.GetName() // A request about a Namespace is in that namespace.
		}
		operation := admission.Operation(r.Operation)
		if operation == "" {
			operation = admission.Create
		}
		who := &user.DefaultInfo{Name: r.User.Name, UID: r.User.UID, Groups: r.User.Groups, Extra: r.User.Extra}
		return admission.NewAttributesRecord(object, oldObject, gvk, namespace, metadata.GetName(), resource.gvr(), r.Subresource, operation, options, r.DryRun, who), nil
	}
	return nil, fmt.Errorf("no resource of kind %v is known", gvk)
}

func decodeOptional(text json.RawMessage) (*unstructured.Unstructured, error) {
	if len(text) == 0 || string(text) == "null" {
		return nil, nil
	}
	return decodeObject(text)
}

// optionalObject returns an untyped nil for an absent object: upstream compares interfaces with nil.
func optionalObject(text json.RawMessage) (runtime.Object, error) {
	object, err := decodeOptional(text)
	if object == nil || err != nil {
		return nil, err
	}
	return object, nil
}

func optionalTyped(text json.RawMessage) (runtime.Object, error) {
	if typed := decodeTyped(text); typed != nil {
		return typed, nil
	}
	object, err := decodeOptional(text)
	if object == nil || err != nil {
		return nil, err
	}
	return typedObject(object), nil
}

// exempt are the resources for which upstream's plugin never evaluates policies: the policies themselves, and reviews
// that are not stored.
func exempt(attributes admission.Attributes) bool {
	switch attributes.GetResource().Group {
	case "admissionregistration.k8s.io":
		return rules.IsExemptAdmissionConfigurationResource(attributes)
	case "authentication.k8s.io", "authorization.k8s.io":
		return strings.HasSuffix(attributes.GetResource().Resource, "reviews")
	}
	return false
}
