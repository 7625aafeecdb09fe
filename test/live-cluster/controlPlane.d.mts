export interface ControlPlane {
  readonly kubeconfig: string;
  readonly server: string;
  readonly certificate: string;
  readonly token: string;
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  stop(): Promise<void>;
  audited(user: string): readonly { readonly verb: string; readonly requestURI: string }[];
}
export interface Answer {
  readonly status: number;
  readonly text: string;
  /** Texts of the Warning headers. */
  readonly warnings: readonly string[];
  readonly body?: { readonly metadata: { readonly resourceVersion: string } };
}
export function startControlPlane(options: {
  readonly bin: string;
  /** More arguments of the API server. */
  readonly server?: readonly string[];
  /** More arguments of a kube-scheduler, which runs only where they are given. */
  readonly scheduler?: readonly string[];
  /** Names of the controllers that a kube-controller-manager runs; none runs when absent. */
  readonly controllers?: readonly string[];
}): Promise<ControlPlane>;
export function send(
  to: { readonly server: string; readonly ca: Uint8Array; readonly token: string },
  method: string,
  path: string,
  body?: unknown,
  accept?: string,
): Promise<Answer>;
