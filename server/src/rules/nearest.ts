export { editDistance, nearestNames } from '../base/nearest';
