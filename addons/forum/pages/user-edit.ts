import { Country } from '@pergola/base';
import type { Ctx, Id } from 'pergola';
import { notHere } from '../routes/params.ts';
import { userPath } from '../routes/paths.ts';
import { Profiles } from '../services/profiles.ts';
import { t } from '../texts.ts';
import { type ForumRow, headerOf } from './header.ts';

interface EditFaults {
  readonly values?: Readonly<Record<string, string>>;
  readonly errors?: Readonly<Record<string, string>>;
  readonly message?: string;
  readonly emailRequired?: boolean;
}

/** Edit form of the caller's own profile. */
export async function userEditPage(ctx: Ctx, forum: ForumRow, id: Id, faults: EditFaults) {
  const { header } = await headerOf(ctx, forum, 'users');
  const profile = await ctx.get(Profiles).of(id);
  if (!profile) throw notHere();
  const values = {
    name: profile.name,
    website: profile.website,
    city: profile.city,
    country: String(profile.countryId ?? ''),
    description: profile.bio,
    website_published: profile.published ? 'true' : '',
    digest: profile.digest,
    ...faults.values,
  };
  const countries = await ctx.model(Country).find([], { select: { name: true }, order: 'name' });
  return {
    header,
    ...faults,
    errors: faults.errors ?? {},
    values,
    profile: { id, initial: profile.initial, picture: profile.picture, email: profile.email },
    action: `${userPath(forum, id)}/save`,
    back: userPath(forum, id),
    countries: countries.map((country) => ({
      id: country.id,
      name: country.name,
      chosen: String(country.id) === values.country,
    })),
    digests: [
      { id: 'none', label: t(ctx, 'Never'), chosen: values.digest === 'none' },
      { id: 'daily', label: t(ctx, 'Every day'), chosen: values.digest === 'daily' },
      { id: 'weekly', label: t(ctx, 'Every week'), chosen: values.digest === 'weekly' },
    ],
    seo: { title: t(ctx, 'Edit my profile'), noindex: true },
  };
}
