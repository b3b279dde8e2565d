import type { Element } from 'domhandler';
import { parseDocument } from 'htmlparser2';
import { InvalidInput, xmlText } from 'pergola';

const MAX_DEPTH = 40;

/** A parsed XML-RPC call. */
export interface XmlCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/**
 * Parses a `<methodCall>`. Entities stand for characters only, so nothing outside the text is read.
 *
 * @throws InvalidInput if it is malformed
 */
export function readXmlCall(source: string): XmlCall {
  const document = parseDocument(source, { xmlMode: true, decodeEntities: true });
  const call = elementsOf(document).find(({ name }) => name === 'methodCall');
  const method = call && textOf(child(call, 'methodName'));
  if (!call || !method) throw malformed();
  const params = child(call, 'params');
  const values = params ? elementsOf(params).map((param) => readValue(child(param, 'value'), 0)) : [];
  return { method: method.trim(), params: values };
}

function readValue(value: Element | undefined, depth: number): unknown {
  if (!value || depth > MAX_DEPTH) throw malformed();
  const [typeElement] = elementsOf(value);
  if (!typeElement) return textOf(value);
  const text = textOf(typeElement);
  switch (typeElement.name) {
    case 'string':
    case 'base64':
      return text;
    case 'int':
    case 'i4':
    case 'i8':
    case 'double':
      return numberOf(text);
    case 'boolean':
      return text.trim() === '1';
    case 'dateTime.iso8601':
      return momentOf(text);
    case 'nil':
      return null;
    case 'array':
      return elementsOf(child(typeElement, 'data') ?? typeElement).map((item) => readValue(item, depth + 1));
    case 'struct':
      return Object.fromEntries(
        elementsOf(typeElement).map((member) => [
          textOf(child(member, 'name')),
          readValue(child(member, 'value'), depth + 1),
        ]),
      );
    default:
      throw malformed();
  }
}

function numberOf(text: string): number {
  const number = Number(text.trim());
  if (text.trim() === '' || !Number.isFinite(number)) throw malformed();
  return number;
}

/** Converts `20261121T10:00:00` to a moment in the format of calls. */
function momentOf(text: string): string {
  return text.trim().replace(/^(\d{4})-?(\d\d)-?(\d\d)T/, '$1-$2-$3 ');
}

function elementsOf(node: { readonly children: readonly object[] }): Element[] {
  return node.children.filter((childNode): childNode is Element => 'type' in childNode && childNode.type === 'tag');
}

function child(node: Element, name: string): Element | undefined {
  return elementsOf(node).find((element) => element.name === name);
}

/** Returns the text of an element, including CDATA sections. */
function textOf(node: { readonly children: readonly object[] } | undefined): string {
  return (node?.children ?? [])
    .map((childNode) => {
      if (!('type' in childNode)) return '';
      if (childNode.type === 'text' && 'data' in childNode) return String(childNode.data);
      return childNode.type === 'cdata' && 'children' in childNode
        ? textOf(childNode as { children: readonly object[] })
        : '';
    })
    .join('');
}

function malformed(): InvalidInput {
  return new InvalidInput('This isn’t an XML-RPC call.', { code: 'web.bad_xml_call' });
}

/** Formats a response as XML-RPC. */
export function writeXmlAnswer(value: unknown): string {
  return `<?xml version="1.0"?><methodResponse><params><param>${writeValue(value)}</param></params></methodResponse>`;
}

/** Formats an error as XML-RPC. Odoo's codes: 2 for refused calls, 3 for unknown callers. */
export function writeXmlFault(code: number, text: string): string {
  return `<?xml version="1.0"?><methodResponse><fault>${writeValue({ faultCode: code, faultString: text })}</fault></methodResponse>`;
}

function writeValue(value: unknown): string {
  if (value === null || value === undefined) return '<value><nil/></value>';
  switch (typeof value) {
    case 'boolean':
      return `<value><boolean>${value ? 1 : 0}</boolean></value>`;
    case 'number':
      return Number.isInteger(value) && Math.abs(value) < 2 ** 31
        ? `<value><int>${value}</int></value>`
        : `<value><double>${value}</double></value>`;
    case 'object':
      if (Array.isArray(value)) return `<value><array><data>${value.map(writeValue).join('')}</data></array></value>`;
      return `<value><struct>${Object.entries(value)
        .map(([name, item]) => `<member><name>${xmlText(name)}</name>${writeValue(item)}</member>`)
        .join('')}</struct></value>`;
    default:
      return `<value><string>${xmlText(String(value))}</string></value>`;
  }
}
