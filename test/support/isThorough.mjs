/**
 * `npm run test:thorough` walks through all that there is. `npm test` takes a sample of what is large, spread over it: what
 * breaks in general is found there, too.
 */
export const isThorough = process.env.BERTH_THOROUGH === '1';
