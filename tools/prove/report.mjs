// The tables of a proof, as lines of text while it runs and as a page in the end.

const shortNode = node => node.replace('.example.internal', '');
const told = ({ node, waits }) => (node === undefined ? `waits: ${waits}` : shortNode(node));

/** How many Pods have the same outcome, in words. */
function outcomesText(outcomes) {
  const counts = new Map();
  for (const it of outcomes) counts.set(told(it), (counts.get(told(it)) ?? 0) + 1);
  return [...counts].map(([text, count]) => (count > 1 ? `${count} × ${text}` : text)).join(', ') || 'no Pod';
}

const VERDICTS = { equal: '✓', tie: '✓ (tie)', different: '✗' };

/** One line of a step. */
export function decisionLine({ step, title, predicted, real, evicted, verdict }) {
  const victims = list => (list.length > 0 ? `; evicts ${list.join(', ')}` : '');
  const prediction = `${outcomesText(predicted)}${victims(predicted.flatMap(it => it.victims))}`;
  const said = verdict === 'equal' ? '' : ` | predicted ${prediction}`;
  return `${VERDICTS[verdict].padEnd(7)} ${step} ${title}: ${outcomesText(real)}${victims(evicted)}${said}`;
}

const count = (list, verdict) => list.filter(it => it.verdict === verdict).length;
const percent = (part, whole) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);

/** The whole proof: a summary for the terminal, a page in Markdown, and how many answers differ. */
export function pageOf({ decisions, answers, seed, version }) {
  const rows = [...decisionRows(decisions), ...answerRows(answers)];
  const differences = count(decisions, 'different') + count(answers, 'different');
  const summary = rows.map(cells => cells.join(' | ')).join('\n');
  const details = [
    ...answers.filter(it => it.verdict === 'different').map(differenceText),
    ...notComparedTexts(answers),
  ];
  const table = [
    '| asked before | answered | as predicted | |',
    '| --- | --: | --: | --- |',
    ...rows.map(cells => `| ${cells.join(' | ')} |`),
  ].join('\n');
  return { differences, summary: [summary, ...details].join('\n'), text: PAGE({ table, decisions, seed, version }) };
}

function decisionRows(decisions) {
  if (decisions.length === 0) return [];
  const right = decisions.length - count(decisions, 'different');
  const pods = decisions.reduce((sum, it) => sum + it.real.length, 0);
  const waiting = decisions.flatMap(it => it.real).filter(it => it.node === undefined).length;
  const evictions = decisions.reduce((sum, it) => sum + it.evicted.length, 0);
  const ties = count(decisions, 'tie');
  return [
    [
      'Pods and workloads, placed by kube-scheduler',
      `${decisions.length}`,
      `${right} (${percent(right, decisions.length)})`,
      `${pods} Pods, ${waiting} of them wait, ${evictions} evicted; in ${ties} steps another one of tied nodes`,
    ],
  ];
}

function answerRows(answers) {
  const compared = answers.filter(it => it.verdict !== 'notCompared');
  if (answers.length === 0) return [];
  const of = answer => compared.filter(it => it.real.answer === answer);
  const row = (title, list) => [
    title,
    `${list.length}`,
    `${count(list, 'equal')} (${percent(count(list, 'equal'), list.length)})`,
  ];
  return [
    [
      ...row('random manifests, by the API server’s dry run', compared),
      `${answers.length - compared.length} more were not compared`,
    ],
    [...row('– that it accepts', of('accepted')), 'warnings included'],
    [...row('– that it cannot decode', of('undecodable')), 'unknown fields, types'],
    [...row('– that it refuses as invalid', of('invalid')), 'each error’s type and field path'],
  ];
}

/** Why manifests were not compared, with counts. */
function notComparedTexts(answers) {
  const reasons = answers.filter(it => it.verdict === 'notCompared').map(it => `${it.kind}: ${it.why}`);
  return [...new Set(reasons)].map(why => `not compared: ${reasons.filter(it => it === why).length} × ${why}`);
}

const differenceText = ({ kind, name, predicted, real }) =>
  `✗ ${kind} ${name}: predicted ${JSON.stringify(predicted)}, real ${JSON.stringify(real)}`;

const PAGE = ({ table, decisions, seed, version }) => `# Proof

What Berth says before, beside what a real control plane of Kubernetes ${version} does after. This page is made by

\`\`\`sh
npm run prove -- --seed ${seed} --write
\`\`\`

It builds etcd, kube-apiserver, kube-controller-manager and kube-scheduler from their Go modules and runs them on loopback.
There are 12 nodes in three zones, and no kubelet: Pods that are bound are said to run. Before each step \`berth place
--cluster live\` tells where its Pods will land, then they are created, and kube-scheduler decides. A step is as predicted
when every Pod is on the predicted node or waits with the same words, and the same Pods are evicted. kube-scheduler chooses
at random among nodes of equal score: a *tie* is a step whose Pods are on other nodes of those that Berth calls equal, or
that evicts other Pods of the same workloads.

Manifests are random changes of accepted objects of all kinds. *As predicted* means for an accepted one that the warnings
are the same, for a refused one that each error has the same type and field path. The server allocates the cluster IPs of a
Service before it validates the rest, and stops there when that fails; Berth tells the other errors at once, which counts
as a difference here.

${table}

## Every step

| | step | what Berth predicted | what kube-scheduler did |
| --- | --- | --- | --- |
${decisions.map(decisionRow).join('\n')}
`;

const escaped = text => text.replaceAll('|', '\\|');

function decisionRow({ title, predicted, real, evicted, verdict }) {
  const evicts = list => (list.length > 0 ? `; evicts ${list.length}` : '');
  const prediction = escaped(outcomesText(predicted)) + evicts(predicted.flatMap(it => it.victims));
  const reality = verdict === 'equal' ? 'the same' : escaped(outcomesText(real)) + evicts(evicted);
  return `| ${VERDICTS[verdict]} | ${title} | ${prediction} | ${reality} |`;
}
