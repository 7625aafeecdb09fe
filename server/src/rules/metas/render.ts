import type { RuleMeta } from '../framework/rule';

const why =
  'What reaches the cluster is what kustomize or Helm makes of these files. Without it, Berth judges what is written, and leaves out what the tools may add.';

/** The tool is missing; `workspace/rendered/failure` gives its name. */
export const NOT_RENDERED: RuleMeta = {
  code: 'berth/not-rendered',
  category: 'syntax',
  severity: 'info',
  cost: 'typing',
  summary: 'A kustomization or a chart is not rendered: its tool is not installed, or would fetch something.',
  why,
  remedy:
    'Install the tool where Berth runs, keep what is fetched in the repository, or turn rendering off (`berth.render` in the editor, no `--render` on the command line).',
};

/** The tool was started but gave no output. */
export const RENDER_FAILED: RuleMeta = {
  code: 'berth/render-failed',
  category: 'syntax',
  severity: 'warning',
  cost: 'typing',
  summary: 'kustomize or Helm could not render these files.',
  why,
  remedy:
    'The message is that of the tool: fix what it names. Helm charts are rendered with their own values and the dependencies in `charts/`; nothing is fetched.',
};
