import type { PreviewModel } from '../../../server/src/analysis/previewModel';
import { Icon, type IconName } from './icons';
import { Section } from './section';
import { countsOf } from './state/selectors';
import { inEnvironment, type WhatIfStep } from './state/whatIf';
import { strings } from './text/strings';

interface Props {
  readonly model: PreviewModel;
  readonly onTry: (change: WhatIfStep) => void;
}

/** Which Kubernetes and which cluster this is, how it went, and what was left out. */
export function Header({ model, onTry }: Props) {
  const counts = countsOf(model);
  const [first, ...others] = model.notes;
  return (
    <div>
      <h1 class="sr-only">{strings.header.title}</h1>
      <div class="facts">
        <span>{strings.header.kubernetes(model.kubernetesVersion)}</span>
        <span>
          <span class="sr-only">{strings.header.cluster}: </span>
          {model.cluster.label}
        </span>
        <Environment model={model} onTry={onTry} />
        <ul class="counts" aria-label={strings.header.counts}>
          <Count icon="plus" kind="is-placed" count={counts.placed} words={strings.header.placed} />
          <Count icon="ring" kind="is-pending" count={counts.pending} words={strings.header.pending} />
          <Count icon="leave" kind="is-victim" count={counts.evicted} words={strings.header.evicted} />
          <Count icon="block" kind="is-refused" count={counts.refused} words={strings.refused.count} />
        </ul>
      </div>
      {first !== undefined && (
        <Section
          name="notes"
          title={strings.header.noteCount(model.notes.length)}
          about={<span class="about">{others.length === 0 ? first : strings.header.notes}</span>}
          atFirst="closed"
        >
          {/* Long notes scroll, and the keyboard must reach what scrolls. */}
          <ul
            class="notes"
            aria-label={strings.header.notes}
            data-scroller="notes"
            tabIndex={model.notes.length > 3 ? 0 : undefined}
          >
            {model.notes.map(note => (
              <li key={note}>
                <Icon name="info" />
                {note}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  );
}

/** The environment that is shown, to choose another one where the file has several. */
function Environment({ model, onTry }: Props) {
  const { environment, choices, tried } = model;
  const { environments } = choices;
  if (environment === undefined) return null;
  if (environments.length < 2) return <span>{strings.header.environment(environment)}</span>;
  return (
    <label class="choice">
      {strings.whatIf.environment}
      <select
        data-key="environment"
        value={tried?.whatIf.environment ?? environments[0]}
        onChange={({ currentTarget: { value } }) => onTry(it => inEnvironment(it, value, environments))}
      >
        {environments.map(it => (
          <option key={it} value={it}>
            {it}
          </option>
        ))}
      </select>
    </label>
  );
}

interface CountProps {
  readonly icon: IconName;
  readonly kind: 'is-placed' | 'is-pending' | 'is-victim' | 'is-refused';
  readonly count: number;
  readonly words: (count: number) => string;
}

/** Where there is little room, the number stands beside its sign alone. */
function Count({ icon, kind, count, words }: CountProps) {
  return (
    <li class={count > 0 ? kind : ''}>
      <Icon name={icon} />
      <span class="in-words">{words(count)}</span>
      <span class="in-figures" aria-hidden="true" title={words(count)}>
        {count}
      </span>
    </li>
  );
}
