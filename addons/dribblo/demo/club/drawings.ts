import sharp from 'sharp';
import type { Ctx, FileRef } from '#core';

/** A drawing as a picture of the filestore. */
export async function drawn(ctx: Ctx, svg: string, name: string, kind: 'png' | 'jpeg' = 'png'): Promise<FileRef> {
  const picture = sharp(Buffer.from(svg), { density: 96 });
  const bytes = await (kind === 'png'
    ? picture.png()
    : picture.flatten({ background: '#ffffff' }).jpeg({ quality: 82 })
  ).toBuffer();
  return ctx.files.putImage(bytes, { name: `${name}.${kind === 'png' ? 'png' : 'jpg'}` });
}

export interface Colours {
  readonly field: string;
  readonly band: string;
  readonly line: string;
}

const bands = {
  pale: '<path d="M110 20h36v220h-36z" fill="BAND"/>',
  sash: '<path d="M30 190 190 30l40 24L70 230z" fill="BAND"/>',
  hoop: '<path d="M20 100h216v46H20z" fill="BAND"/>',
  halves: '<path d="M128 0h128v256H128z" fill="BAND"/>',
  chevron: '<path d="m20 90 108 90 108-90v50l-108 90L20 140z" fill="BAND"/>',
  saltire: '<path d="m20 20 216 216m0-216L20 236" stroke="BAND" stroke-width="34"/>',
} as const;
export type Band = keyof typeof bands;

/** A crest of 256 pixels: a shield with a band, the club's letters and a ball. */
export function crest(letters: string, band: Band, { field, band: second, line }: Colours): string {
  const shape = 'M128 10 34 34v92c0 62 40 98 94 120 54-22 94-58 94-120V34z';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 256 256" width="256" height="256">
<defs><clipPath id="s"><path d="${shape}"/></clipPath></defs>
<g clip-path="url(#s)"><path d="M0 0h256v256H0z" fill="${field}"/>${bands[band].replace('BAND', second)}</g>
<path d="${shape}" fill="none" stroke="${line}" stroke-width="10"/>
<text x="128" y="118" font-family="DejaVu Sans, Arial, sans-serif" font-size="62" font-weight="bold" fill="#fff" stroke="${line}" stroke-width="8" paint-order="stroke" text-anchor="middle">${letters}</text>
<circle cx="128" cy="176" r="30" fill="#fff" stroke="${line}" stroke-width="6"/>
<path d="m128 162 14 10-5 16h-18l-5-16z" fill="${line}"/>
<path d="M128 162v-14m14 24 13-5m-18 21 8 11m-27-11-8 11m-5-27-13-5" stroke="${line}" stroke-width="5"/>
</svg>`;
}

/** A sponsor's banner, 1024 by 320 pixels. */
export function banner(name: string, line: string, ground: string, ink: string, sign: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1024 320" width="1024" height="320"><path d="M0 0h1024v320H0z" fill="${ground}"/>
<g transform="translate(70 70)" fill="none" stroke="${ink}" stroke-width="14" stroke-linejoin="round" stroke-linecap="round">${sign}</g>
<text x="310" y="160" font-family="DejaVu Serif, Georgia, serif" font-size="58" font-weight="bold" fill="${ink}">${name}</text>
<text x="312" y="220" font-family="DejaVu Sans, Arial, sans-serif" font-size="34" fill="${ink}">${line}</text></svg>`;
}

const player = (x: number, y: number, size: number, shirt: string): string =>
  `<g transform="translate(${x} ${y}) scale(${size})"><circle cx="0" cy="-74" r="13" fill="#3b2a20"/><path d="M-16-58h32l8 40H-24z" fill="${shirt}"/><path d="M-16-18h32l4 26H4L0-4-4 8h-16z" fill="#f5f5f0"/><path d="M-14 8v38M12 8l10 34" stroke="#3b2a20" stroke-width="9" stroke-linecap="round"/><path d="m-22-52-16 22m60-22 18 16" stroke="${shirt}" stroke-width="9" stroke-linecap="round"/></g>`;

const ball = (x: number, y: number, r: number): string =>
  `<g transform="translate(${x} ${y}) scale(${r / 30})"><circle r="30" fill="#fff" stroke="#1d2521" stroke-width="3"/><path d="m0-13 13 9-5 15H-8l-5-15z" fill="#1d2521"/><path d="M0-13v-16M13-4l15-6M8 11l9 13M-8 11l-9 13M-13-4l-15-6" stroke="#1d2521" stroke-width="3"/></g>`;

