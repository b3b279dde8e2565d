import { blossom, lit, type Palette, sprig } from './frame.ts';

/** A candle that burns. */
export function candle({ main, dark, light }: Palette): string {
  const comb = [330, 372, 414, 456].flatMap((y, row) =>
    [0, 1, 2, 3].map((n) => {
      const x = 256 + n * 42 + (row % 2 ? 21 : 0);
      return x > 400
        ? ''
        : `<path d="m${x} ${y} 18 10v20l-18 10-18-10v-20z" fill="none" stroke="${dark}" stroke-opacity=".35" stroke-width="4"/>`;
    }),
  );
  return `<circle cx="320" cy="200" r="96" fill="#ffe9a8" opacity=".6"/><circle cx="320" cy="206" r="54" fill="#ffe08a" opacity=".7"/>
<path d="M320 272v-34" stroke="#4a2f12" stroke-width="6"/><path d="M320 156c30 36 30 84 0 88-30-4-30-52 0-88z" fill="#f08a24"/><path d="M320 190c14 20 14 48 0 50-14-2-14-30 0-50z" fill="#ffe9a8"/>
${lit('M236 276h168v232a14 14 0 0 1-14 14H250a14 14 0 0 1-14-14z', main)}<ellipse cx="320" cy="276" rx="84" ry="18" fill="${light}"/>${comb.join('')}`;
}

/** A bar of soap with lavender. */
export function soap({ main, dark, light, accent }: Palette): string {
  return `<g transform="translate(0 20)"><rect x="160" y="356" width="320" height="140" rx="40" fill="${dark}"/>${lit('M196 320h248a44 44 0 0 1 44 44v72a44 44 0 0 1-44 44H196a44 44 0 0 1-44-44v-72a44 44 0 0 1 44-44z', main)}<rect x="196" y="350" width="248" height="100" rx="28" fill="none" stroke="${light}" stroke-width="7"/>${sprig(250, 402, 130, -4, accent, 5)}</g>
<g fill="#fff" opacity=".75"><circle cx="206" cy="300" r="30"/><circle cx="252" cy="262" r="18"/><circle cx="430" cy="292" r="24"/><circle cx="396" cy="246" r="13"/></g>${[0, 1, 2, 3, 4].map((n) => `<ellipse cx="${334 + (n % 2 ? 10 : -10)}" cy="${290 - n * 22}" rx="15" ry="13" fill="${n % 2 ? main : light}"/>`).join('')}<path d="M334 330V196" stroke="${accent}" stroke-width="5"/>`;
}

/** A lantern. */
export function lantern({ main, dark, light, accent }: Palette): string {
  return `<path d="M246 196c0-110 148-110 148 0" fill="none" stroke="${dark}" stroke-width="12"/><path d="m320 150 84 70H236z" fill="${main}"/><rect x="226" y="214" width="188" height="26" rx="8" fill="${dark}"/>
<rect x="240" y="240" width="160" height="206" rx="14" fill="#fff6da"/><circle cx="320" cy="350" r="70" fill="#ffe08a" opacity=".8"/><path d="M320 296c34 42 34 92 0 98-34-6-34-56 0-98z" fill="${accent}"/><path d="M320 330c16 24 16 56 0 58-16-2-16-34 0-58z" fill="#ffe9a8"/><rect x="300" y="394" width="40" height="52" fill="#fffaf0"/>
<path d="M240 240v206M400 240v206M293 240v206M347 240v206" stroke="${main}" stroke-width="8"/><rect x="216" y="440" width="208" height="30" rx="8" fill="${dark}"/>${lit('M226 470h188l20 40a12 12 0 0 1-11 12H217a12 12 0 0 1-11-12z', main)}<circle cx="320" cy="496" r="9" fill="${light}"/>`;
}

