import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type {
  PreviewComparison,
  PreviewFit,
  PreviewModel,
  PreviewPod,
  PreviewReschedulers,
  PreviewWhy,
} from '../../../server/src/analysis/previewModel';
import type { Attempt } from '../../../server/src/scheduler/result';
import { foldedNames } from '../../../server/src/text/foldedNames';
import { Arrivals } from './arrivals';
import { Compare } from './compare/compare';
import { Decision } from './decision';
import { Details } from './details';
import { Evictions } from './evictions/evictions';
import { exported } from './export/export';
import { Header } from './header';
import { Icon } from './icons';
import { FitAnswer, TryOn } from './nodes/fit';
import { NodeGrid } from './nodes/nodeGrid';
import { NodeNames } from './nodes/nodeNames';
import { PodList } from './podList';
import { RefusedDetails } from './refusedDetails';
import { Section } from './section';
import { ChoiceHost } from './state/choice';
import { choose, receive, type Screen, tryWhatIf, withOutdatedComparison, withoutFit } from './state/screen';
import { useChosenInSight, useKeptFocus, useKeptScroll } from './state/scrollAndFocus';
import { type Pods, podsById, shownIn, victimsOf } from './state/selectors';
import { modelAt } from './state/timeline';
import type { Host } from './state/vscodeApi';
import { alongTrail, inOrder, type WhatIfStep } from './state/whatIf';
import { withoutRescheduler } from './text/evictionWords';
import { strings } from './text/strings';
import { trailWords } from './text/trailStrings';
import { TimelineBar } from './timelineBar';
import { Strip, type Tab, Toolbar, viewsOf } from './toolbar';
import { TrailBar } from './trailBar';
import { Workloads } from './workloads';

/** The whole preview: draws what the extension sends and tells it which Pod the user chose. */
export function App({ host }: { host: Host }) {
  const [screen, setScreen] = useState<Screen>({ kind: 'waiting' });

  useEffect(() => {
    const stop = host.listen(message => setScreen(now => receive(now, message)));
    host.post({ type: 'ready' });
    return stop;
  }, [host]);

  if (screen.kind === 'waiting') return <Empty text={strings.empty.waiting} />;
  if (screen.kind === 'empty') return <Empty title={strings.empty.title} text={screen.reason} />;
  return (
    <Placement
      host={host}
      model={screen.model}
      chosenId={screen.chosen}
      why={screen.why}
      comparison={screen.comparison}
      before={screen.before}
      movers={screen.movers}
      fit={screen.fit}
      onCloseFit={() => setScreen(withoutFit)}
      openedTab={screen.openedTab}
      onSelect={pod => setScreen(now => choose(now, pod))}
      onOutdated={() => setScreen(withOutdatedComparison)}
      onTry={change => {
        const whatIf = change(screen.tried);
        setScreen(now => tryWhatIf(now, whatIf));
        host.post({ type: 'try', whatIf });
      }}
    />
  );
}

function Empty({ title, text }: { title?: string; text: string }) {
  return (
    <main class="empty" role="status">
      <Icon name="ring" />
      {title !== undefined && <h1>{title}</h1>}
      <p>{text}</p>
    </main>
  );
}

interface PlacementProps {
  readonly host: Host;
  readonly model: PreviewModel;
  readonly chosenId: string | undefined;
  readonly why: PreviewWhy | undefined;
  readonly comparison: PreviewComparison | undefined;
  readonly before: PreviewComparison | undefined;
  readonly movers: PreviewReschedulers | undefined;
  /** Whether a Pod would fit on the node where it was tried. */
  readonly fit: PreviewFit | undefined;
  readonly onCloseFit: () => void;
  /** The tab that was opened from outside of the page. */
  readonly openedTab: { readonly at: Tab } | undefined;
  /** Shows a Pod as the chosen one, without a message to the extension. */
  readonly onSelect: (pod: string) => void;
  /** Marks the comparison that is drawn as outdated. */
  readonly onOutdated: () => void;
  readonly onTry: (change: WhatIfStep) => void;
}

