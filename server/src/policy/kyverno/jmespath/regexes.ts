import { compileRegex, expand, type Regex, replaceMatches, TOO_LONG } from '../../../kube/cel/regex';
import { type Budget, Indeterminate, KyvernoError } from '../results/failures';
import { functions, type QueryFunctions } from './signature';
import { type Scalar, scalarText } from './texts';

/** Functions with Go regular expressions, charged to the rule's budget. Upstream: pkg/engine/jmespath. */
export function regexFunctions({ spend }: Budget): QueryFunctions {
  const replacing =
    (name: string, expanded: Parameters<typeof replaceMatches>[3]) => (pattern: string, it: Scalar, by: Scalar) => {
      const regex = regexOf(name, pattern, `JMESPath function '${name}': `);
      return inTime(name, replaceMatches(regex, scalarText(it), scalarText(by), expanded));
    };

  const matching = (pattern: string, it: Scalar) =>
    inTime('regex_match', regexOf('regex_match', pattern, '').matches(scalarText(it)));

  function regexOf(name: string, pattern: string, lead: string): Regex {
    const made = compileRegex(pattern, spend);
    if ('error' in made) throw new KyvernoError(`${lead}${made.error}`);
    if ('unsupported' in made) throw new Indeterminate(`${name} with ${made.unsupported}`);
    return made.regex;
  }

  return functions({
    regex_match: ['string string|number', matching],
    regex_replace_all: ['string string|number string|number', replacing('regex_replace_all', expand)],
    regex_replace_all_literal: ['string string|number string|number', replacing('regex_replace_all_literal', by => by)],
  });
}

function inTime<T>(name: string, result: T | undefined): T {
  if (result === undefined) throw new Indeterminate(`${name} with ${TOO_LONG}`);
  return result;
}
