export { editDistance, nearestNames } from '../kube/nearest';
