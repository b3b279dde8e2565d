/**
 * Widgets that don't follow from the kind of a field: an identifying number (`plain`), a language, a time zone, attached files, or a table
 * built by the model.
 */
export const fieldWidgets = ['plain', 'language', 'timezone', 'files', 'table'] as const;
export type FieldWidget = (typeof fieldWidgets)[number];
