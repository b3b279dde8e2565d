import { migration } from 'pergola';
import { addressKey, parseAddress } from '../services/redirect-address.ts';

/** Equal addresses keep their first redirect; the others stay unchanged for an administrator to review. */
export default migration({
  version: '1.6.0',
  summary: 'Normalises the old addresses of redirects, so that /%d0%bf and /%D0%BF are the same address',
  async up({ db }) {
    const rows: { id: number; url_from: string; website_id: number | null }[] = await db('website_redirect')
      .select('id', 'url_from', 'website_id')
      .orderBy('id');
    const takenKeys = new Set(rows.map(({ url_from, website_id }) => `${website_id} ${url_from}`));
    for (const { id, url_from, website_id } of rows) {
      const normalised = addressKey(parseAddress(url_from));
      if (normalised === url_from || takenKeys.has(`${website_id} ${normalised}`)) continue;
      takenKeys.add(`${website_id} ${normalised}`);
      await db('website_redirect').where({ id }).update({ url_from: normalised });
    }
  },
});
