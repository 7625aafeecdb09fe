import { defineRule } from '../framework/rule';
import { claimSources } from '../reading/claimSource';
import { type Missing, missingRule } from './missing';

export default defineRule<Missing>(
  missingRule({
    meta: {
      code: 'references/data-source-missing',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'A claim takes its data from an object that is defined nowhere.',
      why: 'The provisioner waits for the source: the claim stays Pending.',
      remedy: 'Correct the name, the kind or the namespace, or define the source.',
      url: 'https://kubernetes.io/docs/concepts/storage/persistent-volumes/#volume-cloning',
    },
    isChecked: ({ aim, at }) => aim.to === 'typed' && /^dataSource(?:Ref)?\.name$/.test(at),
    isSkipped: ({ at }, target, context) => {
      const sources = claimSources(target, context.kube);
      if (sources === undefined) return false;
      // A field that the server drops refers to nothing; of two equal fields, the more complete one is reported.
      if (at.segments.at(-2) === 'dataSourceRef') return sources.refDropped;
      return sources.sourceDropped || sources.written.dataSourceRef !== undefined;
    },
  }),
);
