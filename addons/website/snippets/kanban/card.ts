import { type FieldsOf, listPoint, type ModelRef, type Row, type Select, type TemplateName } from 'pergola';

/** A template that shows one record as a card of a kanban, with what it reads. */
export interface KanbanCard {
  readonly template: TemplateName;
  readonly model: ModelRef;
  readonly select: object;
}

/**
 * Declares a card; its template gets the record's row. Only declared templates are ever rendered for a kanban.
 *
 * ```ts
 * kanbanCards: [kanbanCard('dribblo.team_card', Team, { name: true, image: true })],
 * ```
 */
export function kanbanCard<I, const S extends Select<FieldsOf<I>>>(
  template: TemplateName,
  model: ModelRef<I>,
  select: S,
): KanbanCard & { readonly $?: Row<FieldsOf<I>, S> } {
  return Object.freeze({ template, model, select });
}

declare module 'pergola/contributions' {
  interface Contributions {
    kanbanCards: readonly KanbanCard[];
  }
}

/** Where addons declare the cards of their kanbans. */
export const kanbanCards = listPoint('kanbanCards');
