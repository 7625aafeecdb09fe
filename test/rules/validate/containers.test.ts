import { describe } from 'vitest';
import type { JsonObject } from '../../../server/src/base/json';
import { alone, app, check, os } from '../../support/pods';

describe('names, images and ports', () => {
  check([
    [
      'a name is taken once among all containers',
      { containers: [app(), app()], initContainers: [app()], ephemeralContainers: [app()] },
      [
        'Duplicate spec.containers[1].name: ',
        'Duplicate spec.initContainers[0].name: ',
        'Duplicate spec.ephemeralContainers[0].name: ',
        'Forbidden spec.ephemeralContainers: cannot be set on create',
      ],
    ],
    [
      'white space around an image',
      alone({ image: 'nginx ' }),
      ['Invalid spec.containers[0].image: must not have leading or trailing whitespace'],
    ],
    [
      'a host port is taken once for each protocol and address',
      {
        containers: [
          app({
            ports: [
              { containerPort: 1, hostPort: 80 },
              { containerPort: 2, hostPort: 80, protocol: 'UDP' },
            ],
          }),
          app({
            name: 'b',
            ports: [
              { containerPort: 3, hostPort: 80 },
              { containerPort: 3, hostPort: 80, hostIP: '::1' },
            ],
          }),
        ],
      },
      ['Duplicate spec.containers[1].ports[0].hostPort: '],
    ],
    [
      'an ephemeral container takes no ports and looks for its target',
      { containers: [app()], ephemeralContainers: [{ name: 'e', image: 'i', ports: [], targetContainerName: 'x' }] },
      [
        'NotFound spec.ephemeralContainers[0].targetContainerName: ',
        'Forbidden spec.ephemeralContainers[0].ports: cannot be set for an Ephemeral Container',
        'Forbidden spec.ephemeralContainers: cannot be set on create',
      ],
    ],
  ]);
});

describe('environment', () => {
  const env = (variable: JsonObject) => alone({ env: [variable] });
  const from = (valueFrom: JsonObject) => env({ name: 'A', valueFrom });
  const at = 'spec.containers[0].env[0]';
  const sources = '`fieldRef`, `resourceFieldRef`, `configMapKeyRef`';
  check([
    ['any printable name', env({ name: '1 a' }), []],
    [
      'stricter names before',
      env({ name: '1a' }),
      [
        `Invalid ${at}.name: a valid environment variable name must consist of alphabetic characters, digits, '_', '-', ` +
          "or '.', and must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', " +
          "regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')",
      ],
      { minor: '1.31' },
    ],
    [
      'no source',
      from({}),
      [`Invalid ${at}.valueFrom: must specify one of: ${sources}, \`secretKeyRef\` or \`fileKeyRef\``],
    ],
    [
      'no source, without files',
      from({}),
      [`Invalid ${at}.valueFrom: must specify one of: ${sources} or \`secretKeyRef\``],
      { gates: { EnvFiles: false } },
    ],
    ['a label', from({ fieldRef: { fieldPath: "metadata.labels['a/b']" } }), []],
    [
      'a map without key',
      from({ fieldRef: { fieldPath: "['a']" } }),
      [`Invalid ${at}.valueFrom.fieldRef.fieldPath: error converting fieldPath: field label not supported: ['a']`],
    ],
    [
      'a divisor by its amount, not by its text',
      alone({
        env: [
          { name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1000m' } } },
          { name: 'B', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '2' } } },
        ],
      }),
      [
        "Invalid spec.containers[0].env[1].valueFrom.resourceFieldRef.divisor: only divisor's values 1m and 1 are " +
          'supported with the cpu resource',
      ],
    ],
  ]);
});

