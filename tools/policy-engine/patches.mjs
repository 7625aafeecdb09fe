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
    // For each constraint with a match, upstream decodes the object again. It is decoded once, or known already.
    module: 'github.com/open-policy-agent/gatekeeper/v3',
    file: 'pkg/target/review.go',
    changes: [[/^type gkReview struct \{\n/m, '$&\tdecoded *decodedReview\n']],
  },
  {
    module: 'github.com/open-policy-agent/gatekeeper/v3',
    file: 'pkg/target/matcher.go',
    changes: [
      [
        /^func gkReviewToObject\(/m,
        [
          'type decodedReview struct{ object, oldObject *unstructured.Unstructured }',
          '',
          '// Decoded returns the object of a text that is decoded already, or nil.',
          'var Decoded = func(text []byte) *unstructured.Unstructured { return nil }',
          '',
          'func gkReviewToObject(req *gkReview) (*unstructured.Unstructured, *unstructured.Unstructured, *corev1.Namespace, error) {',
          '\tif known := req.decoded; known != nil {',
          '\t\treturn known.object, known.oldObject, req.namespace, nil',
          '\t}',
          '\tif object := Decoded(req.Object.Raw); object != nil && req.OldObject.Raw == nil {',
          '\t\treq.decoded = &decodedReview{object, nil}',
          '\t\treturn object, nil, req.namespace, nil',
          '\t}',
          '\tobject, oldObject, namespace, err := decodeReview(req)',
          '\tif err == nil {',
          '\t\treq.decoded = &decodedReview{object, oldObject}',
          '\t}',
          '\treturn object, oldObject, namespace, err',
          '}',
          '',
          'func decodeReview(',
        ].join('\n'),
      ],
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
    // again. They are compiled once for each kind. The types of kinds, and the environments with them, are kept for the
    // policies after it.
    module: 'k8s.io/apiserver',
    file: 'pkg/admission/plugin/policy/validating/typechecking.go',
    changes: [
      [/^type TypeCheckingContext struct \{\n/m, '$&\tcompilers map[int]*plugincel.CompositedCompiler\n'],
      [
        /^type TypeChecker struct \{\n/m,
        [
          '$&\t// Declare returns the type of a kind: one that is kept, or what declare makes.',
          '\tDeclare func(gvk schema.GroupVersionKind, declare func() (*apiservercel.DeclType, error)) (*apiservercel.DeclType, error)',
          '\tEnvs    TypeEnvs',
          '',
        ].join('\n'),
      ],
      [
        /^func \(c \*TypeChecker\) declType\(/m,
        [
          'func (c *TypeChecker) declType(gvk schema.GroupVersionKind) (*apiservercel.DeclType, error) {',
          '\treturn c.Declare(gvk, func() (*apiservercel.DeclType, error) { return c.newDeclType(gvk) })',
          '}',
          '',
          'func (c *TypeChecker) newDeclType(',
        ].join('\n'),
      ],
      [/\bbuildEnvSet\(\n/, 'c.envSet(\n'],
      [
        /^func buildEnvSet\(/m,
        [
          '// TypeEnvs are the environments in which variables have some types.',
          'type TypeEnvs map[typeEnvKey]*environment.EnvSet',
          '',
          'type typeEnvKey struct {',
          '\thasParams bool',
          '\ttypes     typeOverwrite',
          '}',
          '',
          'func (c *TypeChecker) envSet(hasParams bool, hasAuthorizer bool, types typeOverwrite) (*environment.EnvSet, error) {',
          '\tkey := typeEnvKey{hasParams, types}',
          '\tif known, ok := c.Envs[key]; ok {',
          '\t\treturn known, nil',
          '\t}',
          '\tmade, err := buildEnvSet(hasParams, hasAuthorizer, types)',
          '\tif err == nil {',
          '\t\tc.Envs[key] = made',
          '\t}',
          '\treturn made, err',
          '}',
          '',
          '$&',
        ].join('\n'),
      ],
      [/\benvironment\.MustBaseEnvSet\((.*)\)$/m, '$&.Only(environment.StoredExpressions)'],
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
  {
    // Each extension makes both environments, that for new and that for stored expressions, of which policies need one.
    module: 'k8s.io/apiserver',
    file: 'pkg/cel/environment/environment.go',
    changes: [
      [
        /^\/\/ VersionedOptions provides /m,
        [
          '// Only returns the set with one environment, which alone is extended.',
          'func (e *EnvSet) Only(envType Type) *EnvSet {',
          '\tonly := &EnvSet{compatibilityVersion: e.compatibilityVersion}',
          '\tif envType == NewExpressions {',
          '\t\tonly.newExpressions = e.newExpressions',
          '\t} else {',
          '\t\tonly.storedExpressions = e.storedExpressions',
          '\t}',
          '\treturn only',
          '}',
          '',
          'func (e *EnvSet) extended(base *cel.Env, compatVer *version.Version, honorFeatureGateEnablement bool, opts []VersionedOptions) (*cel.Env, error) {',
          '\tif base == nil {',
          '\t\treturn nil, nil',
          '\t}',
          '\tbuilt, err := e.filterAndBuildOpts(base, compatVer, honorFeatureGateEnablement, opts)',
          '\tif err != nil {',
          '\t\treturn nil, err',
          '\t}',
          '\treturn base.Extend(built)',
          '}',
          '',
          '$&',
        ].join('\n'),
      ],
      [
        /\t\tnewExprOpts, err := [\s\S]*?p, err := e\.newExpressions\.Extend\(newExprOpts\)/,
        '\t\tp, err := e.extended(e.newExpressions, e.compatibilityVersion, true, options)',
      ],
      [
        /\t\tstoredExprOpt, err := [\s\S]*?s, err := e\.storedExpressions\.Extend\(storedExprOpt\)/,
        '\t\ts, err := e.extended(e.storedExpressions, version.MajorMinor(math.MaxUint, math.MaxUint), false, options)',
      ],
    ],
  },
  {
    // For each policy, upstream makes an environment for each combination of what its expressions may use, most of which no
    // expression asks for. They are made when asked for.
    module: 'k8s.io/apiserver',
    file: 'pkg/admission/plugin/cel/compile.go',
    changes: [
      [/^type compiler struct \{\n/m, '$&\tbase    *environment.EnvSet\n'],
      [/&compiler\{varEnvs: mustBuildEnvs\(env\)\}/, '&compiler{base: env, varEnvs: variableDeclEnvs{}}'],
      [/\bc\.varEnvs\[options\]\.Env\(envType\)/, 'c.envFor(options).Env(envType)'],
      [
        /^func mustBuildEnvs\([\s\S]*?^\}\n/m,
        [
          'func (c compiler) envFor(options OptionalVariableDeclarations) *environment.EnvSet {',
          '\tif known, ok := c.varEnvs[options]; ok {',
          '\t\treturn known',
          '\t}',
          '\tmade, err := createEnvForOpts(c.base, BuildNamespaceType(), BuildRequestType(), options)',
          '\tif err != nil {',
          '\t\tpanic(err)',
          '\t}',
          '\tc.varEnvs[options] = made',
          '\treturn made',
          '}',
          '',
        ].join('\n'),
      ],
    ],
  },
  {
    // Upstream makes the definition of a template's constraints, and compiles its Rego, each time that a client gets it. The
    // engine keeps both for the clients after it.
    module: 'github.com/open-policy-agent/frameworks/constraint',
    file: 'pkg/client/client.go',
    changes: [
      [
        /\bcrd, err := createCRD\(ctx, templ, target\)\n/,
        'crd, err := CRDOf(func() (*apiextensions.CustomResourceDefinition, error) { return createCRD(ctx, templ, target) })\n',
      ],
      [
        /^func createCRD\(/m,
        [
          'var CRDOf = func(create func() (*apiextensions.CustomResourceDefinition, error)) (*apiextensions.CustomResourceDefinition, error) {',
          '\treturn create()',
          '}',
          '',
          '$&',
        ].join('\n'),
      ],
    ],
  },
  {
    module: 'github.com/open-policy-agent/frameworks/constraint',
    file: 'pkg/client/drivers/rego/compilers.go',
    changes: [
      [
        /\tcompilers := make\(map\[string\]\*ast\.Compiler\)\n\n(\tmodules, err := [\s\S]*?)\n\t\/\/ Don't lock the mutex/,
        [
          '\tcompilers, err := CompilersOf(func() (map[string]*ast.Compiler, error) { return d.compile(templ, printEnabled) })',
          '\tif err != nil {',
          '\t\treturn err',
          '\t}',
          '',
          "\t// Don't lock the mutex",
        ].join('\n'),
      ],
      [
        /^func \(d \*Compilers\) addTemplate\(/m,
        [
          'var CompilersOf = func(compile func() (map[string]*ast.Compiler, error)) (map[string]*ast.Compiler, error) {',
          '\treturn compile()',
          '}',
          '',
          'func (d *Compilers) compile(templ *templates.ConstraintTemplate, printEnabled bool) (map[string]*ast.Compiler, error) {',
          '\tcompilers := make(map[string]*ast.Compiler)',
          '\tmodules, err := parseConstraintTemplate(templ, d.externs)',
          '\tif err != nil {',
          '\t\treturn nil, err',
          '\t}',
          '\tfor target, targetModules := range modules {',
          '\t\tcompiler, err := compileTemplateTarget(targetModules, d.capabilities, printEnabled)',
          '\t\tif err != nil {',
          '\t\t\treturn nil, err',
          '\t\t}',
          '\t\tcompilers[target] = compiler',
          '\t}',
          '\treturn compilers, nil',
          '}',
          '',
          '$&',
        ].join('\n'),
      ],
    ],
  },
  {
    // For each object and template, upstream parses and compiles the same query, and makes OPA values of the whole object.
    // The query is kept for each template, the values for all templates.
    module: 'github.com/open-policy-agent/frameworks/constraint',
    file: 'pkg/client/drivers/rego/driver.go',
    changes: [
      // The engine makes the map of an object that it has decoded, which upstream encodes and decodes for that.
      [/\btoInterfaceMap\(review\)/, 'ReviewMap(review)'],
      [
        /^func toInterfaceMap\(/m,
        [
          'var ReviewMap = func(review interface{}) (map[string]interface{}, error) { return toInterfaceMap(review) }',
          '',
          '$&',
        ].join('\n'),
      ],
      [/^type Driver struct \{\n/m, '$&\tprepared map[*ast.Compiler]rego.PreparedEvalQuery\n'],
      [/^\td\.targets\[kind\] = targets\n/m, '$&\tclear(d.prepared)\n'],
      [/^\td\.compilers\.removeTemplate\(kind\)\n/m, '$&\tclear(d.prepared)\n'],
      [
        /^\tr := rego\.New\(args\.\.\.\)\n\tres, err := r\.Eval\(ctx\)\n/m,
        [
          '\tvar res rego.ResultSet',
          '\tif d.traceEnabled || cfg.TracingEnabled || len(path) == 0 {',
          '\t\tres, err = rego.New(args...).Eval(ctx)',
          '\t} else if prepared, failed := d.preparedFor(ctx, compiler, args); failed != nil {',
          '\t\terr = failed',
          '\t} else {',
          '\t\tres, err = prepared.Eval(ctx, rego.EvalParsedInput(input))',
          '\t}',
          '',
        ].join('\n'),
      ],
      [
        /^\/\/ Query evaluates constraints /m,
        [
          'func (d *Driver) preparedFor(ctx context.Context, compiler *ast.Compiler, args []func(*rego.Rego)) (rego.PreparedEvalQuery, error) {',
          '\tif known, ok := d.prepared[compiler]; ok {',
          '\t\treturn known, nil',
          '\t}',
          '\tmade, err := rego.New(args...).PrepareForEval(ctx)',
          '\tif err != nil {',
          '\t\treturn made, err',
          '\t}',
          '\tif d.prepared == nil {',
          '\t\td.prepared = map[*ast.Compiler]rego.PreparedEvalQuery{}',
          '\t}',
          '\td.prepared[compiler] = made',
          '\treturn made, nil',
          '}',
          '',
          '$&',
        ].join('\n'),
      ],
      [
        /^\tfor kind, kindConstraints := range constraintsByKind \{\n/m,
        '\tparsedReview, err := ast.InterfaceToValue(reviewMap)\n\tif err != nil {\n\t\treturn nil, err\n\t}\n\n$&',
      ],
      [/\btoParsedInput\(target, kindConstraints, reviewMap\)/, 'toParsedInput(target, kindConstraints, parsedReview)'],
      [/\breview map\[string\]interface\{\}\) \(ast\.Value, error\)/, 'review ast.Value) (ast.Value, error)'],
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
