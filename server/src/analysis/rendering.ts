/** Rendering for those that stand outside the door: they start the programs. */
export type { RenderJob } from '../workspace/rendered/jobs';
export { isRenderedUri, renderedUri } from '../workspace/rendered/names';
export { type Rendering, type RenderTools, render } from '../workspace/rendered/render';
export type { RunTool, ToolOptions, ToolResult } from '../workspace/rendered/run';
export { findPathKinds, type PathKind } from './state/pathKinds';
