import { describe, expect, it } from 'vitest';
import {
  type DeviceAttribute,
  deviceSelectors,
  evaluateSelector,
  mostSelectorCost,
  type SelectableDevice,
} from '../../server/src/kube/cel/deviceSelector';
import { loadKube } from '../../server/src/kube/load';
import { readPack } from '../support/packs';

const selectors = deviceSelectors(loadKube('1.37', {}, readPack));
const withLists = deviceSelectors(loadKube('1.37', { DRAListTypeAttributes: true }, readPack));

const attributes: Readonly<Record<string, DeviceAttribute>> = {
  model: { string: 'A100-SXM' },
  index: { int: 3 },
  healthy: { bool: true },
  driverVersion: { version: '550.90.7' },
  'pci.example.com/root': { string: 'pci0000:01' },
};
const gpu: SelectableDevice = {
  driver: 'gpu.example.com',
  attributes,
  capacity: { memory: '40Gi', 'mig.example.com/slices': '7' },
};

const own = 'device.attributes["gpu.example.com"]';
const memory = 'device.capacity["gpu.example.com"].memory';

function verdict(expression: string, device: SelectableDevice = gpu) {
  const compiled = selectors.compile(expression);
  return 'checked' in compiled ? evaluateSelector(compiled, device) : compiled;
}

describe('a device is selected', () => {
  it.each([
    ['device.driver == "gpu.example.com"', true],
    ['device.driver.startsWith("net.")', false],
    [`${own}.healthy`, true],
    [`${own}["model"] == "A100-SXM" && ${own}.index > 2`, true],
    [`${own}.index == 3.0`, true],
    [`${own}.model.matches("^A100(-|$)")`, true],
    [`${own}.model.find("[0-9]+") == "100"`, true],
    [`${own}.model.replace("SXM", "PCIe").lowerAscii() == "a100-pcie"`, true],
    [`${own}.driverVersion.isGreaterThan(semver("550.80.0"))`, true],
    [`${own}.driverVersion.compareTo(semver("v550.90.07", true)) == 0`, true],
    [`${memory}.compareTo(quantity("40Gi")) >= 0`, true],
    [`${memory}.isGreaterThan(quantity("1Ti"))`, false],
    [`${memory}.add(quantity("24Gi")) == quantity("64Gi")`, true],
    ['device.capacity["mig.example.com"].slices.asInteger() == 7', true],
    ['device.attributes["pci.example.com"].root in ["pci0000:01", "pci0000:02"]', true],
    // An absent domain is an empty map, so that only an attribute can be missing.
    ['"nobody.example.com" in device.attributes', false],
    ['"x" in device.attributes["nobody.example.com"]', false],
    ['has(device.attributes["nobody.example.com"].x)', false],
    [`has(${own}.model) && !has(${own}.serial)`, true],
    [`${own}.?serial.orValue("none") == "none"`, true],
    [`${own}[?"model"].optMap(it, it.size() > 3).orValue(false)`, true],
    [`cel.bind(mine, ${own}, mine.healthy && mine.index == 3)`, true],
    [`${own}.exists(name, name == "model")`, true],
    [`${own}.all(name, name.size() <= 32)`, true],
    [`[1, 2, 3].filter(n, n > ${own}.index).size() == 0`, true],
    [`sets.intersects([${own}.model], ["A100-SXM", "H100"])`, true],
    ['[3, 1, 2].sort() == [1, 2, 3] && [1, 2].indexOf(2) == 1 && [1, 2].sum() == 3', true],
    ['lists.range(3) == [0, 1, 2] && [[1], [2]].flatten() == [1, 2] && [1, 1].distinct() == [1]', true],
    ['ip("10.1.2.3").family() == 4 && cidr("10.0.0.0/8").containsIP("10.1.2.3")', true],
    ['ip.isCanonical("2001:db8::1") && !isIP("10.0.0.01") && !isCIDR("10.0.0.0")', true],
    ['url("https://example.com:8443/a?b=c").getHost() == "example.com:8443"', true],
    ['device.allowMultipleAllocations == false', true],
    ['[1, 2].first().value() == 1 && ![].last().hasValue()', true],
    ['device.attributes[?"nobody.example.com"].hasValue()', true],
    ['device.attributes[?"nobody.example.com"].?x.hasValue()', false],
    ['!optional.ofNonZeroValue("").hasValue() && sign(quantity("-1")) == -1', true],
    // An error in one half of an "or" does not count when the other half is true.
    [`${own}.serial == "x" || true`, true],
  ])('%s', (expression, expected) => {
    expect(verdict(expression)).toBe(expected);
  });

  it.each([
    [`${own}.serial == "x"`, /no such key: serial/],
    [`${own}.serial == "x" || ${own}.other == "x"`, /no such key: serial/],
    [`${own}.serial == "x" && ${own}.other == "x"`, /no such key: serial/],
    [`${own}.model`, /could not be converted to bool/],
    [`${own}.model > 3`, /overload/],
    ['quantity("much").isGreaterThan(quantity("1"))', /quantit/],
  ])('%s fails', (expression, error) => {
    expect(verdict(expression)).toEqual({ error: expect.stringMatching(error) });
  });

  it('is undecided for what could take too long', () => {
    const long = `"${'a'.repeat(2_000)}"`;
    const tries = (count: number) => `[${'0, '.repeat(count)}0].all(it, !${long}.matches("^(a{1,500}b?){1,2}c"))`;
    expect(verdict(tries(2))).toBe(true);
    expect(verdict(tries(900))).toEqual({ undecided: expect.stringContaining('steps') });
    expect(verdict(`${long}.find("(a+)+b") == ""`)).toBe(true);
    expect(verdict(`${long}.find("${'\\\\pL'.repeat(4_000)}") == ""`)).toEqual({
      undecided: expect.stringContaining('more than 10000 characters is not simulated'),
    });
  });
});

