import type { JsonObject } from '../../../../base/json';
import { compareSemvers, parseSemver } from '../../../../kube/cel/semver';
import { optionalInt, optionalText, record, text, texts } from '../../../../kube/goFields';
import { FieldPath } from '../../../../manifest/fieldPath';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import { type FieldError, forbidden, invalid, type KindStrategy, notSupported, required } from '../errors';
import { validateKindMeta } from '../kindMeta';
import { qualifiedName } from '../shared/checks';

/** Upstream: pkg/apis/coordination/validation. */

const SPEC = FieldPath.of('spec');
const OLDEST = 'OldestEmulationVersion';

/** Upstream: ValidateLease. */
export const leaseStrategy: KindStrategy = {
  *validate(object) {
    yield* validateKindMeta(object, 'coordination.k8s.io/Lease');
    const spec = record(object, 'spec');
    const seconds = optionalInt(spec, 'leaseDurationSeconds');
    if (seconds !== undefined && seconds <= 0) {
      yield invalid(SPEC.child('leaseDurationSeconds'), seconds, 'must be greater than 0');
    }
    const transitions = optionalInt(spec, 'leaseTransitions');
    if (transitions !== undefined && transitions < 0) {
      yield invalid(SPEC.child('leaseTransitions'), transitions, 'must be greater than or equal to 0');
    }
    const strategy = optionalText(spec, 'strategy');
    if (strategy !== undefined) yield* validateStrategy(strategy, SPEC.child('strategy'));
    if (text(spec, 'preferredHolder') !== '' && (strategy ?? '') === '') {
      yield forbidden(SPEC.child('preferredHolder'), 'may only be specified if `strategy` is defined');
    }
  },
};

/** Upstream: ValidateLeaseCandidate. */
export const leaseCandidateStrategy: KindStrategy = {
  *validate(object, { kube }) {
    yield* validateKindMeta(object, 'coordination.k8s.io/LeaseCandidate');
    const spec = record(object, 'spec');
    if (text(spec, 'leaseName') === '') yield required(SPEC.child('leaseName'));
    if (!applies(minorChanges.candidateStrategyOne, kube)) return yield* validateOlderCandidate(spec);
    yield* validateVersions(spec, 'required');
    if (text(spec, 'strategy') === OLDEST) yield* oldestNeeds(spec, 'emulationVersion');
    const strategy = text(spec, 'strategy');
    if (strategy === '') yield required(SPEC.child('strategy'));
    else yield* validateStrategy(strategy, SPEC.child('strategy'));
  },
};

/** Several strategies, in the order of preference, none of which is compared with the others. */
function* validateOlderCandidate(spec: JsonObject | undefined): Iterable<FieldError> {
  yield* validateVersions(spec, 'optional');
  for (const [i, strategy] of texts(spec, 'preferredStrategies').entries()) {
    if (strategy === OLDEST) {
      yield* oldestNeeds(spec, 'binaryVersion');
      yield* oldestNeeds(spec, 'emulationVersion');
    }
    yield* validateStrategy(strategy, SPEC.child('preferredStrategies').index(i));
  }
}

function* validateVersions(spec: JsonObject | undefined, ownVersion: 'required' | 'optional'): Iterable<FieldError> {
  const [emulation, binary] = [text(spec, 'emulationVersion'), text(spec, 'binaryVersion')];
  const [emulationAt, binaryAt] = [SPEC.child('emulationVersion'), SPEC.child('binaryVersion')];
  const notSemantic = 'must be a valid semantic version';
  const [emulated, own] = [emulation, binary].map(it => parseSemver(it) ?? zeroVersion);
  if (emulation !== '' && parseSemver(emulation) === undefined) yield invalid(emulationAt, emulation, notSemantic);
  if (binary === '' && ownVersion === 'required') yield required(binaryAt);
  else if (binary !== '' && parseSemver(binary) === undefined) yield invalid(binaryAt, binary, notSemantic);
  if (emulated === undefined || own === undefined) return;
  if (binary !== '' && emulation !== '' && compareSemvers(own, emulated) < 0) {
    yield invalid(binaryAt, binary, 'must be greater than or equal to `emulationVersion`');
  }
}

function* oldestNeeds(spec: JsonObject | undefined, field: 'binaryVersion' | 'emulationVersion'): Iterable<FieldError> {
  const version = parseSemver(text(spec, field)) ?? zeroVersion;
  if (compareSemvers(version, zeroVersion) !== 0) return;
  yield required(SPEC.child(field), `must be specified when \`strategy\` is '${OLDEST}'`);
}

const zeroVersion = { major: 0n, minor: 0n, patch: 0n, pre: [], build: [] };

/** Upstream: ValidateCoordinatedLeaseStrategy, whose path has the field twice. */
function* validateStrategy(strategy: string, of: FieldPath): Iterable<FieldError> {
  const at = of.child('strategy');
  if (strategy.includes('/')) yield* qualifiedName(strategy, at);
  else if (strategy !== OLDEST) yield notSupported(at, strategy, [OLDEST]);
}
