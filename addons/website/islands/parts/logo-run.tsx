import { Icon } from '@pergola/web/kit';
import pauseIcon from 'bootstrap-icons/icons/pause-fill.svg';
import playIcon from 'bootstrap-icons/icons/play-fill.svg';
import { t } from 'pergola/browser';
import { useLayoutEffect, useState } from 'react';
import { showBeside } from './show-beside.ts';

/** Seconds per logo for one pass. */
const PACE = 5;

/** Replaces a static row of logos with a moving one. */
export function showLogoRun(list: HTMLElement): Promise<() => void> {
  return showBeside(list.parentElement ?? document.body, '', () => <LogoRun list={list} />);
}

/** Renders the row twice for an endless loop; the copy is hidden from screen readers. */
function LogoRun({ list }: { list: HTMLElement }) {
  const [isStill, setStill] = useState(false);
  useLayoutEffect(() => {
    list.hidden = true;
    return () => {
      list.hidden = false;
    };
  }, [list]);
  const row = (isEcho: boolean) => (
    <ul
      className="list-unstyled s_logos"
      translate="no"
      inert={isEcho}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: copy of markup in the page
      dangerouslySetInnerHTML={{ __html: list.innerHTML }}
    />
  );
  return (
    <div
      className={`s_run${isStill ? ' is-still' : ''}`}
      style={{ '--s-run': `${PACE * list.children.length}s` } as React.CSSProperties}
    >
      <div>
        <div>
          {row(false)}
          {row(true)}
        </div>
      </div>
      <button
        type="button"
        className="btn btn-sm btn-icon btn-outline-secondary"
        aria-label={isStill ? t('Play the logo carousel') : t('Stop the logo carousel')}
        onClick={() => setStill(!isStill)}
      >
        <Icon of={isStill ? playIcon : pauseIcon} />
      </button>
    </div>
  );
}
