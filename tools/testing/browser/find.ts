import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { packagedChromium } from './packaged.ts';

/** Path of a Chromium executable and its environment variables. */
export interface Chromium {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Returns the Chromium for tests: `CHROME_PATH`, otherwise the one in the npm package, otherwise an installed one. The package comes first
 * because it is the same on every machine, and as a headless shell uses half the CPU of a desktop browser.
 *
 * @throws Error if none is found
 */
export function findChromium(): Chromium {
  const chromePath = process.env.CHROME_PATH;
  if (chromePath) {
    if (isExecutable(chromePath)) return { executablePath: chromePath, env: {} };
    throw new Error(
      `CHROME_PATH is ${chromePath}, which is not an executable. Correct it, or unset it to search automatically.`,
    );
  }
  const packaged = packagedChromium();
  if (packaged !== null) return packaged;
  const executable = installed().find(isExecutable);
  if (executable !== undefined) return { executablePath: executable, env: {} };
  throw new Error(
    'No Chromium found for browser tests: neither in CHROME_PATH nor on this system, and the one in the npm package ' +
      `@sparticuz/chromium is missing or does not start on ${process.platform} ${process.arch}. Run "npm ci", or install Chromium or Chrome.`,
  );
}

function installed(): string[] {
  const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const windows = [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA];
  return [
    ...folders.flatMap((folder) =>
      names.map((name) => join(folder, process.platform === 'win32' ? `${name}.exe` : name)),
    ),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ...windows.flatMap((folder) => (folder ? [join(folder, 'Google/Chrome/Application/chrome.exe')] : [])),
  ];
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