describe('probes and hooks', () => {
  const hook = (preStop: JsonObject) => alone({ lifecycle: { preStop } });
  const http = { path: '/', port: 80 };
  check([
    [
      'a sleep longer than the Pod has to end',
      hook({ sleep: { seconds: 31 } }),
      [
        'Invalid spec.containers[0].lifecycle.preStop.sleep: ' +
          'must be non-negative and less than terminationGracePeriodSeconds (30)',
      ],
    ],
    ['a sleep of nothing', hook({ sleep: { seconds: 0 } }), []],
    [
      'a sleep of nothing before',
      hook({ sleep: { seconds: 0 } }),
      [
        'Invalid spec.containers[0].lifecycle.preStop.sleep: must be greater than 0 and less than ' +
          'terminationGracePeriodSeconds (30). Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.',
      ],
      { minor: '1.32' },
    ],
    [
      'two handlers',
      hook({ exec: { command: ['x'] }, httpGet: http }),
      ['Forbidden spec.containers[0].lifecycle.preStop.httpGet: may not specify more than 1 handler type'],
    ],
    [
      'a readiness probe ends nothing, a liveness probe needs one success',
      alone({
        readinessProbe: { httpGet: http, terminationGracePeriodSeconds: 1, successThreshold: 2 },
        livenessProbe: { httpGet: http, successThreshold: 2 },
      }),
      [
        'Invalid spec.containers[0].livenessProbe.successThreshold: must be 1',
        'Invalid spec.containers[0].readinessProbe.terminationGracePeriodSeconds: must not be set for readinessProbes',
      ],
    ],
    [
      'HTTP2 speaks with the Pod in plain text',
      alone({ startupProbe: { httpGet: { ...http, scheme: 'HTTPS', protocol: 'HTTP2' } } }),
      ['Invalid spec.containers[0].startupProbe.httpGet.protocol: is only supported with HTTP (H2C)'],
      { gates: { H2CContainerProbe: true } },
    ],
    [
      'a stop signal of the other system',
      { ...alone({ lifecycle: { stopSignal: 'SIGUSR1' } }), ...os('windows') },
      ['NotSupported spec.containers[0].lifecycle.stopSignal: supported values: "SIGKILL", "SIGTERM"'],
      { gates: { ContainerStopSignals: true } },
    ],
    [
      'a stop signal of a Pod for no system',
      alone({ lifecycle: { stopSignal: 'SIGUSR1' } }),
      ['Forbidden spec.containers[0].lifecycle.stopSignal: may not be set for containers with empty `spec.os.name`'],
      { gates: { ContainerStopSignals: true } },
    ],
  ]);
});

describe('restarts and resizes', () => {
  const all = { action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [1] } };
  const init = (fields: JsonObject) => ({ containers: [app()], initContainers: [app({ name: 'init', ...fields })] });
  const others = 'RestartAllContainersOnContainerExits';
  check([
    ['rules of an app container', alone({ restartPolicy: 'Never', restartPolicyRules: [all] }), []],
    [
      'an action whose gate is off',
      alone({ restartPolicy: 'Never', restartPolicyRules: [all] }),
      ['NotSupported spec.containers[0].restartPolicyRules[0].action: supported values: "Restart"'],
      { gates: { [others]: false } },
    ],
    [
      'rules of a sidecar whose gate is off',
      init({ restartPolicy: 'Always', restartPolicyRules: [all] }),
      [
        'Forbidden spec.initContainers[0].restartPolicyRules: ' +
          'restartPolicyRules are not allowed for init containers with restart policy Always',
      ],
      { gates: { [others]: false } },
    ],
    [
      'rules without a policy',
      alone({ restartPolicyRules: [all] }),
      ['Required spec.containers[0].restartPolicy: must specify restartPolicy when restart rules are used'],
    ],
    [
      'a policy of an app container before',
      alone({ restartPolicy: 'Always' }),
      ['Forbidden spec.containers[0].restartPolicy: may not be set for non-init containers'],
      { minor: '1.33' },
    ],
    [
      'a resource resized twice',
      alone({
        resizePolicy: ['NotRequired', 'RestartContainer'].map(it => ({ resourceName: 'cpu', restartPolicy: it })),
      }),
      ['Duplicate spec.containers[0].resizePolicy[1]: '],
    ],
    [
      'an init container that a resize would restart',
      init({ resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] }),
      [
        'Invalid spec.initContainers[0].resizePolicy[0].restartPolicy: ' +
          "must not be set to 'RestartContainer' for non-sidecar initContainers",
      ],
    ],
    [
      'an init container that a resize would restart, before',
      init({ resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] }),
      [],
      { minor: '1.35' },
    ],
    [
      'more than 20 rules',
      alone({ restartPolicy: 'Never', restartPolicyRules: Array.from({ length: 21 }, () => all) }),
      ['TooMany spec.containers[0].restartPolicyRules: must have at most 20 items'],
    ],
  ]);
});
