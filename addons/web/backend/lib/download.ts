import { rpc } from 'pergola/browser';

/** Formats of table exports. */
export const fileFormats = ['xlsx', 'csv'] as const;
export type FileFormat = (typeof fileFormats)[number];

const types: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv;charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Requests a file from the server and offers it as a download. */
export async function download(
  path: string,
  options: Readonly<Record<string, unknown>> & { readonly format: FileFormat },
): Promise<void> {
  const { name, content } = await rpc<{ name: string; content: string }>(path, options);
  const bytes = Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0));
  const address = URL.createObjectURL(new Blob([bytes], { type: types[options.format] }));
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
