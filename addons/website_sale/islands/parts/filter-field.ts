/** A field of the filters: checkbox, select or search. */
export type Field = HTMLInputElement | HTMLSelectElement;

export const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
