import { describe, expect, it } from 'vitest';
import { explored, reportOn, systemOf } from './support';

/** One process that takes one step, and what is asked of it. */
const one = (when: string, more = ''): string =>
  systemOf(`
variables: { x: 3, yes: true, a: { size: 2, values: [5, 7] } }
processes:
  - name: p
    start: s
    halt: [t]
    steps: [{ name: go, from: s, to: t, when: ${JSON.stringify(when)} }]
${more}`);

describe('expressions', () => {
  it.each([
    '2 + 3 * 4 == 14 && (2 + 3) * 4 == 20',
    '10 - 3 - 2 == 5 && 12 / 3 / 2 == 2 && 7 - 6 % 4 == 5',
    '-7 / 2 == -3 && -7 % 2 == -1 && 7 / -2 == -3 && 7 % -2 == 1',
    '-2147483648 < 2147483647 && - -x == 3 && --x == 3',
    '1 < 2 == true && !!yes && !(1 > 2) && !false == yes',
    'false && true || true',
    '(false ? 1 : false ? 2 : 3) == 3 && (true ? false ? 1 : 2 : 3) == 2',
    'false && 1 / 0 == 1 || true',
    'true || a[9] == 1',
    '(x == 3 ? 1 : 1 / 0) == 1',
    'a[x - 2] == 7 && a[0] + a[1] == 12',
    'at(p, s) && at(p[0], s) && !at(p[x - 3], t)',
    'x <= 3 && 3 >= x && 2 < x && 4 > x && 3 == x && 4 != x',
    'yes != false && (x > 2) == yes',
    'x % 2 == 1 ? yes : false',
    '007 == 7 && x\n  ==\t3',
    '-2147483648 % -1 == 0',
  ])('%s is true', text => {
    expect(reportOn(one(text)).acceptingEnds).toBe(1);
  });

  it.each([
    ['x + ', /ends too early|a value/],
    ['x + + 1', /"\+" stands where a value must be/],
    ['(x == 3', /"\)"/],
    ['x == 3)', /"\)" stands where it cannot/],
    ['x = 3', /"=" has no meaning here/],
    ['x == 0x10', /"x10" stands where it cannot/],
    ['x == 1.5', /"\." has no meaning/],
    ['x == 2147483648', /2147483648 is not within/],
    ['x', /must be a boolean, and it is an integer/],
    ['yes + 1 == 2', /must be an integer, and it is a boolean/],
    ['1 < 2 < 3', /must be an integer/],
    ['x == yes', /== compares two of one type/],
    ['yes ? 1 : false', /\?: gives one type/],
    ['x && yes', /must be a boolean/],
    ['!x', /must be a boolean/],
    ['-yes == 1', /must be an integer/],
    ['yess', /there is no "yess" here; did you mean "yes"\?$/],
    ['z == 3', /there is no "z" here$/],
    ['xx == 3', /there is no "xx" here$/],
    ['a == 5', /a is an array/],
    ['x[0] == 5', /x is no array/],
    ['a[yes] == 5', /must be an integer/],
    ['at(q, s)', /there is no process "q"/],
    ['at(p, u)', /p has no location "u"/],
    ['at(p)', /"\)" stands where "," must be/],
    ['at(p[yes], s)', /must be an integer/],
    [`${'('.repeat(600)}yes${')'.repeat(600)}`, /nested more than 500 levels/],
    [Array.from({ length: 600 }, () => 'yes').join(' && '), /more than 500 operators/],
    ['('.repeat(100_001), /at most 100,000 words and signs/],
  ])('%s is refused', (text, message) => {
    const found = explored(one(text));
    expect(found.kind).toBe('invalid');
    if (found.kind !== 'invalid') return;
    expect(found.problems.map(it => it.path.toString())).toEqual(['spec.processes[0].steps[0].when']);
    expect(found.problems[0]?.message).toMatch(message);
  });

  it.each([
    ['2147483647 + x > 0', /2147483647 \+ 3 is not within/],
    ['-2147483648 - x < 0', /is not within/],
    ['65536 * 65536 > 0', /is not within/],
    ['-(-2147483648) > 0', /is not within/],
    ['-2147483648 / -1 > 0', /is not within/],
    ['x / (x - 3) == 0', /3 \/ 0 divides by zero/],
    ['x % 0 == 0', /divides by zero/],
    ['a[x] == 0', /index 3 is out of range of a/],
    ['a[-1] == 0', /index -1 is out of range/],
    ['at(p[x], s)', /index 3 is out of range of p/],
  ])('%s fails where it is evaluated', (text, message) => {
    const found = explored(one(text));
    expect(found).toMatchObject({ kind: 'failed', failure: { trace: [{ process: 'p', step: 'go' }] } });
    if (found.kind !== 'failed') return;
    expect(found.failure.path.toString()).toBe('spec.processes[0].steps[0].when');
    expect(found.failure.message).toMatch(message);
  });

  it('are underlined where they are wrong, in each style of scalar', () => {
    const texts = [
      '"yes && \\tx == zz"',
      "'yes && zz'",
      'yes && zz',
      '|\n          yes &&\n          zz',
      '>\n          yes &&\n          zz',
    ];
    for (const when of texts) {
      const text = systemOf(`
variables: { x: 3, yes: true }
processes:
  - name: p
    start: s
    steps:
      - name: go
        from: s
        when: ${when}`);
      const found = explored(text);
      const [problem] = found.kind === 'invalid' ? found.problems : [];
      expect(text.slice(problem?.span.start, problem?.span.end)).toBe('zz');
    }
  });
});

