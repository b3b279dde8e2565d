import left from 'bootstrap-icons/icons/chevron-left.svg';
import right from 'bootstrap-icons/icons/chevron-right.svg';
import { isPlainClick, t } from 'pergola/browser';
import { type AriaAttributes, Fragment } from 'react';
import { Icon } from './icon.tsx';

interface Props {
  /** Accessible name of the list. */
  readonly label: string;
  /** Counted from 1. */
  readonly page: number;
  readonly pages: number;
  /** Omitted if the pages have no address; they are buttons then. */
  readonly address?: (page: number) => string;
  /** Called instead of following the links. */
  readonly onPage?: (page: number) => void;
}

/** Links to the pages of a list: first, last and adjacent ones. */
export function Pager({ label, page, pages, address, onPage }: Props) {
  if (pages < 2) return null;
  const link = (to: number, children: React.ReactNode, { rel, ...aria }: { rel?: string } & AriaAttributes) =>
    address ? (
      <a
        className="page-link"
        href={address(to)}
        rel={rel}
        data-in-place={onPage && true}
        onClick={(event) => {
          if (!onPage || !isPlainClick(event)) return;
          event.preventDefault();
          onPage(to);
        }}
        {...aria}
      >
        {children}
      </a>
    ) : (
      <button type="button" className="page-link" onClick={() => onPage?.(to)} {...aria}>
        {children}
      </button>
    );
  const visiblePages = [...new Set([1, page - 1, page, page + 1, pages])].filter(
    (pageNumber) => pageNumber >= 1 && pageNumber <= pages,
  );
  return (
    <nav aria-label={label}>
      <ul className="pagination justify-content-center flex-wrap mb-0">
        <li className={`page-item${page === 1 ? ' disabled' : ''}`}>
          {page > 1 ? (
            link(page - 1, <Icon of={left} />, { rel: 'prev', 'aria-label': t('Previous page') })
          ) : (
            <span className="page-link" aria-hidden="true">
              <Icon of={left} />
            </span>
          )}
        </li>
        {visiblePages.map((pageNumber, index) => (
          <Fragment key={pageNumber}>
            {pageNumber > (visiblePages[index - 1] ?? 0) + 1 && (
              <li className="page-item disabled d-none d-sm-block" aria-hidden="true">
                <span className="page-link">…</span>
              </li>
            )}
            <li className={`page-item${pageNumber === page ? ' active' : ''}`}>
              {link(pageNumber, pageNumber, {
                'aria-label': t('Page {n}', { n: pageNumber }),
                'aria-current': pageNumber === page ? 'page' : undefined,
              })}
            </li>
          </Fragment>
        ))}
        <li className={`page-item${page === pages ? ' disabled' : ''}`}>
          {page < pages ? (
            link(page + 1, <Icon of={right} />, { rel: 'next', 'aria-label': t('Next page') })
          ) : (
            <span className="page-link" aria-hidden="true">
              <Icon of={right} />
            </span>
          )}
        </li>
      </ul>
    </nav>
  );
}
