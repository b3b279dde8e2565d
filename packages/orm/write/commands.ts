import type { Id } from '../fields.ts';
import { recordId } from './normalize.ts';
import { FieldProblem } from './problems.ts';

/** Command for the records of an x2many field; see `Commands`. */
export type Command =
  | { readonly kind: 'create'; readonly values: Readonly<Record<string, unknown>> }
  | { readonly kind: 'update'; readonly id: Id; readonly values: Readonly<Record<string, unknown>> }
  | { readonly kind: 'delete' | 'link' | 'unlink'; readonly id: Id }
  | { readonly kind: 'set'; readonly ids: readonly Id[] };

const kinds = ['create', 'update', 'delete', 'link', 'unlink', 'set'] as const;

/**
 * Parses a value of an x2many field: plain ids replace all links, commands change single ones, null removes all.
 *
 * @throws FieldProblem if it is neither.
 */
export function parseCommands(value: unknown): Command[] {
  if (value === null) return [{ kind: 'set', ids: [] }];
  if (!Array.isArray(value)) throw new FieldProblem('Expected a list of records or a list of commands.');
  if (value.every((item) => typeof item === 'number')) return [{ kind: 'set', ids: distinctIds(value) }];
  return value.map(parseCommand);
}

function parseCommand(item: unknown): Command {
  const command = typeof item === 'object' && item !== null ? item : {};
  const commandKinds = kinds.filter((kind) => Object.hasOwn(command, kind));
  const [kind] = commandKinds;
  if (kind === undefined || commandKinds.length > 1) {
    throw new FieldProblem('A command must be create, update, delete, link, unlink or set.');
  }
  const subject: unknown = Reflect.get(command, kind);
  switch (kind) {
    case 'create':
      return { kind, values: valuesOf(subject) };
    case 'update':
      return { kind, id: recordId(subject), values: valuesOf(Reflect.get(command, 'values')) };
    case 'set':
      if (!Array.isArray(subject)) throw new FieldProblem('“set” takes a list of records.');
      return { kind, ids: distinctIds(subject) };
    default:
      return { kind, id: recordId(subject) };
  }
}

function valuesOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new FieldProblem('“create” and “update” take the values of a record.');
  }
  return value as Readonly<Record<string, unknown>>;
}

function distinctIds(list: readonly unknown[]): Id[] {
  return [...new Set(list.map(recordId))];
}

/** Returns the existing records that a value of an x2many field links; none if the value is invalid, which writing it rejects. */
export function linkedBy(value: unknown): Id[] {
  try {
    return value === undefined ? [] : linkedIds(parseCommands(value));
  } catch (error) {
    if (error instanceof FieldProblem) return [];
    throw error;
  }
}

/** Existing records named in commands, to be linked. */
function linkedIds(commands: readonly Command[]): Id[] {
  return commands.flatMap((command) =>
    command.kind === 'set' ? command.ids : command.kind === 'link' ? [command.id] : [],
  );
}
