import { describe, expect, test } from 'vitest';
import { loadKube } from '../../server/src/kube/load';
import { problemsOfFile } from '../../server/src/rules/engine/run';
import { readPodSecurity, withDefaultLevels } from '../../server/src/rules/security/configuration';
import { diagnose, fixed, fixesOf, snapshotOf, type World } from '../support/check';
import { readPack } from '../support/packs';

const namespace = (labels: Readonly<Record<string, string>>, name = 'shop'): string => {
  const lines = Object.entries(labels).map(([key, value]) => `    pod-security.kubernetes.io/${key}: "${value}"\n`);
  return `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ${name}\n  labels:\n${lines.join('')}---\n`;
};
const pod = (spec: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: web, namespace: shop }\nspec:\n  ${spec.trim()}\n`;
const hostPid = pod('hostPID: true\n  containers: [{ name: web, image: "web:1" }]');
const clean = pod(`securityContext: { runAsNonRoot: true, seccompProfile: { type: RuntimeDefault } }
  containers:
    - name: web
      image: web:1
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: [ALL] } }`);
const workload = (kind: string): string => `apiVersion: apps/v1
kind: ${kind}
metadata: { name: web, namespace: shop }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { hostPID: true, containers: [{ name: web, image: "web:1" }] }
`;

const configured = (given: unknown): World => ({ podSecurity: readPodSecurity(given).podSecurity });
const told = (text: string, world: World = {}): readonly string[] =>
  diagnose(text, world)
    .filter(it => it.category === 'policy')
    .map(it => `${it.severity} ${it.message}`);

const PID = 'PodSecurity "baseline:latest": host namespaces (hostPID=true)';

describe('the policy that applies to an object', () => {
  test('none without labels and without configuration', () => {
    expect(told(hostPid)).toEqual([]);
    expect(told(namespace({ enforce: 'privileged' }) + hostPid)).toEqual([]);
    expect(told(namespace({ enforce: 'restricted' }, 'other') + hostPid)).toEqual([]);
  });

  test('enforce is an error, audit and warn are warnings; only the strictest is reported', () => {
    expect(told(namespace({ enforce: 'baseline' }) + hostPid)).toEqual([`error violates ${PID}`]);
    expect(told(namespace({ warn: 'baseline' }) + hostPid)).toEqual([`warning would violate ${PID}`]);
    expect(told(namespace({ audit: 'baseline' }) + hostPid)).toEqual([
      `warning would violate ${PID}; the audit log will say so`,
    ]);
    expect(told(namespace({ enforce: 'baseline', audit: 'baseline', warn: 'baseline' }) + hostPid)).toEqual([
      `error violates ${PID}`,
    ]);
  });

  test('a stricter warning is reported beside the enforced level', () => {
    const found = told(namespace({ enforce: 'baseline', warn: 'restricted' }) + hostPid);
    expect(found).toContain(`error violates ${PID}`);
    expect(found.filter(it => it.startsWith('warning would violate PodSecurity "restricted:latest": '))).toHaveLength(
      4,
    );
  });

  test('a Pod of the restricted level has no problems', () => {
    expect(told(namespace({ enforce: 'restricted', audit: 'restricted', warn: 'restricted' }) + clean)).toEqual([]);
  });

  test('the server accepts a workload whose Pods it refuses', () => {
    expect(told(namespace({ enforce: 'baseline' }) + workload('Deployment'))).toEqual([
      `warning would violate ${PID}; the Deployment is taken, but its Pods are refused`,
    ]);
    expect(told(namespace({ warn: 'baseline' }) + workload('StatefulSet'))).toEqual([`warning would violate ${PID}`]);
  });

  test('labels override the configured defaults, which apply to unwritten namespaces', () => {
    const world = configured({ defaults: { enforce: 'baseline' } });
    expect(told(hostPid, world)).toEqual([`error violates ${PID}`]);
    expect(told(namespace({ enforce: 'privileged' }) + hostPid, world)).toEqual([]);
    const pinned = configured({ defaults: { 'enforce-version': 'v1.20' } });
    expect(told(namespace({ enforce: 'baseline' }) + hostPid, pinned)[0]).toContain('"baseline:v1.20"');
  });

  test('a finding shows the label it comes from', () => {
    const [problem] = diagnose(namespace({ enforce: 'baseline' }) + hostPid).filter(it => it.category === 'policy');
    expect(problem?.related.map(it => it.span.start)).toEqual([namespace({ enforce: 'x' }).indexOf('pod-security')]);
  });

  test('of several Namespaces with one name the nearest counts', () => {
    const files = {
      'file:///a/dev/namespace.yaml': namespace({ enforce: 'privileged' }),
      'file:///a/prod/namespace.yaml': namespace({ enforce: 'baseline' }),
      'file:///a/prod/web.yaml': hostPid,
      'file:///a/dev/web.yaml': hostPid,
    };
    const kube = loadKube('1.37', {}, readPack);
    const snapshot = snapshotOf(files);
    const policyOf = (uri: keyof typeof files) =>
      problemsOfFile(snapshot.files.get(uri)!, snapshot.objectsIn(uri), { kube, snapshot }, { onBug: () => undefined })
        .filter(it => it.category === 'policy')
        .map(it => it.code);
    expect(policyOf('file:///a/prod/web.yaml')).toEqual(['security/host-namespaces']);
    expect(policyOf('file:///a/dev/web.yaml')).toEqual([]);
  });
});

describe('exemptions', () => {
  const text = namespace({ enforce: 'baseline' }) + hostPid;
  const gvisor = namespace({ enforce: 'baseline' }) + hostPid.replace('hostPID', 'runtimeClassName: kata\n  hostPID');

  test.each([
    ['a namespace', text, { exemptions: { namespaces: ['shop'] } }, 'namespace "shop" is exempt from Pod Security'],
    ['a runtime class', gvisor, { exemptions: { runtimeClasses: ['kata'] } }, undefined],
    ['the user who applies', text, { exemptions: { usernames: ['ada'] }, username: 'ada' }, undefined],
  ])('of %s', (_what, manifest, given, message) => {
    const found = told(manifest, configured(given));
    expect(found).toHaveLength(message === undefined ? 0 : 1);
    if (message !== undefined) expect(found[0]).toContain(message);
  });

  test('of others change nothing', () => {
    const others = { namespaces: ['web'], usernames: ['ada'], runtimeClasses: ['kata'] };
    expect(told(text, configured({ exemptions: others }))).toEqual([`error violates ${PID}`]);
    expect(told(text, configured({ exemptions: others, username: 'bob' }))).toHaveLength(1);
  });

  test('of a controller admit its Pods, while the server’s warning stays', () => {
    const exemptions = { usernames: ['system:serviceaccount:kube-system:replicaset-controller'] };
    const labelled = namespace({ enforce: 'baseline', warn: 'privileged' });
    expect(told(labelled + workload('Deployment'), configured({ exemptions }))).toEqual([]);
    expect(told(labelled + workload('StatefulSet'), configured({ exemptions }))).toHaveLength(1);
    expect(told(namespace({ enforce: 'baseline' }) + workload('Deployment'), configured({ exemptions }))).toEqual([
      `warning would violate ${PID}`,
    ]);
  });
});

describe('the chosen Kubernetes', () => {
  const sysctl = pod(`securityContext: { sysctls: [{ name: net.ipv4.tcp_notsent_lowat, value: "1" }] }
  containers: [{ name: web, image: "web:1" }]`);
  const labelled = namespace({ enforce: 'baseline', 'enforce-version': 'v1.37' });

  test('has no policy that is newer than itself', () => {
    expect(told(labelled + sysctl)).toEqual([]);
    expect(told(labelled + sysctl, { minor: '1.36' })).toEqual([
      'error violates PodSecurity "baseline:v1.37": forbidden sysctls (net.ipv4.tcp_notsent_lowat)',
    ]);
  });

  const rootless = clean.replace('runAsNonRoot: true, ', '').replace('spec:', 'spec:\n  hostUsers: false');
  const restricted = namespace({ enforce: 'restricted' });

  test('relaxes root in a user namespace since 1.35, and before by a gate', () => {
    expect(told(restricted + rootless)).toEqual([]);
    expect(told(restricted + rootless, { minor: '1.34' })).toHaveLength(1);
    const gates = { UserNamespacesPodSecurityStandards: true };
    expect(told(restricted + rootless, { minor: '1.34', gates })).toEqual([]);
  });

  test('ignores a user namespace if the server drops the field', () => {
    const gates = { UserNamespacesPodSecurityStandards: true };
    expect(told(restricted + rootless, { minor: '1.32', gates })).toHaveLength(1);
    expect(told(restricted + rootless, { minor: '1.32', gates: { ...gates, UserNamespacesSupport: true } })).toEqual(
      [],
    );
  });

  test('exempts Windows from what it does not have, since policy 1.25', () => {
    const windows = pod(`os: { name: windows }
  securityContext: { runAsNonRoot: true }
  containers: [{ name: web, image: "web:1" }]`);
    expect(told(restricted + windows)).toEqual([]);
    const old = namespace({ enforce: 'restricted', 'enforce-version': 'v1.24' });
    expect(told(old + windows)).toHaveLength(3);
  });
});

describe('a Pod’s defaults before the checks', () => {
  test('the ports of a Pod in the host network are host ports, those of a template are not yet', () => {
    const spec = 'hostNetwork: true\n  containers: [{ name: web, image: "web:1", ports: [{ containerPort: 80 }] }]';
    const labelled = namespace({ enforce: 'baseline' });
    expect(told(labelled + pod(spec))).toContain(
      'error violates PodSecurity "baseline:latest": hostPort (container "web" uses hostPort 80)',
    );
    const template = workload('Deployment')
      .replace('hostPID: true', 'hostNetwork: true')
      .replace('"web:1"', '"web:1", ports: [{ containerPort: 80 }]');
    expect(told(labelled + template)).toHaveLength(1);
  });

  test('every kind of container counts', () => {
    const bad = 'securityContext: { privileged: true }';
    const [first] = told(
      namespace({ enforce: 'baseline' }) +
        pod(`initContainers: [{ name: side, image: "a:1", restartPolicy: Always, ${bad} }]
  containers: [{ name: web, image: "web:1", ${bad} }]
  ephemeralContainers: [{ name: debug, image: "a:1", ${bad} }]`),
    );
    expect(first).toContain(
      'privileged (containers "side", "web", "debug" must not set securityContext.privileged=true)',
    );
  });
});

describe('fixes', () => {
  const open = namespace({ enforce: 'restricted' }) + pod('containers:\n    - name: web\n      image: web:1');

  test('the safe ones together give a Pod that is admitted', () => {
    const titles = ['allowPrivilegeEscalation', 'capabilities.drop', 'runAsNonRoot', 'seccompProfile.type'];
    const mended = titles.reduce((text, field) => {
      const fix = fixesOf(text).find(it => it.safety === 'safe' && it.title.includes(`.${field} to `));
      expect(fix, field).toBeDefined();
      return fixed(text, fix?.title ?? '') ?? text;
    }, open);
    expect(told(mended)).toEqual([]);
    expect(mended).toContain('drop: [ALL]');
  });

  test('deliberate values are not changed in bulk', () => {
    const fixes = fixesOf(namespace({ enforce: 'baseline' }) + hostPid).filter(
      it => !it.title.includes('berth-ignore'),
    );
    expect(fixes.find(it => it.title === 'Remove spec.hostPID')?.safety).toBe('unsafe');
  });

  test('a label gets the level or version that was meant', () => {
    expect(fixed(namespace({ enforce: 'Restricted' }), 'Change to')).toContain('enforce: restricted');
    expect(fixed(namespace({ 'warn-version': '1.30' }), 'Change to')).toContain('warn-version: v1.30');
  });
});

describe('the configuration', () => {
  test('reports invalid parts with the server’s messages', () => {
    const { podSecurity, problems } = readPodSecurity({
      defaults: { enforce: 'strict', 'warn-version': '1.30', audit: 'baseline' },
      exemptions: { namespaces: ['Shop', 'a', 'a'], usernames: [''], groups: [] },
      level: 'baseline',
    });
    expect(problems).toEqual([
      'level is not one of: apiVersion, kind, defaults, exemptions, username',
      'exemptions.groups is not one of: usernames, namespaces, runtimeClasses',
      'defaults.enforce: Invalid value: "strict": must be one of privileged, baseline, restricted',
      'defaults.warn-version: Invalid value: "1.30": must be "latest" or "v1.x"',
      'exemptions.usernames[0]: Invalid value: "": username must not be empty',
      expect.stringMatching(
        /^exemptions\.namespaces\[0\]: Invalid value: "Shop": a lowercase RFC 1123 label must consist/,
      ),
      'exemptions.namespaces[2]: Duplicate value: "a"',
    ]);
    expect(podSecurity.defaults.audit.level).toBe('baseline');
    expect(podSecurity.exemptions.namespaces).toEqual(['a']);
  });

  test('accepts levels from a command line', () => {
    const { podSecurity } = readPodSecurity({ defaults: { audit: 'baseline' } });
    expect(withDefaultLevels(podSecurity, 'restricted').podSecurity.defaults).toEqual({
      enforce: { level: 'restricted', version: 'latest' },
      warn: { level: 'privileged', version: 'latest' },
      audit: { level: 'baseline', version: 'latest' },
    });
    const { defaults } = withDefaultLevels(podSecurity, 'enforce=baseline:v1.30, warn=restricted').podSecurity;
    expect(defaults.enforce).toEqual({ level: 'baseline', version: 30 });
    expect(defaults.warn).toEqual({ level: 'restricted', version: 'latest' });
    for (const wrong of ['', 'strict', 'block=baseline', 'baseline:1.30', 'enforce=']) {
      expect(withDefaultLevels(podSecurity, wrong).problems, wrong).toHaveLength(1);
    }
  });
});
