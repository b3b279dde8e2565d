import { type Ctx, contextTools, type RequestAttributes } from '@pergola/core';
import { localPaths } from '@pergola/http';
import { assets } from '@pergola/islands';
import { choiceText } from '@pergola/orm';
import { requestAttributes } from '@pergola/page-cache';
import { attributeAt, pictureUrl, type RenderContext, rendering } from '@pergola/pages';
import { t } from '@pergola/texts';

/** Template context of emails, in addition to their values. */
export async function mailContext(ctx: Ctx): Promise<RenderContext> {
  const { generation } = ctx.get(contextTools);
  const rules = await Promise.all(
    ctx.get(rendering).map(async (rule) => ({ rule, prepared: await rule.prepare?.(ctx.sudo()) })),
  );
  const attributes = await attributesFor(ctx);
  const local = await localPaths(ctx, attributes as RequestAttributes);
  const absolute = (path: string): string =>
    path.startsWith('/') && !path.startsWith('//') ? `${ctx.config.baseUrl}${path}` : path;
  return {
    lang: ctx.lang,
    timezone: ctx.timezone,
    siteTimezone: null,
    groups: new Set(),
    editor: false,
    editable: () => false,
    currency: (key) => rules.map(({ rule, prepared }) => rule.currency?.(prepared, key)).find(Boolean),
    now: () => ctx.now(),
    t: (text, params) => t(ctx, text, params),
    choice: (model, field, value) => choiceText(ctx, model, field, value),
    url: (path) => absolute(local(path)),
    image: (...picture) => absolute(pictureUrl(...picture)),
    assets: () => '',
    attribute: (path) => attributeAt(attributes, path),
    icon: (name) => generation.get(assets).icon(name),
    // Features that need a browser or a visitor don't work in email.
    stylesheet: () => '',
    island: () => '',
    fragment: () => '',
    csrf: () => '',
    block: () => '',
    contentStyles: () => '',
    fillBlocks: (html) => html,
  };
}

/** Request attributes of the email (its website): from the current request, or as for a request to the configured address. */
async function attributesFor(ctx: Ctx): Promise<Readonly<RequestAttributes>> {
  if (Object.keys(ctx.attributes).length > 0) return ctx.attributes;
  const attributes: Record<string, unknown> = {};
  const host = new URL(ctx.config.baseUrl).hostname;
  for (const { name, prepare, resolve } of ctx.get(requestAttributes)) {
    attributes[name] = resolve(await prepare(ctx.sudo()), { host, path: '/', cookies: {}, headers: {}, attributes });
  }
  return attributes;
}
