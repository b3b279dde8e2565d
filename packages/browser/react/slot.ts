import { type ComponentType, createContext, createElement, Fragment, type ReactNode, use } from 'react';

/** Components an addon adds to slots of another addon's island, by slot; each receives the slot's subject as `of`. */
// biome-ignore lint/suspicious/noExplicitAny: each slot is about something else
export type Fills = Readonly<Record<string, ComponentType<{ of: any }>>>;

export const FillsContext = createContext<readonly Fills[]>([]);

/**
 * Place in an island that other addons can fill from `islands/<addon>.<Island>.slots.tsx`. Its name is declared in `slots` of the props
 * file.
 *
 * ```tsx
 * <Slot name="line.after" of={line} />
 * ```
 */
export function Slot({ name, of: subject }: { readonly name: string; readonly of?: unknown }): ReactNode {
  const fills = use(FillsContext).flatMap((all) => (Object.hasOwn(all, name) ? [all[name]] : []));
  return createElement(
    Fragment,
    null,
    ...fills.map((fill) => fill && createElement(fill as ComponentType<{ of: unknown }>, { of: subject })),
  );
}
