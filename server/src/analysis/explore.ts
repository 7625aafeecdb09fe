/** Explorations on the command line. */

export { runToEnd } from '../base/steps';
export type { Expander } from '../explore/core/ahead';
export type { SearchLimits } from '../explore/core/search';
export { drawSystem, type SystemDrawing } from '../explore/system/drawing';
export type { ExpandedSystem } from '../explore/system/expander';
export { type ExploredSystem, exploreSystem } from '../explore/system/exploreSystem';
export { holdsSystem } from '../explore/system/read';
export type { SystemReport, SystemTrace, TraceStep } from '../explore/system/report';
export { dotOf, mermaidOf } from '../explore/system/stateGraphText';
