import { createContext, type ReactNode, useContext, useEffect, useId, useMemo, useSyncExternalStore } from 'react';

/** An action of the current screen, offered in the command palette. */
export interface ThingToDo {
  readonly id: string;
  readonly label: string;
  readonly icon: string;
  run(): void;
}

interface Board {
  put(source: string, things: readonly ThingToDo[]): void;
  take(source: string): void;
  all(): readonly ThingToDo[];
  subscribe(changed: () => void): () => void;
}

const noThings: readonly ThingToDo[] = Object.freeze([]);
const BoardContext = createContext<Board>({ put() {}, take() {}, all: () => noThings, subscribe: () => () => {} });

function createBoard(): Board {
  const things = new Map<string, readonly ThingToDo[]>();
  const listeners = new Set<() => void>();
  let all = noThings;
  const notify = (): void => {
    all = [...things.values()].flat();
    for (const changed of listeners) changed();
  };
  return {
    put(source, actions) {
      things.set(source, actions);
      notify();
    },
    take(source) {
      things.delete(source);
      notify();
    },
    all: () => all,
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}

/** Collects the actions offered by the screens below. */
export function ThingsToDoProvider({ children }: { children: ReactNode }) {
  const board = useMemo(createBoard, []);
  return <BoardContext value={board}>{children}</BoardContext>;
}

/** Offers actions while the calling component is mounted. */
export function useOffered(things: readonly ThingToDo[]): void {
  const board = useContext(BoardContext);
  const source = useId();
  // Updates the actions on every render, because they apply to the visible data.
  useEffect(() => board.put(source, things));
  useEffect(() => () => board.take(source), [board, source]);
}

/** Returns the actions offered by the current screen. */
export function useThingsToDo(): readonly ThingToDo[] {
  const { subscribe, all } = useContext(BoardContext);
  return useSyncExternalStore(subscribe, all);
}
