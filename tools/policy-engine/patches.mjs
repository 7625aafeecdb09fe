/** The packages of k8s.io/api whose kinds are Go structs in the engine, by their import name in client-go. */
const REGISTERED = [
  'admissionregistrationv1',
  'appsv1',
  'autoscalingv1',
  'autoscalingv2',
  'batchv1',
  'corev1',
  'networkingv1',
  'policyv1',
  'rbacv1',
  'schedulingv1',
  'storagev1',
].join('|');

/**
 * Small changes to upstream's text while the engine is built, each with its reason. A change whose place is gone after an
 * upgrade stops the build, so that none can rot unseen. `standIn` is a file of server/policyEngine/slim.
 */
export const patches = [
  {
    // Gatekeeper 3.23 is written for k8s.io/apiserver up to 0.36; since 0.37 versioned objects are wrapped.
    module: 'github.com/open-policy-agent/gatekeeper/v3',
    file: 'pkg/drivers/k8scel/transform/request.go',
    changes: [
      [/: +wrapped\.GetOldObject\(\),/, ': admission.NewLazyObject(wrapped.GetOldObject()),'],
      [/: +wrapped\.GetObject\(\),/, ': admission.NewLazyObject(wrapped.GetObject()),'],
    ],
  },
  {
    // Servers up to 1.36 have cel-go 0.26, in which `.or()` and `.orValue()` of a value that is no optional give the value;
    // since 0.29 that is an error. The engine says which of both the chosen Kubernetes has.
    module: 'github.com/google/cel-go',
    file: 'cel/library.go',
    changes: [
      [
        /\tdefault:\n\t\treturn types\.NoSuchOverloadErr\(\)\n/g,
        '\tdefault:\n\t\tif PlainValuesAreOptional {\n\t\t\treturn optLHS\n\t\t}\n\t\treturn types.NoSuchOverloadErr()\n',
      ],
      [/^type evalOptionalOr struct/m, 'var PlainValuesAreOptional bool\n\ntype evalOptionalOr struct'],
    ],
  },
  {
    // For each expression of a policy and each kind that it matches, upstream makes an environment and compiles all variables
    // again. They are compiled once for each kind.
    module: 'k8s.io/apiserver',
    file: 'pkg/admission/plugin/policy/validating/typechecking.go',
    changes: [
      [/^type TypeCheckingContext struct \{\n/m, '$&\tcompilers map[int]*plugincel.CompositedCompiler\n'],
      [
        /\bcompiler, err := c\.compiler\(ctx, typeOverwrite\{/,
        'compiler, isKnown, err := c.compilerOf(ctx, i, typeOverwrite{',
      ],
      [/^\t\t(compiler\.CompileAndStoreVariables\(.*)$/m, '\t\tif !isKnown {\n\t\t\t$1\n\t\t}'],
      [
        /^type celExpression string$/m,
        [
          'func (c *TypeChecker) compilerOf(ctx *TypeCheckingContext, i int, types typeOverwrite) (*plugincel.CompositedCompiler, bool, error) {',
          '\tif known, ok := ctx.compilers[i]; ok {',
          '\t\treturn known, true, nil',
          '\t}',
          '\tmade, err := c.compiler(ctx, types)',
          '\tif err == nil {',
          '\t\tif ctx.compilers == nil {',
          '\t\t\tctx.compilers = map[int]*plugincel.CompositedCompiler{}',
          '\t\t}',
          '\t\tctx.compilers[i] = made',
          '\t}',
          '\treturn made, false, err',
          '}',
          '',
          '$&',
        ].join('\n'),
      ],
    ],
  },
  // The rest only makes the module smaller, by a fifth. client-go names every built-in type of Kubernetes in its clientset,
  // informers and scheme, and upstream's policy packages bring those in (and, in one file meant for tests, the fakes).
  // Objects and parameters of a kind that is not registered are evaluated untyped.
  { module: 'k8s.io/client-go', file: 'kubernetes/clientset.go', standIn: 'clientset.go.txt' },
  { module: 'k8s.io/client-go', file: 'informers/factory.go', standIn: 'informers.go.txt' },
  { module: 'k8s.io/client-go', file: 'informers/generic.go', standIn: 'genericInformers.go.txt' },
  {
    module: 'k8s.io/client-go',
    file: 'kubernetes/scheme/register.go',
    changes: [
      [new RegExp(`^\\t(?!(?:${REGISTERED}) )\\w+ "k8s\\.io/api/.*\\n`, 'gm'), ''],
      [new RegExp(`^\\t(?!(?:${REGISTERED})\\.)\\w+\\.AddToScheme,\\n`, 'gm'), ''],
    ],
  },
  {
    module: 'k8s.io/apiserver',
    file: 'pkg/admission/plugin/policy/generic/policy_test_context.go',
    standIn: 'policyTestContext.go.txt',
  },
];
