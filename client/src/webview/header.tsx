import type { PreviewModel } from '../../../server/src/analysis/previewModel';
import { Icon } from './icons';
import { Section } from './section';
import { countsOf } from './state/selectors';
import { strings } from './text/strings';

/** Which Kubernetes and which cluster this is, how it went, and what was left out. */
export function Header({ model }: { model: PreviewModel }) {
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
        <ul class="counts" aria-label={strings.header.counts}>
          <li class="is-placed">
            <Icon name="plus" />
            {strings.header.placed(counts.placed)}
          </li>
          <li class={counts.pending > 0 ? 'is-pending' : ''}>
            <Icon name="ring" />
            {strings.header.pending(counts.pending)}
          </li>
          <li class={counts.evicted > 0 ? 'is-victim' : ''}>
            <Icon name="leave" />
            {strings.header.evicted(counts.evicted)}
          </li>
          <li class={counts.refused > 0 ? 'is-refused' : ''}>
            <Icon name="block" />
            {strings.refused.count(counts.refused)}
          </li>
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
