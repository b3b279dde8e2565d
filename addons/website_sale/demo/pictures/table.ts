import { blossom, lit, type Palette, sprig } from './frame.ts';

/** What a label shows. */
export type Label = 'bee' | 'berry' | 'fig';

const labels: Readonly<Record<Label, string>> = {
  bee: `<ellipse cx="320" cy="420" rx="34" ry="24" fill="#e3a62c"/><path d="M308 398v44M324 397v46M338 400v40" stroke="#4a2f12" stroke-width="8"/><ellipse cx="304" cy="392" rx="24" ry="13" fill="#fff" stroke="#4a2f12" stroke-width="3" transform="rotate(24 304 392)"/><ellipse cx="338" cy="390" rx="24" ry="13" fill="#fff" stroke="#4a2f12" stroke-width="3" transform="rotate(-24 338 390)"/>`,
  berry: `<path d="M320 456c-34-20-44-48-38-64 10-18 66-18 76 0 6 16-4 44-38 64z" fill="#c4334a"/><path d="m286 390 18-14 16 10 16-10 18 14-18 8-16-6-16 6z" fill="#3f7d55"/><g fill="#f1c663"><circle cx="306" cy="412" r="3"/><circle cx="330" cy="410" r="3"/><circle cx="318" cy="428" r="3"/><circle cx="338" cy="424" r="3"/></g>`,
  fig: `<path d="M320 376c14 22 46 34 40 62-4 18-24 22-40 22s-36-4-40-22c-6-28 26-40 40-62z" fill="#6a3f66"/><path d="M320 376v-16" stroke="#3f7d55" stroke-width="8" stroke-linecap="round"/><path d="M304 446c-8-20 2-34 16-50" stroke="#a97ba4" stroke-width="5" fill="none"/>`,
};

/** A jar with a cloth over its lid. */
export function jar({ main, dark, light, accent }: Palette, label: Label): string {
  return `${lit('M226 252h188c24 18 34 40 34 66v170a34 34 0 0 1-34 34H226a34 34 0 0 1-34-34V318c0-26 10-48 34-66z', main)}
<path d="M214 330c0-20 6-36 18-50v196c-12-6-18-16-18-30z" fill="#fff" opacity=".35"/>
<path d="M206 176h228l26 74c-92 22-188 22-280 0z" fill="${accent}"/><path d="M206 176h228l26 74c-92 22-188 22-280 0z" fill="url(#g)"/><path d="M214 246c70 12 142 12 212 0" stroke="${light}" stroke-width="8" fill="none"/><ellipse cx="320" cy="176" rx="114" ry="18" fill="${dark}"/>
<rect x="226" y="346" width="188" height="132" rx="16" fill="#fffaf0"/>${labels[label]}`;
}

/** A bottle with a stopper. */
export function bottle({ main, dark, light, accent }: Palette): string {
  return `${lit('M286 190h68v76c0 30 46 44 46 96v132a28 28 0 0 1-28 28H268a28 28 0 0 1-28-28V362c0-52 46-66 46-96z', main)}<path d="M262 370c0-22 8-34 20-44v160c-12 0-20-8-20-20z" fill="#fff" opacity=".35"/>
<rect x="280" y="172" width="80" height="26" rx="8" fill="${dark}"/><rect x="292" y="126" width="56" height="52" rx="12" fill="${accent}"/>
<rect x="240" y="366" width="160" height="104" fill="#fffaf0"/><circle cx="320" cy="418" r="34" fill="#c4472f"/><path d="M320 388c4-18 14-24 26-26-2 16-12 24-26 26z" fill="#3f7d55"/><path d="M240 380h160M240 456h160" stroke="${light}" stroke-width="4"/>`;
}

/** A tin of tea. */
export function tin({ main, dark, light, accent }: Palette): string {
  return `${lit('M214 236h212v258a28 28 0 0 1-28 28H242a28 28 0 0 1-28-28z', main)}<ellipse cx="320" cy="236" rx="106" ry="22" fill="${dark}"/><path d="M208 176h224v58c-70 26-154 26-224 0z" fill="${dark}"/><ellipse cx="320" cy="176" rx="112" ry="24" fill="${light}"/><circle cx="320" cy="166" r="16" fill="${dark}"/>
<rect x="240" y="298" width="160" height="168" rx="80" fill="#fffaf0"/>${sprig(320, 440, 0, -110, accent, 5)}${sprig(306, 440, -36, -70, '#6ba97f', 3)}${sprig(334, 440, 36, -70, '#6ba97f', 3)}`;
}

/** A plate of biscuits. */
export function biscuits({ main, dark, light }: Palette): string {
  const biscuit = (x: number, y: number, r: number): string =>
    `<circle cx="${x}" cy="${y}" r="${r}" fill="${main}"/><circle cx="${x}" cy="${y}" r="${r}" fill="url(#g)"/><circle cx="${x}" cy="${y}" r="${r - 9}" fill="none" stroke="${dark}" stroke-opacity=".55" stroke-width="5" stroke-dasharray="9 9"/><g fill="${light}"><circle cx="${x - 14}" cy="${y - 10}" r="5"/><circle cx="${x + 14}" cy="${y - 4}" r="5"/><circle cx="${x}" cy="${y + 16}" r="5"/></g>`;
  return `<ellipse cx="320" cy="478" rx="230" ry="44" fill="#fffaf0"/><ellipse cx="320" cy="470" rx="206" ry="34" fill="#e4dccb"/>${biscuit(226, 420, 62)}${biscuit(414, 420, 62)}${biscuit(320, 432, 66)}${biscuit(272, 330, 62)}${biscuit(372, 332, 60)}${biscuit(322, 246, 58)}`;
}

