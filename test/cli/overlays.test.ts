import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ToolResult } from '../../server/src/analysis/rendering';
import { run } from './world';

/** What kubectl printed for the overlays beside it. */
const recorded = join(import.meta.dirname, '../fixtures/rendered/overlays');
const textOf = (name: string): string => readFileSync(join(recorded, name), 'utf8');
const names = readdirSync(recorded, { recursive: true }).map(it => String(it).replaceAll('\\', '/'));
const files = Object.fromEntries(names.filter(it => it.endsWith('.yaml')).map(it => [it, textOf(it)]));

/** The problems of the workspace; `outputs` by overlay, the recorded one where there is none. */
async function check(outputs: Readonly<Record<string, ToolResult>> = {}, given = files): Promise<readonly string[]> {
  const argv = ['check', '--format', 'json', '--render', '.'];
  const { out } = await run(argv, given, '', undefined, async (command, _args, { cwd }) => {
    if (command !== 'kubectl') return { end: 'missing' };
    const overlay = cwd.split('/').at(-1) ?? '';
    return outputs[overlay] ?? { end: 'exited', code: 0, out: textOf(`${overlay}.out`), err: '' };
  });
  const { problems } = JSON.parse(out) as {
    problems: readonly { path: string; range: { start: { line: number } }; headline: string; follows?: true }[];
  };
  const shown = problems.filter(it => it.follows === undefined);
  return shown.map(it => `${it.path}:${it.range.start.line + 1}: ${it.headline}`);
}

describe('three overlays of one base', () => {
  test('a problem that one overlay alone has is told where it comes from, with the name of the overlay', async () => {
    expect(await check()).toEqual([
      'base/deploy.yaml:13: unknown field "spec.template.spec.contianers"',
      'base/deploy.yaml:18: (overlay dev) the cpu request (100m) is above its limit (50m): lower it, or raise the limit',
      'overlays/dev/limits.yaml:13: (overlay dev) duplicate port name "http" with containers[0].ports[0], services and probes that select ports by name will use…',
      'overlays/dev/limits.yaml:13: "containerPort" must be from 1 to 65535; it is 99999 (overlay dev)',
      'overlays/dev/limits.yaml:14: the port name "http" is used twice: change or remove one (overlay dev)',
      'overlays/prod/kustomization.yaml:2: (overlay prod) "bad label!" is not a valid label key: use letters, digits, "-", "_" and ".", a letter or digit at each end',
      'overlays/prod/kustomization.yaml:6: (overlay prod) what this selects has no port "nosuchport" in this workspace',
      'overlays/staging/kustomization.yaml:2: (overlay staging) "settings-Staging-2748f727mg" is not a valid name: use lower-case letters, digits, "-" and "."',
      'overlays/staging/kustomization.yaml:2: (overlay staging) "web-Staging" is not a valid name: use lower-case letters, digits and "-", a letter or digit at each end',
      'overlays/staging/kustomization.yaml:2: (overlay staging) "settings-Staging-2748f727mg" is not a valid config map ref name: use lower-case letters, digits, "-" and "."',
      'overlays/staging/kustomization.yaml:3: "replicas" must be at least 0; it is -1 (overlay staging)',
    ]);
  });

  test('one that two of them have names both', async () => {
    const dev: ToolResult = { end: 'exited', code: 0, out: textOf('staging.out'), err: '' };
    const told = await check({ dev });
    expect(told).toContain('base/deploy.yaml:13: unknown field "spec.template.spec.contianers"');
    expect(told.filter(it => it.includes('contianers'))).toHaveLength(1);
    const fixed = textOf('prod.out').replace(/^ *contianers: \[\]\n/m, '');
    expect(await check({ prod: { end: 'exited', code: 0, out: fixed, err: '' } })).toContain(
      'base/deploy.yaml:13: unknown field "spec.template.spec.contianers" (overlays dev, staging)',
    );
  });

  test.each([
    [
      "E1123 18:22:11.501511   28854 run.go:72] \"command failed\" err=\"accumulating resources: accumulation err='merging resources from 'y.yaml': may not add resource with an already registered id: ConfigMap.v1.[noGrp]/a.[noNs]': must build at directory: '/ws/y.yaml': file is not directory\"\n",
      'y.yaml: may not add resource with an already registered id: ConfigMap.v1.[noGrp]/a.[noNs]',
    ],
    [
      "\u001b[31merror:\u001b[0m accumulating resources: accumulation err='accumulating resources from 'gone.yaml': evalsymlink failure on '/ws/gone.yaml' : lstat /ws/gone.yaml: no such file or directory': must build at directory: not a valid directory\n",
      'gone.yaml: no such file or directory',
    ],
    [
      'E1123 18:22:11.791543   28885 run.go:72] "command failed" err="invalid Kustomization: json: unknown field \\"resorces\\""\n',
      'invalid Kustomization: json: unknown field "resorces"',
    ],
  ])('a failed one says why in kubectl’s words: %s', async (err, words) => {
    const told = await check({ dev: { end: 'exited', code: 1, out: '', err } });
    expect(told).toContain(`overlays/dev/kustomization.yaml:1: kubectl kustomize . failed: ${words}`);
  });
});
