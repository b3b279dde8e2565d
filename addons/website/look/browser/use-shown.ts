import { notify } from 'pergola/browser';
import { useEffect, useRef } from 'react';
import { useCall, useSettled } from '../../editor/browser/ui/use-call.ts';
import { type Look, lookCalls } from './calls.ts';

/** In which scheme the page is shown while somebody chooses. */
export type Shown = 'auto' | 'light' | 'dark';

/** How long nobody has to have changed anything until the page follows, in ms. */
const DELAY = 150;
const dark = '(prefers-color-scheme: dark)';

/** Shows the page in a look, as long as the caller is there, and the panel in its own colours. What of it nobody could read comes back, by field. */
export function useShown(look: Look, scheme: Shown, panel: string): Readonly<Record<string, string>> {
  const settled = useSettled(look, DELAY);
  const { value, error } = useCall(() => lookCalls.preview(settled), JSON.stringify(settled));
  const css = value?.css ?? '';
  const sheet = useRef<CSSStyleSheet>(null);
  useEffect(() => {
    if (error !== null) notify(error, 'alert');
  }, [error]);
  useEffect(() => {
    if (css === '') return;
    sheet.current ??= adopt();
    const both = `${css}\n${panel}`;
    sheet.current.replaceSync(scheme === 'auto' ? both : inScheme(both, scheme));
  }, [css, scheme, panel]);
  useEffect(() => (scheme === 'auto' ? undefined : keepScheme(scheme)), [scheme]);
  useEffect(
    () => () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet.current);
      if (sheet.current === null) return;
      for (const kept of keptSheets()) kept.disabled = false;
    },
    [],
  );
  return value?.faults ?? {};
}

/** Gives the page the look that was just saved, without loading the page again. */
export async function showSavedLook(): Promise<void> {
  const { sheet } = await lookCalls.open(undefined);
  const link = keptSheets()[0]?.ownerNode;
  if (!(link instanceof HTMLLinkElement)) return;
  const loaded = new Promise((done) => {
    link.onload = done;
    link.onerror = done;
  });
  link.href = sheet;
  await loaded;
}

function inScheme(css: string, scheme: 'light' | 'dark'): string {
  return `${css.replaceAll(dark, mediaIn[scheme])}\nhtml[data-website-id]{color-scheme:${scheme};}`;
}

/** Which pages have the colours for the dark, in the place of the device's answer. */
const mediaIn = { light: 'not all', dark: 'all' } as const;

/** Shows what the page's own sheets say of a scheme; answers how to end that. */
function keepScheme(scheme: 'light' | 'dark'): () => void {
  const rules = [...document.styleSheets]
    .flatMap(({ cssRules }) => [...cssRules])
    .filter((rule): rule is CSSMediaRule => rule instanceof CSSMediaRule && rule.media.mediaText === dark);
  for (const { media } of rules) media.mediaText = mediaIn[scheme];
  return () => {
    for (const { media } of rules) media.mediaText = dark;
  };
}

/** A sheet in the place of the one that the page came with: variants of header and footer do not add up. */
function adopt(): CSSStyleSheet {
  const made = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, made];
  for (const kept of keptSheets()) kept.disabled = true;
  return made;
}

function keptSheets(): CSSStyleSheet[] {
  return [...document.styleSheets].filter(
    ({ ownerNode }) => ownerNode instanceof HTMLElement && ownerNode.matches('[data-look]'),
  );
}
