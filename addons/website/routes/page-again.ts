import { escapeHtml, type Reply } from 'pergola';
import { homePage, pageAt } from '../pages/page.ts';
import { plainPath } from '../services/address.ts';
import { pageShown } from '../services/page-shown.ts';
import { showPage } from './pages.ts';

type Options = Readonly<Record<string, unknown>>;

/**
 * Renders the page a form was sent from with changed options for the form's block, so that the submitted values and everything around them
 * stay. Null if the page is unknown or lacks the block; `change` returns null for other blocks.
 */
export async function pageAgain(
  input: Parameters<typeof showPage>[0],
  block: { readonly id: string; readonly change: (options: Options) => Options | null },
  status: number,
): Promise<Reply | null> {
  const { ctx, request } = input;
  const [path = '/'] = pageShown(request).split(/[?#]/);
  const plain = plainPath(ctx.attributes.website, path);
  const page = await (plain === '/' ? homePage(ctx) : pageAt(ctx, plain));
  if (!page?.content) return null;
  const placed = new RegExp(
    `(<div\\b[^<>]*? data-block="${block.id.replace('.', '\\.')}")(?: data-options="([^"]*)")?`,
    'g',
  );
  const content = page.content.replace(placed, (all, tag: string, options?: string) => {
    const changed = block.change(readOptions(options));
    return changed === null ? all : `${tag} data-options="${escapeHtml(JSON.stringify(changed))}"`;
  });
  return content === page.content ? null : showPage(input, { ...page, content }, status);
}

function readOptions(attribute: string | undefined): Options {
  const text = (attribute ?? '{}').replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
