import { strings } from './strings';

/** `down` for what is left, `up` for what is asked for, so that rounding never promises room that is not there. */
export type Rounding = 'down' | 'up';

interface Unit {
  readonly divisor: number;
  readonly one: string;
  readonly many: string;
}

const [core, cores] = strings.resource.units.core;
const [millicore, millicores] = strings.resource.units.millicore;
const [byte, bytes] = strings.resource.units.byte;
const [pod, pods] = strings.resource.units.pod;

const CORES: Unit = { divisor: 1000, one: core, many: cores };
const MILLICORES: Unit = { divisor: 1, one: millicore, many: millicores };
const PODS: Unit = { divisor: 1, one: pod, many: pods };
const PLAIN: Unit = { divisor: 1, one: '', many: '' };
const BYTES: Unit = { divisor: 1, one: byte, many: bytes };
const BINARY: readonly Unit[] = [
  ...['PiB', 'TiB', 'GiB', 'MiB', 'KiB'].map((name, index) => ({
    divisor: 1024 ** (5 - index),
    one: name,
    many: name,
  })),
  BYTES,
];

/** How a resource is called on a card: "CPU", "Memory", and of `nvidia.com/gpu` the part after the slash. */
export function resourceLabel(name: string): string {
  return strings.resource.names[name] ?? name.slice(name.lastIndexOf('/') + 1);
}

/** An amount of a resource in its humane unit: cpu is given in millicores, memory and disk in bytes. */
export function amount(name: string, value: number, rounding: Rounding = 'down'): string {
  const unit = unitFor(name, value);
  return withUnit(inUnit(value, unit, rounding), unit);
}

/** "1.5 of 4 cores", "3.2 of 8 GiB", "200 MiB of 8 GiB" when the larger unit would say 0. */
export function partOf(name: string, part: number, whole: number): string {
  const wholeUnit = unitFor(name, whole);
  const inWholeUnit = inUnit(part, wholeUnit, 'down');
  const short = part === 0 || Number(inWholeUnit) > 0 ? inWholeUnit : amount(name, part);
  return strings.resource.of(short, withUnit(inUnit(whole, wholeUnit, 'down'), wholeUnit));
}

/** What is left in words: "1.5 of 4 cores free", or "0.5 cores too much" when more is used than there is. */
export function freeInWords(name: string, used: number, allocatable: number): string {
  if (used > allocatable) return strings.resource.over(amount(name, used - allocatable, 'up'));
  return strings.resource.free(partOf(name, allocatable - used, allocatable));
}

/** What the bar of a resource shows: "3.8 of 4 cores used", or "0.5 cores too much". */
export function usedInWords(name: string, used: number, allocatable: number): string {
  if (used > allocatable) return strings.resource.over(amount(name, used - allocatable, 'up'));
  const unit = unitFor(name, allocatable);
  const whole = inUnit(allocatable, unit, 'down');
  const part = inUnit(used, unit, 'up');
  // What is used up is no more than all of it.
  const shown = Number(part) > Number(whole) ? whole : part;
  return strings.resource.used(strings.resource.of(shown, withUnit(whole, unit)));
}

function unitFor(name: string, value: number): Unit {
  if (name === 'cpu') return value >= 100 || value === 0 ? CORES : MILLICORES;
  if (name === 'pods') return PODS;
  if (isBytes(name)) return BINARY.find(({ divisor }) => value >= divisor) ?? BYTES;
  return PLAIN;
}

const isBytes = (name: string) => name === 'memory' || name === 'ephemeral-storage' || name.startsWith('hugepages-');

function inUnit(value: number, { divisor }: Unit, rounding: Rounding): string {
  const hundredths = (value * 100) / divisor;
  const whole = rounding === 'up' ? Math.ceil(hundredths) : Math.floor(hundredths);
  // Beyond a hundred, fractions of a unit only make noise.
  const precise =
    whole >= 10_000 && whole % 100 !== 0 ? (rounding === 'up' ? Math.ceil : Math.floor)(whole / 100) * 100 : whole;
  return String(precise / 100);
}

function withUnit(number: string, { one, many }: Unit): string {
  if (many === '') return number;
  return `${number} ${number === '1' ? one : many}`;
}
