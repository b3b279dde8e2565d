import { rpc } from 'pergola/browser';

/** Spreadsheets that tables are written as. */
export const fileFormats = ['xlsx', 'csv'] as const;
export type FileFormat = (typeof fileFormats)[number];

const types: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv;charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Asks the server for a file and hands it to the browser. */
export async function download(
  path: string,
  about: Readonly<Record<string, unknown>> & { readonly format: FileFormat },
): Promise<void> {
  const { name, content } = await rpc<{ name: string; content: string }>(path, about);
  const bytes = Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0));
  const address = URL.createObjectURL(new Blob([bytes], { type: types[about.format] }));
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
