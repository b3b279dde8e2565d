import { Country, countryCodesByName } from '@pergola/base';
import { parse } from 'csv-parse/sync';
import { type Ctx, fold, type Id, InvalidInput } from 'pergola';
import { recordByExternalId } from 'pergola/orm';
import type { FieldInfo } from '../../../backend/types.ts';
import { mayUseModel } from '../../admin/access.ts';
import { callModel } from '../../rpc/call.ts';
import { refuseError } from './cells.ts';
import { type Cell, textOf } from './table.ts';
import type { Via } from './targets.ts';

/** Finds the records named in cells with the user's rights. Looks up each name once. */
export class Relations {
  readonly #ctx: Ctx;
  readonly #makeMissing: boolean;
  readonly #known = new Map<string, Id>();
  #countries: ReadonlyMap<string, string> | null = null;
  /** Names looked up or created in the current row. */
  #fresh: string[] = [];

  constructor(ctx: Ctx, makeMissing: boolean) {
    this.#ctx = ctx;
    this.#makeMissing = makeMissing;
  }

  /** Starts a row; the records created for previous rows stay. */
  begin(): void {
    this.#fresh = [];
  }

  /** Forgets the records created for a row that was rolled back. */
  forgetMade(): void {
    for (const key of this.#fresh) this.#known.delete(key);
    this.#fresh = [];
  }

  /**
   * Converts a relation cell to the format of `create` and `write`. Several records are separated by commas or semicolons; names that
   * contain these are quoted.
   *
   * @throws InvalidInput if a record doesn't exist or its name is ambiguous
   */
  async value(cell: Cell, field: FieldInfo, via: Via): Promise<unknown> {
    refuseError(cell);
    const text = textOf(cell);
    if (text === '') return field.kind === 'many2one' ? null : [[6, 0, []]];
    if (field.kind === 'many2one') return this.#find(text, field, via);
    const ids: Id[] = [];
    const parts: unknown = parse(text, {
      delimiter: [',', ';'],
      relax_quotes: true,
      relax_column_count: true,
      trim: true,
    });
    for (const part of (parts as string[][]).flat()) {
      if (part !== '') ids.push(await this.#find(part, field, via));
    }
    return [[6, 0, [...new Set(ids)]]];
  }

  async #find(text: string, field: FieldInfo, via: Via): Promise<Id> {
    const key = `${field.relation} ${via} ${text}`;
    const cachedIds = this.#known.get(key);
    if (cachedIds !== undefined) return cachedIds;
    const ids = await this.#search(text, field, via);
    this.#known.set(key, ids);
    this.#fresh.push(key);
    return ids;
  }

  async #search(text: string, { relation, label }: FieldInfo, via: Via): Promise<Id> {
    const model = relation ?? '';
    const params = { value: text.slice(0, 60), field: label };
    if (via !== 'name') {
      const id = via === '.id' ? Number(text) : await recordByExternalId(this.#ctx, model, text);
      const [allowed] = id ? await this.#ctx.modelNamed(model).allowed([id], 'read') : [];
      if (allowed) return allowed;
      throw new InvalidInput('{field}: no record named “{value}”.', { code: 'web.import_no_record', params });
    }
    const matches = await this.#byName(model, text);
    const [first] = matches;
    if (first !== undefined && matches.length === 1) return first;
    if (matches.length > 1)
      throw new InvalidInput('{field}: several records are named “{value}”. Use the external ID.', {
        code: 'web.import_several',
        params,
      });
    if (this.#makeMissing && mayUseModel(this.#ctx, model, 'create')) return this.#make(model, text);
    throw new InvalidInput('{field}: no record named “{value}”.', { code: 'web.import_no_record', params });
  }

  /** Finds records by exact name, otherwise ignoring case and accents, otherwise by code. */
  async #byName(model: string, text: string): Promise<Id[]> {
    for (const operator of ['=', '=ilike'] as const) {
      const name = operator === '=' ? text : text.replace(/[%_\\]/g, (sign) => `\\${sign}`);
      const kwargs = { name, operator, limit: 2 };
      const matches = await callModel(this.#ctx, { model, method: 'name_search', args: [], kwargs });
      if (Array.isArray(matches) && matches.length > 0)
        return matches.map((match: unknown) => (Array.isArray(match) ? Number(match[0]) : 0));
    }
    return this.#byCode(model, text);
  }

  /** Countries, for example, are often given by code or in a language that the site doesn't have. */
  async #byCode(model: string, text: string): Promise<Id[]> {
    const { code } = this.#ctx.modelNamed(model).fields;
    if (code?.type !== 'char' || code.options.secret || code.options.groups) return [];
    const searchCode = (model === Country.modelName && this.#countryCode(text)) || text;
    const kwargs = { domain: [['code', '=', searchCode]], fields: ['id'], limit: 2 };
    const rows = await callModel(this.#ctx, { model, method: 'search_read', args: [], kwargs });
    return Array.isArray(rows) ? rows.map(({ id }: { id: unknown }) => Number(id)) : [];
  }

  #countryCode(name: string): string | undefined {
    this.#countries ??= countryCodesByName();
    return this.#countries.get(fold(name));
  }

  async #make(model: string, name: string): Promise<Id> {
    const created = await callModel(this.#ctx, { model, method: 'name_create', args: [name], kwargs: {} });
    return Array.isArray(created) ? Number(created[0]) : 0;
  }
}
