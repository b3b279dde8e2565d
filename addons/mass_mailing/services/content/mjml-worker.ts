import { parentPort, workerData } from 'node:worker_threads';
import mjml2html from 'mjml';

/** Returns the HTML for each MJML source, in order. */
async function compile(sources: readonly string[]): Promise<string[]> {
  const results: string[] = [];
  for (const source of sources) {
    // No external fonts: opening an email must not be reported to third parties.
    const { html } = await mjml2html(source, {
      keepComments: false,
      validationLevel: 'strict',
      fonts: {},
      // Emails can't include server files.
      ignoreIncludes: true,
    });
    results.push(html.replace(/\n\s*\n+/g, '\n').replace(/^[ \t]+/gm, ''));
  }
  return results;
}

parentPort?.postMessage(await compile(workerData as readonly string[]));
