import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import pdfmake from 'pdfmake';
import type { PdfJob, PdfResult } from './pdf.ts';
import { printable } from './printable.ts';

/*
 * Lays documents out in a thread of its own: it takes tens of milliseconds of nothing else. Started by `pdf.ts`; the printer's settings are global to the
 * thread, and nothing else runs in it.
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
// Documents bring their pictures along; nothing is fetched, and no file but the fonts is read.
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setLocalAccessPolicy((file: string) => files.has(file));

parentPort?.on('message', (job: PdfJob) => {
  void print(job).then((result) => parentPort?.postMessage(result));
});

async function print({ id, document }: PdfJob): Promise<PdfResult> {
  try {
    const { pageLabel, footer, ...definition } = printable(document);
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
        margin: [40, 12, 40, 0],
        fontSize: 8,
        color: '#555555',
      }),
    });
    return { id, content: new Uint8Array(await pdf.getBuffer()) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}
