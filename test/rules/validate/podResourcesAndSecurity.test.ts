import { describe } from 'vitest';
import type { JsonObject } from '../../../server/src/base/json';
import { alone, app, check, os } from '../../support/pods';

describe('resources', () => {
  const limits = (list: JsonObject) => alone({ resources: { limits: list } });
  const path = 'spec.containers[0].resources';
  check([
    [
      'a plain name that is none of a container',
      limits({ pods: '1' }),
      [
        `Invalid ${path}.limits[pods]: must be a standard resource for containers`,
        `Invalid ${path}.requests[pods]: must be a standard resource for containers`,
      ],
    ],
    [
      'half of a device',
      limits({ 'example.com/gpu': '500m' }),
      ['limits', 'requests'].map(it => `Invalid ${path}.${it}[example.com/gpu]: must be an integer`),
    ],
    [
      'huge pages are whole pages and come with cpu or memory',
      limits({ 'hugepages-2Mi': '3Mi' }),
      [
        `Invalid ${path}.limits[hugepages-2Mi]: 3Mi is not positive integer multiple of hugepages-2Mi`,
        `Invalid ${path}.requests[hugepages-2Mi]: 3Mi is not positive integer multiple of hugepages-2Mi`,
        `Forbidden ${path}: HugePages require cpu or memory`,
      ],
    ],
    [
      'more than the limit, in the words of the amounts',
      alone({ resources: { limits: { memory: '1024Mi' }, requests: { memory: '2048Mi' } } }),
      [`Invalid ${path}.requests: must be less than or equal to memory limit of 1Gi`],
    ],
    ['less than a thousandth apart', alone({ resources: { limits: { cpu: '100u' }, requests: { cpu: '900u' } } }), []],
    [
      'claims by name, each once',
      {
        ...alone({ resources: { claims: [{ name: 'a', request: 'r' }, { name: 'a' }, { name: 'b' }] } }),
        resourceClaims: [{ name: 'a', resourceClaimName: 'mine' }],
      },
      [
        `Duplicate ${path}.claims[1]: `,
        `NotFound ${path}.claims[2]: must be one of the names in pod.spec.resourceClaims: a`,
      ],
    ],
  ]);
});

describe('resources of the whole Pod', () => {
  const cpu = (list: 'limits' | 'requests', amount: string): JsonObject => ({ resources: { [list]: { cpu: amount } } });
  const huge = { limits: { cpu: '1', 'hugepages-2Mi': '4Mi' } };
  const tiny = { containers: [app(cpu('requests', '500u')), app({ name: 'b', ...cpu('requests', '500u') })] };
  check([
    [
      'less than all containers together',
      { containers: [app(cpu('requests', '2')), app({ name: 'b', ...cpu('requests', '2') })], ...cpu('requests', '3') },
      ['Invalid spec.resources.requests[cpu]: must be greater than or equal to aggregate container requests of 4'],
    ],
    [
      'sidecars run beside the others, init containers before them',
      {
        initContainers: [
          app({ name: 'side', restartPolicy: 'Always', ...cpu('requests', '1') }),
          app({ name: 'once', ...cpu('requests', '5') }),
        ],
        ...alone(cpu('requests', '2')),
        ...cpu('requests', '5'),
      },
      ['Invalid spec.resources.requests[cpu]: must be greater than or equal to aggregate container requests of 6'],
    ],
    [
      'a request that follows from the containers',
      { ...alone(cpu('requests', '2')), ...cpu('limits', '1') },
      ['Invalid spec.resources.requests: must be less than or equal to cpu limit of 1'],
    ],
    [
      'huge pages of the containers beside those of the Pod',
      { ...alone({ resources: huge }), resources: { limits: { cpu: '1', 'hugepages-2Mi': '2Mi' } } },
      [
        'Invalid spec.resources.requests[hugepages-2Mi]: must be greater than or equal to aggregate container requests of 4Mi',
        'Invalid spec.resources.limits[hugepages-2Mi]: must be greater than or equal to aggregate container limits of 4Mi',
        'Invalid spec.resources.containers[0][hugepages-2Mi].limits: must be less than or equal to pod limits of 2Mi',
      ],
    ],
    ['sums of rounded amounts', { ...tiny, ...cpu('limits', '1') }, []],
    [
      'sums that were rounded late before',
      { ...tiny, ...cpu('limits', '1') },
      ['Invalid spec.resources.requests[cpu]: must be greater than or equal to aggregate container requests of 2m'],
      { minor: '1.36' },
    ],
    [
      'storage is of containers alone',
      { ...alone({}), resources: { limits: { 'ephemeral-storage': '1Gi' } } },
      ['NotSupported spec.resources.limits[ephemeral-storage]: supported values: "cpu", "hugepages-", "memory"'],
    ],
    [
      'nothing of it without its gate',
      { ...alone({}), ...cpu('limits', '-1') },
      [],
      { gates: { PodLevelResources: false } },
    ],
    [
      'none for Windows',
      { ...alone({}), ...cpu('limits', '1'), ...os('windows') },
      ['Forbidden spec.resources: may not be set for a windows pod'],
    ],
  ]);
});

