package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/open-policy-agent/frameworks/constraint/pkg/client/drivers"
	"github.com/open-policy-agent/frameworks/constraint/pkg/client/drivers/rego"
	"github.com/open-policy-agent/frameworks/constraint/pkg/client/drivers/rego/schema"
	"github.com/open-policy-agent/frameworks/constraint/pkg/client/reviews"
	"github.com/open-policy-agent/frameworks/constraint/pkg/core/templates"
	"github.com/open-policy-agent/gatekeeper/v3/pkg/controller/config/process"
	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/storage"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// inventoryDriver is Gatekeeper's Rego driver, which also tracks which templates read which part of data.inventory:
// templates stay compiled while the inventory changes, and only the objects whose results depend on a change are
// reviewed again.
type inventoryDriver struct {
	*rego.Driver
	// looks are the paths in the inventory that the templates of a kind read.
	looks map[string][]inventoryPlace
	held  map[string]any
	// changed are the kinds that read what was put or removed since the last update began.
	changed map[string]bool
	// asked are the kinds among `looks` that were evaluated since the last review began.
	asked map[string]bool
}

// inventoryPlace is a path in data.inventory (`namespace`, NAMESPACE, GROUP/VERSION, KIND, NAME); "" is the value of
// a variable. It includes everything below it.
type inventoryPlace []string

func newInventoryDriver(inRego *rego.Driver) *inventoryDriver {
	return &inventoryDriver{
		Driver: inRego, looks: map[string][]inventoryPlace{}, held: map[string]any{},
		changed: map[string]bool{}, asked: map[string]bool{},
	}
}

func (d *inventoryDriver) AddTemplate(ctx context.Context, template *templates.ConstraintTemplate) error {
	if err := d.Driver.AddTemplate(ctx, template); err != nil {
		return err
	}
	places, err := inventoryPlacesOf(template)
	if len(places) > 0 {
		d.looks[template.Spec.CRD.Spec.Names.Kind] = places
	}
	return err
}

func (d *inventoryDriver) AddData(ctx context.Context, target string, path storage.Path, data any) error {
	if before, isThere := d.held[path.String()]; isThere && reflect.DeepEqual(before, data) {
		return nil
	}
	if err := d.Driver.AddData(ctx, target, path, data); err != nil {
		return err
	}
	d.held[path.String()] = data
	d.note(path)
	return nil
}

func (d *inventoryDriver) RemoveData(ctx context.Context, target string, path storage.Path) error {
	if err := d.Driver.RemoveData(ctx, target, path); err != nil {
		return err
	}
	delete(d.held, path.String())
	d.note(path)
	return nil
}

func (d *inventoryDriver) Query(ctx context.Context, target string, constraints []*unstructured.Unstructured, review any, opts ...reviews.ReviewOpt) (*drivers.QueryResponse, error) {
	for _, constraint := range constraints {
		if kind := constraint.GetKind(); len(d.looks[kind]) > 0 {
			d.asked[kind] = true
		}
	}
	return d.Driver.Query(ctx, target, constraints, review, opts...)
}

func (d *inventoryDriver) note(path storage.Path) {
	for kind, places := range d.looks {
		if slices.ContainsFunc(places, func(it inventoryPlace) bool { return it.holds(path) }) {
			d.changed[kind] = true
		}
	}
}

func (p inventoryPlace) holds(path storage.Path) bool {
	for i, name := range p {
		if i < len(path) && name != "" && name != path[i] {
			return false
		}
	}
	return true
}

// inventoryPlacesOf returns the paths in data.inventory that the Rego of a template and its libraries read. What is
// not written out (an import, an alias, all of `data`) counts as everything below.
func inventoryPlacesOf(template *templates.ConstraintTemplate) ([]inventoryPlace, error) {
	var places []inventoryPlace
	for _, target := range template.Spec.Targets {
		for _, code := range target.Code {
			if code.Engine != schema.Name {
				continue
			}
			source, err := schema.GetSource(code)
			if err != nil {
				return nil, err
			}
			version := ast.RegoV0
			if source.Version == "v1" {
				version = ast.RegoV1
			}
			for _, text := range append([]string{source.Rego}, source.Libs...) {
				module, err := ast.ParseModuleWithOpts("", text, ast.ParserOptions{RegoVersion: version})
				if err != nil {
					return nil, err
				}
				ast.WalkRefs(module, func(ref ast.Ref) bool {
					if place, isInventory := inventoryPlaceOf(ref); isInventory {
						places = append(places, place)
					}
					return false
				})
			}
		}
	}
	return places, nil
}

func inventoryPlaceOf(ref ast.Ref) (inventoryPlace, bool) {
	if !ref.HasPrefix(ast.DefaultRootRef) {
		return nil, false
	}
	path := inventoryPlace{}
	for _, term := range ref[1:] {
		name, _ := term.Value.(ast.String)
		path = append(path, string(name))
	}
	if len(path) == 0 {
		return path, true
	}
	return path[1:], path[0] == "inventory" || path[0] == ""
}

func (g *gatekeeperClient) put(object *unstructured.Unstructured) error {
	if isExcluded, err := g.excluder.IsNamespaceExcluded(process.Sync, object); isExcluded || err != nil {
		return err
	}
	_, err := g.client.AddData(context.Background(), object)
	return err
}

func (g *gatekeeperClient) remove(object *unstructured.Unstructured) error {
	_, err := g.client.RemoveData(context.Background(), object)
	return err
}

type updateGatekeeperRequest struct {
	Handle int               `json:"handle"`
	Put    []json.RawMessage `json:"put"`    // new or changed objects of the inventory
	Remove []json.RawMessage `json:"remove"` // removed objects; apiVersion, kind and metadata are enough
}

// updateGatekeeper updates the inventory; templates and constraints stay compiled. `changed` are the kinds of
// constraints that read what changed.
func updateGatekeeper(e *Engine, request []byte) (any, error) {
	var r updateGatekeeperRequest
	if err := json.Unmarshal(request, &r); err != nil {
		return nil, err
	}
	loaded, ok := e.gatekeeper[r.Handle]
	if !ok {
		return nil, fmt.Errorf("no Gatekeeper policies have the handle %d", r.Handle)
	}
	clear(loaded.inventory.changed)
	errs := slices.Concat(forEachObject("remove", r.Remove, loaded.remove), forEachObject("put", r.Put, loaded.put))
	return map[string]any{"errors": orEmpty(errs), "changed": sortedKeys(loaded.inventory.changed)}, nil
}

func sortedKeys(set map[string]bool) []string {
	return orEmpty(slices.SortedFunc(maps.Keys(set), strings.Compare))
}
