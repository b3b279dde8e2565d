import { t, url } from 'pergola/browser';
import { useEffect, useState } from 'react';
import { kept, waiting } from './parts/kept-scores.ts';

/** Links to the results pending on this phone; opening a match sends its result. */
export default function KeptScores() {
  const [matches, setMatches] = useState<readonly string[]>([]);
  useEffect(() => setMatches(waiting()), []);
  return (
    <div className="alert alert-info js_kept_scores" hidden={matches.length === 0}>
      <p className="mb-1">{t('These results are saved on this phone but not sent yet. Open one to send it.')}</p>
      <ul className="mb-0">
        {matches.map((mnbr) => (
          <li key={mnbr}>
            <a className="alert-link" href={url(`/matchs/${encodeURIComponent(mnbr)}/result`)}>
              {kept(mnbr)?.title ?? mnbr}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
