/**
 * Ways to show and edit a field that its kind does not imply: a number that is a name (`plain`), a language, a time zone, files to attach, or a table
 * that the model makes.
 */
export const fieldWidgets = ['plain', 'language', 'timezone', 'files', 'table'] as const;
export type FieldWidget = (typeof fieldWidgets)[number];
