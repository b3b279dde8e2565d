import type { Ctx } from 'pergola';
import type { Client, TestApp } from 'pergola/testing';
import { WebsitePage } from '../../models/website-page.ts';
import { ownSnippets } from '../own.ts';

/** Markup of all snippets of website for the editor, by id. */
export async function allSnippets(app: TestApp): Promise<ReadonlyMap<string, string>> {
  const editor = await app.as('admin');
  const entries: [string, string][] = [];
  for (const { id } of ownSnippets) entries.push([id, await snippetHtml(editor, id)]);
  return new Map(entries);
}

/** Markup of a snippet. */
export async function snippetHtml(editor: Client, id: string): Promise<string> {
  const { html } = await editor.rpc<{ html: string }>('/website/editor/snippet', { id });
  return html;
}

/** Creates a published page with this content in all languages. */
export async function makePage(app: TestApp, url: string, content: string): Promise<void> {
  await app.write(async (ctx: Ctx) => {
    await ctx.model(WebsitePage).create({ name: 'A page', url, content, website_published: true });
  });
}
