/** Settings, the configurations that give them, and the Kubernetes release that they choose. */

export { emptyPath } from './configuration/checks';
export { CONFIGURATION_NAMES, type Configuration, configurationOf, settingsIn } from './configuration/configuration';
export { pathMatcher } from './configuration/pathMatcher';
export { AUTO_VERSION, defaultSettings, type Settings, settingsUnder, versionMeant } from './configuration/settings';
export { kubeOf } from './state/facts';
