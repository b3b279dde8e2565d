import type { BoundModel, CompiledField } from '../compiled.ts';
import { fieldOf } from '../domain/compile.ts';
import type { AnyValues } from '../record-model.ts';
import { type Command, parseCommands } from './commands.ts';
import { isEmpty, isFileRef, normalize } from './normalize.ts';
import { FieldProblem, type Problems } from './problems.ts';
import { type Languages, parseTexts, type TextChanges } from './translations.ts';

/** A record's values, checked and sorted by how they are stored. */
export interface ParsedValues {
  /** Normalized values of untranslated fields with a column. */
  readonly plain: ReadonlyMap<CompiledField, unknown>;
  readonly texts: ReadonlyMap<CompiledField, TextChanges>;
  readonly commands: ReadonlyMap<CompiledField, readonly Command[]>;
}

/** Returns the languages of a bound model's context. */
export function languagesOf({ ctx, registry }: BoundModel): Languages {
  return { current: ctx.lang, fallback: registry.defaultLanguage, strict: !ctx.su };
}

/** Parses the values of one record; adds invalid ones to `problems`. Undefined values are ignored. */
export function parseValues(bound: BoundModel, values: AnyValues, problems: Problems): ParsedValues {
  const plain = new Map<CompiledField, unknown>();
  const texts = new Map<CompiledField, TextChanges>();
  const commands = new Map<CompiledField, readonly Command[]>();
  const languages = languagesOf(bound);
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    problems.during(name, () => {
      const field = writableField(bound, name);
      if (field.type === 'one2many' || field.type === 'many2many') {
        commands.set(field, parseCommands(value));
      } else if (field.translated) {
        texts.set(field, parseTexts(field, value, languages));
      } else {
        const normalized = normalize(field, value);
        plain.set(field, normalized);
        if (isFileRef(normalized)) bound.ctx.afterCommit(() => bound.ctx.files.used(normalized.hash));
      }
    });
  }
  return { plain, texts, commands };
}

/** @throws WrongCode for an unknown field, FieldProblem for a field that can't be written. */
function writableField({ compiled, ctx }: BoundModel, name: string): CompiledField {
  const field = fieldOf(compiled, name);
  if (field.compute) throw new FieldProblem('This field is calculated and can’t be edited.');
  if (field.related) throw new FieldProblem('This field belongs to another record. Edit it there.');
  if (!field.base) return field;
  // Imports and demo data set their own dates and authors.
  const isStored = field.column !== null && name !== 'id';
  if (isStored && ctx.su) return field;
  throw new FieldProblem('This field is set automatically and can’t be edited.');
}

/** Reports required fields with an empty value. */
export function checkRequired({ plain }: ParsedValues, problems: Problems): void {
  for (const [field, value] of plain) {
    if (field.required && isEmpty(field, value)) problems.add(field.name, new FieldProblem('Fill in this field.'));
  }
}

/** Drops values that would empty a required field. */
export function withoutEmptied({ plain, ...rest }: ParsedValues): ParsedValues {
  return { ...rest, plain: new Map([...plain].filter(([field, value]) => !field.required || !isEmpty(field, value))) };
}

/** Returns the names of the values that aren't undefined. */
export function writtenNames(values: AnyValues): string[] {
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}
