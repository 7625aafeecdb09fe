import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type {
  PreviewComparison,
  PreviewModel,
  PreviewPod,
  PreviewReschedulers,
  PreviewWhy,
} from '../../../server/src/analysis/previewModel';
import { Arrivals } from './arrivals';
import { Compare } from './compare/compare';
import { Details } from './details';
import { Evictions } from './evictions/evictions';
import { exported } from './export/export';
import { Header } from './header';
import { Icon } from './icons';
import { NodeGrid } from './nodes/nodeGrid';
import { PodList } from './podList';
import { choose, receive, type Screen, tryWhatIf, withOutdatedComparison } from './state/screen';
import { useChosenInSight, useKeptFocus, useKeptScroll } from './state/scrollAndFocus';
import { againOf, decisionOf, type Pods, podsById, victimsOf } from './state/selectors';
import { modelAt } from './state/timeline';
import type { Host } from './state/vscodeApi';
import { inOrder, type WhatIfStep } from './state/whatIf';
import { withoutRescheduler } from './text/evictionWords';
import { strings } from './text/strings';
import { TimelineBar } from './timelineBar';
import { Strip, type Tab, Toolbar, viewsOf } from './toolbar';
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
  /** The tab that was opened from outside of the page. */
  readonly openedTab: { readonly at: Tab } | undefined;
  /** Shows a Pod as the chosen one, without a message to the extension. */
  readonly onSelect: (pod: string) => void;
  /** Marks the comparison that is drawn as outdated. */
  readonly onOutdated: () => void;
  readonly onTry: (change: WhatIfStep) => void;
}

function Placement(props: PlacementProps) {
  const { host, model, chosenId, openedTab, onSelect, onTry } = props;
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
  const onPosition = (to: number) => {
    setPosition(to);
    const { pod } = model.steps[to - 1] ?? {};
    if (pod !== undefined) onChoose(pod);
  };

  return (
    <div class="preview" ref={root}>
      <header class="top">
        <Header model={model} />
        <Toolbar
          {...{ model, view, onTry }}
          onView={setView}
          onExport={format => host.post({ type: 'save', ...exported(shown, format) })}
          onAskContext={() => host.post({ type: 'askContext' })}
        />
        <Strip model={model} onTry={onTry} />
      </header>
      <PodList model={model} chosen={chosenId} onSelect={onSelect} onChoose={onChoose} />
      <main>
        <Stage {...props} {...{ view, shown, pods, position, onPosition, onChoose }} onView={setView} />
      </main>
    </div>
  );
}

interface StageProps extends PlacementProps {
  readonly view: Tab;
  /** The model at the position of the timeline. */
  readonly shown: PreviewModel;
  readonly pods: Pods;
  readonly position: number;
  readonly onPosition: (position: number) => void;
  readonly onChoose: (pod: string) => void;
  readonly onView: (view: Tab) => void;
}

/** What the open tab is about. */
function Stage(props: StageProps) {
  const { host, model, chosenId, why, comparison, before, movers, onOutdated, onTry } = props;
  const { view, shown, pods, position, onPosition, onChoose, onView } = props;
  const chosen = chosenId === undefined ? undefined : pods.get(chosenId);
  return (
    <div class="stage" id="stage-view" data-key="stage" role="tabpanel" aria-labelledby={`tab-${view}`}>
      {view === 'nodes' && (
        <Nodes
          {...{ host, model: shown, pods, chosen, why, onChoose, onTry }}
          timeline={
            model.steps.length > 1 && (
              <>
                <TimelineBar steps={model.steps} {...{ pods, position, onPosition }} arrivals={model.arrivals} />
                {model.arrivals && (
                  <Arrivals
                    {...{ pods, position, onPosition }}
                    arrivals={model.arrivals}
                    steps={model.steps}
                    onOrder={order => onTry(inOrder(order))}
                  />
                )}
              </>
            )
          }
        />
      )}
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
    </div>
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

interface NodesProps {
  readonly host: Host;
  readonly model: PreviewModel;
  readonly pods: Pods;
  readonly chosen: PreviewPod | undefined;
  readonly why: PreviewWhy | undefined;
  readonly timeline: ComponentChildren;
  readonly onChoose: (pod: string) => void;
  readonly onTry: (change: WhatIfStep) => void;
}

/** The decision about the chosen Pod, the board, and the details. */
function Nodes({ host, model, pods, chosen, why, timeline, onChoose, onTry }: NodesProps) {
  const attempt = chosen && model.attempts[chosen.id];
  const victims = useMemo(() => (chosen ? victimsOf(chosen, attempt, model) : []), [chosen, attempt, model]);
  return (
    <>
      <div class="decision">
        <p role="status" aria-live="polite" aria-atomic="true">
          <strong>{chosen ? decisionOf(chosen, attempt, victims, pods) : strings.decision.nothing}</strong>{' '}
          {chosen && againOf(chosen)}
        </p>
        {chosen && (
          <button
            type="button"
            class="secondary"
            disabled={chosen.source === undefined}
            data-key="reveal"
            title={chosen.source === undefined ? strings.details.noSource : undefined}
            onClick={() => host.post({ type: 'reveal', pod: chosen.id })}
          >
            <Icon name="file" />
            {strings.details.reveal}
          </button>
        )}
        {timeline}
      </div>
      {model.nodes.length === 0 ? (
        <p class="hint board" role="note">
          {strings.empty.noNodes}
        </p>
      ) : (
        <NodeGrid {...{ model, pods, chosen, attempt, victims, onChoose, onTry }} />
      )}
      {chosen && (
        <Details
          {...{ model, attempt, victims, pods, why, onChoose, onTry }}
          pod={chosen}
          onExplain={() => host.post({ type: 'explain' })}
          onApply={suggestion => host.post({ type: 'apply', pod: chosen.id, suggestion })}
        />
      )}
    </>
  );
}