/** A folded blanket. */
export function blanket({ main, dark, light }: Palette): string {
  const fringe = Array.from(
    { length: 16 },
    (_, n) => `<path d="M${152 + n * 22.4} 504v22" stroke="${light}" stroke-width="7" stroke-linecap="round"/>`,
  );
  const fold = (y: number, color: string): string =>
    `${lit(`M150 ${y}h340a26 26 0 0 1 26 26v16a26 26 0 0 1-26 26H150a26 26 0 0 1-26-26v-16a26 26 0 0 1 26-26z`, color)}<path d="M200 ${y}v68M250 ${y}v68M390 ${y}v68M440 ${y}v68" stroke="${light}" stroke-width="9" opacity=".65"/>`;
  return `${fold(264, main)}${fold(324, dark)}${fold(384, main)}${fold(440, dark)}${fringe.join('')}<path d="M150 292h340" stroke="${light}" stroke-width="8" opacity=".6"/>`;
}

/** An apron on its hanger. */
export function apron({ main, dark, light, accent }: Palette): string {
  return `<path d="M276 180c-10-90 98-90 88 0" fill="none" stroke="${dark}" stroke-width="13"/>${lit('M262 176h116l20 104c34 16 52 22 66 26v206a10 10 0 0 1-10 10H186a10 10 0 0 1-10-10V306c14-4 32-10 66-26z', main)}
<path d="M176 314c-30 10-50 30-66 56M464 314c30 10 50 30 66 56" stroke="${dark}" stroke-width="12" fill="none" stroke-linecap="round"/><rect x="236" y="360" width="168" height="108" rx="10" fill="${dark}" opacity=".75"/><path d="M236 384h168M320 384v84" stroke="${light}" stroke-width="4" stroke-dasharray="9 6"/>${sprig(280, 372, -8, -74, accent, 4)}
<path d="M268 206h104" stroke="${light}" stroke-width="5" stroke-dasharray="9 6"/>`;
}

/** A tea towel over a rail. */
export function towel({ main, dark, light, accent }: Palette): string {
  return `<rect x="120" y="166" width="400" height="20" rx="10" fill="${accent}"/>${lit('M206 160h228v330a8 8 0 0 1-8 8H214a8 8 0 0 1-8-8z', main)}<path d="M206 400h228M206 424h228" stroke="${dark}" stroke-width="10"/><path d="M206 452h228" stroke="${accent}" stroke-width="6"/><path d="M244 160v338M396 160v338" stroke="${light}" stroke-width="12" opacity=".7"/>${blossom(320, 300, 60, dark, light, 8)}<path d="M214 498v18M240 498v18M266 498v18M292 498v18M318 498v18M344 498v18M370 498v18M396 498v18M422 498v18" stroke="${dark}" stroke-width="5" stroke-linecap="round"/>`;
}

/** A notebook with an elastic. */
export function notebook({ main, dark, light, accent }: Palette): string {
  return `<g transform="rotate(-6 320 340)"><rect x="216" y="162" width="240" height="356" rx="14" fill="#e9dfc8"/><path d="M446 180v330" stroke="#cdbd9c" stroke-width="5"/>${lit('M198 150h236a14 14 0 0 1 14 14v336a14 14 0 0 1-14 14H198a14 14 0 0 1-14-14V164a14 14 0 0 1 14-14z', main)}<rect x="184" y="150" width="40" height="364" rx="12" fill="${dark}"/>
<rect x="262" y="220" width="144" height="96" rx="8" fill="#fffaf0"/><path d="M284 254h100M300 282h68" stroke="${accent}" stroke-width="8" stroke-linecap="round"/><path d="M414 150v364" stroke="${light}" stroke-width="12"/>${sprig(320, 470, -4, -110, light, 5)}</g>`;
}