function pitch(sky: readonly [string, string], grass: readonly [string, string], content: string): string {
  const stripes = [0, 1, 2, 3, 4, 5].map(
    (index) => `<path d="M${index * 170} 330h85l-${60 - index * 22} 270h-120z" fill="${grass[1]}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 600" width="1000" height="600">
<defs><linearGradient id="k" x2="0" y2="1"><stop stop-color="${sky[0]}"/><stop offset="1" stop-color="${sky[1]}"/></linearGradient></defs>
<path d="M0 0h1000v340H0z" fill="url(#k)"/><path d="M0 290q120-70 260-40t300-20 440 30v80H0z" fill="#2f5b45"/><path d="M0 330h1000v270H0z" fill="${grass[0]}"/>${stripes.join('')}
<path d="M0 420h1000M500 330v90" stroke="#fff" stroke-width="5" opacity=".75"/>${content}</svg>`;
}

const goal =
  '<path d="M380 470V330h240v140" fill="none" stroke="#fff" stroke-width="10"/><path d="M390 340h220M390 370h220M390 400h220M390 430h220M420 340v120M460 340v120M500 340v120M540 340v120M580 340v120" stroke="#fff" stroke-width="2" opacity=".6"/>';
const lights = [90, 910]
  .map(
    (x) =>
      `<path d="M${x} 330V90" stroke="#39443e" stroke-width="10"/><path d="M${x - 45} 60h90v44h-90z" fill="#fff7d6"/>`,
  )
  .join('');

/** Pictures of the wall, 1000 by 600 pixels. */
export const scenes: Readonly<Record<'derby' | 'training' | 'night' | 'final' | 'kids' | 'club', string>> = {
  derby: pitch(
    ['#8fc9e8', '#e5f3f7'],
    ['#3f8f58', '#4a9c63'],
    goal + player(300, 520, 1.5, '#1f6b4a') + player(650, 540, 1.6, '#b3261e') + ball(480, 560, 24),
  ),
  training: pitch(
    ['#f7c47c', '#fbe9c8'],
    ['#5a9a4f', '#66a65b'],
    player(220, 520, 1.3, '#d98a1f') +
      player(420, 500, 1.2, '#d98a1f') +
      player(700, 530, 1.4, '#1f6b4a') +
      ball(560, 570, 22) +
      [320, 400, 480].map((x) => `<path d="m${x} 590 14-40 14 40z" fill="#e8591a"/>`).join(''),
  ),
  night: pitch(
    ['#0d1b2e', '#2c4463'],
    ['#24623d', '#2b6d45'],
    lights + goal + player(520, 520, 1.5, '#ffd166') + player(250, 540, 1.5, '#1f6b4a') + ball(400, 500, 20),
  ),
  final: pitch(
    ['#b9d7ea', '#f4f1e6'],
    ['#43935c', '#4ea067'],
    '<path d="M430 190h140v70a70 70 0 0 1-140 0zm48 135h44v60h-44zm-40 60h124v28H438z" fill="#d4a32c"/><path d="M430 205h-46q0 74 60 84m126-84h46q0 74-60 84" fill="none" stroke="#d4a32c" stroke-width="14"/>' +
      player(240, 540, 1.4, '#1f6b4a') +
      player(760, 540, 1.4, '#1f6b4a'),
  ),
  kids: pitch(
    ['#a6dcef', '#effaf5'],
    ['#57a35c', '#63b068'],
    [180, 330, 480, 630, 780]
      .map((x, index) => player(x, 520 + (index % 2) * 20, 1.05, index % 2 ? '#1f6b4a' : '#f2b632'))
      .join('') + ball(560, 570, 26),
  ),
  club: pitch(
    ['#cfe4ee', '#f6f1e4'],
    ['#4c9a5f', '#57a66a'],
    '<path d="M330 210h340v150H330z" fill="#f0e2c4"/><path d="m300 215 200-95 200 95z" fill="#8a5a2b"/><path d="M470 280h60v80h-60z" fill="#5a3a1c"/><path d="M370 260h60v50h-60zm200 0h60v50h-60z" fill="#8fc9e8"/>' +
      ball(250, 520, 30),
  ),
};
