import { blossom, lit, type Palette, sprig } from './frame.ts';

/** A trowel, blade down. */
export function trowel({ main, dark, light, accent }: Palette): string {
  return `<g transform="rotate(18 320 340)">
${lit('M278 330h84v70c0 60-22 100-42 128-20-28-42-68-42-128z', main)}<path d="M320 340v150" stroke="${light}" stroke-width="6" stroke-linecap="round"/>
<rect x="309" y="268" width="22" height="70" rx="6" fill="${dark}"/>
${lit('M296 120h48a14 14 0 0 1 14 14l-8 130a12 12 0 0 1-12 12h-36a12 12 0 0 1-12-12l-8-130a14 14 0 0 1 14-14z', accent)}
<circle cx="320" cy="146" r="9" fill="#fff" opacity=".65"/></g>`;
}

/** Secateurs, open. */
export function secateurs({ main, dark, light, accent }: Palette): string {
  const half = (side: 1 | -1, color: string): string =>
    `<g transform="translate(320 300) rotate(${side * 16}) scale(${side} 1)">
<path d="M-8-10c10-60 46-110 66-150 12 62-6 122-36 164z" fill="${color}"/><path d="M8-30c8-40 30-84 44-112" stroke="${light}" stroke-width="5" fill="none" stroke-linecap="round"/>
<path d="M-20 6c-8 70-52 130-40 214 3 18 34 16 36-2 4-70 40-120 44-206z" fill="${accent}"/><path d="M-10 30c-10 60-38 110-36 170" stroke="#fff" stroke-opacity=".35" stroke-width="7" fill="none" stroke-linecap="round"/></g>`;
  return `${half(1, main)}${half(-1, dark)}<circle cx="320" cy="302" r="24" fill="${dark}"/><circle cx="320" cy="302" r="10" fill="${light}"/>`;
}

/** A watering can with its rose to the left. */
export function wateringCan({ main, dark, light }: Palette): string {
  return `<path d="M410 300c120-40 150 60 60 160" fill="none" stroke="${dark}" stroke-width="24" stroke-linecap="round"/>
<path d="M262 420 150 268" stroke="${main}" stroke-width="30" stroke-linecap="round"/><path d="M262 420 150 268" stroke="#fff" stroke-opacity=".22" stroke-width="10" stroke-linecap="round"/>
<path d="m110 286 76-60 14 22-72 58z" fill="${dark}"/><g fill="${light}"><circle cx="136" cy="272" r="4"/><circle cx="152" cy="260" r="4"/><circle cx="168" cy="248" r="4"/></g>
${lit('M244 320h190l18 186a16 16 0 0 1-16 16H242a16 16 0 0 1-16-16z', main)}
<ellipse cx="339" cy="320" rx="95" ry="20" fill="${dark}"/><path d="M262 306c10-90 144-90 154 0" fill="none" stroke="${dark}" stroke-width="20"/>
<path d="M236 400h206M231 450h216" stroke="${light}" stroke-width="7" opacity=".7"/>`;
}

/** A pair of gloves. */
export function gloves({ main, dark, light, accent }: Palette): string {
  const glove = `<path d="M-62 190v-96c-30-26-44-66-30-80 14-12 30 8 42 28v-120c0-26 30-26 31 0l2 78 4-110c2-26 33-24 32 2l-2 110 14-96c4-24 34-20 32 6l-10 104 18-60c8-22 34-14 30 10-10 70-22 100-44 136v88z"`;
  return `<g transform="translate(396 332) rotate(9) scale(-1 1)">${glove} fill="${dark}"/></g>
<g transform="translate(256 332) rotate(-7)">${glove} fill="${main}"/>${glove} fill="url(#g)"/><rect x="-70" y="150" width="136" height="44" rx="10" fill="${accent}"/><path d="M-66 132h128" stroke="${light}" stroke-width="6" stroke-dasharray="12 9"/></g>
<rect x="330" y="480" width="136" height="44" rx="10" fill="${accent}" opacity=".85" transform="rotate(9 396 502)"/>`;
}

/** A ball of twine. */
export function twine({ main, dark, light, accent }: Palette): string {
  const turns = [-52, -30, -8, 14, 36].map(
    (y) =>
      `<path d="M196 ${402 + y}c60 ${40 + y / 3} 190 ${40 + y / 3} 248 0" stroke="${dark}" stroke-opacity=".55" stroke-width="6" fill="none"/>`,
  );
  const crossed = [-70, -35, 0, 35, 70].map(
    (x) =>
      `<path d="M${300 + x} 274c-50 70-50 180 ${20 - x / 5} 246" stroke="${light}" stroke-opacity=".8" stroke-width="6" fill="none"/>`,
  );
  return `<circle cx="320" cy="396" r="128" fill="${main}"/><circle cx="320" cy="396" r="128" fill="url(#g)"/>${crossed.join('')}${turns.join('')}
<path d="M410 488c60 50 120 20 130-6" stroke="${main}" stroke-width="8" fill="none" stroke-linecap="round"/>
<rect x="246" y="356" width="148" height="76" rx="8" fill="#fffaf0"/><path d="M268 384h104M284 406h72" stroke="${accent}" stroke-width="8" stroke-linecap="round"/>`;
}

