import { parentPort, workerData } from 'node:worker_threads';
import mjml2html from 'mjml';

/** What this thread answers: a mail's HTML for each source, in order. */
async function compile(sources: readonly string[]): Promise<string[]> {
  const made: string[] = [];
  for (const source of sources) {
    // No fonts of others: opening a mail must tell nobody but, if they asked for it, the sender.
    const { html } = await mjml2html(source, {
      keepComments: false,
      validationLevel: 'strict',
      fonts: {},
      // Files of the server are no part of a mail.
      ignoreIncludes: true,
    });
    made.push(html.replace(/\n\s*\n+/g, '\n').replace(/^[ \t]+/gm, ''));
  }
  return made;
}

parentPort?.postMessage(await compile(workerData as readonly string[]));
