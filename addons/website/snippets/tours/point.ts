import { listPoint, z } from 'pergola';
import { id, shaped, text } from 'pergola/kernel';

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

declare module 'pergola/contributions' {
  interface Contributions {
    tours: readonly TourDefinition[];
  }
}

/** What one can be shown. */
export const tours = listPoint('tours', {
  shape: z.array(shaped('a tour', '`tour(…)`', { id, name: text, path: text, steps: z.array(z.looseObject({})) })),
  names: { what: 'tour', of: (list) => list.map((one) => one.id) },
});
