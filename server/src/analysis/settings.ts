/** Settings, the configurations that give them, and the Kubernetes release that they choose. */

export { CONFIGURATION_NAMES, type Configuration, configurationOf, settingsIn } from './configuration/configuration';
export { pathMatcher } from './configuration/pathMatcher';
export { defaultSettings, type Settings } from './configuration/settings';
export { kubeOf } from './state/facts';
