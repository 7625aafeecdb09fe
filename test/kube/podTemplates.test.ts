import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Schema } from '../../server/src/kube/kube';
import { loadKube, newestMinor } from '../../server/src/kube/load';
import { holdsPods, podKinds, podSpecPath, podTemplatePath } from '../../server/src/kube/podTemplates';

const packs = new URL('../../server/data/kubernetes/', import.meta.url);
const kube = loadKube(newestMinor, {}, name => readFileSync(new URL(name, packs)));

describe('the location of Pods', () => {
  it.each(podKinds)('in %s', kind => {
    const info = kube.kinds().find(it => it.kind === kind && holdsPods(it.group, kind))!;
    const reached = podSpecPath(kind)!.reduce<Schema | undefined>(
      (schema, name) => (schema?.type === 'object' ? schema.fields.get(name)?.schema : undefined),
      info.schema,
    );
    expect(reached).toMatchObject({ definition: 'io.k8s.api.core.v1.PodSpec' });
  });

  it('knows no Pods in other kinds', () => {
    expect(podSpecPath('Service')).toBeUndefined();
    expect(podTemplatePath('constructor')).toBeUndefined();
    expect(holdsPods('example.com', 'Job')).toBe(false);
    expect(holdsPods('extensions', 'Deployment')).toBe(true);
  });

  it('starts at the root of a Pod', () => {
    expect(podTemplatePath('Pod')).toEqual([]);
    expect(podTemplatePath('CronJob')).toEqual(['spec', 'jobTemplate', 'spec', 'template']);
  });
});
