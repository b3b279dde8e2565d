import { Parser } from 'htmlparser2';

/** Names of the hidden sheets in the `content.xml` of an OpenDocument file: a table style hides them, which SheetJS doesn't tell. */
export function hiddenSheets(xml: string): ReadonlySet<string> {
  const styles = new Set<string>();
  const sheets = new Set<string>();
  let style = '';
  const parser = new Parser(
    {
      onopentag: (tag, attributes) => {
        if (tag === 'style:style') style = attributes['style:name'] ?? '';
        if (tag === 'style:table-properties' && attributes['table:display'] === 'false') styles.add(style);
        if (tag === 'table:table' && styles.has(attributes['table:style-name'] ?? ''))
          sheets.add(attributes['table:name'] ?? '');
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return sheets;
}
