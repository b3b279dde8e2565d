/** A field of the filters: a box to tick, a list to choose from, the search. */
export type Field = HTMLInputElement | HTMLSelectElement;

export const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
