import { crc32, deflateRawSync } from 'node:zlib';

const schemas = 'http://schemas.openxmlformats.org';
const office = `${schemas}/officeDocument/2006/relationships`;
const main = `${schemas}/spreadsheetml/2006/main`;
const content = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

interface TestSheet {
  readonly name: string;
  readonly xml: string;
  readonly state?: 'hidden' | 'veryHidden';
}

/** A spreadsheet of one sheet. */
export function spreadsheet(sheet: string): Buffer {
  return workbook([{ name: 'One', xml: sheet }]);
}

/** Cells of a sheet by reference, as the XML inside `<c>` and its attributes: `{ A1: ['t="s"', '<v>0</v>'] }`. */
export function sheetXml(cells: Readonly<Record<string, readonly [attributes: string, content: string]>>): string {
  const rows = Map.groupBy(Object.entries(cells), ([reference]) => reference.replace(/\D/g, ''));
  const xml = [...rows].map(([row, entries]) => {
    const inner = entries.map(
      ([reference, [attributes, content]]) => `<c r="${reference}" ${attributes}>${content}</c>`,
    );
    return `<row r="${row}">${inner.join('')}</row>`;
  });
  return `<?xml version="1.0"?><worksheet xmlns="${main}"><sheetData>${xml.join('')}</sheetData></worksheet>`;
}

/** A text cell. */
export function inline(text: string): readonly [string, string] {
  return [
    't="inlineStr"',
    `<is><t xml:space="preserve">${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</t></is>`,
  ];
}

/** A spreadsheet of several sheets; `formats` are codes of number formats, the first of which is style 1. */
export function workbook(
  sheets: readonly TestSheet[],
  { formats = [], is1904 = false }: { formats?: readonly string[]; is1904?: boolean } = {},
): Buffer {
  const entries = sheets.map(
    ({ name, state = 'visible' }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}" state="${state}" r:id="rId${index + 1}"/>`,
  );
  const relations = sheets.map(
    (_, index) =>
      `<Relationship Id="rId${index + 1}" Type="${office}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  );
  const codes = formats.map(
    (code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
  );
  const styles = formats.map((_, index) => `<xf numFmtId="${164 + index}"/>`);
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${schemas}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${content}.sheet.main+xml"/>${sheets.map((_, index) => `<Override PartName="/xl/worksheets/sheet${index + 1}.xml" ContentType="${content}.worksheet+xml"/>`).join('')}<Override PartName="/xl/styles.xml" ContentType="${content}.styles+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${schemas}/package/2006/relationships"><Relationship Id="b" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets>${entries.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${schemas}/package/2006/relationships">${relations.join('')}<Relationship Id="s" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts>${codes.join('')}</numFmts><cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs></styleSheet>`,
    ...Object.fromEntries(sheets.map(({ xml }, index) => [`xl/worksheets/sheet${index + 1}.xml`, xml])),
  };
  return zipped(parts);
}

function zipped(parts: Readonly<Record<string, string>>): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(parts)) {
    const packed = deflateRawSync(text, { level: 1 });
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(8, 4);
    about.writeUInt32LE(crc32(text), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(Buffer.byteLength(text), 18);
    about.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), about, Buffer.from(name), packed]);
    files.push(local);
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), about, place, Buffer.from(name));
    at += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...files, entries, Buffer.from('PK\x05\x06'), end]);
}
