import { isPlainClick, notify, postForm, t } from 'pergola/browser';
import { usePage } from 'pergola/islands';
import { type AnchorHTMLAttributes, createElement, type ReactNode, useState, useTransition } from 'react';
import type { z } from 'zod';
import { pagerWindow } from '../snippets/pager-window.ts';
import type schema from './kanban-column.props.ts';

type Props = z.infer<typeof schema> & { readonly children?: ReactNode };
type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { readonly [data: `data-${string}`]: string };

/** Kanban column whose page links fetch and replace the cards. Without JavaScript they link to the same page with `?kanban=`. */
export default function KanbanColumn({ children, ...column }: Props) {
  const { id, name, count, domain, model, template, step, orderby, signature, scope, page_count: pageCount } = column;
  const [{ page, cards }, setShown] = useState<{ page: number; cards: string | null }>({
    page: column.page,
    cards: null,
  });
  const [isBusy, start] = useTransition();
  const { number, url } = usePage();
  const showPage = (number: number): void =>
    start(async () => {
      const params = { domain, model, template, step, orderby, signature, page: number };
      const answer = await postForm('/website/kanban', params).catch(() => null);
      const html = answer?.ok ? await answer.text() : null;
      if (html === null) notify(t('Couldn’t load this page. Try again.'), 'alert');
      else setShown({ page: number, cards: html });
    });
  const { first, last, previous, next } = pagerWindow(page, pageCount, scope);
  const link = (to: number, label: string, more: LinkProps) => (
    <a
      className="page-link"
      href={url(withPage(column.address, id, to))}
      rel="nofollow"
      data-column={id}
      data-page={to}
      data-in-place
      onClick={(event) => {
        if (!isPlainClick(event)) return;
        event.preventDefault();
        showPage(to);
      }}
      {...more}
    >
      {label}
    </a>
  );
  return (
    <section
      className="kanban-column js_kanban_col"
      data-slot="kanban-column"
      aria-label={name}
      data-domain={domain}
      data-model={model}
      data-template={template}
      data-step={step}
      data-orderby={orderby}
      data-signature={signature}
      data-page={page}
      data-page-count={pageCount}
      data-scope={scope}
    >
      <h2 className="kanban-title" data-slot="kanban-title">
        {name} <span className="badge bg-body text-body">{number(count)}</span>
      </h2>
      <div
        className="kanban-cards js_kanban_cards"
        data-slot="kanban-cards"
        aria-live="polite"
        aria-busy={isBusy || undefined}
      >
        {cards === null
          ? children
          : // biome-ignore lint/security/noDangerouslySetInnerHtml: cards rendered by this site's template
            createElement('pergola-content', { dangerouslySetInnerHTML: { __html: cards } })}
      </div>
      {pageCount > 1 && (
        <nav className="kanban-pager" data-slot="kanban-pager" aria-label={t('Pages of {name}', { name })}>
          <ul className="pagination pagination-sm">
            <li className={`page-item${previous === page ? ' disabled' : ''}`}>
              {link(previous, '‹', { 'data-step': 'previous', 'aria-label': t('Previous page') })}
            </li>
            {Array.from({ length: last - first + 1 }, (_, index) => first + index).map((to) => (
              <li key={to} className={`page-item${to === page ? ' active' : ''}`}>
                {link(to, String(to), { 'data-number': '', 'aria-current': to === page ? 'page' : undefined })}
              </li>
            ))}
            <li className={`page-item${next === page ? ' disabled' : ''}`}>
              {link(next, '›', { 'data-step': 'next', 'aria-label': t('Next page') })}
            </li>
          </ul>
        </nav>
      )}
    </section>
  );
}

/** Same page with another page of the column: `?kanban=3-2` is column and page; other columns keep their page. */
function withPage(address: string, column: number, page: number): string {
  const [path = '', query = ''] = address.split('?', 2);
  const params = new URLSearchParams(query);
  const otherColumns = (params.get('kanban') ?? '').split(',').filter((part) => part && !part.startsWith(`${column}-`));
  params.delete('kanban');
  const otherParams = params.size > 0 ? `${params}&` : '';
  return `${path}?${otherParams}kanban=${[...otherColumns, `${column}-${page}`].join(',')}`;
}
