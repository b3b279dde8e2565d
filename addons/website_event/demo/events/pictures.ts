import sharp from 'sharp';
import type { Ctx, FileRef } from '#core';

/** Colours of a scene, from the sky to the ground. */
type Palette = readonly [sky: string, glow: string, far: string, middle: string, near: string, light: string];

const palettes: Readonly<Record<'morning' | 'noon' | 'evening' | 'night' | 'autumn' | 'sea', Palette>> = {
  morning: ['#f6e3c5', '#fdf6e3', '#b9cfae', '#7fa884', '#2f6b4f', '#f2b35b'],
  noon: ['#cfe5ee', '#f4fafb', '#a9cfc4', '#5d9c86', '#1f6b4a', '#ffe08a'],
  evening: ['#f1b48c', '#fbe3c8', '#b5788a', '#70557a', '#3b3357', '#ffd9a0'],
  night: ['#22314f', '#4a5f8c', '#31456b', '#1f2f4f', '#141f38', '#f4e4b0'],
  autumn: ['#f3d9b0', '#fbeed6', '#d99a5b', '#a9623a', '#6b3f2a', '#fff1c9'],
  sea: ['#d6e9f2', '#ffffff', '#8fbcd0', '#4f8fae', '#235a78', '#fff3c4'],
};

/** What stands in the foreground. */
const motifs = {
  stage: (c: Palette) =>
    `<path d="M340 690 h600 l-30 -60 h-540 z" fill="${c[3]}"/><rect x="390" y="360" width="500" height="270" rx="12" fill="${c[4]}"/><rect x="412" y="382" width="456" height="226" rx="4" fill="${c[1]}"/><rect x="450" y="420" width="220" height="22" rx="11" fill="${c[2]}"/><rect x="450" y="462" width="170" height="16" rx="8" fill="${c[2]}"/><circle cx="770" cy="490" r="62" fill="${c[5]}"/><rect x="450" y="530" width="200" height="44" rx="22" fill="${c[3]}"/>${people(c, 9)}`,
  tents: (c: Palette) =>
    [180, 470, 760, 1020]
      .map(
        (x, i) =>
          `<path d="M${x} 690 l120 -${150 + i * 12} l120 ${150 + i * 12} z" fill="${i % 2 ? c[5] : c[1]}"/><path d="M${x + 120} ${540 - i * 12} l0 ${150 + i * 12} l-46 0 z" fill="${c[4]}" opacity=".55"/>`,
      )
      .join(''),
  houses: (c: Palette) =>
    [120, 300, 470, 690, 860, 1050]
      .map((x, i) => house(x, 690, 120 + (i % 3) * 20, 120 + ((i * 37) % 90), i % 2 ? c[1] : c[5], c[4]))
      .join(''),
  screen: (c: Palette) =>
    `<rect x="430" y="330" width="420" height="260" rx="18" fill="${c[4]}"/><rect x="450" y="350" width="380" height="220" rx="8" fill="${c[1]}"/><circle cx="540" cy="450" r="42" fill="${c[3]}"/><path d="M480 560 q60 -90 120 0 z" fill="${c[3]}"/><rect x="630" y="400" width="170" height="18" rx="9" fill="${c[2]}"/><rect x="630" y="440" width="130" height="18" rx="9" fill="${c[2]}"/><rect x="630" y="480" width="150" height="18" rx="9" fill="${c[5]}"/><rect x="380" y="600" width="520" height="28" rx="14" fill="${c[4]}"/>`,
  lanterns: (c: Palette) =>
    `<path d="M0 220 q640 220 1280 0" fill="none" stroke="${c[4]}" stroke-width="5"/>${Array.from({ length: 11 }, (_, i) => lantern(60 + i * 116, 220 + 2.1 * 105 * (1 - ((i - 5) / 5.6) ** 2), i % 2 ? c[5] : c[1])).join('')}${people(c, 11)}`,
  trees: (c: Palette) =>
    [110, 260, 900, 1040, 1170]
      .map(
        (x, i) =>
          `<rect x="${x - 9}" y="520" width="18" height="170" fill="${c[4]}"/><circle cx="${x}" cy="${480 - (i % 2) * 40}" r="${86 + (i % 3) * 14}" fill="${i % 2 ? c[3] : c[4]}"/>`,
      )
      .join(''),
  boats: (c: Palette) =>
    [240, 590, 940]
      .map(
        (x, i) =>
          `<path d="M${x} 660 h190 l-34 46 h-122 z" fill="${c[4]}"/><path d="M${x + 92} 650 v-${190 + i * 18} l96 ${180 + i * 18} z" fill="${c[1]}"/><path d="M${x + 82} 650 v-150 l-66 142 z" fill="${c[5]}"/>`,
      )
      .join(''),
} as const;

export interface Scene {
  readonly palette: keyof typeof palettes;
  readonly motif: keyof typeof motifs;
  /** From left (0) to right (1). */
  readonly sun: number;
}

/** A picture of 1280 × 854, drawn when the demo is loaded. */
export async function scenePicture(ctx: Ctx, name: string, { palette, motif, sun }: Scene): Promise<FileRef> {
  const c = palettes[palette];
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="854" viewBox="0 0 1280 854">
<defs><linearGradient id="s" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${c[0]}"/><stop offset=".75" stop-color="${c[1]}"/></linearGradient></defs>
<rect width="1280" height="854" fill="url(#s)"/>
<circle cx="${120 + sun * 1040}" cy="210" r="84" fill="${c[5]}"/>
<path d="M0 470 C220 380 380 420 560 450 S960 360 1280 430 V854 H0 z" fill="${c[2]}"/>
<path d="M0 560 C260 480 460 540 700 545 S1080 470 1280 530 V854 H0 z" fill="${c[3]}"/>
<path d="M0 690 C300 650 620 700 860 690 S1160 660 1280 690 V854 H0 z" fill="${c[4]}"/>
${motifs[motif](c)}
</svg>`;
  const png = await sharp(Buffer.from(drawing)).jpeg({ quality: 82, mozjpeg: true }).toBuffer();
  return ctx.files.putImage(png, { name: `${name}.jpg` });
}

function people(c: Palette, count: number): string {
  return Array.from({ length: count }, (_, i) => {
    const x = 160 + (i * 960) / (count - 1);
    const y = 722 + (i % 3) * 16;
    const coat = [c[2], c[5], c[1]][i % 3];
    return `<circle cx="${x}" cy="${y}" r="26" fill="${coat}"/><path d="M${x - 52} 854 q4 -106 52 -106 t52 106 z" fill="${coat}"/>`;
  }).join('');
}

function house(x: number, y: number, width: number, height: number, wall: string, roof: string): string {
  return `<rect x="${x}" y="${y - height}" width="${width}" height="${height}" fill="${wall}"/><path d="M${x - 12} ${y - height} l${width / 2 + 12} -60 l${width / 2 + 12} 60 z" fill="${roof}"/><rect x="${x + width / 2 - 14}" y="${y - 46}" width="28" height="46" fill="${roof}"/>`;
}

function lantern(x: number, y: number, color: string): string {
  return `<ellipse cx="${x}" cy="${y + 30}" rx="26" ry="34" fill="${color}"/><rect x="${x - 10}" y="${y - 10}" width="20" height="10" fill="#3b3357"/>`;
}
