/** Where the nodes come from. */
export interface ClusterLabel {
  readonly kind: 'default' | 'workspace' | 'source';
  readonly label: string;
}
