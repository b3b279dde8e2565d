import { values as appValues, type Ctx, contextTools } from '@pergola/core';
import { templates } from '@pergola/pages';
import { ownText } from '@pergola/texts';
import { addonOf, type MailDefinition } from './define.ts';
import { mailContext } from './mail-context.ts';
import { renderInOwnWords } from './texts.ts';

/**
 * Renders an email's subject and HTML in a language. Its template sees the values, but nothing of the triggering request except its
 * attributes: no user, no rights, and addresses are absolute ones of the configured site (C43).
 */
export async function renderMail<V>(
  ctx: Ctx,
  definition: MailDefinition<V>,
  values: V,
  preferredLang: string,
): Promise<{ subject: string; html: string; lang: string }> {
  const { generation } = ctx.get(contextTools);
  const lang = generation.get(appValues.languages).includes(preferredLang)
    ? preferredLang
    : (generation.get(appValues.languages)[0] ?? ctx.lang);
  const speaking = ctx.as({ lang });
  const edited = await renderInOwnWords(speaking, definition, values as object);
  if (edited) return { subject: oneLine(edited.subject), html: edited.html, lang };
  const html = generation.get(templates).render(definition.template, values as object, await mailContext(speaking));
  const texts = Object.fromEntries(
    Object.entries(values as object).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [],
    ),
  );
  return { subject: oneLine(ownText(speaking, addonOf(definition), definition.subject, texts)), html, lang };
}

function oneLine(subject: string): string {
  return subject.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 250);
}
