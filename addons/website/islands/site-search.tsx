import { Icon, Picture } from '@pergola/web/kit';
import { Combobox } from '@pergola/web/kit-combobox';
import searchIcon from 'bootstrap-icons/icons/search.svg';
import { rpc, t, url } from 'pergola/browser';
import { useState } from 'react';
import type { z } from 'zod';
import type { suggestions } from '../search/routes.ts';
import type schema from './site-search.props.ts';

interface Suggestion {
  readonly title: string;
  readonly url: string;
  readonly kind: string;
  readonly image?: string | null;
  readonly note?: string;
}

/** Search form of the site or of an app's list. Submits to the results page and shows suggestions while typing. */
export default function SiteSearch({ value, autofocus, list }: z.infer<typeof schema>) {
  const [query, setQuery] = useState(value);
  const label = list?.label ?? t('Search this site');
  return (
    <search>
      <form
        className="site-search-form"
        id={list?.id}
        action={url(list?.action ?? '/search')}
        method="get"
        data-slot="site-search"
      >
        {Object.entries(list?.kept ?? {}).map(
          ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
        )}
        <Combobox<Suggestion>
          className="form-control"
          aria-label={label}
          // In fields of type "search", browsers handle Escape themselves, which would not close the container.
          type="text"
          enterKeyHint="search"
          name={list ? 'search' : 'q'}
          maxLength={100}
          autoFocus={autofocus}
          placeholder={label}
          label={t('Suggestions')}
          none={t('No results.')}
          value={query}
          onChange={setQuery}
          onKeyDown={({ key, currentTarget, nativeEvent }) => {
            // Without an open list, Escape is for the container; without a selected suggestion, Enter submits the form. Downshift must
            // ignore both.
            const isOurs = {
              Escape: currentTarget.ariaExpanded !== 'true',
              Enter: !currentTarget.getAttribute('aria-activedescendant'),
            };
            if (isOurs[key as keyof typeof isOurs]) Object.assign(nativeEvent, { preventDownshiftDefault: true });
          }}
          suggest={(text) =>
            text.trim().length < 2
              ? Promise.resolve(null)
              : rpc<typeof suggestions>('/website/search/suggest', { text, addon: list?.addon })
          }
          textOf={({ title }) => title}
          show={({ title, kind, image, note }) => (
            <>
              {image && <Picture src={image} alt="" width="40" height="40" />}
              <span>{title}</span> <small>{note ?? (list ? '' : kind)}</small>
            </>
          )}
          onSelect={(suggestion) => location.assign(url(suggestion.url))}
        />
        <button className={`btn btn-primary${list ? ' a-submit' : ''}`} type="submit">
          <Icon of={searchIcon} /> <span className="visually-hidden">{t('Search')}</span>
        </button>
      </form>
    </search>
  );
}
