package main

import (
	"encoding/json"
	"errors"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	listersv1 "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

type apiResource struct {
	Group      string `json:"group"`
	Version    string `json:"version"`
	Resource   string `json:"resource"`
	Kind       string `json:"kind"`
	Namespaced bool   `json:"namespaced"`
	// StoredAs names the storage that several group-resources share, such as
	// "apps/deployments" for extensions/deployments; default group/resource.
	StoredAs string `json:"storedAs"`
}

func (r apiResource) gvr() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: r.Group, Version: r.Version, Resource: r.Resource}
}

func (r apiResource) gvk() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: r.Group, Version: r.Version, Kind: r.Kind}
}

// cluster answers the dispatcher's queries about a server: kinds, conversions,
// namespaces and parameters. It implements admission.ObjectInterfaces.
type cluster struct {
	resources   []apiResource
	equivalents runtime.EquivalentResourceRegistry
	namespaces  listersv1.NamespaceLister
	objects     []*unstructured.Unstructured
	known       map[string]bool
	index       cache.Indexer
}

// servedResources are what a server serves, kept with their text: to read them takes longer than to load a policy.
type servedResources struct {
	text        string
	resources   []apiResource
	equivalents runtime.EquivalentResourceRegistry
}

func (e *Engine) servedResources(text json.RawMessage) (*servedResources, error) {
	if known := e.served; known != nil && known.text == string(text) {
		return known, nil
	}
	made := &servedResources{text: string(text)}
	if len(text) > 0 {
		if err := json.Unmarshal(text, &made.resources); err != nil {
			return nil, err
		}
	}
	made.equivalents = equivalentsOf(made.resources)
	e.served = made
	return made, nil
}

func equivalentsOf(resources []apiResource) runtime.EquivalentResourceRegistry {
	storedAs := map[schema.GroupResource]string{}
	for _, r := range resources {
		storedAs[r.gvr().GroupResource()] = r.StoredAs
	}
	equivalents := runtime.NewEquivalentResourceRegistryWithIdentity(func(r schema.GroupResource) string { return storedAs[r] })
	for _, r := range resources {
		equivalents.RegisterKindFor(r.gvr(), "", r.gvk())
	}
	return equivalents
}

func newCluster(policies *admissionPolicies, objects []json.RawMessage) (*cluster, error) {
	index := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	c := &cluster{
		resources: policies.resources, equivalents: policies.equivalents, index: index,
		namespaces: listersv1.NewNamespaceLister(index), known: map[string]bool{},
	}
	for _, text := range objects {
		object, err := decodeObject(text)
		if err != nil {
			return nil, err
		}
		if object.GroupVersionKind() == namespaceKind {
			if err := c.addNamespace(object); err != nil {
				return nil, err
			}
		}
		c.objects = append(c.objects, object)
	}
	return c, nil
}

var namespaceKind = corev1.SchemeGroupVersion.WithKind("Namespace")

// decodeObject decodes whole numbers as integers: CEL distinguishes int from double.
func decodeObject(text json.RawMessage) (*unstructured.Unstructured, error) {
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(text); err != nil {
		return nil, err
	}
	return object, nil
}

func (c *cluster) addNamespace(object *unstructured.Unstructured) error {
	namespace := &corev1.Namespace{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, namespace); err != nil {
		return err
	}
	if namespace.Labels == nil {
		namespace.Labels = map[string]string{}
	}
	namespace.Labels[corev1.LabelMetadataName] = namespace.Name
	c.known[namespace.Name] = true
	return c.index.Add(namespace)
}

func (c *cluster) GetObjectCreater() runtime.ObjectCreater     { return c }
func (c *cluster) GetObjectTyper() runtime.ObjectTyper         { return clientgoscheme.Scheme }
func (c *cluster) GetObjectDefaulter() runtime.ObjectDefaulter { return clientgoscheme.Scheme }
func (c *cluster) GetObjectConvertor() runtime.ObjectConvertor { return c }
func (c *cluster) GetEquivalentResourceMapper() runtime.EquivalentResourceMapper {
	return c.equivalents
}
func (c *cluster) ConvertFieldLabel(schema.GroupVersionKind, string, string) (string, string, error) {
	return "", "", errors.New("field labels are not converted here")
}

// New returns an empty object as upstream decodes its kind: see typedObject.
func (c *cluster) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	object, err := clientgoscheme.Scheme.New(kind)
	if err != nil {
		object = &unstructured.Unstructured{}
	}
	object.GetObjectKind().SetGroupVersionKind(kind)
	return object, nil
}

// Convert converts an object to another version. Versions of a custom resource have the same fields, as on a server
// without a conversion webhook.
func (c *cluster) Convert(in, out, _ any) error {
	from, to := in.(runtime.Object), out.(runtime.Object)
	kind := to.GetObjectKind().GroupVersionKind()
	fields, err := fieldsOf(from)
	if err != nil {
		return err
	}
	if err := convertFields(fields, from.GetObjectKind().GroupVersionKind(), kind); err != nil {
		return err
	}
	if err := setFields(to, fields); err != nil {
		return err
	}
	to.GetObjectKind().SetGroupVersionKind(kind)
	return nil
}

// ConvertToVersion decodes the merged fields of an ApplyConfiguration into the type of their kind.
func (c *cluster) ConvertToVersion(in runtime.Object, _ runtime.GroupVersioner) (runtime.Object, error) {
	if _, isUntyped := in.(*unstructured.Unstructured); !isUntyped {
		return in, nil
	}
	out, err := c.New(in.GetObjectKind().GroupVersionKind())
	if err != nil {
		return nil, err
	}
	return out, c.Convert(in, out, nil)
}
