import { type ComponentType, createContext, createElement, Fragment, type ReactNode, use } from 'react';

/** What an addon puts into the slots of another addon's island: by slot, a component that is given what the slot is about. */
// biome-ignore lint/suspicious/noExplicitAny: each slot is about something else
export type Fills = Readonly<Record<string, ComponentType<{ of: any }>>>;

export const FillsContext = createContext<readonly Fills[]>([]);

/**
 * A place in an island that other addons may fill, from `islands/<addon>.<Island>.slots.tsx`. Its name stands in `slots` of the props file.
 *
 * ```tsx
 * <Slot name="line.after" of={line} />
 * ```
 */
export function Slot({ name, of }: { readonly name: string; readonly of?: unknown }): ReactNode {
  const fills = use(FillsContext).flatMap((all) => (Object.hasOwn(all, name) ? [all[name]] : []));
  return createElement(
    Fragment,
    null,
    ...fills.map((fill) => fill && createElement(fill as ComponentType<{ of: unknown }>, { of })),
  );
}