describe('a selector does not compile', () => {
  it.each([
    ['', /Syntax error/],
    ['?!', /Syntax error/],
    ['noSuchVar', /ERROR: <input>:1:1: undeclared reference to 'noSuchVar' \(in container ''\)/],
    ['device.attribute["a"].b', /<input>:1:7: undefined field 'attribute'/],
    ['has(device.attribute)', /<input>:1:4: undefined field 'attribute'/],
    ['device.attributes[true].a', /'_\[_\]' applied to '\(map\(string, map\(string, dyn\)\), bool\)'/],
    ['1 + "a" == 2', /overload/],
    ['device.driver == 1', /overload/],
    ['device.driver.isGreaterThan(quantity("1"))', /overload/],
    ['1', /must evaluate to bool or the unknown type, not int/],
    ['device.attributes', /not map\(string, map\(string, dyn\)\)/],
    [`dyn(${own}.healthy)`, /not dyn/],
    [`${own}.model.includes("x")`, /overload/],
    ['duration("soon") > duration("1m")', /invalid duration argument/],
    ['99999999999999999999 > 0', /invalid int literal/],
    ['device.driver.matches("(?=a)")', /invalid matches argument/],
    ['has(device)', /invalid argument to has\(\) macro/],
  ])('%s', (expression, problem) => {
    const result = selectors.compile(expression);
    expect(result).toEqual({ problem: expect.stringMatching(problem) });
  });

  it('because of a field that its gate hides', () => {
    const without = deviceSelectors(loadKube('1.37', { DRAConsumableCapacity: false }, readPack));
    const result = without.compile('device.allowMultipleAllocations');
    expect(result).toEqual({ problem: expect.stringContaining("undefined field 'allowMultipleAllocations'") });
  });

  it('does not count functions that Berth lacks', () => {
    expect(selectors.compile('"%s".format([device.driver]) == "x"')).toEqual({ undecided: 'format' });
  });
});

describe('what a selector may cost', () => {
  const domain = 'device.attributes["dra.example.com"]';
  it.each([
    ['true', 0],
    [`${domain}.x.isGreaterThan(quantity("0"))`, 6],
    ['"dra.example.com" in device.attributes', 3],
    ['device.driver == ""', 2],
    ['device.driver == "dra.example.com"', 4],
    [`${domain}.name`, 4],
    [`cel.bind(dra, ${domain}, dra.name)`, 15],
    [`${domain}.name > 0`, 5],
    [`${domain}.name == "fish"`, 5],
    [`${domain}.names.size() == 2`, 6],
    [`${domain}.name.isGreaterThan(semver("v0.0.1", true)) && isSemver("v1.0.0", true)`, 7],
    ['device.capacity["dra.example.com"].name.isGreaterThan(quantity("1Ki"))', 6],
    [
      '!("name" in device.capacity["dra.example.com"]) || device.capacity["dra.example.com"].name.isGreaterThan(quantity("1Ki"))',
      11,
    ],
    ['device.attributes.exists_one(x, x == "dra.example.com")', 164],
    [`${domain}.exists_one(x, x == "services")`, 133],
    [`${domain}.services.split("example").size() >= 2`, 19],
    [`${domain}.services.matches("[^a]?sym")`, 18],
    ['device.capacity.exists_one(x, x == "dra.example.com")', 164],
    ['device.allowMultipleAllocations == true', 3],
    ['[3, 1].sort() == [1, 3]', 40],
    ['lists.range(3) == [0, 1, 2]', 25],
    ['sets.contains([1, 2], [1]) && sets.equivalent([1, 2], [2, 1]) && sets.intersects([1], [1, 2])', 75],
    [`${domain}.?model.optMap(m, m.size()).orValue(0) == 8`, 25],
  ])('%s', (expression, cost) => {
    expect(selectors.compile(expression)).toMatchObject({ maxCost: cost });
  });

  it.each([
    [`${domain}.names.exists(x, x > 0)`, 5 + 6 * 64],
    [`${domain}.names.all(x, x != "")`, 5 + 4 * 64],
    [`${domain}.names.all(x, x.isGreaterThan(semver("0.0.1")))`, 5 + 6 * 64],
    [`${domain}.name.includes("fish")`, 4 + 64],
    [`1 in ${domain}.names`, 4 + 64],
  ])('%s, with lists', (expression, cost) => {
    expect(withLists.compile(expression)).toMatchObject({ maxCost: cost });
  });

  it('is bounded when it runs', () => {
    const ten = '[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]';
    const nested = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].reduceRight(
      (inner, name) => `${ten}.all(${name}, ${inner})`,
      "int('1'.find('[0-9]*')) < 100",
    );
    const compiled = selectors.compile(nested);
    expect(compiled).toMatchObject({ maxCost: 85555551 });
    if (!('checked' in compiled)) throw new Error('does not compile');
    expect(compiled.maxCost).toBeGreaterThan(mostSelectorCost);
    expect(evaluateSelector(compiled, gpu)).toEqual({ error: expect.stringContaining('cost limit') });
  });
});

describe('derived attributes', () => {
  it('may be scalars, and lists only with their gate', () => {
    expect(selectors.compileDerived('"a"')).toHaveProperty('checked');
    expect(selectors.compileDerived(`${own}.model`)).toHaveProperty('checked');
    expect(selectors.compileDerived('[1, 2]')).toEqual({ problem: expect.stringContaining('not list(int)') });
    expect(withLists.compileDerived('[1, 2]')).toHaveProperty('checked');
    expect(selectors.compileDerived('null')).toEqual({ problem: expect.stringContaining('not null') });
  });
});
