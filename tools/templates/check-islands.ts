import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { pascalCase, readProps } from '@pergola/islands';
import { z } from 'zod';
import type { Shape } from './reading.ts';
import type { Fault, TemplateSources } from './sources.ts';

/** An island in a template, with the value passed as its props. */
export interface IslandCall {
  readonly template: string;
  readonly line: number;
  readonly island: string;
  readonly props: Shape;
}

/**
 * Checks the props that templates pass to islands against the islands' schemas, as far as the code's types are known: missing required
 * props, and values of another type. Values written in the template itself are checked by the build.
 */
export async function checkIslands(sources: TemplateSources, calls: readonly IslandCall[]): Promise<Fault[]> {
  const schemas = await schemasOf(sources, new Set(calls.map(({ island }) => island.split('.')[0] ?? '')));
  const faults = calls.flatMap(({ template, line, island, props }) => {
    const place = sources.origin({ template, line, path: island });
    return faultsOf(schemas.get(island), props).map((message) => ({
      file: place.file,
      line: place.line,
      message: `Island “${island}” ${message}`,
    }));
  });
  return [...new Map(faults.map((fault) => [`${fault.file}:${fault.line} ${fault.message}`, fault])).values()];
}

function faultsOf(schema: z.ZodType | undefined, props: Shape): string[] {
  if (!(schema instanceof z.ZodObject)) return [];
  const shape: Readonly<Record<string, z.ZodType>> = schema.shape;
  return Object.entries(shape).flatMap(([name, expected]) => {
    const shape = props.get(name);
    if (!shape) return expected.safeParse(undefined).success ? [] : [`needs “${name}”, which is missing.`];
    const allowed = kindsOf(expected);
    const kinds = [...(shape.kinds ?? [])];
    if (!allowed || kinds.length === 0 || kinds.some((kind) => allowed.has(kind))) return [];
    return [`expects “${name}” to be ${[...allowed].join(' or ')}, but gets ${kinds.join(' or ')}.`];
  });
}

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
}

/** JSON types that a schema accepts; undefined if unknown. */
function kindsOf(schema: z.ZodType): Set<string> | undefined {
  if ('coerce' in schema.def && schema.def.coerce) return undefined;
  const kindsIn = ({ type, anyOf, enum: values }: JsonSchema): (string | undefined)[] => {
    if (anyOf) return anyOf.flatMap(kindsIn);
    if (type === undefined) return values ? values.map((value) => typeof value) : [undefined];
    return [type].flat().map((name) => (name === 'integer' ? 'number' : name));
  };
  const kinds = kindsIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema);
  return kinds.includes(undefined) ? undefined : new Set(kinds.filter((kind) => kind !== undefined));
}

/** Props schemas of these addons' islands, by id. The build reports schemas that can't be loaded. */
async function schemasOf(
  { folders }: TemplateSources,
  addons: ReadonlySet<string>,
): Promise<ReadonlyMap<string, z.ZodType>> {
  const schemas = new Map<string, z.ZodType>();
  for (const [addon, folder] of folders) {
    if (!addons.has(addon)) continue;
    for (const file of globSync('islands/*.props.{ts,js}', { cwd: folder })) {
      const name = basename(file).replace(/\.props\.[jt]s$/, '');
      const read = await readProps(folder, `islands/${name}.props`);
      if ('schema' in read) schemas.set(`${addon}.${pascalCase(name)}`, read.schema);
    }
  }
  return schemas;
}
