import type { PreviewModel, ReschedulerKind, Strategy, WhatIf } from '../../../server/src/analysis/previewModel';
import type { ClusterChange } from '../../../server/src/cluster/changes';
import type { ExportFormat } from '../preview/messages';
import { Icon } from './icons';
import { Menu } from './menu';
import { Scale } from './scale';
import { useChoice } from './state/choice';
import {
  changeInWords,
  differenceInWords,
  inOrder,
  isTrying,
  onSource,
  sourceInWords,
  triedBeside,
  triedIn,
  underConfiguration,
  underProfile,
  type WhatIfStep,
  withChange,
  withoutChange,
} from './state/whatIf';
import { arrivalWords } from './text/arrivalStrings';
import { strings } from './text/strings';

export type Tab = 'nodes' | 'workloads' | 'compare' | ReschedulerKind;

/** What moves Pods has a tab where it is there. */
export const viewsOf = ({ choices }: PreviewModel): readonly Tab[] => [
  'nodes',
  'workloads',
  'compare',
  ...choices.movers,
];

interface Props {
  readonly model: PreviewModel;
  readonly view: Tab;
  readonly onView: (view: Tab) => void;
  readonly onTry: (change: WhatIfStep) => void;
  readonly onExport: (format: ExportFormat) => void;
  /** Asks which context of the kubeconfig shall be tried. */
  readonly onAskContext: () => void;
}

const FORMATS: readonly ExportFormat[] = ['svg', 'png', 'json', 'md'];

/** What to look at, what to try, and what to take along. */
export function Toolbar({ model, view, onView, onTry, onExport, onAskContext }: Props) {
  const views = viewsOf(model);
  const [tries, setTries] = useChoice('what if', 'closed');
  const isOpen = tries === 'open';
  return (
    <div class="toolbar">
      <div class="views" role="tablist" aria-label={strings.views.label}>
        {views.map(it => (
          <button
            key={it}
            type="button"
            role="tab"
            id={`tab-${it}`}
            aria-selected={it === view}
            aria-controls="stage-view"
            tabIndex={it === view ? 0 : -1}
            data-key={`view:${it}`}
            onClick={() => onView(it)}
            onKeyDown={event => goToTab(event, it, views, onView)}
          >
            {it === 'descheduler' || it === 'vpa' ? strings.evictions.views[it] : strings.views[it]}
          </button>
        ))}
      </div>
      <button
        type="button"
        class="secondary"
        aria-expanded={isOpen}
        aria-controls={isOpen ? 'tries' : undefined}
        data-key="what-if"
        onClick={() => setTries(isOpen ? 'closed' : 'open')}
      >
        {strings.whatIf.open}
      </button>
      <Menu
        name="export"
        label={strings.exports.label}
        options={FORMATS.map(it => [it, strings.exports[it]])}
        onPick={it => onExport(it as ExportFormat)}
      />
      {isOpen && <Tries model={model} onTry={onTry} onAskContext={onAskContext} />}
    </div>
  );
}

function goToTab(event: KeyboardEvent, from: Tab, views: readonly Tab[], onView: (view: Tab) => void): void {
  const at = views.indexOf(from);
  const places: Readonly<Record<string, number>> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
  const place = places[event.key];
  const to = place === undefined ? undefined : views.at(place % views.length);
  if (to === undefined) return;
  event.preventDefault();
  onView(to);
  document.getElementById(`tab-${to}`)?.focus();
}

function Tries({ model, onTry, onAskContext }: Pick<Props, 'model' | 'onTry' | 'onAskContext'>) {
  const whatIf = triedIn(model);
  const { strategies } = model.choices;
  const zones = [...new Set(model.nodes.map(it => it.zone))].filter(it => it !== '').sort();
  const add = (change: ClusterChange): void => onTry(it => withChange(it, change));
  return (
    <div class="attempts" id="tries">
      <label class="choice">
        {strings.whatIf.strategy}
        <select
          value={whatIf.strategy ?? 'configured'}
          onChange={({ currentTarget: { value } }) => onTry(it => ({ ...it, strategy: value as Strategy }))}
        >
          {strategies.map(it => (
            <option key={it} value={it}>
              {strings.whatIf.strategies[it]}
            </option>
          ))}
        </select>
      </label>
      <Sources model={model} onTry={onTry} onAskContext={onAskContext} />
      {zones.length > 0 && (
        <Menu
          name="zone"
          label={strings.whatIf.zone}
          options={zones.map(it => [it, strings.whatIf.zoneDown(it)])}
          onPick={zone => add({ do: 'zoneDown', zone })}
        />
      )}
      {model.workloads.some(it => it.isScalable) && <ScaleAll onAdd={add} />}
      {model.arrivals === undefined && model.steps.length > 1 && (
        <button type="button" class="secondary" title={arrivalWords.startTitle} onClick={() => onTry(inOrder([]))}>
          {arrivalWords.start}
        </button>
      )}
    </div>
  );
}

