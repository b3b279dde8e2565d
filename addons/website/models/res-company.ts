import { Company } from '@pergola/base';
import { extend } from 'pergola';
import { Website } from './website.ts';

/** Lets the public find a company by the names and hosts of its websites, too. */
export const WebsiteOwner = extend(
  Company,
  {},
  (Base) =>
    class extends Base {
      override async publicNames(): Promise<string[]> {
        const websites = await this.ctx.model(Website).find([], { select: { name: true, domain: true }, limit: 1000 });
        return [...(await super.publicNames()), ...websites.flatMap(({ name, domain }) => [name, domain ?? ''])];
      }
    },
);