describe('a document', () => {
  const P = 'processes: [{ name: p, start: s, steps: [] }]';
  const step = (more: string): string =>
    `variables: { x: 0, b: true, a: { size: 2, value: 0 } }\nconstants: { n: 2 }\nprocesses: [{ name: p, start: s, copies: n, variables: { own: i, list: { size: 2, value: i } }, halt: [s], steps: [{ name: go, from: s, ${more} }] }]`;

  it.each([
    ['spec.processes', 'variables: {}'],
    ['spec.processes', 'processes: []'],
    ['spec.processes', 'processes: {}'],
    ['spec.colour', `${P}\ncolour: red`],
    ['spec.processes[0].name', 'processes: [{ start: s, steps: [] }]'],
    ['spec.processes[0].start', 'processes: [{ name: p, steps: [] }]'],
    ['spec.processes[0].steps', 'processes: [{ name: p, start: s }]'],
    ['spec.processes[0].color', 'processes: [{ name: p, start: s, steps: [], color: 1 }]'],
    ['spec.processes[0].name', 'processes: [{ name: 1p, start: s, steps: [] }]'],
    ['spec.processes[0].name', 'processes: [{ name: at, start: s, steps: [] }]'],
    ['spec.processes[0].start', 'processes: [{ name: p, start: true, steps: [] }]'],
    ['spec.processes[1].name', 'processes: [{ name: p, start: s, steps: [] }, { name: p, start: s, steps: [] }]'],
    ['spec.processes[0].halt[0]', 'processes: [{ name: p, start: s, halt: [t], steps: [] }]'],
    ['spec.processes[0].halt', 'processes: [{ name: p, start: s, halt: s, steps: [] }]'],
    ['spec.processes[0].steps[0].name', 'processes: [{ name: p, start: s, steps: [{ from: s }] }]'],
    ['spec.processes[0].steps[0].from', 'processes: [{ name: p, start: s, steps: [{ name: go }] }]'],
    ['spec.processes[0].steps[0].do', step('do: nothing')],
    ['spec.processes[0].copies', 'processes: [{ name: p, start: s, copies: 0, steps: [] }]'],
    ['spec.processes[0].copies', 'processes: [{ name: p, start: s, copies: true, steps: [] }]'],
    ['spec.processes[0].copies', 'variables: { x: 1 }\nprocesses: [{ name: p, start: s, copies: x, steps: [] }]'],
    ['spec.processes[0].copies', 'processes: [{ name: p, start: s, copies: 1000000, steps: [] }]'],
    [
      'spec.processes[0].variables.n',
      'constants: { n: 1 }\nprocesses: [{ name: p, start: s, variables: { n: 1 }, steps: [] }]',
    ],
    ['spec.processes[0].variables.y', 'processes: [{ name: p, start: s, variables: { x: 1, y: x }, steps: [] }]'],
    ['spec.variables.n', `constants: { n: 1 }\nvariables: { n: 1 }\n${P}`],
    ['spec.variables.i', `variables: { i: 1 }\n${P}`],
    ['spec.variables.x-y', `variables: { x-y: 1 }\n${P}`],
    ['spec.variables.x', `variables: { x: 1, x: 2 }\n${P}`],
    ['spec.variables.x', `variables: { x: 1.5 }\n${P}`],
    ['spec.variables.x', `variables: { x: }\n${P}`],
    ['spec.variables.x', `variables: { x: 3000000000 }\n${P}`],
    ['spec.variables.x', `variables: { x: True }\n${P}`],
    ['spec.variables.x', `variables: { x: [1, 2] }\n${P}`],
    ['spec.variables.x', `variables: { x: i }\n${P}`],
    ['spec.variables.x', `variables: { x: "at(p, s)" }\n${P}`],
    ['spec.variables.x.size', `variables: { x: { value: 1 } }\n${P}`],
    ['spec.variables.x', `variables: { x: { size: 1 } }\n${P}`],
    ['spec.variables.x.values', `variables: { x: { size: 1, value: 1, values: [1] } }\n${P}`],
    ['spec.variables.x.values', `variables: { x: { size: 2, values: [1] } }\n${P}`],
    ['spec.variables.x.values[1]', `variables: { x: { size: 2, values: [1, true] } }\n${P}`],
    ['spec.variables.x.size', `variables: { x: { size: 0, value: 1 } }\n${P}`],
    ['spec.variables.x.size', `variables: { x: { size: true, value: 1 } }\n${P}`],
    ['spec.variables.x.fill', `variables: { x: { size: 1, value: 1, fill: 2 } }\n${P}`],
    ['spec.constants.b', `constants: { a: 1, b: "a +" }\n${P}`],
    ['spec.constants.a', `constants: { a: "1 / 0" }\n${P}`],
    ['spec.constants.a', `constants: { a: "b", b: "c", c: "a" }\n${P}`],
    ['spec.constants.a', `constants: { a: a }\n${P}`],
    ['spec.constants.a', `constants: { a: "b + true", b: 1 }\n${P}`],
    ['spec.processes[0].steps[0].when', step('when: x')],
    ['spec.processes[0].steps[0].when', step('when: 1')],
    ['spec.processes[0].steps[0].when', step('when: null')],
    ['spec.processes[0].steps[0].when', step('when: "at(p, s)"')],
    ['spec.processes[0].steps[0].set', step('set: [x]')],
    ['spec.processes[0].steps[0].set[x]', step('set: { x: true }')],
    ['spec.processes[0].steps[0].set[n]', step('set: { n: 1 }')],
    ['spec.processes[0].steps[0].set[i]', step('set: { i: 1 }')],
    ['spec.processes[0].steps[0].set[a]', step('set: { a: 1 }')],
    ['spec.processes[0].steps[0].set[x[0]]', step('set: { "x[0]": 1 }')],
    ['spec.processes[0].steps[0].set[x + 1]', step('set: { x + 1: 1 }')],
    ['spec.processes[0].steps[0].set[nope]', step('set: { nope: 1 }')],
    ['spec.processes[0].steps[0].set[a[b]]', step('set: { "a[b]": 1 }')],
    ['spec.processes[0].steps[0].set[x]', step('set: { x: 1, x: 2 }')],
    ['spec.properties[0].never', `${P}\nproperties: [{ name: p, never: 1 }]`],
    ['spec.properties[0].never', `${P}\nproperties: [{ name: p, never: "i == 0" }]`],
    ['spec.properties[0].never', `${step('set: { x: 1 }')}\nproperties: [{ name: p, never: "own == 0" }]`],
    ['spec.properties[0]', `${P}\nproperties: [{ name: p }]`],
    ['spec.properties[0]', `${P}\nproperties: [{ name: p, never: "false", atEnd: "true" }]`],
    ['spec.properties[0].name', `${P}\nproperties: [{ never: "false" }]`],
    ['spec.properties[1].name', `${P}\nproperties: [{ name: p, never: "false" }, { name: p, atEnd: "true" }]`],
    ['spec.properties[0].always', `${P}\nproperties: [{ name: p, always: "true" }]`],
    ['spec.properties[0].progress', `${P}\nproperties: [{ name: p, progress: go }]`],
    ['spec.properties[0].fairness', `${P}\nproperties: [{ name: p, progress: [go], fairness: strong }]`],
    ['spec.properties[0].fairness', `${P}\nproperties: [{ name: p, never: "false", fairness: weak }]`],
  ])('with something wrong at %s is refused (%#)', (path, spec) => {
    const found = explored(systemOf(spec));
    expect(found.kind).toBe('invalid');
    if (found.kind !== 'invalid') return;
    expect(found.problems[0]?.path.toString()).toBe(path);
  });

  it('of another version, without spec, or beside another one is refused', () => {
    const good = systemOf(P);
    const paths = [
      good.replace('v1alpha1', 'v1'),
      'apiVersion: berth.dev/v1alpha1\nkind: System\n',
      `${good}---\n${good}`,
      `${good}---\n`,
    ].map(text => {
      const found = explored(text);
      return found.kind === 'invalid' ? found.problems.map(it => it.path.toString()) : [];
    });
    expect(paths).toEqual([['apiVersion'], ['spec'], [''], []]);
  });

  it('reads YAML 1.2: yes, no, on, off, y and n are texts', () => {
    const report = reportOn(
      systemOf(`
variables: { y: 0, no: 1 }
processes:
  - name: off
    start: on
    halt: [off]
    steps: [{ name: yes, from: on, to: off, set: { y: no } }]`),
    );
    expect(report.ends).toEqual([
      { variables: { y: 1, no: 1 }, processes: { off: { location: 'off', variables: {} } } },
    ]);
  });

  it('may use anchors', () => {
    expect(
      reportOn(
        systemOf('variables: { x: &v "1 + 1", y: *v }\nprocesses: [{ name: p, start: s, halt: [s], steps: [] }]'),
      ).ends[0]?.variables,
    ).toEqual({ x: 2, y: 2 });
  });
});

