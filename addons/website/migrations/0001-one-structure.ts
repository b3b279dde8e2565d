import { fold, type Id, migration } from 'pergola';
import { fillSlots, type MigrationTools, matchTexts, splitMarkup } from 'pergola/orm';

/** Markup columns by language in addons of the previous version. */
const columns: readonly (readonly [table: string, column: string])[] = [
  ['website_page', 'content'],
  ['website_saved_block', 'content'],
  ['product_template', 'website_description'],
  ['product_template', 'quote_description'],
  ['quote_template', 'website_description'],
  ['quote_line', 'website_description'],
  ['quote_option', 'website_description'],
  ['event_event', 'description'],
  ['event_event_page', 'content'],
  ['forum_forum', 'faq'],
  ['forum_forum', 'welcome_message'],
  ['club_team', 'description'],
  ['club_wall_post', 'descr'],
  ['payment_acquirer', 'pre_msg'],
  ['payment_acquirer', 'post_msg'],
];
const source = 'en_US';

/**
 * Pages edited in two languages had diverged. Gives each page a single structure, with the texts of the other languages. Parts that only a
 * translation had are kept as an earlier version, which can be restored in all languages.
 */
export default migration({
  version: '1.3.0',
  summary: 'Gives pages the same structure in all languages; what only a translation had is among its earlier versions',
  async up(tools) {
    for (const [table, column] of columns) await joinLanguages(tools, table, column);
  },
});

type Texts = Readonly<Record<string, unknown>>;

async function joinLanguages(tools: MigrationTools, table: string, column: string): Promise<void> {
  const { db, note } = tools;
  const [model] = await db('core_ownership').where({ kind: 'model', table_name: table }).limit(1);
  if (!model) return;
  const rows: Record<string, unknown>[] = await db(table).select();
  for (const row of rows) {
    const texts = parsed(row[column]);
    const html = texts[source];
    if (typeof html !== 'string') continue;
    const joined: Record<string, unknown> = {};
    for (const [lang, text] of Object.entries(texts)) {
      if (lang === source || typeof text !== 'string' || text === html) continue;
      const matches = matchTexts(html, text);
      const after = fillSlots(html, splitMarkup(html), matches.texts);
      if (after === text) continue;
      joined[lang] = after;
      const target = { model: String(model.name), id: Number(row.id), field: column, lang };
      await storeVersion(tools, target, text, after);
      note(
        `${target.model} ${target.id} (${column}) has the structure of ${source} in ${lang} from now on; ` +
          `${matches.left.length} parts that only ${lang} had are among its earlier versions`,
      );
    }
    if (Object.keys(joined).length === 0) continue;
    const folded = row[`${column}__fold`];
    const changes: Record<string, string> = { [column]: JSON.stringify({ ...texts, ...joined }) };
    if (folded !== null && folded !== undefined) {
      const folds = Object.entries(joined).map(([lang, text]) => [lang, fold(String(text))]);
      changes[`${column}__fold`] = JSON.stringify({ ...parsed(folded), ...Object.fromEntries(folds) });
    }
    await db(table).where({ id: row.id }).update(changes);
  }
}

/** JSON is a string on SQLite and an object on PostgreSQL. */
function parsed(value: unknown): Texts {
  const texts: unknown = typeof value === 'string' ? JSON.parse(value) : value;
  return typeof texts === 'object' && texts !== null ? { ...texts } : {};
}

async function storeVersion(
  { db, dialect }: MigrationTools,
  { model, id, field, lang }: { model: string; id: Id; field: string; lang: string },
  before: string,
  after: string,
): Promise<void> {
  const [revisionModel] = await db('core_ownership').where({ kind: 'model', table_name: 'website_revision' }).limit(1);
  if (!revisionModel) return;
  const date = dialect === 'sqlite' ? Date.now() : new Date().toISOString();
  await db('website_revision').insert({
    res_model: model,
    res_id: id,
    field,
    lang,
    date,
    create_date: date,
    write_date: date,
    before: JSON.stringify(before),
    after: JSON.stringify(after),
  });
}
