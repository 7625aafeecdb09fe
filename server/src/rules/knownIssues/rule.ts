import { t } from '../../base/l10n';
import { holdsPods, podKinds } from '../../kube/podTemplates';
import { versionText } from '../../kube/version';
import { type Layers, LONGEST_HEADLINE } from '../framework/layers';
import type { Severity } from '../framework/problem';
import {
  defineRule,
  type Finding,
  type Rule,
  type RuleContext,
  type RuleMeta,
  type RuleTarget,
} from '../framework/rule';
import { hasGates, isMet, mayConcern, placesToTest } from './condition';
import { type IssueCheck, issueText } from './knownIssue';
import { markedAt } from './places';
import { isOfNodes, releasesOf } from './releases';
import { isAffected, isMinorAffected, rangesInWords } from './versions';

interface Facts {
  /** The affected releases of the component. */
  readonly releases: readonly string[];
}

const SEVERITIES = { critical: 'error', high: 'warning', medium: 'info', low: 'hint' } as const satisfies Readonly<
  Record<IssueCheck['harm'], Severity>
>;

/** The rule of one known issue. */
export function knownIssueRule(issue: IssueCheck): Rule<unknown> {
  return defineRule<Facts>({
    meta: metaOf(issue),
    on: issue.kinds.flatMap(it => (it === 'podSpec' ? podKinds : it.slice(it.lastIndexOf('/') + 1))),
    concerns: kube =>
      hasGates(issue, kube) && (isOfNodes(issue.component) || isMinorAffected(kube.minor, issue.versions)),
    check: (target, context) => findings(issue, target, context),
    message: ({ facts }) => messageOf(issue, facts),
  }) as Rule<unknown>;
}

const NO_FINDINGS: readonly Finding<Facts>[] = [];

function findings(issue: IssueCheck, target: RuleTarget, context: RuleContext): readonly Finding<Facts>[] {
  if (!mayConcern(issue, target) || !isOfKind(issue, target)) return NO_FINDINGS;
  const releases = releasesOf(issue.component, context).filter(it => isAffected(it, issue.versions));
  if (releases.length === 0) return NO_FINDINGS;
  const facts = { releases: releases.map(versionText) };
  return placesToTest(issue, target)
    .filter(({ value }) => isMet(issue, value, target, context))
    .map(({ at }) => ({ at: markedAt(at, issue.mark), part: 'key', facts }));
}

/** Kinds of other groups may have the same names. */
function isOfKind({ kinds }: IssueCheck, target: RuleTarget): boolean {
  const { object, kind } = target;
  if (kinds.includes('podSpec') && holdsPods(object.group, object.kind)) return true;
  return (
    kinds.includes(`${object.group}/${object.kind}`) || (kind?.origin === 'built-in' && kinds.includes(object.kind))
  );
}

/** Its texts are read when they are asked for. */
function metaOf({ id, harm, certainty, component, versions, gates, gatesOff }: IssueCheck): RuleMeta {
  const text = () => issueText(id);
  return {
    code: `known-issue/${id}`,
    category: 'known-issue',
    severity: certainty === 'partial' ? 'hint' : SEVERITIES[harm],
    cost: 'workspace',
    get summary() {
      return sentence(t(text().title));
    },
    get why() {
      const { text: what, assumes } = text();
      const told = sentence(t(what));
      return assumes === undefined ? told : t`${told} This takes for granted that ${t(assumes)}.`;
    },
    get remedy() {
      return sentence(t(text().advice));
    },
    get details() {
      return [
        t`Affected: ${component} ${rangesInWords(versions)}`,
        ...(gates === undefined ? [] : [t`Only with ${gates.join(', ')}`]),
        ...(gatesOff === undefined ? [] : [t`Only without ${gatesOff.join(', ')}`]),
        ...text()
          .links.slice(1)
          .map(it => `<${addressOf(it)}>`),
      ]
        .map(it => `- ${it}`)
        .join('\n');
    },
    get url() {
      return addressOf(text().links[0] ?? 'https://github.com/kubernetes/kubernetes');
    },
  };
}

function messageOf({ id, component, versions }: IssueCheck, { releases }: Facts): Layers {
  const { title, assumes, ...told } = issueText(id);
  const [text, advice] = [t(told.text), t(told.advice)];
  const ranges = t`${`${component} ${releases.join(', ')}`}; affected: ${rangesInWords(versions)}`;
  const isEvery = versions.includes('*');
  const whole = assumes === undefined ? text : t`if ${t(assumes)}, ${text}`;
  const isShort = whole.length <= LONGEST_HEADLINE;
  return {
    headline: isShort ? whole : t(title).replace(/\.$/, ''),
    detail: [isShort ? '' : sentence(whole), sentence(advice), isEvery ? '' : sentence(ranges)]
      .filter(it => it !== '')
      .join('\n'),
    message: `${whole}${isEvery ? '' : ` (${ranges})`}: ${advice}`,
  };
}

/** A clause with its first letter and its full stop, which other scripts write otherwise. */
const sentence = (clause: string): string => {
  const stop = /[.。]$/.test(clause) ? '' : /[\u3040-\u30ff\u4e00-\u9fff]/.test(clause) ? '。' : '.';
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}${stop}`;
};

/** GitHub sends the number of a pull request on from the address of issues. */
function addressOf(link: string): string {
  const [, repository, number] = /^([\w.-]+\/[\w.-]+)#(\d+)$/.exec(link) ?? [];
  return repository === undefined ? link : `https://github.com/${repository}/issues/${number}`;
}
