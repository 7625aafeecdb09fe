package main

import (
	"context"
	"encoding/json"
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
	component, ok := s.Kinds[nameOfKind(gvk)]
	return component, ok
}

func nameOfKind(gvk schema.GroupVersionKind) string {
	return strings.TrimPrefix(gvk.Group+"/"+gvk.Version+"/"+gvk.Kind, "/")
}

// typeConverters creates the converter that merges ApplyConfigurations on first use.
type typeConverters struct {
	text      string
	schemas   openAPISchemas
	made      bool
	converter managedfields.TypeConverter
}

// typeConverters are those of the last policies with schemas where the schemas are the same. Most policies have none.
func (e *Engine) typeConverters(schemas, kinds json.RawMessage) (*typeConverters, error) {
	if len(schemas) == 0 {
		return &typeConverters{}, nil
	}
	text := string(schemas) + "\n" + string(kinds)
	if known := e.converters; known != nil && known.text == text {
		return known, nil
	}
	made := &typeConverters{text: text}
	if err := json.Unmarshal(schemas, &made.schemas.Schemas); err != nil {
		return nil, err
	}
	if len(kinds) > 0 {
		if err := json.Unmarshal(kinds, &made.schemas.Kinds); err != nil {
			return nil, err
		}
	}
	e.converters = made
	return made, nil
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
