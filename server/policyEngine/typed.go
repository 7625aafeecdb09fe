package main

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	kjson "sigs.k8s.io/json"
)

// typedObject is the object as the server decodes it. Built-in kinds are Go structs: CEL sees the fields that their
// JSON always has (`status`, `resources`), and a patch cannot set a field that the struct does not have. Custom
// resources stay unstructured, and so does an object with a value of a wrong type, which the server never admits.
func typedObject(object *unstructured.Unstructured) runtime.Object {
	typed, err := clientgoscheme.Scheme.New(object.GroupVersionKind())
	if err != nil || setFields(typed, object.Object) != nil {
		return object
	}
	return typed
}

// decodeTyped decodes an object of a built-in kind as the server does: nil for others, and where a value has a wrong type.
func decodeTyped(text []byte) runtime.Object {
	typed, err := clientgoscheme.Scheme.New(kindOf(text))
	if err != nil || kjson.UnmarshalCaseSensitivePreserveInts(text, typed) != nil {
		return nil
	}
	return typed
}

// kindOf reads no more than apiVersion and kind where those come first.
func kindOf(text []byte) schema.GroupVersionKind {
	decoder := json.NewDecoder(bytes.NewReader(text))
	head := metav1.TypeMeta{}
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return schema.GroupVersionKind{}
	}
	for head.Kind == "" || head.APIVersion == "" {
		key, err := decoder.Token()
		field := map[json.Token]*string{"apiVersion": &head.APIVersion, "kind": &head.Kind}[key]
		if err != nil || field == nil || decoder.Decode(field) != nil {
			head = metav1.TypeMeta{}
			_ = kjson.UnmarshalCaseSensitivePreserveInts(text, &head)
			break
		}
	}
	return head.GroupVersionKind()
}

// fieldsOf are the fields of an object as JSON values; a copy.
func fieldsOf(object runtime.Object) (map[string]any, error) {
	if untyped, ok := object.(*unstructured.Unstructured); ok {
		return runtime.DeepCopyJSON(untyped.Object), nil
	}
	return runtime.DefaultUnstructuredConverter.ToUnstructured(object)
}

// setFields replaces all fields of an object.
func setFields(object runtime.Object, fields map[string]any) error {
	if untyped, ok := object.(*unstructured.Unstructured); ok {
		untyped.Object = fields
		return nil
	}
	empty := reflect.New(reflect.TypeOf(object).Elem())
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(fields, empty.Interface()); err != nil {
		return err
	}
	reflect.ValueOf(object).Elem().Set(empty.Elem())
	return nil
}

// withoutEmptyStructs removes from the fields of a struct what encoding alone has added, where it is absent in before as
// well: zero structs, and null. Items of lists are compared by index.
func withoutEmptyStructs(of reflect.Value, fields, before any) {
	switch of.Kind() {
	case reflect.Pointer:
		if !of.IsNil() {
			withoutEmptyStructs(of.Elem(), fields, before)
		}
	case reflect.Slice:
		items, _ := fields.([]any)
		old, _ := before.([]any)
		for i := range min(len(items), of.Len()) {
			var at any
			if i < len(old) {
				at = old[i]
			}
			withoutEmptyStructs(of.Index(i), items[i], at)
		}
	case reflect.Struct:
		values, ok := fields.(map[string]any)
		if !ok {
			return
		}
		old, _ := before.(map[string]any)
		for i := range of.NumField() {
			if field := of.Type().Field(i); field.IsExported() {
				withoutEmptyField(field, of.Field(i), values, old)
			}
		}
	}
}

func withoutEmptyField(field reflect.StructField, of reflect.Value, values, before map[string]any) {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	if field.Anonymous && name == "" {
		withoutEmptyStructs(of, values, before)
		return
	}
	value, ok := values[name]
	if !ok {
		return
	}
	old, had := before[name]
	if !had && (value == nil || of.Kind() == reflect.Struct && of.IsZero()) {
		delete(values, name)
		return
	}
	withoutEmptyStructs(of, value, old)
}
