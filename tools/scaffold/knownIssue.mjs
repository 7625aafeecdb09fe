// The texts that `npm run new:known-issue` begins with. What is left to write is marked with TODO, and tests fail until no
// TODO is left.

/** Whether a text can be the name of a known issue: the part of its code after `known-issue/`. */
export const isIssueName = name => /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name);

/** Path → text of an entry that works, and of its fixture. */
export function issueFiles(name) {
  return new Map([
    [`server/src/rules/knownIssues/entries/${name}.yaml`, ENTRY],
    [`test/fixtures/rules/known-issue/${name}.yaml`, FIXTURE],
  ]);
}

const ENTRY = `title: 'TODO: a sentence: what goes wrong.'
component: kubelet
kinds: [podSpec]
versions: ['>=1.34.0 <1.34.4']
harm: medium
certainty: exact
at: pod.{containers,initContainers}[*]
mark: image
when: self.name == 'todo'
text: 'todo TODO: a clause: what happens at these versions'
advice: 'todo TODO: a clause: what to change, or where to upgrade'
links: ['kubernetes/kubernetes#1']
`;

const FIXTURE = `# version: 1.34.3
# mended: 1.34.4, 1.35.0
${['hits', 'misses'].map(podNamed).join('---\n')}`;

function podNamed(name) {
  const container = name === 'hits' ? 'todo' : 'web';
  return `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\nspec:\n  containers:\n    - name: ${container}\n      image: nginx\n`;
}
