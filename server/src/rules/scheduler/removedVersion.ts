import type { JsonObject } from '../../base/json';
import { t } from '../../base/l10n';
import { isPolicy, translatePolicy } from '../../kube/scheduler/policy';
import { type RemovedConfiguration, removedConfiguration, SCHEDULER_CONFIG_GROUP } from '../../kube/scheduler/versions';
import { FieldPath } from '../../manifest/fieldPath';
import { written } from '../edits/yamlText';
import { layered } from '../framework/layers';
import { defineRule } from '../framework/rule';

interface Facts {
  readonly found: RemovedConfiguration;
  /** What the policy configures and its translation does not. */
  readonly lost: readonly string[];
}

export default defineRule<Facts>({
  meta: {
    code: 'scheduler/removed-version',
    category: 'placement',
    severity: 'error',
    cost: 'typing',
    summary: 'The scheduler configuration is of a version that kube-scheduler does not read any more.',
    why: 'kube-scheduler does not know the version and does not start.',
    remedy: `Write a KubeSchedulerConfiguration of ${SCHEDULER_CONFIG_GROUP}/v1.`,
    details:
      'From v1beta3 to v1 nothing changed but the version; v1beta2 still had plugins that are gone. A policy (`kind: Policy`) named predicates and priorities; the offered translation is what kube-scheduler itself made of it, in the plugins of today. `berth place` reads old versions and policies all the same, and notes it.',
    source: { project: 'kubernetes', symbol: 'pkg/scheduler/apis/config/scheme', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/reference/scheduling/config/',
  },
  on: 'any',

  *check({ value }) {
    const found = removedConfiguration(value);
    if (found === undefined) return;
    const lost = isPolicy(value) ? translatePolicy(value).notes : [];
    yield { at: FieldPath.of(isPolicy(value) ? 'kind' : 'apiVersion'), part: 'value', facts: { found, lost } };
  },

  message: ({ facts: { found, lost } }) => {
    const when = found.removed === undefined ? t('was removed') : t`was removed in Kubernetes ${found.removed}`;
    return layered(t`${found.what} ${when}; use ${SCHEDULER_CONFIG_GROUP}/v1`, lost.join(' '));
  },

  fixes({ at }, { object, value }, { snapshot }, edit) {
    if (!isPolicy(value)) {
      const apiVersion = `${SCHEDULER_CONFIG_GROUP}/v1`;
      const title = t`Change apiVersion to ${apiVersion}`;
      return [{ title, safety: 'unsafe', edits: [edit.replaceValue(object, at, apiVersion)] }];
    }
    const { uri, span, item } = object.manifest;
    if (item !== undefined) return [];
    const before = snapshot.files.get(uri)?.text.slice(span.start, span.end) ?? '';
    const { configuration } = translatePolicy(value);
    const text = before.trimStart().startsWith('{')
      ? JSON.stringify(configuration, null, 2)
      : written(configuration as JsonObject, 'block');
    const newText = before.endsWith('\n') ? `${text}\n` : text;
    return [
      { title: t('Translate into a KubeSchedulerConfiguration'), safety: 'unsafe', edits: [{ uri, span, newText }] },
    ];
  },
});
