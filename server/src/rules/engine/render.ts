import { shortened } from '../../base/shortened';
import { spanWithin } from '../../manifest/spanWithin';
import type { Span } from '../../text/span';
import type { WorkspaceObject } from '../../workspace/object';
import { CannotEdit } from '../edits/editText';
import { withLazyFixes } from '../framework/fixes';
import { identityOf } from '../framework/identity';
import { messageFields } from '../framework/layers';
import type { Fix, Problem, RelatedLocation } from '../framework/problem';
import {
  type AnyRule,
  type EditTools,
  type Finding,
  MOST_RELATED,
  type RuleContext,
  type RuleFinding,
  type RuleTarget,
} from '../framework/rule';
import type { RuleOptions } from './ruleOptions';

export function render(
  { rule, finding }: RuleFinding,
  target: RuleTarget,
  context: RuleContext,
  options: RuleOptions,
  edit: EditTools,
): Problem | undefined {
  const { onBug } = options;
  const severity = options.severity?.[rule.meta.code] ?? finding.severity ?? rule.meta.severity;
  if (severity === 'off') return undefined;
  const { object } = target;
  const { manifest } = object;
  const related = (finding.related ?? []).slice(0, MOST_RELATED).map((it): RelatedLocation => {
    // A finding from the cache holds the earlier object, whose text may have moved since.
    const at = it.object.manifest.contentId === manifest.contentId ? manifest : it.object.manifest;
    return { uri: at.uri, span: at.spanOf(it.at, 'entry'), message: it.message };
  });
  try {
    const path = finding.fieldPath ?? finding.at.toString();
    return withLazyFixes(
      {
        code: rule.meta.code,
        category: rule.meta.category,
        severity,
        ...(finding.errorType !== undefined && { errorType: finding.errorType }),
        ...(path !== '' && { fieldPath: path }),
        ...shortenedFields(messageFields(rule.message(finding, context))),
        uri: manifest.uri,
        document: manifest.document,
        ...(manifest.item !== undefined && { item: manifest.item }),
        object: identityOf(object),
        span: spanOfFinding(finding, object, context),
        related,
        ...(rule.meta.url !== undefined && { url: rule.meta.url }),
        ...(finding.unnecessary === true && { unnecessary: true as const }),
        ...(finding.more !== undefined && { more: finding.more }),
      },
      () => fixesOf(rule, finding, target, context, onBug, edit),
    );
  } catch (error) {
    onBug(rule.meta.code, error);
    return undefined;
  }
}

/** The file's text is read only where a part of a value is underlined: each read costs an entry of the cache. */
function spanOfFinding(finding: Finding<unknown>, { manifest }: WorkspaceObject, { snapshot }: RuleContext): Span {
  if (finding.within === undefined) return manifest.spanOf(finding.at, finding.part);
  return spanWithin(manifest, finding, snapshot.files.get(manifest.uri)?.text);
}

export function fixesOf(
  rule: AnyRule,
  finding: Finding<unknown>,
  target: RuleTarget,
  context: RuleContext,
  onBug: RuleOptions['onBug'],
  edit: EditTools,
): readonly Fix[] {
  try {
    return rule.fixes?.(finding, target, context, edit) ?? [];
  } catch (error) {
    if (!(error instanceof CannotEdit)) onBug(rule.meta.code, error);
    return [];
  }
}

function shortenedFields({
  message,
  headline,
  detail,
}: ReturnType<typeof messageFields>): ReturnType<typeof messageFields> {
  return {
    message: shortened(message),
    ...(headline !== undefined && { headline: shortened(headline) }),
    ...(detail !== undefined && { detail: shortened(detail) }),
  };
}

/**
 * The context that a problem keeps for its fixes. `placement` is left out: it would keep a whole scheduler run in
 * memory.
 */
export function fixContext({ placement: _, ...context }: RuleContext): RuleContext {
  return context;
}
