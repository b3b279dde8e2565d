import { useEffect, useRef, useState } from 'react';
import { notify } from '#core/browser';
import { troubleOf } from '../../editor/browser/trouble.ts';
import { type Look, lookCalls } from './calls.ts';

/** In which scheme the page is shown while somebody chooses. */
export type Shown = 'auto' | 'light' | 'dark';

/** How long nobody has to have changed anything until the page follows, in ms. */
const DELAY = 150;
const darkOnly = '@media (prefers-color-scheme: dark)';

/** Shows the page in a look, as long as the caller is there. What of it nobody could read comes back, by field. */
export function useShown(look: Look, scheme: Shown): Readonly<Record<string, string>> {
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [css, setCss] = useState('');
  const sheet = useRef<CSSStyleSheet>(null);
  useEffect(() => {
    let isWanted = true;
    const timer = setTimeout(async () => {
      try {
        const shown = await lookCalls.preview(look);
        if (!isWanted) return;
        setFaults(shown.faults);
        setCss(shown.css);
      } catch (error) {
        if (isWanted) notify(troubleOf(error).message, 'alert');
      }
    }, DELAY);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [look]);
  useEffect(() => {
    if (css === '') return;
    sheet.current ??= adopt();
    sheet.current.replaceSync(scheme === 'auto' ? css : inScheme(css, scheme));
  }, [css, scheme]);
  useEffect(
    () => () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet.current);
      if (sheet.current === null) return;
      for (const link of keptSheets()) link.disabled = false;
    },
    [],
  );
  return faults;
}

function inScheme(css: string, scheme: 'light' | 'dark'): string {
  const shown = css.replace(darkOnly, scheme === 'dark' ? '@media all' : '@media not all');
  return `${shown}\nhtml[data-website-id]{color-scheme:${scheme};}`;
}

/** A sheet in the place of the one that the page came with: variants of header and footer do not add up. */
function adopt(): CSSStyleSheet {
  const made = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, made];
  for (const link of keptSheets()) link.disabled = true;
  return made;
}

function keptSheets(): HTMLLinkElement[] {
  return [...document.querySelectorAll<HTMLLinkElement>('link[data-look]')];
}
