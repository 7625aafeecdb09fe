/** What a command line may say of settings. */
export interface SettingFlags {
  readonly baseline?: string;
  readonly preset?: string;
  readonly kubernetesVersion?: string;
  readonly featureGates?: string;
  readonly podSecurity?: string;
  readonly cluster?: string;
}
