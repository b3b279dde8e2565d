import { type Ctx, InvalidInput, NotFound, route, z } from 'pergola';
import { readMarkup } from 'pergola/orm';
import { blocks as blockPoint, ownText } from 'pergola/pages';
import { blockOptions, pageTemplates, type SnippetOption, snippets } from '../../snippets/point.ts';
import { isObject, optionsSchema } from '../../snippets/record-options.ts';
import { SavedBlock } from '../../snippets/saved/saved-block.ts';
import { editedHtml } from '../html.ts';
import { keepKnownTexts } from '../known-texts.ts';
import { openRecords } from '../open.ts';
import { editorGroups } from '../rights.ts';
import { uncheckedSelect } from '../values.ts';

const forEditors = { auth: 'user', groups: editorGroups } as const;
const id = z.string().max(100);

/** Contents of the drawer: snippets of all enabled addons, and block options as JSON schemas. */
export const drawer = route.rpc(
  '/website/editor/drawer',
  { ...forEditors, name: 'website.editor_drawer' },
  async ({ ctx }) => {
    const blocks: { id: string; label: string; schema: unknown }[] = [];
    for (const { id, label, options } of ctx.get(blockPoint).values()) {
      blocks.push({
        id,
        label: ownText(ctx, addonOf(id), label),
        schema: await readable(ctx, addonOf(id), optionsSchema(options)),
      });
    }
    const blockIds = new Set(blocks.map((block) => block.id));
    const addonSnippets = ctx
      .get(snippets)
      // Skips snippets whose block belongs to a disabled addon.
      .filter(({ block }) => block === undefined || blockIds.has(block))
      .map(({ id: snippet, label, tab, thumbnail, block, options = [] }) => ({
        id: snippet,
        label: ownText(ctx, addonOf(snippet), label),
        tab,
        thumbnail,
        block: block ?? null,
        options: options.map((option) => inWords(ctx, addonOf(snippet), option)),
      }));
    const savedBlocks = await ctx.model(SavedBlock).find([], { select: { name: true, is_shared: true } });
    const saved = savedBlocks.map(({ id, name, is_shared }) => ({
      id: `${savedPrefix}${id}`,
      label: name,
      tab: 'saved',
      thumbnail: `/website/static/snippets/${is_shared ? 'shared' : 'well'}.svg`,
      block: is_shared ? 'website.saved' : null,
      options: [],
    }));
    return {
      snippets: [...saved, ...addonSnippets],
      blocks,
      pages: ctx.get(pageTemplates).map((page) => ({ ...page, label: ownText(ctx, addonOf(page.id), page.label) })),
      options: ctx.get(blockOptions).map((option) => inWords(ctx, addonOf(option.id), option)),
    };
  },
);

/** Option with labels in the editor's language. */
function inWords<O extends SnippetOption>(ctx: Ctx, addon: string, option: O): O {
  const choices = option.choices.map((choice) => ({ ...choice, label: ownText(ctx, addon, choice.label) }));
  return { ...option, label: ownText(ctx, addon, option.label), choices };
}

/** Markup of a snippet with rendered blocks. */
export const snippet = route.rpc(
  '/website/editor/snippet',
  { ...forEditors, name: 'website.editor_snippet', input: z.object({ id }) },
  async ({ ctx, input, renderFragment }) => {
    if (input.id.startsWith(savedPrefix)) {
      const html = await savedMarkup(ctx, Number(input.id.slice(savedPrefix.length)));
      return { html: await renderFragment('website.editor_html', { html }) };
    }
    const snippet = ctx.get(snippets).find((candidate) => candidate.id === input.id);
    if (!snippet) throw new NotFound('Unknown block “{id}”.', { code: 'website.no_snippet', params: { id: input.id } });
    if (snippet.template) return { html: (await renderFragment(snippet.template)).trim() };
    return {
      html: await renderFragment('website.editor_html', {
        html: blockMarkup(snippet.block ?? '', snippet.blockOptions ?? {}),
      }),
    };
  },
);

/** Prefix of saved blocks in the drawer, followed by their id. */
const savedPrefix = 'website.saved:';

/** Shared blocks are inserted as a reference, others are copied. */
async function savedMarkup(ctx: Ctx, id: number): Promise<string> {
  const row = await ctx.model(SavedBlock).first([['id', '=', id]], { select: { content: true, is_shared: true } });
  if (!row) throw new NotFound('This block doesn’t exist.', { code: 'website.no_saved_block' });
  return row.is_shared ? blockMarkup('website.saved', { block: id }) : row.content;
}

