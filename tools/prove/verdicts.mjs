// When a prediction and what really happened count as the same.

/** What `berth check` says of one manifest, as far as a dry run can tell the same. */
export function judgementOf(problems) {
  const of = category => problems.filter(it => it.category === category);
  const warnings = of('warning').map(it => it.message);
  const undecodable = of('decode').map(decodeError);
  if (undecodable.length > 0) return { answer: 'undecodable', errors: undecodable, warnings };
  const invalid = of('apiserver')
    .map(it => `${it.errorType} ${it.fieldPath}`)
    .sort();
  return { answer: invalid.length > 0 ? 'invalid' : 'accepted', errors: invalid, warnings };
}

/** A complaint of strict decoding in the server's words, without what Berth adds to it. */
function decodeError({ errorType, fieldPath, message }) {
  if (errorType === 'UnknownField') return `unknown field "${fieldPath}"`;
  return errorType === 'DuplicateField' ? `duplicate field "${fieldPath}"` : message;
}

/** The answer of an API server; undefined for one that says nothing of the manifest. */
export function realJudgement(status, body, warnings) {
  if (status === 201) return { answer: 'accepted', errors: [], warnings };
  if (status === 400) return { answer: 'undecodable', errors: [body.message], warnings };
  if (status !== 422) return undefined;
  const causes = body.details?.causes ?? [];
  return { answer: 'invalid', errors: causes.map(it => `${it.reason} ${it.field}`).sort(), warnings };
}

/** Whether a prediction is what the server answered. */
export function isSameAnswer(predicted, real) {
  if (predicted.answer !== real.answer) return false;
  switch (real.answer) {
    // The server warns only about what it accepts.
    case 'accepted':
      return sortedText(predicted.warnings) === sortedText(real.warnings);
    case 'invalid':
      return sortedText(predicted.errors) === sortedText(real.errors);
    // A value of a wrong type ends decoding, in words about Go's types; fields that are unknown are listed.
    case 'undecodable':
      return !isStrict(real) || predicted.errors.every(it => real.errors[0].includes(it));
  }
}

const isStrict = real => real.errors[0].includes('strict decoding error');
const sortedText = list => [...list].sort().join();

/** Whether Pods are where they were predicted, or wait with the same words, and the same Pods were evicted. */
export function isSameDecision({ predicted, real, evicted }) {
  const kept = ({ node, waits }) => JSON.stringify([node ?? null, waits ?? null]);
  const victims = predicted.flatMap(it => it.victims).sort();
  return predicted.map(kept).join() === real.map(kept).join() && victims.join() === evicted.join();
}
