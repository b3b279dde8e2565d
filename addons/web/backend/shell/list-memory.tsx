import { createContext, type ReactNode, useContext, useMemo, useRef } from 'react';

/** A list as it was left: forms walk through it, and lead back to it. */
export interface ListMemory {
  readonly ids: readonly number[];
  /** How many match, over all pages. */
  readonly total: number;
  /** Place of the first of `ids` among them, from 0. */
  readonly offset: number;
  readonly label: string;
  /** The list's address, with what it showed. */
  readonly to: string;
}

interface Memory {
  get(model: string): ListMemory | null;
  set(model: string, memory: ListMemory): void;
}

const MemoryContext = createContext<Memory | null>(null);

/** Remembers the last list of each model while the page is open. */
export function ListMemoryProvider({ children }: { children: ReactNode }) {
  const lists = useRef(new Map<string, ListMemory>());
  const memory = useMemo<Memory>(
    () => ({
      get: (model) => lists.current.get(model) ?? null,
      set: (model, list) => void lists.current.set(model, list),
    }),
    [],
  );
  return <MemoryContext value={memory}>{children}</MemoryContext>;
}

export function useListMemory(): Memory {
  const memory = useContext(MemoryContext);
  if (!memory) throw new Error('useListMemory is used outside the shell.');
  return memory;
}
