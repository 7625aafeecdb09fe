/** The node ports that the API server gives to Services, both ends included. */
export interface NodePorts {
  readonly from: number;
  readonly to: number;
}

/** Upstream: kubeoptions.DefaultServiceNodePortRange. */
export const DEFAULT_NODE_PORTS: NodePorts = { from: 30_000, to: 32_767 };

/**
 * Reads a range as the flag `--service-node-port-range` does: `30000-32767`, or `30000+2767` with an offset. Upstream:
 * utilnet.ParsePortRange. undefined for what is none.
 */
export function readNodePorts(text: string): NodePorts | undefined {
  const [, start, sign, end] = /^\s*(\d+)\s*([-+])\s*(\d+)\s*$/.exec(text) ?? [];
  if (start === undefined || end === undefined) return undefined;
  const from = Number(start);
  const to = sign === '+' ? Math.min(from + Number(end), 65_535) : Number(end);
  return from >= 1 && to <= 65_535 && from <= to ? { from, to } : undefined;
}
