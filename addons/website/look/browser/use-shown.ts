import { notify } from 'pergola/browser';
import { useEffect, useRef } from 'react';
import { useCall, useSettled } from '../../editor/browser/ui/use-call.ts';
import { type Look, lookCalls } from './calls.ts';

/** Colour scheme of the preview. */
export type Shown = 'auto' | 'light' | 'dark';

/** Milliseconds without changes before the preview updates. */
const DELAY = 150;
const dark = '(prefers-color-scheme: dark)';

/** Previews a look on the page while mounted, with the panel in its own colours. Returns contrast errors by field. */
export function useShown(look: Look, scheme: Shown, panel: string): Readonly<Record<string, string>> {
  const debouncedLook = useSettled(look, DELAY);
  const { value, error } = useCall(() => lookCalls.preview(debouncedLook), JSON.stringify(debouncedLook));
  const css = value?.css ?? '';
  const sheet = useRef<CSSStyleSheet>(null);
  useEffect(() => {
    if (error !== null) notify(error, 'alert');
  }, [error]);
  useEffect(() => {
    if (css === '') return;
    sheet.current ??= adopt();
    const combinedCss = `${css}\n${panel}`;
    sheet.current.replaceSync(scheme === 'auto' ? combinedCss : inScheme(combinedCss, scheme));
  }, [css, scheme, panel]);
  useEffect(() => (scheme === 'auto' ? undefined : keepScheme(scheme)), [scheme]);
  useEffect(
    () => () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((adopted) => adopted !== sheet.current);
      if (sheet.current === null) return;
      for (const pageSheet of keptSheets()) pageSheet.disabled = false;
    },
    [],
  );
  return value?.faults ?? {};
}

/** Applies the saved look without reloading the page. */
export async function showSavedLook(): Promise<void> {
  const { sheet } = await lookCalls.open(undefined);
  const link = keptSheets()[0]?.ownerNode;
  if (!(link instanceof HTMLLinkElement)) return;
  const loaded = new Promise((resolve) => {
    link.onload = resolve;
    link.onerror = resolve;
  });
  link.href = sheet;
  await loaded;
}

function inScheme(css: string, scheme: 'light' | 'dark'): string {
  return `${css.replaceAll(dark, mediaIn[scheme])}\nhtml[data-website-id]{color-scheme:${scheme};}`;
}

/** Media query that replaces the dark-mode query, by preview scheme. */
const mediaIn = { light: 'not all', dark: 'all' } as const;

/** Forces a colour scheme in the page's own style sheets. Returns a function that restores them. */
function keepScheme(scheme: 'light' | 'dark'): () => void {
  const rules = [...document.styleSheets]
    .flatMap(({ cssRules }) => [...cssRules])
    .filter((rule): rule is CSSMediaRule => rule instanceof CSSMediaRule && rule.media.mediaText === dark);
  for (const { media } of rules) media.mediaText = mediaIn[scheme];
  return () => {
    for (const { media } of rules) media.mediaText = dark;
  };
}

/** Creates a style sheet that replaces the page's look; variants of header and footer can't be combined. */
function adopt(): CSSStyleSheet {
  const newSheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, newSheet];
  for (const pageSheet of keptSheets()) pageSheet.disabled = true;
  return newSheet;
}

function keptSheets(): CSSStyleSheet[] {
  return [...document.styleSheets].filter(
    ({ ownerNode }) => ownerNode instanceof HTMLElement && ownerNode.matches('[data-look]'),
  );
}
