import { expect, it } from 'vitest';
import { analysisOf } from './analyse';

const uri = 'file:///ws/all.yaml';

const TEXT = `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
---
apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  restartPolicy: "Always"
  dnsPolicy: Nonsense
  containers:
  - name: web
    image: nginx
    imagePullPolicy: Always
    envFrom:
    - configMapRef: { name: settings }
    - configMapRef: { name: nowhere }
    volumeMounts:
    - { name: cache, mountPath: /cache }
    resources:
      requests: { cpu: 100m, memory: "1Gi", example.com/gpu: lots }
  volumes:
  - name: cache
    emptyDir: {}
`;

const analysis = analysisOf({ [uri]: TEXT });

function tokensOf(from: string, to: string): readonly string[] {
  const within = { start: TEXT.indexOf(from), end: to === '' ? TEXT.length : TEXT.indexOf(to) };
  return analysis
    .semanticTokens(uri, within)
    .map(({ span, type, modifiers }) => [TEXT.slice(span.start, span.end), type, ...modifiers].join(' '));
}

it('classifies kinds, defined and referenced names, values of enumerations and quantities', () => {
  expect(tokensOf('apiVersion', '')).toEqual([
    'ConfigMap type',
    'settings class declaration',
    'Pod type',
    'web class declaration',
    '"Always" enumMember',
    'Always enumMember',
    'settings class',
    'cache variable',
    '100m number',
    '"1Gi" number',
    'cache variable declaration',
  ]);
});

it('answers for the visible part', () => {
  expect(tokensOf('imagePullPolicy', 'volumeMounts')).toEqual(['Always enumMember', 'settings class']);
});
