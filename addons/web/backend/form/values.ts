import { isUnreadable, toWire } from '../fields/wire.ts';
import type { FieldInfo, ModelInfo } from '../types.ts';

/** Values of a form in wire format: many2one as `[id, name]`, empty values as false. Edited lines are {@link Lines}. */
export type FormValues = Readonly<Record<string, unknown>>;

/** A one2many line in a form. */
export interface Line {
  /** Stable while the form is open. */
  readonly key: string;
  /** Null until it is saved. */
  readonly id: number | null;
  /** Values as loaded, or defaults of a new line. */
  readonly values: FormValues;
  /** Values computed by the server from the form's unsaved changes. */
  readonly computed?: FormValues;
  /** The user's changes. */
  readonly changes: FormValues;
  /** Whether the model adds the line itself when the record is saved. */
  readonly follows?: boolean;
}

/** One2many lines edited by the user. */
export interface Lines {
  readonly kind: 'lines';
  readonly lines: readonly Line[];
  /** Ids of removed lines. */
  readonly removedIds: readonly number[];
  /** Fields of the related model, for the wire format. */
  readonly fields: Readonly<Record<string, FieldInfo>>;
  /** Names of the fields shown in the table. */
  readonly columns: readonly string[];
}

/** Returns the visible values of a line: user input over computed values over loaded values. */
export function shownOf({ values, computed, changes }: Line): FormValues {
  return { ...values, ...computed, ...changes };
}

export function isLines(value: unknown): value is Lines {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'lines';
}

/** Ids of an x2many value in wire format. */
export function idsOf(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.filter((id): id is number => typeof id === 'number') : [];
}

/** Whether two values of a field look the same to users. Ignores the order of record lists and the name next to an id. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(comparable(a)) === JSON.stringify(comparable(b));
}

function comparable(value: unknown): unknown {
  if (value === undefined || value === null || value === '') return false;
  if (!Array.isArray(value)) return value;
  if (value.length === 2 && typeof value[0] === 'number' && typeof value[1] === 'string') return value[0];
  return value.every((item) => typeof item === 'number') ? value.toSorted((a, b) => a - b) : value;
}

/** Returns the changes of a form in the format of `create` and `write`. */
export function changedValues(info: ModelInfo, values: FormValues, loaded: FormValues): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const field = info.fields[name];
    if (!field || field.readonly || isUnreadable(value)) continue;
    if (field.kind === 'one2many') {
      const commands = isLines(value) ? lineCommands(value) : [];
      if (commands.length > 0) changed[name] = commands;
    } else if (field.kind === 'many2many') {
      if (!isSame(value, loaded[name])) changed[name] = [[6, false, idsOf(value)]];
    } else if (!isSame(value, loaded[name])) changed[name] = toWire(value, field);
  }
  return changed;
}

/** Returns the loaded values of the changed fields, by which the server detects conflicting changes. */
export function seenValues(changed: Readonly<Record<string, unknown>>, values: FormValues, loaded: FormValues) {
  return Object.fromEntries(
    Object.keys(changed).map((name) => {
      const value = values[name];
      return [name, isLines(value) ? seenLines(value) : (loaded[name] ?? false)];
    }),
  );
}

/** Odoo's commands for lines: 0 creates, 1 updates, 2 deletes. */
export function lineCommands(lines: Lines): unknown[] {
  return lineEntries(lines).map(({ command }) => command);
}

/**
 * Returns the commands with the keys of their lines. For new lines, only user input is sent; the server knows the defaults and computed
 * values.
 */
export function lineEntries({
  lines,
  removedIds,
  fields,
}: Lines): { readonly key: string | null; readonly command: unknown }[] {
  const wire = (values: FormValues): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(values).flatMap(([name, value]) => {
        const field = fields[name];
        if (!field || field.readonly || isUnreadable(value)) return [];
        return [[name, field.kind === 'many2many' ? [[6, false, idsOf(value)]] : toWire(value, field)]];
      }),
    );
  return [
    ...removedIds.map((id) => ({ key: null, command: [2, id, false] })),
    ...lines.flatMap(({ key, id, values, computed, changes, follows }) => {
      if (follows) return [];
      if (id === null) return [{ key, command: [0, false, wire(changes)] }];
      // Once a value is computed, a default that replaces it counts as user input, too.
      const edits = Object.entries(changes).filter(([name, value]) => computed || !isSame(value, values[name]));
      return edits.length > 0 ? [{ key, command: [1, id, wire(Object.fromEntries(edits))] }] : [];
    }),
  ];
}

/** Returns the input typed after `sent` was sent, as changes to the saved record. Matches new lines to their saved records. */
export function typedSince(now: FormValues, sent: FormValues, saved: FormValues): FormValues {
  return Object.fromEntries(
    Object.entries(now).flatMap(([name, value]) => {
      if (isSame(value, sent[name])) return [];
      if (!isLines(value)) return [[name, value]];
      const lines = linesSince(value, sent[name], idsOf(saved[name]));
      return lineCommands(lines).length > 0 ? [[name, lines]] : [];
    }),
  );
}

function linesSince(now: Lines, sent: unknown, saved: readonly number[]): Lines {
  const previous: Pick<Lines, 'lines' | 'removedIds'> = isLines(sent) ? sent : { lines: [], removedIds: [] };
  const previousIds = new Set<number | null>(previous.lines.map(({ id }) => id));
  // The server creates them in the order of the commands.
  const newIds = saved.filter((id) => !previousIds.has(id)).toSorted((a, b) => a - b);
  const ids = new Map(
    previous.lines
      .filter(({ id, follows }) => id === null && !follows)
      .map(({ key }, index) => [key, newIds[index] ?? null] as const),
  );
  const currentKeys = new Set(now.lines.map(({ key }) => key));
  return {
    ...now,
    lines: now.lines.map((line) => {
      const previousLine = previous.lines.find(({ key }) => key === line.key);
      if (!previousLine) return line;
      const edits = Object.entries(line.changes).filter(([name, value]) => !isSame(value, previousLine.changes[name]));
      return {
        ...line,
        id: line.id ?? ids.get(line.key) ?? null,
        values: shownOf(previousLine),
        changes: Object.fromEntries(edits),
      };
    }),
    removedIds: [
      ...now.removedIds.filter((id) => !previous.removedIds.includes(id)),
      ...[...ids].flatMap(([key, id]) => (id !== null && !currentKeys.has(key) ? [id] : [])),
    ],
  };
}

function seenLines({ lines, removedIds }: Lines) {
  const touched = lines.filter(({ id, changes }) => id !== null && Object.keys(changes).length > 0);
  return {
    ids: [...removedIds, ...touched.flatMap(({ id }) => id ?? [])],
    lines: Object.fromEntries(
      touched.map(({ id, values, changes }) => [
        String(id),
        Object.fromEntries(Object.keys(changes).map((name) => [name, values[name] ?? false])),
      ]),
    ),
  };
}
