import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** A node's name as it is written where there is little room; the same name where nothing is folded. */
export const NodeNames = createContext<(name: string) => string>(it => it);

export const useNodeName = (): ((name: string) => string) => useContext(NodeNames);
