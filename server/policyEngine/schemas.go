package main

import (
	"context"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// openAPISchemas are OpenAPI v3 components, as /openapi/v3 serves them; Kinds says which component a kind is.
type openAPISchemas struct {
	Schemas map[string]*spec.Schema `json:"schemas"`
	Kinds   map[string]string       `json:"kinds"` // "apps/v1/Deployment" or "v1/Pod" → component
}

func (s *openAPISchemas) componentOf(gvk schema.GroupVersionKind) (string, bool) {
	component, ok := s.Kinds[strings.TrimPrefix(gvk.Group+"/"+gvk.Version+"/"+gvk.Kind, "/")]
	return component, ok
}

// typeConverters creates the converter that merges ApplyConfigurations on first use.
type typeConverters struct {
	schemas   openAPISchemas
	made      bool
	converter managedfields.TypeConverter
}

func newTypeConverters(schemas openAPISchemas) *typeConverters {
	return &typeConverters{schemas: schemas}
}

func (t *typeConverters) Run(context.Context) {}

// GetTypeConverter deduces the type of a kind without a schema from the object: lists are atomic then.
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
