import { NotFound, route, z } from 'pergola';
import { nameChanges } from 'pergola/kernel';
import { readFormTexts } from '../../forms/translation.ts';
import { inLanguage, openElements, openRecords } from '../open.ts';
import { readPageTexts } from '../page-texts.ts';
import { history, restore } from '../revisions.ts';
import { editorGroups } from '../rights.ts';
import { saveChanges } from '../save.ts';

const forEditors = { auth: 'user', groups: editorGroups } as const;
/** Limit for whole pages of text. */
const limit = { bytes: 4_000_000 };
const lang = z.string().max(10);
const element = { model: z.string().max(64), id: z.number().int().positive(), field: z.string().max(64) };

/** Pieces of a page with their values; skips pieces the caller may not change. */
export const open = route.rpc(
  '/website/editor/open',
  {
    ...forEditors,
    name: 'website.editor_open',
    input: z.object({ lang, elements: z.array(z.object(element)).max(500) }),
  },
  async ({ ctx, input }) => ({ elements: await openElements(await inLanguage(ctx, input.lang), input.elements) }),
);

/** Saves all changed pieces or none; see `saveChanges`. */
export const save = route.rpc(
  '/website/editor/save',
  {
    ...forEditors,
    name: 'website.editor_save',
    writes: true,
    limit,
    input: z.object({
      lang,
      elements: z
        .array(z.object({ ...element, revision: z.string().max(64), value: z.unknown() }))
        .min(1)
        .max(500),
      /** Chosen by the client, to undo the change at once. */
      changeKey: z.string().max(64).optional(),
    }),
  },
  ({ ctx, input, renderFragment }) => {
    nameChanges(ctx, { clientKey: input.changeKey });
    const changes = input.elements.map(({ value = null, ...change }) => ({ ...change, value }));
    return saveChanges(ctx, renderFragment, input.lang, changes);
  },
);

/** Texts of a form (0: the first form) for translation into a language. */
export const formTexts = route.rpc(
  '/website/editor/form-texts',
  { ...forEditors, name: 'website.editor_form_texts', input: z.object({ lang, form: z.number().int().min(0) }) },
  async ({ ctx, input }) => {
    const inTheirs = await inLanguage(ctx, input.lang);
    const form = await readFormTexts(inTheirs, input.form);
    if (!form) throw new NotFound('This form doesn’t exist or is closed.', { code: 'website.no_form' });
    return { id: form.id, name: form.name, texts: form.textsIn(input.lang) };
  },
);

/** Page title and SEO texts for translation into a language; empty if the caller may not change them. */
export const pageTexts = route.rpc(
  '/website/editor/page-texts',
  {
    ...forEditors,
    name: 'website.editor_page_texts',
    input: z.object({ lang, model: element.model, id: element.id }),
  },
  async ({ ctx, input: { model, id, lang } }) => {
    const inTheirs = await inLanguage(ctx, lang);
    const [record] = await openRecords(inTheirs, [{ model, id, field: 'website_meta_title' }]);
    return { texts: record ? (await readPageTexts(record.model, id)).textsIn(lang) : [] };
  },
);

/** Latest versions of a record's texts. */
export const versions = route.rpc(
  '/website/editor/history',
  {
    ...forEditors,
    name: 'website.editor_history',
    input: z.object({ model: element.model, id: element.id, field: element.field.optional() }),
  },
  async ({ ctx, input }) => ({ revisions: await history(ctx, input) }),
);

/** Restores a version. */
export const goBack = route.rpc(
  '/website/editor/restore',
  {
    ...forEditors,
    name: 'website.editor_restore',
    writes: true,
    input: z.object({ revision: z.number().int().positive(), side: z.enum(['before', 'after']).default('before') }),
  },
  ({ ctx, input }) => restore(ctx, input.revision, input.side),
);
