package main

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// convertFields converts the fields that differ between the versions of a kind. Among the versions that servers serve
// by default, only those of HorizontalPodAutoscaler differ.
func convertFields(object map[string]any, from, to schema.GroupVersionKind) error {
	autoscaler := schema.GroupKind{Group: "autoscaling", Kind: "HorizontalPodAutoscaler"}
	switch {
	case from.GroupKind() != autoscaler || to.GroupKind() != autoscaler:
		return nil
	case from.Version == "v1" && to.Version == "v2":
		return autoscalerToV2(object)
	case from.Version == "v2" && to.Version == "v1":
		return autoscalerToV1(object)
	}
	return nil
}

// What v1 has no fields for is in annotations.
const (
	metricsAnnotation  = "autoscaling.alpha.kubernetes.io/metrics"
	behaviorAnnotation = "autoscaling.alpha.kubernetes.io/behavior"
)

var autoscalerAnnotations = []string{
	metricsAnnotation, behaviorAnnotation, "autoscaling.alpha.kubernetes.io/current-metrics", "autoscaling.alpha.kubernetes.io/conditions",
}

// metricFields pairs the fields of a metric in v1 (as its annotation holds them) and v2, by the field that holds the metric.
var metricFields = map[string][][2][]string{
	"resource":          {averageUtilization, averageValue, {{"name"}, {"name"}}},
	"containerResource": {averageUtilization, averageValue, {{"name"}, {"name"}}, {{"container"}, {"container"}}},
	"pods":              {averageValue, metricName, {{"selector"}, {"metric", "selector"}}},
	"object":            {metricName, targetValue, {{"selector"}, {"metric", "selector"}}, {{"averageValue"}, {"target", "averageValue"}}, {{"target"}, {"describedObject"}}},
	"external":          {averageValue, metricName, targetValue, {{"metricSelector"}, {"metric", "selector"}}},
}

var (
	averageUtilization = [2][]string{{"targetAverageUtilization"}, {"target", "averageUtilization"}}
	averageValue       = [2][]string{{"targetAverageValue"}, {"target", "averageValue"}}
	targetValue        = [2][]string{{"targetValue"}, {"target", "value"}}
	metricName         = [2][]string{{"metricName"}, {"metric", "name"}}
)

// convertedMetric copies the fields of a metric from one version (0: v1, 1: v2) to the other.
func convertedMetric(metric map[string]any, from, to int) (map[string]any, error) {
	converted := map[string]any{"type": metric["type"]}
	for source, fields := range metricFields {
		if _, ok := metric[source].(map[string]any); !ok {
			continue
		}
		for _, field := range fields {
			value, ok, err := unstructured.NestedFieldCopy(metric, append([]string{source}, field[from]...)...)
			if err != nil {
				return nil, err
			}
			if !ok {
				continue
			}
			if err := unstructured.SetNestedField(converted, value, append([]string{source}, field[to]...)...); err != nil {
				return nil, err
			}
		}
	}
	return converted, nil
}

// targetType is explicit in v2 and implied by the fields in v1.
func targetType(source string, target map[string]any) string {
	_, hasAverage := target["averageValue"]
	_, hasValue := target["value"]
	switch {
	case target["averageUtilization"] != nil:
		return "Utilization"
	case source == "object" && !hasAverage, source == "external" && hasValue:
		return "Value"
	}
	return "AverageValue"
}

func isCPUUtilization(metric map[string]any) (any, bool) {
	name, _, _ := unstructured.NestedString(metric, "resource", "name")
	utilization, ok, _ := unstructured.NestedFieldNoCopy(metric, "resource", "target", "averageUtilization")
	return utilization, ok && metric["type"] == "Resource" && name == "cpu"
}

