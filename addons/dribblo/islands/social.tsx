import { t } from 'pergola/browser';
import { useEffect, useState } from 'react';
import type { z } from 'zod';
import type schema from './social.props.ts';

/** Loads a social media feed on request; nothing is loaded from the network before. */
export default function Social({ network, name, page, frame, height }: z.infer<typeof schema>) {
  const [isAwake, wake] = useState(false);
  const [isShown, show] = useState(false);
  useEffect(() => wake(true), []);
  if (isShown) {
    return (
      <iframe
        ref={(element) => element?.focus()}
        src={frame}
        title={`${name}, ${network}`}
        height={height}
        sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        loading="eager"
      />
    );
  }
  return (
    <div className="club-social-gate">
      <p className="club-social-name">
        {name} <small>{network}</small>
      </p>
      <p>{t('Nothing loads from {network} until you click. {network} will then know you visited.', { network })}</p>
      <p className="club-social-actions">
        <button className="btn btn-primary" type="button" hidden={!isAwake} onClick={() => show(true)}>
          {t('Show {name}', { name })}
        </button>{' '}
        <a className="btn btn-outline-secondary" href={page} target="_blank" rel="noopener">
          {t('Open {network}', { network })}
        </a>
      </p>
    </div>
  );
}
