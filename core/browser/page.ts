import { fillText, type TextParams } from './fill-text.ts';
import { pageData } from './page-data.ts';

/** The page's language as `Intl` names it, `fr-FR`. */
export function pageLanguage(): string {
  return document.documentElement.lang || pageData().lang.replace('_', '-');
}

/** The translation, or that of each addon where they differ. */
type Text = string | Readonly<Record<string, string>>;
const texts: Record<string, Text> = Object.create(null) as Record<string, Text>;

/** Settled once the texts of the page's language are there. Islands are woken after it; elements that speak wait for it. */
export const ready: Promise<void> = loadTexts();

async function loadTexts(): Promise<void> {
  const address = pageData().texts;
  if (!address) return;
  try {
    const answer = await fetch(address);
    if (answer.ok) Object.assign(texts, await answer.json());
  } catch {
    // Without translations the source texts are shown.
  }
}

/** The text in the page's language, `{name}` filled from params. */
export function t(text: string, params: TextParams = {}): string {
  const known = texts[text] ?? text;
  return fillText(typeof known === 'string' ? known : ownText(known), params);
}

/** Of several translations that of the addon whose script asks, which the stack names: its scripts lie under its name. */
function ownText(said: Exclude<Text, string>): string {
  const scripts = (new Error().stack ?? '').matchAll(/\/_assets\/(\w+)\//g);
  const speaker = [...scripts].map(([, addon = '']) => addon).find((addon) => addon !== 'core' && addon in said);
  return (speaker === undefined ? undefined : said[speaker]) ?? Object.values(said)[0] ?? '';
}

/** The token that forms of this page carry; empty for visitors without a session, who need none. */
export function csrfToken(): string {
  return document.querySelector<HTMLInputElement>('input[name="csrf_token"]')?.value ?? '';
}
