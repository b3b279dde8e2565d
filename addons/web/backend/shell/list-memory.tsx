import { createContext, type ReactNode, useContext, useMemo, useRef } from 'react';

/** A list as the user left it. Forms page through it and link back to it. */
export interface ListMemory {
  readonly ids: readonly number[];
  /** Number of matches on all pages. */
  readonly total: number;
  /** Offset of the first of `ids`, from 0. */
  readonly offset: number;
  readonly label: string;
  /** Address of the list, including its state. */
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
