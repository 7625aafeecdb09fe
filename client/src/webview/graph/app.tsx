import { useEffect, useMemo, useState } from 'preact/hooks';
import type { GraphFinding, StateGraphModel } from '../../../../server/src/analysis/stateGraph';
import { Icon } from '../icons';
import { Menu } from '../menu';
import { graphStrings as words } from '../text/graphStrings';
import type { GraphHost } from './host';
import { Picture } from './picture';
import { Values } from './values';
import { matching } from './view';
import { Way } from './way';

type Screen =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'empty'; readonly reason: string }
  | { readonly kind: 'graph'; readonly graph: StateGraphModel };

/** The whole page: draws the graph that the extension sends, and asks for other parts of it. */
export function GraphApp({ host }: { readonly host: GraphHost }) {
  const [screen, setScreen] = useState<Screen>({ kind: 'waiting' });
  useEffect(() => {
    const stop = host.listen(it =>
      setScreen(it.type === 'graph' ? { kind: 'graph', graph: it.graph } : { kind: 'empty', reason: it.reason }),
    );
    host.post({ type: 'ready' });
    return stop;
  }, [host]);
  if (screen.kind === 'graph') return <Graph host={host} graph={screen.graph} />;
  return (
    <main class="empty" role="status">
      <Icon name="ring" />
      {screen.kind === 'empty' && <h1>{words.nothing}</h1>}
      <p>{screen.kind === 'empty' ? screen.reason : words.waiting}</p>
    </main>
  );
}

interface GraphProps {
  readonly host: GraphHost;
  readonly graph: StateGraphModel;
}

/** What is looked at: a state of the way, or another drawn state. */
type Look = { readonly way: number } | { readonly drawn: number };

function Graph({ host, graph }: GraphProps) {
  const [look, setLook] = useLook(graph);
  const [filter, setFilter] = useState('');
  const matches = useMemo(() => matching(graph, filter), [graph, filter]);
  const at = 'way' in look ? look.way : undefined;
  const drawn = 'way' in look ? graph.way[look.way]?.at : look.drawn;
  const goTo = (way: number): void => {
    setLook({ way });
    host.post({ type: 'reveal', at: way });
  };
  const select = (state: number): void => {
    const way = graph.way.findIndex(it => it.at === state);
    if (way >= 0) goTo(way);
    else setLook({ drawn: state });
  };
  return (
    <div class="graph-page">
      <header class="top">
        <Facts graph={graph} />
        <Tools {...{ host, graph, filter }} matches={matches.size} onFilter={setFilter} />
      </header>
      <main>
        <Picture {...{ graph, matches }} chosen={drawn} onSelect={select} />
      </main>
      <aside>
        <Way {...{ graph }} position={at} onPosition={goTo} />
        <Values {...{ graph, at, drawn }} />
      </aside>
    </div>
  );
}

/** The last state of the way, until the user goes elsewhere; another way shows its end again. */
function useLook(graph: StateGraphModel): readonly [Look, (look: Look) => void] {
  const way = JSON.stringify(graph.way.map(it => [it.step?.process, it.step?.step]));
  const drawing = `${way} ${graph.states.length}`;
  const [chosen, setChosen] = useState<{ readonly drawing: string; readonly look: Look } | undefined>(undefined);
  const look = chosen?.drawing === drawing ? chosen.look : { way: graph.way.length - 1 };
  return [look, it => setChosen({ drawing, look: it })];
}

function Facts({ graph }: Pick<GraphProps, 'graph'>) {
  const { system, visited, states, isPart } = graph;
  const drawn = visited?.isComplete ? words.drawn(states.length, visited.states) : words.drawnPart(states.length);
  return (
    <div class="facts">
      <h1>{system}</h1>
      {visited && <span>{words.visited(visited.states, visited.transitions)}</span>}
      {visited && <span>{visited.isComplete ? words.complete : words.incomplete}</span>}
      <span class={isPart ? 'is-part' : ''} role="status">
        {drawn}
      </span>
    </div>
  );
}

interface ToolsProps extends GraphProps {
  readonly filter: string;
  readonly matches: number;
  readonly onFilter: (filter: string) => void;
}

const ALL = 'all' as const;
const SCOPES: readonly string[] = [ALL, '0', '1', '2', '3'];

function Tools({ host, graph, filter, matches, onFilter }: ToolsProps) {
  const { findings, finding = '', states, within } = graph;
  const [wanted, setWanted] = useState<string | undefined>(undefined);
  const scope = wanted ?? String(within ?? ALL);
  const ask = (key: string, near: string | undefined): void =>
    host.post({ type: 'ask', finding: key, ...(near !== undefined && { within: near === ALL ? ALL : Number(near) }) });
  return (
    <div class="toolbar">
      {findings.length === 0 ? (
        <span>{words.noFindings}</span>
      ) : (
        <Finding {...{ findings, finding }} onPick={it => ask(it, wanted)} />
      )}
      <label class="choice">
        {words.show}
        <select
          value={scope}
          onChange={({ currentTarget: { value } }) => {
            setWanted(value);
            ask(finding, value);
          }}
        >
          {SCOPES.map(it => (
            <option key={it} value={it}>
              {it === ALL ? words.scopes.all : it === '0' ? words.scopes.way : words.scopes.near(Number(it))}
            </option>
          ))}
        </select>
      </label>
      <input
        class="filter"
        type="search"
        placeholder={words.filter}
        aria-label={words.filter}
        value={filter}
        onInput={({ currentTarget }) => onFilter(currentTarget.value)}
      />
      <span class="quiet" role="status">
        {filter.trim() !== '' && words.matches(matches, states.length)}
      </span>
      <Menu
        name="export"
        label={words.exports.label}
        options={(['svg', 'dot', 'mermaid'] as const).map(it => [it, words.exports[it]])}
        onPick={it => host.post({ type: 'export', format: it as 'svg' | 'dot' | 'mermaid' })}
      />
    </div>
  );
}

interface FindingProps {
  readonly findings: readonly GraphFinding[];
  readonly finding: string;
  readonly onPick: (key: string) => void;
}

function Finding({ findings, finding, onPick }: FindingProps) {
  return (
    <label class="choice finding">
      {words.finding}
      <select value={finding} onChange={({ currentTarget }) => onPick(currentTarget.value)}>
        {findings.map(it => (
          <option key={it.key} value={it.key}>
            {words.findings(it)}
          </option>
        ))}
        <option value="">{words.noFinding}</option>
      </select>
    </label>
  );
}
