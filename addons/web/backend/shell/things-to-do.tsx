import { createContext, type ReactNode, useContext, useEffect, useId, useMemo, useSyncExternalStore } from 'react';

/** What the screen that is open can do just now; the command palette offers it. */
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

const none: readonly ThingToDo[] = Object.freeze([]);
const BoardContext = createContext<Board>({ put() {}, take() {}, all: () => none, subscribe: () => () => {} });

function createBoard(): Board {
  const things = new Map<string, readonly ThingToDo[]>();
  const listeners = new Set<() => void>();
  let all = none;
  const tell = (): void => {
    all = [...things.values()].flat();
    for (const changed of listeners) changed();
  };
  return {
    put(source, some) {
      things.set(source, some);
      tell();
    },
    take(source) {
      things.delete(source);
      tell();
    },
    all: () => all,
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}

/** Keeps what the screens below offer. */
export function ThingsToDoProvider({ children }: { children: ReactNode }) {
  const board = useMemo(createBoard, []);
  return <BoardContext value={board}>{children}</BoardContext>;
}

/** Offers what can be done here for as long as the caller is on screen. */
export function useOffered(things: readonly ThingToDo[]): void {
  const board = useContext(BoardContext);
  const source = useId();
  // With every drawing: what is offered acts on what is in sight now.
  useEffect(() => board.put(source, things));
  useEffect(() => () => board.take(source), [board, source]);
}

/** What can be done on the screen that is open, just now. */
export function useThingsToDo(): readonly ThingToDo[] {
  const { subscribe, all } = useContext(BoardContext);
  return useSyncExternalStore(subscribe, all);
}