function Placement(props: PlacementProps) {
  const { host, model, chosenId, why, openedTab, onSelect, onTry } = props;
  const [view, setView] = useView(model, openedTab);
  const [position, setPosition] = useTimelinePosition(model);
  const shown = useMemo(() => modelAt(model, position), [model, position]);
  const pods = useMemo(() => podsById(shown), [shown]);
  const root = useRef<HTMLDivElement>(null);
  useKeptScroll(root, host);
  useKeptFocus(root);
  useChosenInSight(root, chosenId);

  const onChoose = (pod: string) => {
    onSelect(pod);
    host.post({ type: 'choose', pod });
  };
  const onTryOn = useCallback((pod: string, node: string) => host.post({ type: 'tryOn', pod, node }), [host]);
  const onPosition = (to: number) => {
    setPosition(to);
    const { pod } = model.steps[to - 1] ?? {};
    if (pod !== undefined) onChoose(pod);
  };

  const names = useMemo(() => foldedNames(model.nodes.map(it => it.name)), [model.nodes]);
  const chosen = chosenId === undefined ? undefined : pods.get(chosenId);
  const refusal = chosen === undefined ? shown.refused.find(it => it.id === chosenId) : undefined;
  const attempt = chosen && shown.attempts[chosen.id];
  const victims = useMemo(() => (chosen ? victimsOf(chosen, attempt, shown) : []), [chosen, attempt, shown]);
  const about = { pods, chosen, attempt, victims, onChoose };

  return (
    <ChoiceHost.Provider value={host}>
      <NodeNames.Provider value={names}>
        <TryOn.Provider value={onTryOn}>
          <div class="preview" ref={root}>
            <header class="top">
              <Header model={model} onTry={onTry} />
              <Toolbar
                {...{ model, view, onTry }}
                onView={setView}
                onExport={format => host.post({ type: 'save', ...exported(shown, format) })}
                onAskContext={() => host.post({ type: 'askContext' })}
              />
              <Strip model={model} onTry={onTry} />
            </header>
            <FitAnswer fit={view === 'nodes' ? props.fit : undefined} onClose={props.onCloseFit} />
            {view === 'nodes' && (
              <Decision
                {...about}
                refusal={refusal}
                along={shownIn(model)}
                onReveal={pod => host.post({ type: 'reveal', pod })}
              />
            )}
            <main class={`stage shows-${view}`} data-key="stage">
              <div id="stage-view" role="tabpanel" aria-labelledby={`tab-${view}`}>
                <Stage {...props} {...about} {...{ view, shown }} onView={setView} />
              </div>
            </main>
            <PodList model={shown} chosen={chosenId} onSelect={onSelect} onChoose={onChoose} />
            {view === 'nodes' && (
              <div class="below">
                <Turns {...{ model, pods, position, onPosition, onTry }} />
                <Section name="details" title={strings.details.title} atFirst="open">
                  {refusal && <RefusedDetails refusal={refusal} />}
                  {chosen && (
                    <Details
                      {...about}
                      {...{ why, onTry }}
                      model={shown}
                      pod={chosen}
                      onExplain={() => host.post({ type: 'explain' })}
                      onApply={suggestion => host.post({ type: 'apply', pod: chosen.id, suggestion })}
                    />
                  )}
                </Section>
              </div>
            )}
          </div>
        </TryOn.Provider>
      </NodeNames.Provider>
    </ChoiceHost.Provider>
  );
}

interface AboutPod {
  readonly pods: Pods;
  readonly chosen: PreviewPod | undefined;
  readonly attempt: Attempt | undefined;
  /** Pods that were evicted for the chosen one. */
  readonly victims: readonly string[];
  readonly onChoose: (pod: string) => void;
}

