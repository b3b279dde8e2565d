import type { FontFamily, LookParts, Palette } from './point.ts';

const palettes: readonly Palette[] = [
  {
    id: 'website.pergola',
    label: 'Pergola',
    light: { background: '#fbfaf6', surface: '#f0eee6', text: '#1d2521', primary: '#1f6b4a', strong: '#174f38' },
    dark: { background: '#141a17', surface: '#222b26', text: '#e6eae7', primary: '#6fcf9b', strong: '#174f38' },
  },
  {
    id: 'website.sea',
    label: 'Sea',
    light: { background: '#fafbfd', surface: '#e9eff6', text: '#1a2430', primary: '#1d5a8f', strong: '#143f66' },
    dark: { background: '#11161c', surface: '#1d2630', text: '#e4e9ef', primary: '#7db8ec', strong: '#17446b' },
  },
  {
    id: 'website.terracotta',
    label: 'Terracotta',
    light: { background: '#fdf9f6', surface: '#f6ebe3', text: '#2b1f1a', primary: '#9c3c1a', strong: '#6f2a12' },
    dark: { background: '#1a1411', surface: '#2b211c', text: '#efe6e1', primary: '#f0a382', strong: '#6f2f18' },
  },
  {
    id: 'website.plum',
    label: 'Plum',
    light: { background: '#fcfafc', surface: '#f2ebf2', text: '#261d29', primary: '#7a3577', strong: '#4e2050' },
    dark: { background: '#17121a', surface: '#261f2a', text: '#ece5ee', primary: '#d9a1dc', strong: '#57265a' },
  },
  {
    id: 'website.slate',
    label: 'Slate',
    light: { background: '#ffffff', surface: '#f1f2f4', text: '#17191c', primary: '#2f3f57', strong: '#1e2630' },
    dark: { background: '#121316', surface: '#202227', text: '#e8eaed', primary: '#b9c4d4', strong: '#2d3644' },
  },
];

// Arial and Times under their names on various systems, and Android's font. They are scaled 2 % too large: text that grows when its font
// loads counts as the page's largest contentful paint, seconds late on slow connections.
const sans = { local: ['Arial', 'Liberation Sans', 'Roboto'], weights: '100 500' };
const sansBold = { local: ['Arial Bold', 'Liberation Sans Bold', 'Roboto Bold'], weights: '501 900' };
const serif = { local: ['Times New Roman', 'Liberation Serif'], weights: '100 500' };
const serifBold = { local: ['Times New Roman Bold', 'Liberation Serif Bold'], weights: '501 900' };

const fraunces: FontFamily = {
  name: 'Fraunces',
  package: '@fontsource-variable/fraunces',
  weights: '100 900',
  fallback: 'Georgia, serif',
  like: {
    ascent: 97.8,
    descent: 25.5,
    faces: [
      { ...serif, size: 117 },
      { ...serifBold, size: 114 },
    ],
  },
};
const figtree: FontFamily = {
  name: 'Figtree',
  package: '@fontsource-variable/figtree',
  weights: '300 900',
  fallback: 'system-ui, sans-serif',
  like: {
    ascent: 95,
    descent: 25,
    faces: [
      { ...sans, size: 101.5 },
      { ...sansBold, size: 96.5 },
    ],
  },
};
const lora: FontFamily = {
  name: 'Lora',
  package: '@fontsource-variable/lora',
  weights: '400 700',
  fallback: 'Georgia, serif',
  like: {
    ascent: 100.6,
    descent: 27.4,
    faces: [
      { ...serif, size: 117.1 },
      { ...serifBold, size: 112.4 },
    ],
  },
};
const sourceSans: FontFamily = {
  name: 'Source Sans 3',
  package: '@fontsource-variable/source-sans-3',
  weights: '200 900',
  fallback: 'system-ui, sans-serif',
  like: {
    ascent: 102.4,
    descent: 40,
    faces: [
      { ...sans, size: 94.9 },
      { ...sansBold, size: 91 },
    ],
  },
};

