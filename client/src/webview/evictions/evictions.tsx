import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type {
  EvictionRecord,
  EvictionRounds,
  PreviewModel,
  PreviewPolicy,
  PreviewReschedulers,
  PreviewVpa,
  PreviewVpaMode,
  Rescheduler,
  ReschedulerKind,
  Truncated,
} from '../../../../server/src/analysis/previewModel';
import { ColumnHeads } from '../columnHeads';
import { Icon } from '../icons';
import { triedIn } from '../state/whatIf';
import { isSameRescheduler, policySummary, withoutRescheduler } from '../text/evictionWords';
import { strings } from '../text/strings';

interface Props {
  readonly model: PreviewModel;
  readonly kind: ReschedulerKind;
  readonly movers: PreviewReschedulers | undefined;
  readonly onAsk: (kind: ReschedulerKind) => void;
  readonly onShow: Showing['onShow'];
}

/** Makes the rescheduler of a round. */
type Start = (round: number) => Rescheduler;

interface Showing {
  readonly shown: Rescheduler | undefined;
  readonly onShow: (rescheduler: Rescheduler | undefined) => void;
}

/** What the descheduler or VPAs would do, round by round, each to be shown on the nodes. Computed when it is opened. */
export function Evictions({ model, kind, movers, onAsk, onShow }: Props) {
  const words = strings.evictions;
  useEvictionRequest(model, kind, onAsk);
  const showing: Showing = { shown: triedIn(model).mover, onShow };
  const known = movers?.kind === kind ? movers : undefined;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach what scrolls.
    <section class="table-view movers" aria-label={words.views[kind]} data-scroller="movers" tabIndex={0}>
      {known === undefined && (
        <p class="hint" role="status">
          {words.waiting}
        </p>
      )}
      {known?.isStopped && (
        <p class="hint">
          <Icon name="info" />
          {words.stopped}
        </p>
      )}
      {known?.policies.map((it, policy) => (
        <Policy
          key={it.name}
          policy={it}
          showing={showing}
          start={round => ({ kind: 'descheduler', policy, round, now: known.now })}
        />
      ))}
      {known?.vpas.map(it => (
        <Vpa key={it.name} vpa={it} now={known.now} showing={showing} />
      ))}
    </section>
  );
}

/** Requests the answer when the tab is opened, and again when the state changes that a rescheduler starts from; its own result does not count. */
function useEvictionRequest(model: PreviewModel, kind: ReschedulerKind, onAsk: (kind: ReschedulerKind) => void): void {
  const start = useRef(model);
  const whatIf = triedIn(model);
  if (whatIf.mover === undefined) start.current = model;
  useEffect(() => onAsk(kind), [kind, start.current, JSON.stringify(withoutRescheduler(whatIf))]);
}

function Policy({ policy, start, showing }: { policy: PreviewPolicy; start: Start; showing: Showing }) {
  const words = strings.evictions;
  const { name, errors, rounds, notes } = policy;
  return (
    <section class="block" aria-label={name}>
      <h2>{name}</h2>
      {errors.length > 0 ? (
        <>
          <p class="bad">{words.errors}:</p>
          <Sentences sentences={errors} />
        </>
      ) : (
        <p role="status">{policySummary(policy)}</p>
      )}
      <Sentences sentences={notes} label={words.notes} />
      <Rounds rounds={rounds} start={start} showing={showing} keptWords={words.kept} />
    </section>
  );
}

function Sentences({ sentences, label }: { sentences: readonly string[]; label?: string }) {
  if (sentences.length === 0) return null;
  return (
    <ul class="notes" aria-label={label}>
      {sentences.map(it => (
        <li key={it}>
          <Icon name="info" />
          {it}
        </li>
      ))}
    </ul>
  );
}

interface RoundsProps {
  readonly rounds: Truncated<EvictionRounds>;
  readonly start: Start;
  readonly showing: Showing;
  readonly keptWords: (pods: number) => string;
}

function Rounds({ rounds, start, showing, keptWords }: RoundsProps) {
  const rest = rounds.count - rounds.first.length;
  return (
    <>
      {rounds.first.map((it, index) => (
        <Round key={index} round={it} rescheduler={start(index + 1)} showing={showing} keptWords={keptWords} />
      ))}
      {rest > 0 && <p class="hint">{strings.evictions.moreRounds(rest)}</p>}
    </>
  );
}

interface RoundProps {
  readonly round: EvictionRounds;
  readonly rescheduler: Rescheduler;
  readonly showing: Showing;
  readonly keptWords: (pods: number) => string;
}