describe('a search', () => {
  it('evaluates all of a step in the old state, and tells what happens in copies by their names', () => {
    const report = reportOn(
      systemOf(`
constants: { n: 2 }
variables: { a: { size: n, values: [1, 2] }, done: 0 }
processes:
  - name: p
    copies: n
    variables: { mine: "i + 10" }
    start: s
    halt: [t]
    steps: [{ name: swap, from: s, to: t, set: { "a[0]": "a[1]", "a[1]": "a[0]", done: "done + 1", mine: "mine + done" } }]
properties:
  - { name: one, never: "done == 1" }`),
    );
    expect(report).toMatchObject({ system: 'test', states: 5, transitions: 4, acceptingEnds: 2 });
    expect(report.deadlocks).toEqual({ count: 0 });
    expect(report.properties[0]).toMatchObject({ holds: false, trace: { steps: [{ process: 'p[0]', step: 'swap' }] } });
    expect(report.properties[0]?.trace?.state).toEqual({
      variables: { a: [2, 1], done: 1 },
      processes: {
        'p[0]': { location: 't', variables: { mine: 10 } },
        'p[1]': { location: 's', variables: { mine: 11 } },
      },
    });
  });

  it('makes room for values that nobody foresaw, up to the ends of 32 bits', () => {
    const report = reportOn(
      systemOf(`
variables: { x: 1, low: -1 }
processes:
  - name: p
    start: s
    halt: [s]
    steps: [{ name: more, from: s, when: "x < 1000000000", set: { x: "x * 3", low: "low * 2 - x % 2" } }]
properties: [{ name: last, atEnd: "x == 1162261467 && low == -1048575" }, { name: known, never: "x == 59049 && low != -2047" }]`),
    );
    expect(report).toMatchObject({ states: 20, properties: [{ holds: true }, { holds: true }] });
    expect(report.ends[0]?.variables).toEqual({ x: 1162261467, low: -(2 ** 20 - 1) });
  });

  it('ends after the first findings, the nearest ones, and says that it did', () => {
    const text = systemOf(`
variables: { x: 0 }
processes:
  - name: p
    start: s
    halt: [s]
    steps:
      - { name: up, from: s, when: "x < 9", set: { x: "x + 1" } }
      - { name: stop, from: s, to: dead, when: "x == 2" }
properties: [{ name: far, never: "x == 9" }, { name: near, never: "x == 1" }, { name: last, atEnd: "x < 9" }]`);
    const found = (findings: number, search: 'full' | 'reduced' = 'full') => {
      const { stopped, deadlocks, properties, states } = reportOn(text, search, { findings });
      return [stopped, deadlocks.count, ...properties.map(it => it.holds), ...(search === 'full' ? [states < 8] : [])];
    };
    expect(found(1)).toEqual(['findings', 0, null, false, null, true]);
    expect(found(2)).toEqual(['findings', 1, null, false, null, true]);
    expect(found(4)).toEqual([undefined, 1, false, false, false, false]);
    expect(found(5)).toEqual([undefined, 1, false, false, false, false]);
    expect(found(1, 'reduced')).toEqual(['findings', 1, null, null, null]);
    expect(found(3, 'reduced')).toEqual(['findings', 1, false, null, false]);
    expect(found(5, 'reduced')).toEqual([undefined, 1, false, false, false]);
  });

  it('tells the steps that no copy can ever take, where every state was visited', () => {
    const text = (limit: number): string =>
      systemOf(`
variables: { x: 0 }
processes:
  - name: p
    copies: 2
    start: s
    halt: [s]
    steps:
      - { name: go, from: s, when: "x < ${limit}", set: { x: "x + 1" } }
      - { name: only one, from: s, when: "i == 1 && x == 1", set: { x: 2 } }
      - { name: go, from: s, when: "x > 5", to: t }
      - { name: back, from: t, to: s }`);
    const never = [
      { process: 'p', step: 'go', from: 's' },
      { process: 'p', step: 'back', from: 't' },
    ];
    expect(reportOn(text(3)).unreachable).toEqual(never);
    expect(reportOn(text(6)).unreachable).toEqual([]);
    expect(reportOn(text(3), 'reduced').unreachable).toBeUndefined();
    expect(reportOn(text(9), 'full', { states: 2 }).unreachable).toBeUndefined();
  });

  it('under weak fairness tells a cycle only if each process moves on it or cannot always go on', () => {
    const asked = (ready: string) =>
      reportOn(
        systemOf(`
variables: { busy: false }
processes:
  - name: spinner
    start: s
    steps: [{ name: on, from: s, to: t, set: { busy: true } }, { name: off, from: t, to: s, set: { busy: false } }]
  - name: worker
    start: w
    steps: [{ name: work, from: w, when: "${ready}" }]
properties: [{ name: unfair, progress: [work] }, { name: fair, progress: [work], fairness: weak }]`),
      ).properties.map(it => [it.fairness, it.holds, it.trace?.cycle?.map(({ step }) => step)]);
    const cycle = ['on', 'off'];
    // It can always work, and does not.
    expect(asked('true')).toEqual([
      [undefined, false, cycle],
      ['weak', true, undefined],
    ]);
    // It can work again and again, and never for ever.
    expect(asked('!busy')).toEqual([
      [undefined, false, cycle],
      ['weak', false, cycle],
    ]);
  });

  it('counts a loop and each of two steps to one state', () => {
    const text = systemOf(
      'processes: [{ name: p, start: s, steps: [{ name: a, from: s, to: t }, { name: b, from: s, to: t }, { name: stay, from: t }] }]\nproperties: [{ name: any, progress: [] }, { name: stays, progress: [stay] }]',
    );
    expect(reportOn(text)).toMatchObject({
      states: 2,
      transitions: 3,
      properties: [{ holds: false, trace: { steps: [{}], cycle: [{ process: 'p', step: 'stay' }] } }, { holds: true }],
    });
  });

  it.each([
    ['an index and another one', '{ "a[0]": 1, "a[x]": 2 }'],
    ['a variable and itself', '{ x: 1, " x": 2 }'],
  ])('fails where %s are written at once', (_, set) => {
    const text = systemOf(
      `variables: { x: 0, a: { size: 2, value: 0 } }\nprocesses: [{ name: p, start: s, steps: [{ name: go, from: s, set: ${set} }] }]`,
    );
    expect(explored(text)).toMatchObject({ kind: 'failed', failure: { trace: [{ process: 'p', step: 'go' }] } });
  });

  it('tells the failure with the fewest steps, of a property the steps to its state', () => {
    const text = (never: string, atEnd: string): string =>
      systemOf(`
variables: { x: 0 }
processes:
  - name: p
    start: s
    halt: [s]
    steps:
      - { name: go, from: s, when: "x < 3 && 6 / (2 - x) > 0", set: { x: "x + 1" } }
properties: [{ name: a, never: "${never}" }, { name: b, atEnd: "${atEnd}" }]`);
    const lengths = (found: ReturnType<typeof explored>) =>
      found.kind === 'failed' ? [found.failure.path.toString(), found.failure.trace.length] : found.kind;
    expect(lengths(explored(text('false', 'true')))).toEqual(['spec.processes[0].steps[0].when', 3]);
    expect(lengths(explored(text('1 / (1 - x) == 9', 'true')))).toEqual(['spec.properties[0].never', 1]);
    expect(lengths(explored(text('1 / x == 9', 'true')))).toEqual(['spec.properties[0].never', 0]);
  });

  it('evaluates atEnd in accepting ends alone', () => {
    const text = (halt: string): string =>
      systemOf(
        `variables: { x: 0 }\nprocesses: [{ name: p, start: s, halt: [${halt}], steps: [{ name: go, from: s, to: t, set: { x: 1 } }] }]\nproperties: [{ name: e, atEnd: "1 / (x - 1) == 0" }]`,
      );
    expect(explored(text('s')).kind).toBe('explored');
    expect(explored(text('t'))).toMatchObject({ kind: 'failed', failure: { trace: [{ step: 'go' }] } });
  });

  it('says what is not known when a limit stops it, and what is', () => {
    const text = systemOf(`
variables: { x: 0, stuck: false }
processes:
  - name: p
    start: s
    halt: [s]
    steps:
      - { name: up, from: s, when: "!stuck", set: { x: "x + 1" } }
      - { name: stop, from: s, to: dead, when: "x == 3" }
properties:
  - { name: small, never: "x == 5" }
  - { name: smaller, never: "x == 500000" }
  - { name: ends, canAlwaysReach: "x == 500000" }
  - { name: no circle, progress: [] }`);
    const report = reportOn(text, 'full', { states: 100 });
    expect(report).toMatchObject({ complete: false, stopped: 'states', deadlocks: { count: 1 } });
    expect(report.properties.map(it => it.holds)).toEqual([false, null, false, null]);
    expect(reportOn(text, 'full', { bytes: 1000 }).stopped).toBe('memory');
    expect(reportOn(text, 'full', { isOver: () => true }).stopped).toBe('time');
  });

  it('looks at its limits soon where states are large or have many successors', () => {
    const many = systemOf(`variables: { v: { size: 2000, value: 0 } }
processes:
  - name: p
    copies: 2000
    start: s
    halt: [s]
    steps: [{ name: up, from: s, set: { "v[i]": "v[i] == 0 ? 1 : 0" } }]`);
    const full = reportOn(many, { symmetry: 'ignored' }, { bytes: 100_000 });
    expect(full.stopped).toBe('memory');
    expect(full.states).toBeLessThan(1000);
    const late = reportOn(many, { symmetry: 'ignored' }, { isOver: () => true });
    expect(late.stopped).toBe('time');
    expect(late.states).toBeLessThan(5000);
  });
});
