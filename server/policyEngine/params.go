package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/cache"
)

// paramsOf is the informer of a parameter kind. Kinds known to client-go are
// typed, as on the server, so that a parameter has the same fields in CEL.
func (c *cluster) paramsOf(kind *admissionregistrationv1.ParamKind) (informers.GenericInformer, meta.RESTScope, error) {
	if kind == nil {
		return nil, nil, nil
	}
	gv, err := schema.ParseGroupVersion(kind.APIVersion)
	if err != nil {
		return nil, nil, err
	}
	gvk := gv.WithKind(kind.Kind)
	for _, resource := range c.resources {
		if resource.gvk() != gvk {
			continue
		}
		index := &orderedIndexer{Indexer: cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})}
		for _, object := range c.objects {
			if object.GroupVersionKind() != gvk {
				continue
			}
			var param runtime.Object = object
			if typed, err := clientgoscheme.Scheme.New(gvk); err == nil {
				if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, typed); err != nil {
					return nil, nil, err
				}
				param = typed
			}
			if err := index.Add(param); err != nil {
				return nil, nil, err
			}
		}
		index.keys = index.ListKeys()
		slices.Sort(index.keys)
		scope := meta.RESTScopeRoot
		if resource.Namespaced {
			scope = meta.RESTScopeNamespace
		}
		return &paramInformer{index: index, resource: resource}, scope, nil
	}
	return nil, nil, fmt.Errorf("failed to find resource referenced by paramKind: '%v'", gvk)
}

// orderedIndexer lists by key what upstream's indexer lists in a random order, so that answers repeat.
type orderedIndexer struct {
	cache.Indexer
	keys []string
}

func (o *orderedIndexer) List() []any {
	return o.listed(o.keys)
}

func (o *orderedIndexer) Index(index string, of any) ([]any, error) {
	object, err := meta.Accessor(of)
	if err != nil || index != cache.NamespaceIndex {
		return o.Indexer.Index(index, of)
	}
	prefix := object.GetNamespace() + "/"
	from, _ := slices.BinarySearch(o.keys, prefix)
	inNamespace := o.keys[from:]
	if end := slices.IndexFunc(inNamespace, func(key string) bool { return !strings.HasPrefix(key, prefix) }); end >= 0 {
		inNamespace = inNamespace[:end]
	}
	return o.listed(inNamespace), nil
}

// listed are the objects of the keys, without those that are hidden at present.
func (o *orderedIndexer) listed(keys []string) []any {
	objects := make([]any, 0, len(keys))
	for _, key := range keys {
		if object, exists, err := o.GetByKey(key); exists && err == nil {
			objects = append(objects, object)
		}
	}
	return objects
}

// paramInformer is the part of an informer that upstream uses: its lister, and that it has synced.
type paramInformer struct {
	cache.SharedIndexInformer
	index    cache.Indexer
	resource apiResource
}

// hide takes an object that is being created out of the parameters until restore is called: the server has no such object
// before it admits it.
func (p *paramInformer) hide(attributes admission.Attributes) (restore func()) {
	restore = func() {}
	if attributes.GetOperation() != admission.Create || attributes.GetKind() != p.resource.gvk() {
		return restore
	}
	key := attributes.GetName()
	if p.resource.Namespaced {
		key = attributes.GetNamespace() + "/" + key
	}
	param, exists, err := p.index.GetByKey(key)
	if err != nil || !exists || p.index.Delete(param) != nil {
		return restore
	}
	return func() { _ = p.index.Add(param) }
}

// hideCreated is hide for the parameters of all hooks.
func hideCreated(attributes admission.Attributes, params []informers.GenericInformer) (restore func()) {
	restores := each(params, func(informer *informers.GenericInformer) func() {
		if own, ok := (*informer).(*paramInformer); ok {
			return own.hide(attributes)
		}
		return func() {}
	})
	return func() {
		for _, restore := range restores {
			restore()
		}
	}
}

func (p *paramInformer) Informer() cache.SharedIndexInformer { return p }
func (p *paramInformer) HasSynced() bool                     { return true }
func (p *paramInformer) Lister() cache.GenericLister {
	return cache.NewGenericLister(p.index, p.resource.gvr().GroupResource())
}

// noClient answers upstream's live lookup of a namespace, which follows a miss in the lister.
type noClient struct{ kubernetes.Interface }
type noCoreClient struct{ corev1client.CoreV1Interface }
type noNamespaceClient struct {
	corev1client.NamespaceInterface
}

func (noClient) CoreV1() corev1client.CoreV1Interface            { return noCoreClient{} }
func (noCoreClient) Namespaces() corev1client.NamespaceInterface { return noNamespaceClient{} }
func (noNamespaceClient) Get(_ context.Context, name string, _ metav1.GetOptions) (*corev1.Namespace, error) {
	return nil, apierrors.NewNotFound(corev1.Resource("namespaces"), name)
}
