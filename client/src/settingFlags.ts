/** Settings under `berth` by their names, as the editor gives them. */
export type ReadSetting = (name: string) => unknown;

/** What the editor is set to, as options of the command line. A workspace that is not trusted chooses no cluster. */
export function settingFlags(read: ReadSetting, trust: 'trusted' | 'untrusted'): readonly string[] {
  const gates = Object.entries(read('featureGates') ?? {});
  const cluster = trust === 'trusted' ? read('cluster') : 'workspace';
  return [
    ...(gates.length > 0 ? ['--feature-gates', gates.map(([name, on]) => `${name}=${on}`).join(',')] : []),
    ...(typeof cluster !== 'string' || cluster === 'auto' ? [] : ['--cluster', cluster]),
  ];
}

/** The version that the editor is set to, if any; without one the configuration of the folder or the cluster says it. */
export function versionSet(read: ReadSetting): string | undefined {
  const version = read('kubernetesVersion');
  return typeof version !== 'string' || version === 'auto' ? undefined : version;
}

/** That version as options of the command line. */
export function versionFlags(read: ReadSetting): readonly string[] {
  const version = versionSet(read);
  return version === undefined ? [] : ['--kubernetes-version', version];
}
