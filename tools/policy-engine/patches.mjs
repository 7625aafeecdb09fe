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
  // The rest only makes the module smaller, by a fifth. client-go names every built-in type of Kubernetes in its clientset,
  // informers and scheme, and upstream's policy packages bring those in (and, in one file meant for tests, the fakes).
  // A parameter of a kind that is not registered is evaluated untyped.
  { module: 'k8s.io/client-go', file: 'kubernetes/clientset.go', standIn: 'clientset.go.txt' },
  { module: 'k8s.io/client-go', file: 'informers/factory.go', standIn: 'informers.go.txt' },
  { module: 'k8s.io/client-go', file: 'informers/generic.go', standIn: 'genericInformers.go.txt' },
  {
    module: 'k8s.io/client-go',
    file: 'kubernetes/scheme/register.go',
    changes: [
      [/^\t(?!admissionregistrationv1 |corev1 )\w+ "k8s\.io\/api\/.*\n/gm, ''],
      [/^\t(?!admissionregistrationv1\.|corev1\.)\w+\.AddToScheme,\n/gm, ''],
    ],
  },
  {
    module: 'k8s.io/apiserver',
    file: 'pkg/admission/plugin/policy/generic/policy_test_context.go',
    standIn: 'policyTestContext.go.txt',
  },
];