interface StageProps extends PlacementProps, AboutPod {
  readonly view: Tab;
  /** The model at the position of the timeline. */
  readonly shown: PreviewModel;
  readonly onView: (view: Tab) => void;
}

/** What the open tab is about. */
function Stage(props: StageProps) {
  const { host, model, chosenId, comparison, before, movers, onOutdated, onTry } = props;
  const { view, shown, pods, chosen, attempt, victims, onChoose, onView } = props;
  return (
    <>
      {view === 'nodes' &&
        (model.nodes.length === 0 ? (
          <p class="hint board" role="note">
            {strings.empty.noNodes}
          </p>
        ) : (
          <NodeGrid {...{ pods, chosen, attempt, victims, onChoose, onTry }} model={shown} />
        ))}
      {view === 'workloads' && <Workloads model={model} chosen={chosenId} onTry={onTry} onChoose={onChoose} />}
      {view === 'compare' && (
        <Compare
          {...{ model, pods, comparison, before }}
          onCompare={wanted => {
            if (wanted === 'now') onOutdated();
            host.post({ type: wanted === 'now' ? 'compare' : 'stopComparing' });
          }}
          onShow={strategy => onTry(it => ({ ...it, strategy }))}
        />
      )}
      {(view === 'descheduler' || view === 'vpa') && (
        <Evictions
          {...{ model, movers }}
          kind={view}
          onAsk={kind => host.post({ type: 'askMovers', kind })}
          onShow={rescheduler => {
            onTry(it => (rescheduler ? { ...it, mover: rescheduler } : withoutRescheduler(it)));
            if (rescheduler) onView('nodes');
          }}
        />
      )}
    </>
  );
}

/** The open tab; a tab that is gone is closed. */
function useView(model: PreviewModel, openedTab: PlacementProps['openedTab']): readonly [Tab, (view: Tab) => void] {
  const [view, setView] = useState<Tab>('nodes');
  useEffect(() => openedTab && setView(openedTab.at), [openedTab]);
  return [viewsOf(model).includes(view) ? view : 'nodes', setView];
}

/** The position in the timeline: its end, until the user goes back. A model with other steps shows its end again. */
function useTimelinePosition(model: PreviewModel): readonly [number, (position: number) => void] {
  const order = useMemo(() => model.steps.map(it => `${it.pod} ${it.node ?? ''}`).join('\n'), [model]);
  const [at, setAt] = useState<{ readonly order: string; readonly position: number } | undefined>(undefined);
  const position = at?.order === order ? at.position : model.steps.length;
  return [position, to => setAt({ order, position: to })];
}

interface TurnsProps {
  readonly model: PreviewModel;
  readonly pods: Pods;
  readonly position: number;
  readonly onPosition: (position: number) => void;
  readonly onTry: (change: WhatIfStep) => void;
}

const TURNS = { name: 'turns', atFirst: 'closed' } as const;
/** Whoever follows an order wants to see it. */
const ORDER = { name: 'order', atFirst: 'open' } as const;

/** The turns of the queue, one after the other, and the order of arrival that is tried. */
function Turns({ model, pods, position, onPosition, onTry }: TurnsProps) {
  const { steps, arrivals, trail } = model;
  if (trail) {
    return (
      <Section name="trail" title={trailWords.label} atFirst="open">
        <TrailBar trail={trail} onPosition={at => onTry(alongTrail(trail.finding, at))} />
      </Section>
    );
  }
  if (steps.length < 2) return null;
  const section = arrivals === undefined ? TURNS : ORDER;
  return (
    <Section {...section} key={section.name} title={strings.timeline.title}>
      <TimelineBar {...{ steps, pods, position, onPosition, arrivals }} />
      {arrivals && (
        <Arrivals {...{ arrivals, steps, pods, position, onPosition }} onOrder={order => onTry(inOrder(order))} />
      )}
    </Section>
  );
}
