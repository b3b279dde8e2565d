import { escapeHtml } from 'pergola';
import type { MailingLayout } from '../../models/mailing.ts';

/** Values of a layout. Texts are plain, `body` is sanitised HTML; all may contain merge fields. */
export interface LayoutParts {
  readonly lang: string;
  readonly title: string;
  readonly preheader: string;
  readonly headline: string;
  /** Absolute URL of the image, or an empty string. */
  readonly image: string;
  readonly body: string;
  readonly button: { readonly label: string; readonly url: string } | null;
  /** URLs of the logo (empty without a logo), and of the icon shown next to the name instead. */
  readonly site: { readonly name: string; readonly url: string; readonly logo: string; readonly icon: string };
  /** Footer lines. */
  readonly because: string;
  readonly address: string;
  readonly labels: { readonly preferences: string; readonly unsubscribe: string; readonly view: string };
}

const green = '#1f6b4a';
const ink = '#1d2521';
const quiet = '#4f5a54';

/** The three layouts of mailings, as MJML for compatibility with mail clients. */
export const layouts: Readonly<Record<MailingLayout, (parts: LayoutParts) => string>> = {
  news: (parts) =>
    mail(
      parts,
      `${brand(parts)}
${picture(parts)}
<mj-section background-color="#ffffff" padding="24px 12px 28px" css-class="card"><mj-column>
${title(parts, 'left')}${body(parts, 'left')}${button(parts, 'left')}
</mj-column></mj-section>`,
    ),
  letter: (parts) =>
    mail(
      parts,
      `${brand(parts)}
<mj-section background-color="#ffffff" padding="28px 12px" css-class="card"><mj-column>
${title(parts, 'left')}${body(parts, 'left')}${button(parts, 'left')}
<mj-text font-weight="bold" padding-top="20px">${escapeHtml(parts.site.name)}</mj-text>
</mj-column></mj-section>`,
    ),
  announcement: (parts) =>
    mail(
      parts,
      `${brand(parts)}
<mj-section background-color="${green}" padding="36px 12px"><mj-column>
${
  parts.headline
    ? `<mj-text align="center" color="#ffffff" font-family="Georgia, serif" font-size="32px" line-height="1.25"><h1 style="margin:0;font-size:32px;font-weight:bold">${escapeHtml(parts.headline)}</h1></mj-text>`
    : ''
}
</mj-column></mj-section>
${picture(parts)}
<mj-section background-color="#ffffff" padding="24px 12px 32px" css-class="card"><mj-column>
${body(parts, 'center')}${button(parts, 'center')}
</mj-column></mj-section>`,
    ),
};

function mail(parts: LayoutParts, main: string): string {
  const { labels } = parts;
  const link = (field: string, label: string) =>
    `<a href="{{${field}}}" style="color:${quiet};text-decoration:underline">${escapeHtml(label)}</a>`;
  return `<mjml lang="${parts.lang.replace('_', '-')}">
<mj-head>
<mj-title>${escapeHtml(parts.title)}</mj-title>
${parts.preheader ? `<mj-preview>${escapeHtml(parts.preheader)}</mj-preview>` : ''}
<mj-attributes>
<mj-all font-family="system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif" />
<mj-text font-size="16px" line-height="1.6" color="${ink}" />
<mj-button background-color="${green}" color="#ffffff" font-size="16px" font-weight="bold" border-radius="8px" inner-padding="12px 22px" />
</mj-attributes>
<mj-style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
img { max-width: 100%; height: auto; }
@media (prefers-color-scheme: dark) {
  .page, .page > div, div[role="article"] { background-color: #151a17 !important; }
  .card, .card > table { background: #1f2622 !important; background-color: #1f2622 !important; }
  .card div { color: #e8ece9 !important; }
  .card a { color: #7fd0a6 !important; }
  .card td[bgcolor] a { color: #ffffff !important; }
  .foot div, .foot a { color: #b9c2bc !important; }
  .brand a { color: #7fd0a6 !important; }
  .logo { background: #ffffff !important; }
}
</mj-style>
</mj-head>
<mj-body background-color="#f6f4ee" css-class="page">
${main}
<mj-section padding="16px 12px 28px" css-class="foot"><mj-column>
<mj-text font-size="13px" color="${quiet}" line-height="1.6">
<p style="margin:0 0 6px">${escapeHtml(parts.because)}</p>
<p style="margin:0 0 6px">${link('unsubscribe_url', labels.unsubscribe)} · ${link('preferences_url', labels.preferences)} · ${link('view_url', labels.view)}</p>
<p style="margin:0">${escapeHtml(parts.address)}</p>
</mj-text>
</mj-column></mj-section>
</mj-body>
</mjml>`;
}

function brand({ site: { name, url, logo, icon } }: LayoutParts): string {
  const brandMarkup = logo
    ? `<img class="logo" src="${escapeHtml(logo)}" alt="${escapeHtml(name)}" height="40" style="display:inline-block;height:40px;width:auto;max-width:240px;padding:4px;border-radius:6px" />`
    : `<img src="${escapeHtml(icon)}" alt="" width="32" height="32" style="display:inline-block;width:32px;height:32px;margin-right:10px;vertical-align:middle;border-radius:6px" />${escapeHtml(name)}`;
  return `<mj-section padding="20px 12px 12px" css-class="brand"><mj-column>
<mj-text font-family="Georgia, serif" font-size="22px" font-weight="bold"><a href="${escapeHtml(url)}" style="color:${green};text-decoration:none">${brandMarkup}</a></mj-text>
</mj-column></mj-section>`;
}

function picture({ image, headline }: LayoutParts): string {
  if (!image) return '';
  return `<mj-section background-color="#ffffff" padding="0" css-class="card"><mj-column padding="0">
<mj-image src="${escapeHtml(image)}" alt="${escapeHtml(headline)}" padding="0" width="600px" />
</mj-column></mj-section>`;
}

function title({ headline }: LayoutParts, align: string): string {
  if (!headline) return '';
  return `<mj-text align="${align}" font-family="Georgia, serif"><h1 style="margin:0;font-size:26px;line-height:1.3;font-weight:bold">${escapeHtml(headline)}</h1></mj-text>`;
}

function body({ body: html }: LayoutParts, align: string): string {
  return html ? `<mj-text align="${align}">${html}</mj-text>` : '';
}

function button({ button: action }: LayoutParts, align: string): string {
  return action
    ? `<mj-button href="${escapeHtml(action.url)}" align="${align}">${escapeHtml(action.label)}</mj-button>`
    : '';
}