/** A mug with steam over it. */
export function mug({ main, dark, light }: Palette): string {
  return `<path d="M270 226c-18-30 18-48 0-80M330 226c-18-30 18-48 0-80" stroke="#fff" stroke-opacity=".8" stroke-width="10" fill="none" stroke-linecap="round"/>
<path d="M408 320c90-20 104 120-10 124" fill="none" stroke="${dark}" stroke-width="28"/>
${lit('M188 262h224v196a62 62 0 0 1-62 62H250a62 62 0 0 1-62-62z', main)}<ellipse cx="300" cy="262" rx="112" ry="26" fill="${light}"/><ellipse cx="300" cy="264" rx="94" ry="18" fill="#6b3f1d"/><path d="M188 420c70 22 154 22 224 0v40a62 62 0 0 1-62 60H250a62 62 0 0 1-62-60z" fill="${dark}" opacity=".55"/>`;
}

/** Two bowls in each other. */
export function bowl({ main, dark, light }: Palette): string {
  return `${lit('M160 300h320c0 96-60 150-116 160v14h-88v-14c-56-10-116-64-116-160z', dark)}<ellipse cx="320" cy="300" rx="160" ry="30" fill="${main}"/>
${lit('M146 356h348c0 100-66 146-126 154v12h-96v-12c-60-8-126-54-126-154z', main)}<ellipse cx="320" cy="356" rx="174" ry="32" fill="${light}"/><ellipse cx="320" cy="360" rx="150" ry="22" fill="${dark}" opacity=".5"/><path d="M168 424c96 34 208 34 304 0" stroke="${light}" stroke-width="8" fill="none" opacity=".8"/>`;
}

/** A teapot. */
export function teapot({ main, dark, light }: Palette): string {
  return `<path d="M424 350c120-60 130 90 4 110" fill="none" stroke="${dark}" stroke-width="26"/><path d="M210 440c-70-6-70-90-104-128l30-16c40 30 52 60 84 76z" fill="${dark}"/>
${lit('M320 278c100 0 140 66 140 130 0 72-54 114-140 114s-140-42-140-114c0-64 40-130 140-130z', main)}<path d="M224 300c40-34 152-34 192 0-40 20-152 20-192 0z" fill="${light}"/><circle cx="320" cy="258" r="22" fill="${dark}"/>
<path d="M196 446c80 30 168 30 248 0" stroke="${light}" stroke-width="8" fill="none" opacity=".7"/>${blossom(320, 396, 44, light, dark, 6)}`;
}

/** A board with bread on it. */
export function board({ main, dark, light }: Palette): string {
  return `<g transform="rotate(-10 320 360)">${lit('M300 110h40a18 18 0 0 1 18 18v76h44a40 40 0 0 1 40 40v222a46 46 0 0 1-46 46H244a46 46 0 0 1-46-46V244a40 40 0 0 1 40-40h44v-76a18 18 0 0 1 18-18z', main)}<circle cx="320" cy="140" r="12" fill="${dark}"/>
<path d="M232 250c10 70-10 140 4 230M290 230c16 90-10 170 4 270M352 230c-14 90 12 170-2 270M406 250c-10 70 10 150-4 230" stroke="${dark}" stroke-opacity=".35" stroke-width="5" fill="none"/></g>
<g transform="translate(330 420)"><path d="M-96 46c-24-70 20-110 96-110s120 40 96 110z" fill="#a9652a"/><path d="M-84 40c-16-54 20-90 84-90s100 36 84 90z" fill="${light}"/><path d="m-44-14 22 40M-4-26l18 48M40-18 54 22" stroke="#a9652a" stroke-width="8" stroke-linecap="round"/></g>`;
}

/** Three spoons. */
export function spoons({ main, dark, light }: Palette): string {
  const spoon = (angle: number, color: string): string =>
    `<g transform="rotate(${angle} 320 520)">${lit('M308 250h24l6 262a18 18 0 0 1-36 0z', color)}<ellipse cx="320" cy="200" rx="46" ry="66" fill="${color}"/><ellipse cx="320" cy="200" rx="46" ry="66" fill="url(#g)"/><ellipse cx="320" cy="196" rx="30" ry="46" fill="#2a1a08" opacity=".16"/></g>`;
  return `${spoon(-24, dark)}${spoon(24, light)}${spoon(0, main)}`;
}

/** A carafe of water with a lemon in it. */
export function carafe({ main, dark, light, accent }: Palette): string {
  return `<path d="M272 130h96l-14 120c46 24 74 76 74 134 0 80-44 138-108 138s-108-58-108-138c0-58 28-110 74-134z" fill="${light}" opacity=".55"/><path d="M226 340h188c8 14 14 30 14 46 0 78-44 136-108 136s-108-58-108-136c0-16 6-32 14-46z" fill="${main}" opacity=".6"/>
<circle cx="354" cy="430" r="42" fill="${accent}"/><circle cx="354" cy="430" r="32" fill="#fff4c9"/><path d="M354 398v64M326 414l56 32M326 446l56-32" stroke="${accent}" stroke-width="5"/>${sprig(262, 470, 20, -110, '#3f7d55', 4)}
<path d="M272 130h96l-14 120c46 24 74 76 74 134 0 80-44 138-108 138s-108-58-108-138c0-58 28-110 74-134z" fill="none" stroke="${dark}" stroke-width="7"/><path d="M246 330c-14 40-12 90 8 130" stroke="#fff" stroke-width="12" stroke-linecap="round" fill="none" opacity=".8"/>`;
}
