import { rpc } from 'pergola/browser';
import type { BlockOption, PageTemplate, SnippetOption, SnippetTab } from '../../snippets/point.ts';
import type { FaultCount } from '../checks.ts';
import type { ElementRef } from '../open.ts';
import type * as check from '../routes/check.ts';
import type * as drawer from '../routes/drawer.ts';
import type * as edit from '../routes/edit.ts';
import type * as pages from '../routes/pages.ts';
import type { Change } from '../save.ts';
import type { TranslatedPart } from '../untranslated.ts';

export type { FormText } from '../../forms/translation.ts';
export type { ElementRef, OpenElement } from '../open.ts';
export type { RevisionView } from '../revisions.ts';
export type { Change, Refusal, SaveConflict, SaveResult } from '../save.ts';
export type { OpenTerm, TermEdit } from '../translation.ts';
export type { OpenTranslation, TranslatedPart } from '../untranslated.ts';

/** Key of a translatable part outside the page's text: `website.form:3`. */
export function keyOfPart({ model, id }: Pick<TranslatedPart, 'model' | 'id'>): string {
  return `${model}:${id}`;
}

/** Snippet in the drawer. */
export interface DrawerSnippet {
  readonly id: string;
  readonly label: string;
  readonly tab: SnippetTab;
  readonly thumbnail: string;
  readonly block: string | null;
  readonly options: readonly SnippetOption[];
}

/** JSON schema subset used for block options. */
export interface OptionSchema {
  readonly type?: string;
  readonly format?: string;
  readonly title?: string;
  readonly help?: string;
  readonly enum?: readonly (string | number)[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, OptionSchema>>;
  readonly items?: OptionSchema;
  readonly anyOf?: readonly OptionSchema[];
  readonly const?: unknown;
  /** Records that an id, or list of ids, can refer to. */
  readonly choices?: readonly { readonly value: number; readonly label: string; readonly of?: number }[];
  /** Model of the records. */
  readonly records?: string;
  /** Option that selects the parent of the records. */
  readonly of?: string;
  /** Labels of the enumeration values. */
  readonly labels?: readonly { readonly value: string; readonly label: string }[];
  /** Label of an empty selection. */
  readonly none?: string;
}

interface DrawerBlock {
  readonly id: string;
  readonly label: string;
  readonly schema: OptionSchema | null;
}

export interface Drawer {
  readonly snippets: readonly DrawerSnippet[];
  readonly blocks: readonly DrawerBlock[];
  /** Options of all parts of a kind. */
  readonly options: readonly BlockOption[];
  /** Templates for new pages. */
  readonly pages: readonly PageTemplate[];
}

export interface PageSettings {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly published: boolean;
  readonly publish_at: string | null;
  readonly indexed: boolean;
  readonly homepage: boolean;
  readonly website_id: number | null;
  readonly in_menu: boolean;
  readonly revision: string;
}

export interface MenuNode {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly new_window: boolean;
  readonly panel_id: number | false;
  readonly sequence: number;
  readonly parent_id: number | false;
  readonly children: readonly MenuNode[];
}

/** Saved block that a menu entry can open as a full-width panel. */
export interface MenuPanel {
  readonly id: number;
  readonly name: string;
}

export interface MenuItem {
  readonly id: number | string;
  readonly name: string;
  readonly url: string;
  readonly new_window: boolean;
  readonly panel_id: number | false;
  readonly sequence: number;
  readonly parent_id: number | string | false;
}

/**
 * Calls a model method with the user's access rights.
 * @throws RpcError
 */
export const orm = <T>(model: string, method: string, args: readonly unknown[], kwargs: object = {}): Promise<T> =>
  rpc(`/web/dataset/call_kw/${model}/${method}`, { model, method, args, kwargs }) as Promise<T>;

/** Server calls of the editor, typed by their routes. Each throws RpcError. */
export const calls = {
  open: (lang: string, elements: readonly ElementRef[]) =>
    rpc<typeof edit.open>('/website/editor/open', { lang, elements }),
  save: (lang: string, elements: readonly Change[], changeKey?: string) =>
    rpc<typeof edit.save>('/website/editor/save', { lang, elements, changeKey }),
  formTexts: (lang: string, form: number) => rpc<typeof edit.formTexts>('/website/editor/form-texts', { lang, form }),
  pageTexts: (lang: string, model: string, id: number) =>
    rpc<typeof edit.pageTexts>('/website/editor/page-texts', { lang, model, id }),
  history: (ref: { model: string; id: number; field?: string }) =>
    rpc<typeof edit.versions>('/website/editor/history', ref),
  restore: (revision: number, side: 'before' | 'after') =>
    rpc<typeof edit.goBack>('/website/editor/restore', { revision, side }),
  /** The schemas of block options are JSON schemas. */
  drawer: () => rpc('/website/editor/drawer') as Promise<Drawer>,
  snippet: (id: string) => rpc<typeof drawer.snippet>('/website/editor/snippet', { id }),
  saveBlock: (block: { name: string; content: string; shared: boolean; origin: ElementRef }) =>
    rpc<typeof drawer.saveBlock>('/website/editor/snippet/save', block),
  block: (id: string, options: Record<string, unknown>) =>
    rpc<typeof drawer.block>('/website/editor/block', { id, options }),
  page: (id: number) => rpc<typeof pages.pageSettings>('/website/editor/page', { id }),
  savePage: (settings: PageSettings & { redirect: boolean; anyway: boolean }) =>
    rpc<typeof pages.savePageSettings>('/website/editor/page/save', settings),
  newPage: (page: { name: string; url?: string; content?: string; menu: boolean }) =>
    rpc<typeof pages.newPage>('/website/editor/page/new', page),
  copyPage: (id: number) => rpc<typeof pages.copyPage>('/website/editor/page/copy', { id }),
  removePage: (id: number) => rpc<typeof pages.removePage>('/website/editor/page/remove', { id }),
  menu: () => rpc<typeof pages.menuTree>('/website/editor/menu'),
  saveMenu: (data: readonly MenuItem[], toDelete: readonly number[]) =>
    rpc<typeof pages.saveMenu>('/website/editor/menu/save', { data, to_delete: toDelete }),
  checkLanguages: (id: number) => rpc<typeof check.checkLanguages>('/website/editor/check', { id }),
  keepCheck: (id: number, faults: readonly FaultCount[]) =>
    rpc<typeof check.keepCheck>('/website/editor/check/keep', { id, faults }),
  links: (q: string) => rpc<typeof pages.links>('/website/editor/links', { q }),
} as const;