/** A basket with what was picked. */
export function basket({ main, dark, light, accent }: Palette): string {
  const rows = [380, 412, 444, 476].map(
    (y, row) =>
      `<path d="M${184 + row * 7} ${y}H${456 - row * 7}" stroke="${row % 2 ? light : dark}" stroke-width="12" stroke-dasharray="26 12" stroke-dashoffset="${row * 19}"/>`,
  );
  return `<path d="M196 350C206 170 434 170 444 350" fill="none" stroke="${dark}" stroke-width="20"/>
<circle cx="250" cy="326" r="44" fill="#c4472f"/><circle cx="334" cy="314" r="48" fill="#d9653a"/><circle cx="404" cy="330" r="40" fill="#b3405a"/>${sprig(292, 336, -30, -110, '#3f7d55', 4)}${sprig(368, 336, 44, -100, accent, 4)}
${lit('M168 346h304l-34 162a18 18 0 0 1-18 14H220a18 18 0 0 1-18-14z', main)}${rows.join('')}<rect x="156" y="334" width="328" height="30" rx="15" fill="${dark}"/>`;
}

/** A house for birds. */
export function birdHouse({ main, dark, light, accent }: Palette): string {
  return `${lit('M214 282h212v214a12 12 0 0 1-12 12H226a12 12 0 0 1-12-12z', main)}<path d="M214 340h212M214 398h212M214 456h212" stroke="${dark}" stroke-opacity=".4" stroke-width="5"/>
<path d="m320 132 164 158-26 26-138-132-138 132-26-26z" fill="${accent}"/><path d="m320 132 164 158-26 26-138-132z" fill="#000" opacity=".14"/>
<circle cx="320" cy="356" r="42" fill="${dark}"/><circle cx="320" cy="360" r="34" fill="#2a1c10"/><rect x="310" y="424" width="20" height="58" rx="10" fill="${light}"/>
<g transform="translate(352 432)"><path d="M0 8c16-30 56-30 66 0 20 0 26 10 26 10-24 2-34 24-62 22C10 38-4 26 0 8z" fill="#4a7f96"/><circle cx="12" cy="10" r="4" fill="#1f2c31"/><path d="m-2 12-16 4 16 6z" fill="#d99a2b"/></g>
<rect x="196" y="500" width="248" height="22" rx="8" fill="${dark}"/>`;
}

/** What a packet of seeds shows. */
export type Seed = 'tomato' | 'sunflower' | 'lavender' | 'salad' | 'meadow';

const seeds: Readonly<Record<Seed, string>> = {
  tomato: `${sprig(320, 330, -16, -90, '#3f7d55', 4)}<circle cx="280" cy="372" r="46" fill="#c4472f"/><circle cx="362" cy="384" r="40" fill="#d9653a"/><circle cx="266" cy="356" r="10" fill="#fff" opacity=".5"/><path d="m280 330 10 14 16-4-8 14 8 12-16-2-8 12-6-14-16-2 12-10-4-14z" fill="#28593b"/>`,
  sunflower: `${sprig(320, 440, 0, -110, '#3f7d55', 4)}${blossom(320, 316, 92, '#e3a62c', '#6b3f1d', 14)}`,
  lavender: [-56, -20, 20, 56]
    .map(
      (x, index) =>
        `<path d="M320 440C${320 + x / 2} 400 ${320 + x} 370 ${320 + x} 330" stroke="#6b8f4e" stroke-width="6" fill="none"/>${[
          0, 1, 2, 3, 4,
        ]
          .map(
            (n) =>
              `<ellipse cx="${320 + x + (n % 2 ? 8 : -8)}" cy="${330 - n * 17 - index * 3}" rx="13" ry="11" fill="${n % 2 ? '#7f6aa5' : '#a997c9'}"/>`,
          )
          .join('')}`,
    )
    .join(''),
  salad: `<g fill="#6ba97f"><ellipse cx="266" cy="370" rx="58" ry="46"/><ellipse cx="374" cy="370" rx="58" ry="46"/></g><g fill="#3f7d55"><ellipse cx="320" cy="336" rx="54" ry="52"/></g><g fill="#a9cf8b"><ellipse cx="296" cy="392" rx="46" ry="38"/><ellipse cx="350" cy="394" rx="42" ry="36"/></g><path d="M320 430v-90M296 428l-14-52M346 428l16-52" stroke="#f3ead6" stroke-width="5" stroke-linecap="round"/>`,
  meadow: `${sprig(320, 440, -50, -90, '#3f7d55', 3)}${sprig(320, 440, 44, -100, '#6ba97f', 3)}${blossom(262, 330, 40, '#b3405a', '#f1c663')}${blossom(370, 318, 44, '#4a7f96', '#f3ead6')}${blossom(318, 376, 40, '#fffaf0', '#d99a2b', 10)}`,
};

