import { Picture } from '@pergola/website/kit';
import { t } from 'pergola/browser';
import { usePage } from 'pergola/islands';

interface Props {
  readonly name: string;
  readonly initial: string;
  readonly picture: string | null;
  readonly karma: number | null;
  readonly path: string | null;
  readonly gold: number;
  readonly silver: number;
  readonly bronze: number;
}

/** Author line of a post, like the template `forum.author`. */
export function Author({ name, initial, picture, karma, path, gold, silver, bronze }: Props) {
  const { number, url } = usePage();
  const dots = [
    ['gold', gold, t('Gold badges')],
    ['silver', silver, t('Silver badges')],
    ['bronze', bronze, t('Bronze badges')],
  ] as const;
  return (
    <span className="forum-author">
      {picture === null ? (
        <span className="forum-face" aria-hidden="true" translate="no">
          {initial}
        </span>
      ) : (
        <Picture className="forum-face" src={picture} alt="" width={28} height={28} />
      )}
      <span className="forum-author-name" translate="no">
        {path === null ? name : <a href={url(path)}>{name}</a>}
      </span>
      {karma ? (
        <span className="forum-author-karma" title={t('Karma')}>
          {number(karma)}
        </span>
      ) : null}
      <span className="forum-dots">
        {dots.map(([level, count, title]) =>
          count > 0 ? (
            <span key={level} className={`forum-dot is-${level}`} title={title}>
              {number(count)}
            </span>
          ) : null,
        )}
      </span>
    </span>
  );
}
