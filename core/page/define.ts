import type { z } from 'zod';
import type { Ctx, RequestView } from '../context/index.ts';

/**
 * A piece of page that editors place (`<div data-block="dribblo.next_match" data-options='…'>`); the server fills it when the page is
 * shown. Unknown blocks are empty for visitors and a note for editors.
 */
export interface BlockDefinition<O = unknown> {
  /** `addon.thing` */
  readonly id: string;
  readonly label: string;
  readonly options: z.ZodType<O>;
  readonly template: string;
  /** Values for the template; `request` says which page it stands in. Reading through `ctx` makes the page follow what it read. */
  readonly load: (ctx: Ctx, options: O, request: RequestView) => Promise<object>;
}
/** Declares a block; see {@link BlockDefinition}. */
export function block<O>(
  id: string,
  about: {
    label: string;
    options: z.ZodType<O>;
    template: string;
    load: (ctx: Ctx, options: O, request: RequestView) => Promise<object>;
  },
): BlockDefinition<O> {
  return Object.freeze({ id, ...about });
}

/**
 * A piece of otherwise public pages that differs by visitor or changes all the time (user menu, cart count, view counter): filled in after
 * the page cache. `{{fragment "web.user_menu"}}`.
 */
export interface FragmentDefinition {
  readonly id: string;
  readonly template: string;
  /** Values for the template; `request` says which page it stands in. */
  readonly load: (ctx: Ctx, request: RequestView) => Promise<object>;
  /** `session` (default): visitors without a session all get the same, kept with the page. `always`: made anew on every request. */
  readonly vary: 'session' | 'always';
}
/** Declares a fragment; see {@link FragmentDefinition}. */
export function fragment(
  id: string,
  about: { template: string; load?: (ctx: Ctx, request: RequestView) => Promise<object>; vary?: 'session' | 'always' },
): FragmentDefinition {
  const { template, load = async () => ({}), vary = 'session' } = about;
  return Object.freeze({ id, template, load, vary });
}

/** One step of a {@link TourDefinition}. */
export interface TourStep {
  /** CSS selector of what the step is about; without one it is a dialog. */
  readonly element?: string;
  readonly title: string;
  readonly content?: string;
  readonly placement?: 'top' | 'bottom' | 'left' | 'right';
  /** What the test does and a person is asked to. Default: click. */
  readonly action?: 'click' | 'type' | 'select' | 'none';
  /** What is typed or chosen. */
  readonly text?: string;
  /** Typed only when the element is empty. */
  readonly onlyIfEmpty?: boolean;
  /** The step starts only when this matches … */
  readonly waitFor?: string;
  /** … or no longer matches. */
  readonly waitNot?: string;
  /** What keeps the tour from going on, and a call that puts it right. */
  readonly trouble?: TourTrouble;
}

/** Something on the page that a tour cannot go on with: the person is told, and offered to have it put right and to begin anew. */
export interface TourTrouble {
  /** It is there when this matches. */
  readonly when: string;
  /** What is wrong, as a question whether to do what `label` says. */
  readonly help: string;
  readonly label: string;
  /** The JSON-RPC route that does it, without parameters. */
  readonly call: string;
}

/** A walk through the product: shown to people step by step, and run by the browser tests. */
export interface TourDefinition {
  readonly id: string;
  readonly name: string;
  /** Where it starts. */
  readonly path: string;
  readonly steps: readonly TourStep[];
}
/** Declares a tour; see {@link TourDefinition}. */
export function tour(definition: TourDefinition): TourDefinition {
  return Object.freeze(definition);
}
