export { isAtLeast } from '../../minors/minorChange';