describe('security', () => {
  const context = (securityContext: JsonObject) => alone({ securityContext });
  const ofPod = (securityContext: JsonObject, spec: JsonObject = {}) => ({ ...alone({}), ...spec, securityContext });
  const user = (runAsUserName: string) => ofPod({ windowsOptions: { runAsUserName } });
  const changes = 'spec.securityContext.seLinuxChangePolicy: supported values:';
  const domain =
    "Invalid spec.securityContext.windowsOptions.runAsUserName: runAsUserName's Domain doesn't match the NetBios nor the DNS format";
  check([
    [
      'an unmasked /proc needs users of its own',
      context({ procMount: 'Unmasked' }),
      ['Invalid spec.containers[0].securityContext.procMount: `hostUsers` must be false to use `Unmasked`'],
    ],
    ['an unmasked /proc with users of its own', { ...context({ procMount: 'Unmasked' }), hostUsers: false }, []],
    [
      'a profile outside of its folder',
      context({ seccompProfile: { type: 'Localhost', localhostProfile: '../x' } }),
      ["Invalid spec.containers[0].securityContext.seccompProfile.localhostProfile: must not contain '..'"],
    ],
    [
      'an AppArmor profile without a name',
      context({ appArmorProfile: { type: 'Localhost', localhostProfile: '' } }),
      [
        'Required spec.containers[0].securityContext.appArmorProfile.localhostProfile: ' +
          'must be set when AppArmor type is Localhost',
      ],
    ],
    ['labels are changed by mounting', ofPod({ seLinuxChangePolicy: 'MountOption' }), []],
    [
      'labels were changed one by one before',
      ofPod({ seLinuxChangePolicy: 'MountOption' }),
      [`NotSupported ${changes} "Recursive"`],
      { minor: '1.36' },
    ],
    [
      "a sysctl of the host's network, its separators swapped",
      ofPod({ sysctls: [{ name: 'net/ipv4/conf.x', value: '1' }] }, { hostNetwork: true }),
      ["Invalid spec.securityContext.sysctls[0].name: may not be specified when 'hostNetwork' is true"],
    ],
    [
      'a sysctl that no namespace has',
      ofPod({ sysctls: [{ name: 'kernel.shmfoo', value: '1' }] }, { hostIPC: true }),
      [],
    ],
    ['a user of a domain', user('corp.example.com\\me'), []],
    ['a user of no domain', user('corp.-example.org\\me'), [domain]],
    [
      'options of the other system',
      { ...context({ windowsOptions: {} }), ...os('linux') },
      ['Forbidden spec.containers[0].securityContext.windowsOptions: windows options cannot be set for a linux pod'],
    ],
    [
      "what only Linux has, in the host's processes or not",
      { ...context({ capabilities: {} }), ...os('windows'), hostPID: true, hostUsers: true },
      [
        'Forbidden spec.hostUsers: cannot be set for a windows pod',
        'Forbidden spec.hostPID: cannot be set for a windows pod',
        'Forbidden spec.containers[0].securityContext.capabilities: cannot be set for a windows pod',
      ],
    ],
    [
      "all containers are of the host's processes or none",
      {
        containers: [app({ securityContext: { windowsOptions: { hostProcess: true } } }), app({ name: 'b' })],
        hostNetwork: true,
      },
      ['Invalid spec: If pod contains any hostProcess containers then all containers must be HostProcess containers'],
    ],
  ]);
});
