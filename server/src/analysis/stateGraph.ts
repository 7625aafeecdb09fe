/** State graphs of systems, for the page that shows them. */

export type { LayOut } from '../explore/graphviz/layout';
export {
  type GraphPicture,
  type PicturedEdge,
  type PicturedNode,
  type PicturePoint,
  pictureFrom,
  shapeInDot,
} from '../explore/graphviz/picture';
export type { SystemState, SystemValue } from '../explore/system/report';
export {
  type GraphFinding,
  type GraphState,
  type GraphWayState,
  type StateGraphModel,
  shapeOf,
} from './systems/stateGraph';
