import { type FieldsOf, listPoint, type ModelRef, type Row, type Select, type TemplateName } from 'pergola';

/** Template that renders a record as a kanban card, with the fields it needs. */
export interface KanbanCard {
  readonly template: TemplateName;
  readonly model: ModelRef;
  readonly select: object;
}

/**
 * Declares a card; its template receives the record's row. Only declared templates can be rendered for a kanban.
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

/** Kanban cards of addons. */
export const kanbanCards = listPoint('kanbanCards');
