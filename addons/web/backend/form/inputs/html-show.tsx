import { useEffect, useRef } from 'react';
import type { ShowProps } from '../../fields/registry.tsx';

/** Rich text sanitised by the server, isolated from the styles and scripts of the page. */
export function HtmlShow({ value }: ShowProps) {
  return typeof value === 'string' && value !== '' ? <RichText html={value} /> : null;
}

/** Sanitised HTML in a shadow tree. */
export function RichText({ html }: { html: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const parsed = new DOMParser().parseFromString(html, 'text/html');
    // Created by script, because the page's policy blocks inline styles.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(look);
    root.adoptedStyleSheets = [sheet];
    root.replaceChildren(...parsed.body.childNodes);
  }, [html]);
  return <div className="form-html" ref={place} />;
}

const look = `
:host { display: block; overflow-wrap: anywhere }
img { max-width: 100%; height: auto }
p, ul, ol, blockquote { margin: 0 0 0.5em }
a { color: var(--bs-link-color) }
blockquote { border-inline-start: 3px solid var(--bs-border-color); padding-inline-start: 0.75em }
:last-child { margin-bottom: 0 }
`;
