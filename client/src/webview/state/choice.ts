import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { Host } from './vscodeApi';

/** Where choices are kept; without a host they last as long as the page. */
export const ChoiceHost = createContext<Pick<Host, 'kept' | 'keep'> | undefined>(undefined);

/** A choice of how something is shown, which outlives the page of a hidden tab. */
export function useChoice(name: string, initial: string): readonly [string, (value: string) => void] {
  const host = useContext(ChoiceHost);
  const [value, setValue] = useState(() => host?.kept().choices[name] ?? initial);
  return [
    value,
    next => {
      setValue(next);
      host?.keep({ choices: { ...host.kept().choices, [name]: next } });
    },
  ];
}
