import { jsonText } from '../../base/printed';
import type { AskExtender, ExtenderAnswer, ExtenderRequest } from '../../scheduler/framework/extender';
import type { ScenarioPlacement } from './scenario';

/** Sends a request to an extender; resolves to the status and text of the answer, or to why there is none. */
export type PostExtender = (
  url: string,
  body: string,
  timeout: number,
) => Promise<{ readonly value: { readonly status: number; readonly text: string } } | { readonly failure: string }>;

/** More requests are not sent. */
const MAX_REQUESTS = 1000;

/**
 * Places with the answers of extenders. Placing is pure: a run that meets a request without an answer is repeated once the
 * answer is there.
 */
export async function placeAsking(
  place: (askExtender: AskExtender) => ScenarioPlacement,
  post: PostExtender,
): Promise<ScenarioPlacement> {
  const answers = new Map<string, ExtenderAnswer>();
  for (;;) {
    const open: ExtenderRequest[] = [];
    const placement = place(request => {
      const known = answers.get(keyOf(request));
      if (known === undefined) open.push(request);
      return known ?? { failure: 'the extender was not asked' };
    });
    const [first] = open;
    if (first === undefined) return placement;
    if (answers.size >= MAX_REQUESTS) {
      const message = `The extenders were asked ${MAX_REQUESTS} times; the rest of the questions has no answer here.`;
      return { ...placement, notes: [...placement.notes, { message }] };
    }
    answers.set(keyOf(first), await answerTo(first, post));
  }
}

const keyOf = ({ url, body }: ExtenderRequest): string => `${url}\n${jsonText(body)}`;

/** Upstream: HTTPExtender.send. */
async function answerTo({ url, body, verb, timeout }: ExtenderRequest, post: PostExtender): Promise<ExtenderAnswer> {
  const answer = await post(url, jsonText(body), timeout);
  if ('failure' in answer) return { failure: `Post "${url}": ${answer.failure}` };
  const { status, text } = answer.value;
  if (status !== 200) return { failure: `failed ${verb} with extender at URL ${url}, code ${status}` };
  try {
    return { body: JSON.parse(text) as unknown };
  } catch {
    return { failure: `the answer of ${url} is no JSON` };
  }
}