/** A poster of herbs in its frame. */
export function poster({ main, dark, light, accent }: Palette): string {
  return `<rect x="178" y="110" width="284" height="400" fill="${accent}"/><rect x="178" y="110" width="284" height="400" fill="url(#g)"/><rect x="194" y="126" width="252" height="368" fill="#fffaf0"/>${sprig(248, 330, -8, -130, main, 6)}${sprig(322, 330, 4, -150, dark, 7)}${sprig(394, 330, 10, -120, light, 6)}${sprig(270, 440, 30, -80, light, 4)}${sprig(370, 440, -24, -84, main, 4)}<path d="M250 462h140M284 478h72" stroke="${dark}" stroke-width="6" stroke-linecap="round"/>`;
}

/** A book that stands. */
export function book({ main, dark, light, accent }: Palette): string {
  return `<path d="M236 140h214a10 10 0 0 1 10 10v362H236z" fill="#e9dfc8"/>${lit('M206 130h226a10 10 0 0 1 10 10v374a8 8 0 0 1-8 8H206z', main)}<path d="M206 130h-8a24 24 0 0 0-24 24v344a24 24 0 0 0 24 24h8z" fill="${dark}"/>
<path d="M250 400V270a74 74 0 0 1 148 0v130" fill="none" stroke="${light}" stroke-width="12"/><path d="M250 400h148M250 320h148M287 400V210M361 400V210" stroke="${light}" stroke-width="7"/>${sprig(250, 400, 30, -130, accent, 6)}${sprig(398, 400, -26, -120, accent, 5)}<path d="M256 440h136M284 466h80" stroke="#fffaf0" stroke-width="10" stroke-linecap="round"/>`;
}

/** A T-shirt with a leaf on it. */
export function shirt({ main, dark, light, accent }: Palette): string {
  return `${lit('M250 160c30 36 110 36 140 0l60 22c24 10 40 26 52 52l34 78-74 36-18-34v190a16 16 0 0 1-16 16H212a16 16 0 0 1-16-16V314l-18 34-74-36 34-78c12-26 28-42 52-52z', main)}<path d="M250 160c30 36 110 36 140 0" fill="none" stroke="${dark}" stroke-width="12"/><path d="m104 312 74 36M536 312l-74 36" stroke="${dark}" stroke-width="7"/>${sprig(320, 420, 0, -140, accent, 6)}<path d="M206 500h228" stroke="${light}" stroke-width="5" stroke-dasharray="9 6"/>`;
}

/** A bag of cloth. */
export function tote({ main, dark, light, accent }: Palette): string {
  return `<path d="M252 270V190a68 68 0 0 1 136 0v80" fill="none" stroke="${dark}" stroke-width="18"/>${lit('M186 260h268l20 246a16 16 0 0 1-16 16H182a16 16 0 0 1-16-16z', main)}<path d="M190 288h260" stroke="${light}" stroke-width="5" stroke-dasharray="9 6"/>${blossom(320, 392, 66, accent, light, 9)}${sprig(320, 500, 0, -60, '#3f7d55', 3)}`;
}

/** A card in its envelope. */
export function giftCard({ main, dark, light, accent }: Palette): string {
  return `<g transform="rotate(-5 320 340)"><rect x="150" y="190" width="340" height="220" rx="18" fill="${main}"/><rect x="150" y="190" width="340" height="220" rx="18" fill="url(#g)"/><path d="M150 268h340" stroke="${accent}" stroke-width="26"/><path d="M236 190v220" stroke="${accent}" stroke-width="26"/><path d="M236 268c-60-60-90-10-50 6 20 6 50-6 50-6zm0 0c60-60 90-10 50 6-20 6-50-6-50-6z" fill="${accent}" stroke="${dark}" stroke-width="5"/>${blossom(410, 348, 36, light, dark)}</g>
<g transform="rotate(3 320 440)">${lit('M140 350h360a10 10 0 0 1 10 10v150a12 12 0 0 1-12 12H142a12 12 0 0 1-12-12V360a10 10 0 0 1 10-10z', '#f3ead6')}<path d="m132 354 188 112 188-112" fill="none" stroke="#cdbd9c" stroke-width="7"/><circle cx="320" cy="464" r="26" fill="${dark}"/></g>`;
}
