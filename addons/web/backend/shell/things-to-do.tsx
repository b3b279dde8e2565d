import { createContext, type ReactNode, useContext, useEffect, useId, useMemo, useRef } from 'react';

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
}

const BoardContext = createContext<Board | null>(null);

/** Keeps what the screens below offer. */
export function ThingsToDoProvider({ children }: { children: ReactNode }) {
  const things = useRef(new Map<string, readonly ThingToDo[]>());
  const board = useMemo<Board>(
    () => ({
      put: (source, some) => void things.current.set(source, some),
      take: (source) => void things.current.delete(source),
      all: () => [...things.current.values()].flat(),
    }),
    [],
  );
  return <BoardContext value={board}>{children}</BoardContext>;
}

/** Offers what can be done here for as long as the caller is on screen. */
export function useOffered(things: readonly ThingToDo[]): void {
  const board = useContext(BoardContext);
  const source = useId();
  // With every drawing: what is offered acts on what is in sight now.
  useEffect(() => board?.put(source, things));
  useEffect(() => () => board?.take(source), [board, source]);
}

/** What can be done on the screen that is open, at the moment of asking. */
export function useThingsToDo(): () => readonly ThingToDo[] {
  const board = useContext(BoardContext);
  return () => board?.all() ?? [];
}
