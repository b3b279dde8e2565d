import type { Ctx, Domain, FieldsOf, Id, ModelRef, RawDomain, RequestView } from 'pergola';
import { t } from '../../texts.ts';
import { pagerWindow } from '../pager-window.ts';
import { type KanbanCard, kanbanCards } from './card.ts';
import { signed } from './description.ts';

/** Records and layout of a kanban. */
export interface KanbanOptions<I> {
  readonly model: ModelRef<I>;
  /** Domain of the records; by default all that the visitor may read. */
  readonly domain?: Domain<FieldsOf<I>>;
  /** Many2one field whose values are the columns. */
  readonly column: keyof FieldsOf<I> & string;
  /** Card declared with `kanbanCard`. */
  readonly template: string;
  /** Cards per page of a column. */
  readonly step?: number;
  /** Number of page links shown. */
  readonly scope?: number;
  readonly orderby?: string;
}

/** Column with its signed description, first cards and pager. */
export interface KanbanColumn {
  /** Id of the column's record; 0 for records without one. */
  readonly id: Id;
  readonly name: string;
  readonly count: number;
  readonly domain: string;
  readonly model: string;
  readonly template: string;
  readonly step: string;
  readonly orderby: string;
  readonly signature: string;
  readonly scope: number;
  readonly page: number;
  readonly page_count: number;
  /** Address of the page that contains the kanban. */
  readonly address: string;
  readonly records: readonly object[];
}

/** Data for the template `website.kanban`. */
export interface Kanban {
  readonly columns: readonly KanbanColumn[];
}

/**
 * Columns of a kanban for the template `website.kanban`, each on its page from the request's `?kanban=<column>-<page>,…`.
 *
 * ```hbs
 * {{#> website.kanban columns=columns}}{{> website.country_card}}{{/website.kanban}}
 * ```
 */
export async function kanban<I>(
  ctx: Ctx,
  request: Pick<RequestView, 'path' | 'url'>,
  options: KanbanOptions<I>,
): Promise<Kanban> {
  const { model, domain = [], column, template, step = 10, scope = 5, orderby = 'name' } = options;
  const card = cardOf(ctx, template, model.modelName);
  if (!card) {
    const remedy = 'Declare it: kanbanCards: [kanbanCard(…)].';
    throw new Error(`kanban: "${template}" is no card of ${model.modelName}. ${remedy}`);
  }
  const records = ctx.modelNamed(model.modelName);
  const groups = (await records.group(domain, { by: [column] })).map(({ count, [column]: value }) => ({
    count,
    value: value as Id | null,
  }));
  const names = await columnNames(ctx, records.fields[column]?.to, groups);
  // Records without a column come last.
  groups.sort((a, b) => Number(a.value === null) - Number(b.value === null));
  const pages = pagesOf(request.url);
  const address = request.path + new URL(request.url, 'http://site').search;
  const columns: KanbanColumn[] = [];
  for (const { value, count } of groups) {
    const id = value ?? 0;
    // Domain terms are combined with AND.
    const columnDomain: RawDomain = [...domain, [column, '=', value]];
    const description = {
      domain: JSON.stringify(columnDomain),
      model: model.modelName,
      template,
      step: String(step),
      orderby,
    };
    const page_count = Math.ceil(count / step);
    const { page } = pagerWindow(pages.get(id) ?? 1, page_count, scope);
    columns.push({
      id,
      name: names.get(id) ?? '',
      count,
      scope,
      ...signed(ctx, description),
      page,
      page_count,
      address,
      records: await cardRows(ctx, card, columnDomain, { step, orderby, page }),
    });
  }
  return { columns };
}

/** Declared card of a template and model. */
export function cardOf(ctx: Ctx, template: string, model: string): KanbanCard | undefined {
  return ctx.get(kanbanCards).find((card) => card.template === template && card.model.modelName === model);
}

/** Records on a page of a column, under the caller's access rights. */
export function cardRows(
  ctx: Ctx,
  card: KanbanCard,
  domain: RawDomain,
  { step, orderby, page }: { step: number; orderby: string; page: number },
): Promise<readonly object[]> {
  return ctx.modelNamed(card.model.modelName).find(domain as never, {
    select: card.select as Record<string, true>,
    order: orderby,
    limit: step,
    offset: (page - 1) * step,
  });
}

async function columnNames(
  ctx: Ctx,
  model: string | undefined,
  groups: readonly { readonly value: Id | null }[],
): Promise<ReadonlyMap<Id, string>> {
  const ids = groups.flatMap(({ value }) => (value === null ? [] : [value]));
  // Users who may read a record may also read the names of related records.
  const names = model ? await ctx.sudo().modelNamed(model).displayNames(ids) : new Map<Id, string>();
  return new Map([...names, [0, t(ctx, 'None')]]);
}

/** Parses `3-2,5-1` in the address: column 3 on page 2, column 5 on page 1. */
function pagesOf(address: string): ReadonlyMap<Id, number> {
  const text = new URL(address, 'http://site').searchParams.get('kanban') ?? '';
  const pairs = text.slice(0, 2_000).matchAll(/(?:^|,)(\d{1,9})-(\d{1,9})(?=,|$)/g);
  return new Map(Array.from(pairs, ([, column, page]) => [Number(column), Number(page)]));
}
