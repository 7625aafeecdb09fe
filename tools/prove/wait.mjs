const SECONDS = 30;

/** Asks what is missing until nothing is, or half a minute is over; what was missing last. */
export async function patiently(missing) {
  for (const end = Date.now() + SECONDS * 1000; ; await new Promise(done => setTimeout(done, 50))) {
    const text = await missing();
    if (text === undefined || Date.now() > end) return text;
  }
}

/** The same, with an error when time is over. */
export async function eventually(missing) {
  const text = await patiently(missing);
  if (text !== undefined) throw new Error(`Not within ${SECONDS} s: ${text}.`);
}
