import { Partner } from '@pergola/base';
import { extend } from 'pergola';
import { Followers } from './followers.ts';

/** Adds discussions and followers to contacts. */
export const FollowedPartner = extend(Partner, {}, undefined, { mixins: [Followers] });