/** Saves a block of a page under a name and returns its id. */
export const saveBlock = route.rpc(
  '/website/editor/snippet/save',
  {
    ...forEditors,
    name: 'website.editor_snippet_save',
    writes: true,
    limit: { bytes: 1_000_000 },
    input: z.object({
      name: z.string().trim().min(1, 'Enter a name for the block.').max(120),
      content: z.string().min(1).max(500_000),
      shared: z.boolean(),
      // Source of the block, whose known translations are copied.
      origin: z.object({ model: z.string().max(64), id: z.int().positive(), field: z.string().max(64) }).optional(),
    }),
  },
  async ({ ctx, input, renderFragment }) => {
    const blocks = ctx.model(SavedBlock);
    const id = await blocks.create({
      name: input.name,
      content: editedHtml(input.content),
      is_shared: input.shared,
    });
    const [record] = input.origin ? await openRecords(ctx, [input.origin]) : [];
    const origin = record && input.origin ? await readMarkup(record.model, record.id, input.origin.field) : null;
    await keepKnownTexts(ctx, renderFragment, { model: blocks, id, field: 'content' }, { origin });
    return id;
  },
);

/** Renders a block with these options. */
export const block = route.rpc(
  '/website/editor/block',
  {
    ...forEditors,
    name: 'website.editor_block',
    input: z.object({ id, options: z.record(z.string(), z.unknown()).default({}) }),
  },
  async ({ ctx, input, renderFragment }) => {
    requireFitting(ctx, input.id, input.options);
    return { html: await renderFragment('website.editor_html', { html: blockMarkup(input.id, input.options) }) };
  },
);

/** `<div data-block="…" data-options="…">`, which the sanitiser keeps and the server fills. */
function blockMarkup(name: string, options: Readonly<Record<string, unknown>>): string {
  const json = JSON.stringify(options).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<div data-block="${name.replace(/[^\w.]/g, '')}" data-options="${json}"></div>`;
}

function requireFitting(ctx: Ctx, name: string, options: Readonly<Record<string, unknown>>): void {
  const block = ctx.get(blockPoint).get(name);
  if (!block) throw new NotFound('Unknown block “{id}”.', { code: 'website.no_block', params: { id: name } });
  const parsed = block.options.safeParse(options);
  if (parsed.success) return;
  const [issue] = parsed.error.issues;
  throw new InvalidInput('Invalid value for “{option}”: {problem}', {
    code: 'website.bad_block_options',
    params: { option: issue?.path.join('.') ?? '', problem: issue?.message ?? '' },
  });
}

/** Maximum records offered per option. */
const mostChoices = 200;

/**
 * Prepares a schema for the options panel: texts in the editor's language, and for options that refer to records (`.meta({ records:
 * 'club.team', where: [['is_ours', '=', true]], none: 'The first form' })`) the choices the editor has access to. With `of: { forum:
 * 'forum_id' }` another option selects the parent of the choices.
 */
async function readable(ctx: Ctx, addon: string, schema: unknown): Promise<unknown> {
  if (!isObject(schema) || !isObject(schema.properties)) return schema;
  const properties: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    if (!isObject(property)) continue;
    const { records, where, labels, of: parents, ...rest } = property;
    const words = Object.entries(rest).map(([key, value]) => [
      key,
      typeof value === 'string' && ['title', 'help', 'none'].includes(key) ? ownText(ctx, addon, value) : value,
    ]);
    const labelled = Array.isArray(labels)
      ? labels.map(({ value, label }) => ({ value, label: ownText(ctx, addon, String(label)) }))
      : null;
    const [parentOption] = isObject(parents) ? Object.entries(parents) : [];
    const choices =
      typeof records === 'string'
        ? await choicesOf(ctx, records, Array.isArray(where) ? where : [], parentOption && String(parentOption[1]))
        : null;
    properties[name] = {
      ...Object.fromEntries(words),
      ...(choices ? { choices, records } : {}),
      ...(parentOption ? { of: parentOption[0] } : {}),
      ...(labelled ? { labels: labelled } : {}),
    };
  }
  return { ...schema, properties };
}

async function choicesOf(ctx: Ctx, model: string, where: readonly unknown[], owner?: string) {
  const select = uncheckedSelect({ display_name: true, ...(owner ? { [owner]: true } : {}) });
  const rows: Readonly<Record<string, unknown>>[] = await ctx
    .modelNamed(model)
    .find(where as never, { select, limit: mostChoices });
  return rows.map(({ id, display_name, ...row }) => ({
    value: id,
    label: String(display_name ?? id),
    ...(owner ? { of: row[owner] } : {}),
  }));
}

/** Addon name at the start of an id. */
function addonOf(id: string): string {
  return id.slice(0, id.indexOf('.'));
}
