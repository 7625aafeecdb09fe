import { useEffect, useRef } from 'preact/hooks';
import type { GraphWayState, StateGraphModel } from '../../../../server/src/analysis/stateGraph';
import { StepSlider } from '../stepSlider';
import { graphStrings as words } from '../text/graphStrings';
import { keepInSight } from './sight';

interface Props {
  readonly graph: StateGraphModel;
  /** An index in the way; absent: another state is looked at. */
  readonly position: number | undefined;
  readonly onPosition: (position: number) => void;
}

/** The steps to the finding: a slider with buttons, and the same steps as a list. */
export function Way({ graph, position, onPosition }: Props) {
  const { way, finding, cycleFrom } = graph;
  const last = way.length - 1;
  if (finding === undefined) return <p class="hint">{words.noSteps}</p>;
  const now = position ?? last;
  return (
    <section class="way" aria-label={words.steps}>
      <StepSlider
        label={words.steps}
        valueText={`${words.position(now, last)}: ${sentenceOf(way[now])}`}
        shown={now}
        {...{ words, last, position, onPosition }}
      >
        <p>{words.position(now, last)}</p>
      </StepSlider>
      <StepList {...{ way, cycleFrom, position, onPosition }} />
    </section>
  );
}

function sentenceOf(state: GraphWayState | undefined): string {
  return state?.step === undefined ? words.start : `${state.step.process}: ${state.step.step}`;
}

interface StepListProps extends Pick<Props, 'position' | 'onPosition'> {
  readonly way: readonly GraphWayState[];
  readonly cycleFrom: number | undefined;
}

function StepList({ way, cycleFrom, position, onPosition }: StepListProps) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const step = list.current?.querySelector('[aria-current]');
    if (list.current && step) keepInSight(list.current, step);
  }, [position]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const from = position ?? way.length - 1;
    const places: Readonly<Record<string, number>> = {
      ...{ ArrowDown: from + 1, ArrowRight: from + 1, ArrowUp: from - 1, ArrowLeft: from - 1 },
      ...{ Home: 0, End: way.length - 1 },
    };
    const to = places[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to < 0 || to >= way.length) return;
    onPosition(to);
    list.current?.querySelectorAll<HTMLElement>('button')[to]?.focus();
  };
  return (
    <ol ref={list} class="steps" data-scroller="steps" onKeyDown={onKeyDown}>
      {way.map((it, i) => (
        <li key={i}>
          {i > 0 && i - 1 === cycleFrom && <p class="quiet">{words.again}</p>}
          <button
            type="button"
            aria-current={i === position ? 'step' : undefined}
            tabIndex={i === (position ?? way.length - 1) ? 0 : -1}
            onClick={() => onPosition(i)}
          >
            <span class="turn">{i}</span>
            {it.step === undefined ? (
              words.start
            ) : (
              <span>
                <strong>{it.step.process}</strong> {it.step.step} {it.fails && <em>{words.fails}</em>}
              </span>
            )}
          </button>
        </li>
      ))}
    </ol>
  );
}
