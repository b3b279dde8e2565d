import { createContext, type ReactNode, useContext } from 'react';
import type { MenuEntry, Start } from '../types.ts';
import { isScreen } from './addresses.ts';

const StartContext = createContext<Start | null>(null);

/** Gives all screens below what the page came with. */
export function StartProvider({ start, children }: { start: Start; children: ReactNode }) {
  return <StartContext value={start}>{children}</StartContext>;
}

/** Who is signed in, their menus, language and zone. */
export function useStart(): Start {
  const start = useContext(StartContext);
  if (!start) throw new Error('useStart is used outside the backend.');
  return start;
}

/** The menu entry behind an id, and those above it, the topmost first. */
export function menuLine(menus: readonly MenuEntry[], id: string | null): readonly MenuEntry[] {
  const found = menus.find((menu) => menu.id === id);
  if (!found) return [];
  return [...(found.parent ? menuLine(menus, found.parent) : []), found];
}

/** The entry that lists a model, for screens that were opened without one. */
export function menuOfModel(menus: readonly MenuEntry[], model: string): MenuEntry | null {
  return menus.find((menu) => menu.model === model) ?? null;
}

/**
 * Where an entry leads; null for one that only holds others without an address. One that holds others leads to the first screen of the backend below
 * it, so that an app does not open what leads out of the backend.
 */
export function menuAddress(menus: readonly MenuEntry[], { id, model, url }: MenuEntry): string | null {
  if (model) return `/web/m/${model}?menu=${encodeURIComponent(id)}`;
  if (url) return url;
  const below = menus.filter(({ parent }) => parent === id).flatMap((child) => menuAddress(menus, child) ?? []);
  return below.find(isScreen) ?? below[0] ?? null;
}
