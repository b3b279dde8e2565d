import { createContext, type ReactNode, useContext } from 'react';
import type { MenuEntry, Start } from '../types.ts';
import { isScreen } from './addresses.ts';

const StartContext = createContext<Start | null>(null);

/** Provides the page's start data to all screens. */
export function StartProvider({ start, children }: { start: Start; children: ReactNode }) {
  return <StartContext value={start}>{children}</StartContext>;
}

/** Returns the signed-in user, their menus, language and time zone. */
export function useStart(): Start {
  const start = useContext(StartContext);
  if (!start) throw new Error('useStart is used outside the backend.');
  return start;
}

/** Returns a menu entry and its ancestors, topmost first. */
export function menuLine(menus: readonly MenuEntry[], id: string | null): readonly MenuEntry[] {
  const entry = menus.find((menu) => menu.id === id);
  if (!entry) return [];
  return [...(entry.parent ? menuLine(menus, entry.parent) : []), entry];
}

/** Returns the menu entry that lists a model, for screens opened without one. */
export function menuOfModel(menus: readonly MenuEntry[], model: string): MenuEntry | null {
  return menus.find((menu) => menu.model === model) ?? null;
}

/**
 * Returns the address of a menu entry, or null for a parent without one. A parent leads to the first backend screen below it, so that
 * opening an app doesn't leave the backend.
 */
export function menuAddress(menus: readonly MenuEntry[], { id, model, url }: MenuEntry): string | null {
  if (model) return `/web/m/${model}?menu=${encodeURIComponent(id)}`;
  if (url) return url;
  const addresses = menus.filter(({ parent }) => parent === id).flatMap((child) => menuAddress(menus, child) ?? []);
  return addresses.find(isScreen) ?? addresses[0] ?? null;
}