/** A packet of seeds. */
export function seedPacket({ main, dark, accent }: Palette, seed: Seed): string {
  return `<g transform="rotate(-4 320 340)">${lit('M198 150h244a8 8 0 0 1 8 8v348a14 14 0 0 1-14 14H204a14 14 0 0 1-14-14V158a8 8 0 0 1 8-8z', main)}
<path d="M190 150h260v52H190z" fill="${dark}"/><path d="M190 202h260" stroke="#fff" stroke-opacity=".5" stroke-width="3" stroke-dasharray="10 8"/>
<rect x="216" y="226" width="208" height="222" rx="104" fill="#fffaf0"/>${seeds[seed]}
<path d="M250 474h140" stroke="#fffaf0" stroke-width="12" stroke-linecap="round"/><path d="M282 496h76" stroke="#fffaf0" stroke-opacity=".7" stroke-width="8" stroke-linecap="round"/><circle cx="412" cy="176" r="14" fill="${accent}"/></g>`;
}

/** Bulbs with tulips above them. */
export function bulbs({ main, dark, light }: Palette): string {
  const tulip = (x: number, y: number, color: string): string =>
    `<path d="M${x} ${y}v150" stroke="#3f7d55" stroke-width="10"/><path d="M${x} ${y + 120}c-40-10-50-60-52-90 34 14 50 40 52 90zM${x} ${y + 130}c36-14 46-50 48-80-32 10-46 36-48 80z" fill="#6ba97f"/><path d="M${x - 36} ${y - 50}c10 6 18 14 22 24 4-16 8-26 14-34 6 8 10 18 14 34 4-10 12-18 22-24 8 50-2 76-36 76s-44-26-36-76z" fill="${color}"/>`;
  const bulb = (x: number): string =>
    `${lit(`M${x} 418c26 30 52 44 44 78-6 24-26 26-44 26s-38-2-44-26c-8-34 18-48 44-78z`, '#b98350')}<path d="M${x - 18} 512c-8-30 4-52 18-76 14 24 26 46 18 76" stroke="#8a5a2b" stroke-width="4" fill="none"/>`;
  return `${tulip(232, 270, main)}${tulip(320, 214, light)}${tulip(408, 270, dark)}${bulb(224)}${bulb(320)}${bulb(416)}`;
}

/** A terracotta pot with a plant in it. */
export function pot({ main, dark, light, accent }: Palette): string {
  return `${sprig(320, 330, -90, -120, accent, 6)}${sprig(320, 330, 84, -132, '#6ba97f', 6)}${sprig(320, 330, 0, -180, accent, 7)}
${lit('M212 360h216l-30 148a16 16 0 0 1-16 14H258a16 16 0 0 1-16-14z', main)}<rect x="196" y="318" width="248" height="52" rx="10" fill="${dark}"/><rect x="196" y="318" width="248" height="52" rx="10" fill="url(#g)"/>
<path d="M232 424h176" stroke="${light}" stroke-width="7" opacity=".8"/>`;
}

/** A box of flowers for the window. */
export function windowBox({ main, dark, light }: Palette): string {
  const flowers = [176, 236, 300, 364, 424, 470].map((x, index) => {
    const y = 300 - (index % 2) * 40;
    const petal = ['#b3405a', '#fffaf0', '#d99a2b'][index % 3] ?? '#b3405a';
    return `<path d="M${x} 400V${y}" stroke="#3f7d55" stroke-width="7"/>${blossom(x, y, 42, petal, index % 3 === 1 ? '#d99a2b' : '#6b3f1d')}`;
  });
  return `${flowers.join('')}${sprig(200, 400, -50, -60, '#6ba97f', 3)}${sprig(330, 400, 30, -80, '#6ba97f', 4)}${sprig(440, 400, 60, -50, '#6ba97f', 3)}
${lit('M120 386h400v120a14 14 0 0 1-14 14H134a14 14 0 0 1-14-14z', main)}<path d="M120 430h400M120 474h400" stroke="${dark}" stroke-opacity=".45" stroke-width="5"/><rect x="108" y="376" width="424" height="28" rx="8" fill="${dark}"/><circle cx="160" cy="452" r="6" fill="${light}"/><circle cx="480" cy="452" r="6" fill="${light}"/>`;
}

/** A planter that hangs. */
export function hangingPlanter({ main, dark, light, accent }: Palette): string {
  return `<path d="M320 90 208 330M320 90l112 240M320 90v240" stroke="${dark}" stroke-width="6"/><circle cx="320" cy="92" r="14" fill="none" stroke="${dark}" stroke-width="7"/>
${sprig(240, 340, -80, 130, accent, 6)}${sprig(400, 340, 76, 120, '#6ba97f', 6)}${sprig(320, 336, -50, -70, '#6ba97f', 4)}${sprig(320, 336, 60, -60, accent, 4)}
${lit('M196 330h248c0 80-50 132-124 132s-124-52-124-132z', main)}<rect x="186" y="318" width="268" height="26" rx="13" fill="${dark}"/><path d="M222 392c56 20 140 20 196 0" stroke="${light}" stroke-width="7" fill="none" opacity=".8"/>`;
}