func autoscalerToV2(object map[string]any) error {
	metrics := []any{}
	if text, ok, _ := unstructured.NestedString(object, "metadata", "annotations", metricsAnnotation); ok {
		var others []map[string]any
		if err := utiljson.Unmarshal([]byte(text), &others); err == nil {
			for _, metric := range others {
				converted, err := convertedMetric(metric, 0, 1)
				if err != nil {
					return err
				}
				for source := range metricFields {
					if target, ok, _ := unstructured.NestedMap(converted, source, "target"); ok {
						_ = unstructured.SetNestedField(converted, targetType(source, target), source, "target", "type")
					}
				}
				metrics = append(metrics, converted)
			}
		}
	}
	if cpu, ok, _ := unstructured.NestedFieldCopy(object, "spec", "targetCPUUtilizationPercentage"); ok {
		target := map[string]any{"type": "Utilization", "averageUtilization": cpu}
		metrics = append(metrics, map[string]any{"type": "Resource", "resource": map[string]any{"name": "cpu", "target": target}})
		unstructured.RemoveNestedField(object, "spec", "targetCPUUtilizationPercentage")
	}
	if len(metrics) > 0 {
		if err := unstructured.SetNestedSlice(object, metrics, "spec", "metrics"); err != nil {
			return err
		}
	}
	if text, ok, _ := unstructured.NestedString(object, "metadata", "annotations", behaviorAnnotation); ok {
		var written writtenBehavior
		if err := json.Unmarshal([]byte(text), &written); err == nil {
			if err := unstructured.SetNestedMap(object, written.asV2(), "spec", "behavior"); err != nil {
				return err
			}
		}
	}
	dropAnnotations(object)
	return nil
}

func autoscalerToV1(object map[string]any) error {
	dropAnnotations(object)
	metrics, _, err := unstructured.NestedSlice(object, "spec", "metrics")
	if err != nil {
		return err
	}
	others := []map[string]any{}
	for _, it := range metrics {
		metric, ok := it.(map[string]any)
		if !ok {
			continue
		}
		if utilization, ok := isCPUUtilization(metric); ok {
			if err := unstructured.SetNestedField(object, utilization, "spec", "targetCPUUtilizationPercentage"); err != nil {
				return err
			}
			continue
		}
		converted, err := convertedMetric(metric, 1, 0)
		if err != nil {
			return err
		}
		others = append(others, converted)
	}
	if len(others) > 0 {
		if err := annotate(object, metricsAnnotation, others); err != nil {
			return err
		}
	}
	if behavior, ok, _ := unstructured.NestedMap(object, "spec", "behavior"); ok {
		text, err := json.Marshal(behavior)
		if err != nil {
			return err
		}
		var written writtenBehavior // Its fields are found whatever their case.
		if err := json.Unmarshal(text, &written); err != nil {
			return err
		}
		if err := annotate(object, behaviorAnnotation, written); err != nil {
			return err
		}
	}
	unstructured.RemoveNestedField(object, "spec", "metrics")
	unstructured.RemoveNestedField(object, "spec", "behavior")
	return nil
}

// writtenBehavior is a behavior as its annotation holds it: with the server's internal names and with all unset
// fields.
type writtenBehavior struct{ ScaleUp, ScaleDown *writtenScaling }

type writtenScaling struct {
	StabilizationWindowSeconds *int64
	SelectPolicy               *string
	Policies                   []writtenPolicy
	Tolerance                  any
}

type writtenPolicy struct {
	Type          string
	Value         int64
	PeriodSeconds int64
}

func (w writtenBehavior) asV2() map[string]any {
	behavior := map[string]any{}
	for name, scaling := range map[string]*writtenScaling{"scaleUp": w.ScaleUp, "scaleDown": w.ScaleDown} {
		if scaling == nil {
			continue
		}
		policies := each(scaling.Policies, func(p *writtenPolicy) any {
			return map[string]any{"type": p.Type, "value": p.Value, "periodSeconds": p.PeriodSeconds}
		})
		fields := map[string]any{"policies": policies}
		if scaling.StabilizationWindowSeconds != nil {
			fields["stabilizationWindowSeconds"] = *scaling.StabilizationWindowSeconds
		}
		if scaling.SelectPolicy != nil {
			fields["selectPolicy"] = *scaling.SelectPolicy
		}
		if scaling.Tolerance != nil {
			fields["tolerance"] = scaling.Tolerance
		}
		behavior[name] = fields
	}
	return behavior
}

func annotate(object map[string]any, name string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return unstructured.SetNestedField(object, string(text), "metadata", "annotations", name)
}

func dropAnnotations(object map[string]any) {
	for _, name := range autoscalerAnnotations {
		unstructured.RemoveNestedField(object, "metadata", "annotations", name)
	}
}