const quiet: FontFamily = {
  name: 'System',
  fallback: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', Arial, sans-serif",
};
const quietSerif: FontFamily = {
  name: 'System serif',
  fallback: "ui-serif, 'Iowan Old Style', 'Palatino Linotype', 'URW Palladio L', Palatino, Georgia, serif",
};

/** Buttons on the strong colour look the same as in strong sections, regardless of the site's button style. */
const strongButtons =
  '--pg-button-color:var(--pg-strong);--pg-button-bg:var(--pg-on-strong);--pg-button-border:var(--pg-on-strong);';

/** Default look contributions; the first of each kind is used by new sites. */
export const shippedLooks: LookParts = {
  palettes,
  fonts: [
    { id: 'website.warm', label: 'Fraunces and Figtree', headings: fraunces, text: figtree },
    { id: 'website.clear', label: 'Figtree', headings: figtree, text: figtree },
    { id: 'website.book', label: 'Lora and Source Sans', headings: lora, text: sourceSans },
    { id: 'website.system', label: 'System fonts', headings: quietSerif, text: quiet },
  ],
  headers: [
    { id: 'website.row', label: 'One row', css: '' },
    {
      id: 'website.strong_header',
      label: 'One row, strong colour',
      ground: 'strong',
      css: `.site-header{background:var(--pg-strong);border-color:transparent;}.site-header-bar{${strongButtons}--bs-secondary-bg:color-mix(in srgb, var(--pg-on-strong) 15%, var(--pg-strong));--bs-link-color:var(--pg-on-strong);--bs-secondary-color:var(--pg-on-strong);--bs-body-bg:var(--pg-strong);--bs-body-color:var(--pg-on-strong);--bs-border-color:color-mix(in srgb, var(--pg-on-strong) 30%, var(--pg-strong));color:var(--pg-on-strong);}`,
    },
    {
      id: 'website.centred_header',
      label: 'Centred name',
      css: `@media (min-width: 1200px){html[data-website-id]{--pg-header-height:6.75rem;}}@media (min-width: 992px){html[data-website-id]:not(:has(.site-nav>:nth-child(7))){--pg-header-height:6.75rem;}.site-header-bar{display:grid;grid-template-columns:1fr auto 1fr;}.site-brand{grid-area:1/2;margin:0;font-size:1.7rem;}.site-header-tools{grid-area:1/3;}.site-menu{grid-area:2/1/auto/-1;}.site-nav{justify-content:center;}}`,
    },
  ],
  footers: [
    { id: 'website.columns', label: 'Columns', css: '' },
    {
      id: 'website.strong_footer',
      label: 'Columns, strong colour',
      css: `.site-footer{${strongButtons}--bs-danger-rgb:var(--pg-on-strong-rgb);--bs-primary-rgb:var(--pg-on-strong-rgb);--bs-secondary-color:var(--pg-on-strong);--bs-link-color-rgb:var(--pg-on-strong-rgb);--bs-link-hover-color-rgb:var(--pg-on-strong-rgb);--bs-tertiary-bg:var(--pg-strong);--bs-border-color:color-mix(in srgb, var(--pg-on-strong) 30%, var(--pg-strong));color:var(--pg-on-strong);}.site-footer :focus-visible{outline-color:var(--pg-on-strong);}.site-footer .form-control::placeholder{color:color-mix(in srgb, var(--bs-body-color) 75%, var(--bs-body-bg));}.back-to-top{border:1px solid;}`,
    },
    {
      id: 'website.centred_footer',
      label: 'Middle',
      css: `.site-footer-columns{flex-direction:column;align-items:center;text-align:center;}.site-footer .site-footer-columns>*{flex-basis:auto;}.site-footer-nav ul{display:flex;flex-wrap:wrap;justify-content:center;gap:0 1.25rem;}.site-footer-legal,.site-footer-legal>*,.site-footer .site-social{justify-content:center;}`,
    },
  ],
};
