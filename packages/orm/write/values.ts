import type { BoundModel, CompiledField } from '../compiled.ts';
import { fieldOf } from '../domain/compile.ts';
import type { AnyValues } from '../record-model.ts';
import { type Command, parseCommands } from './commands.ts';
import { isEmpty, isFileRef, normalize } from './normalize.ts';
import { FieldProblem, type Problems } from './problems.ts';
import { type Languages, parseTexts, type TextChanges } from './translations.ts';

/** A record's values, checked and sorted by how they are kept. */
export interface ParsedValues {
  /** Normalised, of fields with a column that are not translated. */
  readonly plain: ReadonlyMap<CompiledField, unknown>;
  readonly texts: ReadonlyMap<CompiledField, TextChanges>;
  readonly commands: ReadonlyMap<CompiledField, readonly Command[]>;
}

/** The languages of a bound model's context. */
export function languagesOf({ ctx, registry }: BoundModel): Languages {
  return { current: ctx.lang, fallback: registry.defaultLanguage, strict: !ctx.su };
}

/** Reads the values of one record; what does not fit goes to `problems`. Names with the value undefined count as not given. */
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
        const kept = normalize(field, value);
        plain.set(field, kept);
        if (isFileRef(kept)) bound.ctx.afterCommit(() => bound.ctx.files.used(kept.hash));
      }
    });
  }
  return { plain, texts, commands };
}

/** @throws WrongCode for a name that is no field, FieldProblem for a field that takes no values. */
function writableField({ compiled, ctx }: BoundModel, name: string): CompiledField {
  const field = fieldOf(compiled, name);
  if (field.compute) throw new FieldProblem('This field is calculated and can’t be edited.');
  if (field.related) throw new FieldProblem('This field belongs to another record. Edit it there.');
  if (!field.base) return field;
  // Imports and demo data bring their own dates and authors.
  const isKept = field.column !== null && name !== 'id';
  if (isKept && ctx.su) return field;
  throw new FieldProblem('This field is set automatically and can’t be edited.');
}

/** Reports required fields that got an empty value. */
export function checkGiven({ plain }: ParsedValues, problems: Problems): void {
  for (const [field, value] of plain) {
    if (field.required && isEmpty(field, value)) problems.add(field.name, new FieldProblem('Fill in this field.'));
  }
}

/** The values without those that empty a required field. */
export function withoutEmptied({ plain, ...rest }: ParsedValues): ParsedValues {
  return { ...rest, plain: new Map([...plain].filter(([field, value]) => !field.required || !isEmpty(field, value))) };
}

/** The values as the caller gave them, without those that are undefined. */
export function givenNames(values: AnyValues): string[] {
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}
