import { describe, expect, it } from 'vitest';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { defaultSettings } from '../../server/src/analysis/settings';
import { readPack } from '../support/packs';
import { analysisOf } from './analyse';
import { labelsIn } from './completing';

const uri = 'file:///ws/pair.yaml';
const pair = `apiVersion: berth.dev/v1alpha1
kind: System
metadata: { name: pair }
spec:
  variables: { fork: { size: 2, value: 0 } }
  processes:
    - name: p
      copies: 2
      start: thinks
      halt: [thinks]
      steps:
        - { name: take left, from: thinks, to: waits, when: "fork[i] == 0", set: { "fork[i]": 1 } }
        - { name: take right, from: waits, to: eats, when: "fork[1 - i] == 0", set: { "fork[1 - i]": 1 } }
        - { name: put both, from: eats, to: thinks, set: { "fork[i]": 0, "fork[1 - i]": 0 } }
  properties:
    - { name: eats on, progress: [take right] }
    - { name: one fork, never: "fork[0] == 1 && fork[1] == 1" }
`;

describe('a system in the editor', () => {
  it('has its mistakes underlined at the part of the expression, and none of those of manifests', () => {
    const text = pair
      .replace('fork[1 - i] == 0', 'fork[1 - i] == spoon')
      .replace('halt: [thinks]', 'halt: [thinks]\n      stop: [eats]')
      .replace('[take right] }', '[take right], colour: red }');
    const told = analysisOf({ [uri]: text })
      .diagnostics(uri)
      .map(it => `${it.code} ${it.severity} ${text.slice(it.span.start, it.span.end)}: ${it.message}`);
    expect(told).toEqual([
      'berth/system error stop: spec.processes[0].stop: there is no field "stop" here: known are name, copies, variables, start, halt, steps.',
      'berth/system error colour: spec.properties[0].colour: there is no field "colour" here: known are name, never, atEnd, canAlwaysReach, progress, fairness.',
    ]);
    const unknown = pair.replace('fork[1 - i] == 0', 'fork[1 - i] == spoon');
    const [only, ...more] = analysisOf({ [uri]: unknown }).diagnostics(uri);
    expect(more).toEqual([]);
    expect(unknown.slice(only?.span.start, only?.span.end)).toBe('spoon');
  });

  it('has its syntax errors underlined once', () => {
    const text = `${pair}  more: [\n`;
    const told = analysisOf({ [uri]: text }).diagnostics(uri);
    expect(new Set(told.map(it => it.category))).toEqual(new Set(['syntax']));
  });

  it('has findings with the way there, once it was explored, and not while typing', () => {
    const analysis = analysisOf({ [uri]: pair });
    expect(analysis.asksScheduler(uri)).toBe(true);
    expect(analysis.quickDiagnostics(uri)).toEqual([]);
    const told = analysis.diagnostics(uri);
    expect(told.map(it => `${pair.slice(it.span.start, it.span.end)}: ${it.message}`)).toEqual([
      'p: A deadlock after 2 steps (p[0]: take left, p[1]: take left): p[0] is at waits, p[1] is at waits, and no step is possible.',
      'one fork: "one fork" does not hold: it becomes true after 2 steps (p[0]: take left, p[0]: take right).',
    ]);
    expect(told[0]?.related.map(it => `${it.message} ${pair.slice(it.span.start, it.span.end)}`)).toEqual([
      '1. p[0]: take left take left',
      '2. p[1]: take left take left',
    ]);
  });

  it('has a step that can never be taken as information at its name, after a complete search alone', () => {
    const told = (text: string): readonly string[] =>
      analysisOf({ [uri]: text })
        .diagnostics(uri)
        .filter(it => it.severity === 'info')
        .map(it => `${it.code} ${text.slice(it.span.start, it.span.end)}: ${it.message}`);
    const blocked = pair.replace(
      'from: waits, to: eats, when: "fork[1 - i] == 0"',
      'from: waits, to: eats, when: "fork[i] == 0"',
    );
    expect(told(blocked)).toEqual([
      'berth/system-finding take right: "take right" can never be taken: in no reachable state its process is at waits with `when` true.',
      'berth/system-finding put both: "put both" can never be taken: in no reachable state its process is at eats.',
    ]);
    expect(told(pair)).toEqual([]);
    const endless = blocked
      .replace(
        'set: { "fork[i]": 1 }',
        'set: { "fork[i]": 1 } }\n        - { name: count, from: thinks, set: { n: "n + 1" }',
      )
      .replace('variables: {', 'variables: { n: 0,');
    expect(told(endless)).toEqual([]);
  });

  it('is explored in steps, and again only when it has changed', () => {
    const host = createAnalysisHost({ readPack, onBug: () => undefined });
    host.apply({ settings: defaultSettings, files: [{ uri, text: pair.replace(/copies: 2/, 'copies: 2 ') }] });
    const steps = (): number => [...host.analysis().placing(uri)].length;
    host.apply({
      files: [
        {
          uri,
          text: pair
            .replace('fork: { size: 2, value: 0 }', 'fork: { size: 2, value: 0 }, n: 0')
            .replace('"fork[i]": 0,', '"fork[i]": 0, n: "(n + 1) % 900",'),
        },
      ],
    });
    expect(steps()).toBeGreaterThan(5);
    host.apply({
      files: [{ uri: 'file:///ws/other.yaml', text: 'apiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n' }],
    });
    expect(steps()).toBe(0);
  });

  it('tells an expression that fails on the way', () => {
    const text = pair.replace('"fork[i]": 0,', '"fork[i]": "1 / (fork[i] - 1)",');
    const told = analysisOf({ [uri]: text }).diagnostics(uri);
    expect(told.map(it => `${text.slice(it.span.start, it.span.end)} ${it.message}`)).toEqual([
      '"1 / (fork[i] - 1)" This fails after 3 steps (p[0]: take left, p[0]: take right, p[0]: put both): 1 / 0 divides by zero.',
    ]);
  });

  it('has its findings silenced by comments and annotations, and with the severity of the settings', () => {
    const told = (text: string, settings: Parameters<typeof analysisOf>[1] = {}): readonly string[] =>
      analysisOf({ [uri]: text }, settings)
        .diagnostics(uri)
        .map(it => `${it.code} ${it.severity}${it.suppressed ? ` ${it.suppressed.reason}` : ''}`);
    const ignore = '# berth-ignore berth/system-finding: known';
    const commented = pair.replace('    - name: p', `    ${ignore}\n    - name: p`);
    const annotated = pair.replace(
      'metadata: { name: pair }',
      'metadata: { name: pair, annotations: { berth.dev/ignore: "berth/system-finding: known" } }',
    );
    expect(told(commented)).toEqual(['berth/system-finding warning']);
    expect(told(annotated)).toEqual([]);
    expect(told(commented, { suppressed: 'report' })).toEqual([
      'berth/system-finding warning known',
      'berth/system-finding warning',
    ]);
    expect(told(pair, { severity: { 'berth/system-finding': 'error' } })).toEqual([
      'berth/system-finding error',
      'berth/system-finding error',
    ]);
    expect(told(pair, { severity: { 'berth/system-finding': 'off' } })).toEqual([]);
    const calm = commented.replace('halt: [thinks]', 'halt: [thinks, waits]').replace('fork[1] == 1"', 'fork[1] == 2"');
    expect(told(calm)).toEqual(['berth/unused-suppression warning']);
    expect(analysisOf({ [uri]: calm }).quickDiagnostics(uri)).toEqual([]);
    const fix = analysisOf({ [uri]: pair }).diagnostics(uri)[0]?.fixes[0];
    expect(fix?.edits[0]?.newText).toBe('    # berth-ignore berth/system-finding: \n');
  });

  it('is completed and explained as a kind of Kubernetes is', () => {
    expect(labelsIn(pair.replace('start: thinks\n', 'start: thinks\n      |\n'), { uri })).toContain('variables');
    const hover = analysisOf({ [uri]: pair }).hover(uri, pair.indexOf('halt') + 1);
    expect(hover?.markdown).toContain('Locations in which it may rest for ever');
  });

  it('completes the names that may stand in a field', () => {
    const local = pair.replace('copies: 2', 'copies: 2\n      variables: { mine: 0 }');
    const at = (from: string, to: string): readonly string[] => labelsIn(local.replace(from, to), { uri });
    expect(at('fork[i] == 0"', 'f| == 0"')).toEqual(['fork']);
    expect(at('fork[i] == 0"', 'fork[i] == |"')).toEqual(['at', 'fork', 'i', 'mine']);
    expect(at('"fork[0] == 1 &&', '"at(|')).toEqual(['p']);
    expect(at('"fork[0] == 1 &&', '"at(p[0], |')).toEqual(['eats', 'thinks', 'waits']);
    expect(at('fork[0] == 1 && fork[1] == 1', '|')).toEqual(['at', 'fork']);
    expect(at('to: waits', 'to: e|')).toEqual(['eats']);
    expect(at('[take right]', '[|]')).toEqual(['put both', 'take left', 'take right']);
  });

  it('says of a name what it is and how it is declared', () => {
    const hover = (part: string): string | undefined => {
      const found = analysisOf({ [uri]: pair }).hover(uri, pair.indexOf(part));
      return found && `${pair.slice(found.span.start, found.span.end)}: ${found.markdown}`;
    };
    expect(hover('fork[0]')).toBe('fork: Variable `fork`\n\n```yaml\nvariables: { fork: { size: 2, value: 0 } }\n```');
    expect(hover('waits, to')).toMatch(/^waits: Location `waits`/);
    expect(hover('take right] }')).toMatch(/^take right: Step `take right`/);
  });

  it('leads from names to where they are declared, and back', () => {
    const text = pair
      .replace('copies: 2', 'copies: 2\n      variables: { mine: i }')
      .replace('"fork[i]": 0,', '"fork[i]": 0, mine: "at(p[1 - i], eats) ? mine : fork[0]",');
    const analysis = analysisOf({ [uri]: text });
    const lineAt = (offset = -1): string => text.slice(0, offset).split('\n').length.toString();
    const target = (part: string, within: string): string | undefined => {
      const link = analysis.definition(uri, text.indexOf(within) + within.indexOf(part));
      const [place] = link?.locations ?? [];
      return (
        place &&
        `${text.slice(link?.span.start, link?.span.end)} → ${text.slice(place.span.start, place.span.end)} ${lineAt(place.span.start)}`
      );
    };
    expect(target('fork', 'fork[1 - i] == 0')).toBe('fork → fork 5');
    expect(target('mine', 'mine : fork')).toBe('mine → mine 9');
    expect(target('p[', 'p[1 - i], eats')).toBe('p → p 7');
    expect(target('eats', 'eats) ?')).toBe('eats → eats 15');
    expect(target('waits', 'waits, when')).toBe('waits → waits 14');
    expect(target('take right', 'take right] }')).toBe('take right → take right 14');
    expect(target('i', 'i] == 0, set')).toBeUndefined();
    const uses = analysis.references(uri, text.indexOf('fork:') + 1, 'uses');
    expect(uses).toHaveLength([...text.matchAll(/fork\[/g)].length);
    expect(uses.every(({ span }) => text.slice(span.start, span.end) === 'fork')).toBe(true);
  });
});