function Round({ round, rescheduler: mover, showing, keptWords }: RoundProps) {
  const words = strings.evictions;
  const { evicted, resized, kept, landings, lost } = round;
  const isShown = isSameRescheduler(showing.shown, mover);
  const title = words.round(mover.round);
  return (
    <section class="round" aria-label={title}>
      <h3>
        {title}
        <button
          type="button"
          class="secondary"
          aria-pressed={isShown}
          aria-label={isShown ? words.hide : words.showOf(title)}
          data-key={`mover:${reschedulerKey(mover)}`}
          onClick={() => showing.onShow(isShown ? undefined : mover)}
        >
          {isShown ? words.hide : words.show}
        </button>
      </h3>
      <EvictionTable evictions={evicted} title={words.evicted} />
      <EvictionTable evictions={resized} title={words.resized} />
      <EvictionTable evictions={kept} title={keptWords} />
      <TruncatedTable items={landings} title={words.landings} heads={[words.pod, words.node]}>
        {({ pod, node, message }) => (
          <>
            <th scope="row">{pod}</th>
            <td>
              {node ?? <span class="bad">{words.pending}</span>}
              {message !== undefined && <span class="quiet"> {message}</span>}
            </td>
          </>
        )}
      </TruncatedTable>
      <TruncatedTable items={lost} title={words.lost} heads={[words.pod]}>
        {pod => <th scope="row">{pod}</th>}
      </TruncatedTable>
    </section>
  );
}

const reschedulerKey = (it: Rescheduler): string =>
  it.kind === 'vpa' ? `${it.vpa}:${it.mode}:${it.round}` : `${it.policy}:${it.round}`;

function EvictionTable({
  evictions,
  title,
}: {
  evictions: Truncated<EvictionRecord>;
  title: (pods: number) => string;
}) {
  const words = strings.evictions;
  return (
    <TruncatedTable items={evictions} title={title} heads={[words.pod, words.node, words.why]}>
      {({ pod, node, plugin, because }) => (
        <>
          <th scope="row">{pod}</th>
          <td>{node}</td>
          <td>
            {plugin !== undefined && <code>{plugin}</code>} <span class="quiet">{because}</span>
          </td>
        </>
      )}
    </TruncatedTable>
  );
}

interface TruncatedTableProps<T> {
  readonly items: Truncated<T>;
  readonly title: (count: number) => string;
  readonly heads: readonly string[];
  readonly children: (item: T) => ComponentChildren;
}

/** A table with the first of a list, under how many there are; nothing where there is none. */
function TruncatedTable<T>({ items: told, title, heads, children }: TruncatedTableProps<T>) {
  if (told.count === 0) return null;
  const rest = told.count - told.first.length;
  return (
    <table>
      <caption>{title(told.count)}</caption>
      <thead class="sr-only">
        <ColumnHeads names={heads} />
      </thead>
      <tbody>
        {told.first.map((it, index) => (
          <tr key={index}>{children(it)}</tr>
        ))}
        {rest > 0 && (
          <tr>
            <td class="quiet" colSpan={heads.length}>
              {strings.evictions.more(rest)}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

function Vpa({ vpa, now, showing }: { vpa: PreviewVpa; now: number; showing: Showing }) {
  const words = strings.evictions;
  const { name, pods, containers, modes, notes } = vpa;
  const amounts = containers.flatMap(it => it.amounts.map(amount => ({ ...amount, container: it.name })));
  return (
    <section class="block" aria-label={name}>
      <h2>{name}</h2>
      <p>{words.runningPods(pods)}</p>
      <Sentences sentences={notes} label={words.notes} />
      <TruncatedTable
        items={{ first: amounts, count: amounts.length }}
        title={() => words.recommended}
        heads={[words.container, words.amount, words.now, words.recommended]}
      >
        {({ container, what, now, wanted }) => (
          <>
            <th scope="row">{container}</th>
            <td>{what}</td>
            <td>{now}</td>
            <td>→ {wanted}</td>
          </>
        )}
      </TruncatedTable>
      {modes.map(it => (
        <Mode
          key={it.mode}
          mode={it}
          showing={showing}
          start={round => ({ kind: 'vpa', vpa: name, mode: it.mode, round, now })}
        />
      ))}
    </section>
  );
}

function Mode({ mode: it, start, showing }: { mode: PreviewVpaMode; start: Start; showing: Showing }) {
  const words = strings.evictions;
  const still = it.rounds.count === 0 ? (words.atRest[it.mode] ?? words.nothingChanges) : undefined;
  return (
    <section class="mode" aria-label={it.mode}>
      <h3>
        {it.mode}
        {it.isOwn && <small class="quiet">{words.own}</small>}
      </h3>
      {still !== undefined && <p>{still}</p>}
      {it.isStopped && <p class="hint">{words.stopped}</p>}
      <Rounds rounds={it.rounds} start={start} showing={showing} keptWords={words.waits} />
      <EvictionTable evictions={it.left} title={words.left} />
    </section>
  );
}
