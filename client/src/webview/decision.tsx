import type { PreviewPod, PreviewRefusal } from '../../../server/src/analysis/previewModel';
import type { Attempt } from '../../../server/src/scheduler/result';
import { Icon } from './icons';
import { useNodeName } from './nodes/nodeNames';
import { decisionOf, drawOf, type Pods } from './state/selectors';
import { strings } from './text/strings';

interface Props {
  readonly pods: Pods;
  readonly chosen: PreviewPod | undefined;
  /** In place of `chosen`: what is refused. */
  readonly refusal: PreviewRefusal | undefined;
  readonly attempt: Attempt | undefined;
  readonly victims: readonly string[];
  readonly along: 'simulation' | 'trail';
  readonly onReveal: (pod: string) => void;
}

/** Where the chosen Pod lands, in a sentence. */
export function Decision({ pods, chosen, refusal, attempt, victims, along, onReveal }: Props) {
  const folded = useNodeName();
  const other = refusal ? refusalInWords(refusal) : strings.decision.nothing;
  const whole = chosen ? decisionOf(chosen, attempt, victims, pods, undefined, along) : other;
  const short = chosen ? decisionOf(chosen, attempt, victims, pods, folded, along) : whole;
  const draw = drawOf(chosen && attempt, folded);
  const shown = chosen ?? refusal;
  return (
    <div class="decision">
      <p role="status" aria-live="polite" aria-atomic="true">
        {short === whole ? (
          <strong>{whole}</strong>
        ) : (
          <>
            <strong title={whole} aria-hidden="true">
              {short}
            </strong>
            <strong class="sr-only">{whole}</strong>
          </>
        )}
      </p>
      {draw !== '' && (
        <details class="draw">
          <summary data-key="draw">{strings.decision.drawn}</summary>
          <p>{draw}</p>
        </details>
      )}
      {shown && (
        <button
          type="button"
          class="secondary"
          disabled={shown.source === undefined}
          data-key="reveal"
          title={shown.source === undefined ? strings.details.noSource : undefined}
          onClick={() => onReveal(shown.id)}
        >
          <Icon name="file" />
          {strings.details.reveal}
        </button>
      )}
    </div>
  );
}

const refusalInWords = ({ owner, name, pods, by }: PreviewRefusal): string =>
  strings.refused.decision(owner ?? name, pods, strings.refused.by[by]);
