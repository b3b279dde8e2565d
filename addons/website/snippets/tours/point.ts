import { listPoint, z } from 'pergola';
import { id, shaped, text } from 'pergola/kernel';

/** Step of a {@link TourDefinition}. */
export interface TourStep {
  /** CSS selector of the target; without one the step is a dialog. */
  readonly element?: string;
  readonly title: string;
  readonly content?: string;
  readonly placement?: 'top' | 'bottom' | 'left' | 'right';
  /** Action expected from the user, and performed by tests. Default: click. */
  readonly action?: 'click' | 'type' | 'select' | 'none';
  /** Text to type or option to select. */
  readonly text?: string;
  /** Types only if the element is empty. */
  readonly onlyIfEmpty?: boolean;
  /** Starts the step only when this selector matches … */
  readonly waitFor?: string;
  /** … or no longer matches. */
  readonly waitNot?: string;
  /** Obstacle to the tour, and the call that removes it. */
  readonly trouble?: TourTrouble;
}

/** Page state that blocks a tour. The user is offered to fix it and restart. */
export interface TourTrouble {
  /** Selector that detects the obstacle. */
  readonly when: string;
  /** Explanation and question whether to run the action in `label`. */
  readonly help: string;
  readonly label: string;
  /** JSON-RPC route that fixes it, without parameters. */
  readonly call: string;
}

/** Guided tour, shown to users step by step and run by browser tests. */
export interface TourDefinition {
  readonly id: string;
  readonly name: string;
  /** Start page. */
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

/** Available tours. */
export const tours = listPoint('tours', {
  shape: z.array(shaped('a tour', '`tour(…)`', { id, name: text, path: text, steps: z.array(z.looseObject({})) })),
  names: { what: 'tour', of: (list) => list.map((definition) => definition.id) },
});