function ScaleAll({ onAdd }: { readonly onAdd: (change: ClusterChange) => void }) {
  const { doubleTitle, double, scaleAll, scaling } = strings.whatIf;
  return (
    <>
      <button type="button" class="secondary" title={doubleTitle} onClick={() => onAdd({ do: 'scaleBy', factor: 2 })}>
        {double}
      </button>
      <Scale
        name="all"
        label={scaleAll}
        title={scaling.all}
        units={['times']}
        onScale={factor => onAdd({ do: 'scaleBy', factor })}
      />
    </>
  );
}

const LIVE = 'live';

/** Another source of the cluster, another scheduler configuration, another profile; each where there is another one. */
function Sources({ model, onTry, onAskContext }: Pick<Props, 'model' | 'onTry' | 'onAskContext'>) {
  const words = strings.whatIf;
  const whatIf = triedIn(model);
  const { sources, live, configurations, profiles } = model.choices;
  const now = whatIf.source ?? sources[0]?.key;
  const others = sources.filter(it => it.key !== now);
  const options = [
    ...others.map(it => [it.key, sourceInWords(it.key, model.choices)] as const),
    ...(live === 'askable' ? [[LIVE, words.live] as const] : []),
  ];
  return (
    <>
      {options.length > 0 && (
        <Menu
          name="source"
          label={words.source}
          options={options}
          onPick={key => (key === LIVE ? onAskContext() : onTry(it => onSource(it, key, sources)))}
        />
      )}
      <Choice
        label={words.configuration}
        none={words.strategies.configured}
        options={configurations.map(it => [it.key, it.label] as const)}
        value={whatIf.configuration}
        onPick={key => onTry(it => underConfiguration(it, key))}
      />
      <Choice
        label={words.profile}
        none={words.asWritten}
        options={profiles.map(it => [it, it] as const)}
        value={whatIf.profile}
        onPick={profile => onTry(it => underProfile(it, profile))}
      />
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  /** What stands for none of the options. */
  readonly none: string;
  readonly options: readonly (readonly [value: string, words: string])[];
  readonly value: string | undefined;
  /** '' for none. */
  readonly onPick: (value: string) => void;
}

/** A list to choose from; nothing where there is nothing to choose. */
function Choice({ label, none, options, value = '', onPick }: ChoiceProps) {
  if (options.length === 0) return null;
  return (
    <label class="choice">
      {label}
      <select value={value} onChange={({ currentTarget }) => onPick(currentTarget.value)}>
        {([['', none], ...options] as const).map(([key, words]) => (
          <option key={key} value={key}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

/** What is tried, each with a button that takes it back, and what it makes of the placement. */
export function Strip({ model, onTry }: Pick<Props, 'model' | 'onTry'>) {
  const whatIf = triedIn(model);
  const isOn = isTrying(whatIf);
  // The region that speaks is there before it has something to say, as screen readers want it.
  return (
    <section class={isOn ? 'strip' : 'sr-only'} aria-label={isOn ? strings.whatIf.label : undefined} data-key="strip">
      {isOn && <Tried whatIf={whatIf} choices={model.choices} onTry={onTry} />}
      <p role="status">{isOn && differenceInWords(model)}</p>
    </section>
  );
}

type TriedProps = { readonly whatIf: WhatIf } & Pick<PreviewModel, 'choices'> & Pick<Props, 'onTry'>;

function Tried({ whatIf, choices, onTry }: TriedProps) {
  return (
    <>
      <ul>
        {whatIf.changes.map(change => (
          <Chip
            key={changeInWords(change)}
            words={changeInWords(change)}
            onRemove={() => onTry(it => withoutChange(it, change))}
          />
        ))}
        {triedBeside(whatIf, choices).map(({ words, without }) => (
          <Chip key={words} words={words} onRemove={() => onTry(without)} />
        ))}
      </ul>
      <button type="button" class="secondary" data-key="reset" onClick={() => onTry(() => ({ changes: [] }))}>
        {strings.whatIf.reset}
      </button>
    </>
  );
}

function Chip({ words, onRemove }: { words: string; onRemove: () => void }) {
  return (
    <li class="chip">
      {words}
      <button
        type="button"
        aria-label={strings.whatIf.takeBack(words)}
        title={strings.whatIf.takeBack(words)}
        onClick={onRemove}
      >
        <Icon name="cross" />
      </button>
    </li>
  );
}
