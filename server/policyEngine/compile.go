package main

import (
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/cel/environment"
)

// compileMode: the environment set is already that of the chosen Kubernetes
// minor, so its "new" environment is everything that this minor evaluates.
const compileMode = environment.NewExpressions

// policyCompiler compiles the expressions of one policy. Later expressions can
// use the variables declared before them.
type policyCompiler struct {
	*plugincel.CompositedCompiler
	options plugincel.OptionalVariableDeclarations
}

func newPolicyCompiler(env *celEnvironment, paramKind *admissionregistrationv1.ParamKind, variables []admissionregistrationv1.Variable) (*policyCompiler, error) {
	composited, err := env.compiler(len(variables) > 0)
	if err != nil {
		return nil, err
	}
	compiler := &policyCompiler{composited, plugincel.OptionalVariableDeclarations{HasParams: paramKind != nil, HasAuthorizer: true}}
	for _, v := range variables {
		compiler.CompileAndStoreVariable(&validating.Variable{Name: v.Name, Expression: v.Expression}, compiler.options, compileMode)
	}
	return compiler, nil
}

func (c *policyCompiler) conditions(options plugincel.OptionalVariableDeclarations, expressions []plugincel.ExpressionAccessor) plugincel.ConditionEvaluator {
	return c.CompileCondition(expressions, options, compileMode)
}

func (c *policyCompiler) matcher(conditions []admissionregistrationv1.MatchCondition, failurePolicy *admissionregistrationv1.FailurePolicyType, name string) matchconditions.Matcher {
	if len(conditions) == 0 {
		return nil
	}
	expressions := each(conditions, func(m *admissionregistrationv1.MatchCondition) plugincel.ExpressionAccessor {
		return (*matchconditions.MatchCondition)(m)
	})
	return matchconditions.NewMatcher(c.conditions(c.options, expressions), failurePolicy, "policy", "validate", name)
}

func compileValidating(env *celEnvironment, policy *admissionregistrationv1.ValidatingAdmissionPolicy) (validating.Validator, error) {
	spec := policy.Spec
	compiler, err := newPolicyCompiler(env, spec.ParamKind, spec.Variables)
	if err != nil {
		return nil, err
	}
	validations := each(spec.Validations, func(v *admissionregistrationv1.Validation) plugincel.ExpressionAccessor {
		return &validating.ValidationCondition{Expression: v.Expression, Message: v.Message, Reason: v.Reason}
	})
	// Upstream expects nil for a validation without messageExpression, and gives messages no authorizer.
	messages := each(spec.Validations, func(v *admissionregistrationv1.Validation) plugincel.ExpressionAccessor {
		if v.MessageExpression == "" {
			return nil
		}
		return &validating.MessageExpressionCondition{MessageExpression: v.MessageExpression}
	})
	annotations := each(spec.AuditAnnotations, func(a *admissionregistrationv1.AuditAnnotation) plugincel.ExpressionAccessor {
		return &validating.AuditAnnotationCondition{Key: a.Key, ValueExpression: a.ValueExpression}
	})
	return validating.NewValidator(
		compiler.conditions(compiler.options, validations),
		compiler.matcher(spec.MatchConditions, spec.FailurePolicy, policy.Name),
		compiler.conditions(compiler.options, annotations),
		compiler.conditions(plugincel.OptionalVariableDeclarations{HasParams: spec.ParamKind != nil}, messages),
		spec.FailurePolicy,
		nil,
	), nil
}

func compileMutating(env *celEnvironment, policy *admissionregistrationv1.MutatingAdmissionPolicy) (mutating.PolicyEvaluator, error) {
	spec := policy.Spec
	compiler, err := newPolicyCompiler(env, spec.ParamKind, spec.Variables)
	if err != nil {
		return mutating.PolicyEvaluator{}, err
	}
	options := compiler.options
	options.HasPatchTypes = true
	var patchers []patch.Patcher
	for _, m := range spec.Mutations {
		switch {
		case m.PatchType == admissionregistrationv1.PatchTypeJSONPatch && m.JSONPatch != nil:
			condition := &patch.JSONPatchCondition{Expression: m.JSONPatch.Expression}
			patchers = append(patchers, patch.NewJSONPatcher(compiler.CompileMutatingEvaluator(condition, options, compileMode)))
		case m.PatchType == admissionregistrationv1.PatchTypeApplyConfiguration && m.ApplyConfiguration != nil:
			condition := &patch.ApplyConfigurationCondition{Expression: m.ApplyConfiguration.Expression}
			patchers = append(patchers, patch.NewApplyConfigurationPatcher(compiler.CompileMutatingEvaluator(condition, options, compileMode)))
		}
	}
	return mutating.PolicyEvaluator{
		Matcher:  compiler.matcher(spec.MatchConditions, spec.FailurePolicy, policy.Name),
		Mutators: patchers, CompositedCompiler: compiler.CompositedCompiler,
	}, nil
}

func each[T any, R any](items []T, make_ func(*T) R) []R {
	out := make([]R, len(items))
	for i := range items {
		out[i] = make_(&items[i])
	}
	return out
}

// The API's defaults live in k8s.io/kubernetes, which is not among the
// importable modules. Without them upstream's matcher refuses to match.
func setMatchDefaults(match *admissionregistrationv1.MatchResources) {
	if match == nil {
		return
	}
	setDefault(&match.MatchPolicy, admissionregistrationv1.Equivalent)
	setDefault(&match.NamespaceSelector, metav1.LabelSelector{})
	setDefault(&match.ObjectSelector, metav1.LabelSelector{})
	for _, list := range [][]admissionregistrationv1.NamedRuleWithOperations{match.ResourceRules, match.ExcludeResourceRules} {
		for i := range list {
			setDefault(&list[i].Scope, admissionregistrationv1.AllScopes)
		}
	}
}

func setDefault[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}
