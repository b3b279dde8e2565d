import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import pdfmake from 'pdfmake';
import { charactersOf, loadFonts } from './fallback-fonts.ts';
import type { PdfJob, PdfResult } from './pdf.ts';
import { printable, textsOf } from './printable.ts';
import { extendPdfmake } from './text-layout.ts';
import { isPlain, textRuns } from './text-runs.ts';

/*
 * Lays out documents in a separate thread, because each takes tens of milliseconds of CPU time. Started by `pdf.ts`. The printer's settings
 * are global to the thread, so documents are laid out one after the other.
 */
const folder = path.dirname(fileURLToPath(import.meta.resolve('pdfmake/fonts/Roboto/Roboto-Regular.ttf')));
const roboto = {
  normal: path.join(folder, 'Roboto-Regular.ttf'),
  bold: path.join(folder, 'Roboto-Medium.ttf'),
  italics: path.join(folder, 'Roboto-Italic.ttf'),
  bolditalics: path.join(folder, 'Roboto-MediumItalic.ttf'),
};
const files = new Set(Object.values(roboto));
pdfmake.setFonts({ Roboto: roboto });
// Documents include their pictures: nothing is fetched, and only font files are read.
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setLocalAccessPolicy((file: string) => files.has(file));

// architecture-exempt(mutable-module): runs in the documents thread only, and fonts are the same for every application
let language = 'en';
// architecture-exempt(mutable-module): runs in the documents thread only, and fonts are the same for every application
let characters: ReadonlySet<number> | null = null;
const hasGlyph = (codePoint: number): boolean => {
  characters ??= charactersOf(roboto.normal);
  return characters.has(codePoint);
};
extendPdfmake(() => language, hasGlyph);

// architecture-exempt(mutable-module): runs in the documents thread only, and fonts are the same for every application
let last: Promise<void> = Promise.resolve();
parentPort?.on('message', (job: PdfJob) => {
  last = last.then(async () => parentPort?.postMessage(await print(job)));
});

async function print({ id, document }: PdfJob): Promise<PdfResult> {
  try {
    if (typeof document === 'string') return { id, content: await draw(document) };
    const { pageLabel, footer, ...definition } = printable(document);
    language = definition.language ?? 'en';
    const missing = new Set<string>();
    const texts = textsOf([definition.content, footer, pageLabel]).filter((text) => !isPlain(text));
    if (texts.length > 0) await loadFonts(texts, { language, hasGlyph, missing });
    const pdf = pdfmake.createPdf({
      ...definition,
      footer: (page, pages) => ({
        columns: [
          { text: footer ?? '', alignment: 'left' },
          {
            text: (pageLabel ?? '{page} / {pages}').replace('{page}', String(page)).replace('{pages}', String(pages)),
            alignment: 'right',
            width: 'auto',
          },
        ],
        columnGap: 12,
        margin: [40, 12, 40, 0],
        fontSize: 8,
        color: '#555555',
      }),
    });
    return { id, content: new Uint8Array(await pdf.getBuffer()), missing: [...missing] };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}

async function draw(text: string): Promise<Uint8Array> {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  await loadFonts([line], { language: 'en', hasGlyph, missing: new Set() });
  const { drawRuns } = await import('./text-drawing.ts');
  const runs = textRuns(line, { breaks: [], boundaries: new Set(), language: 'en', hasGlyph });
  return new TextEncoder().encode(drawRuns(runs, roboto.italics));
}
