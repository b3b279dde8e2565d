import { extend } from 'pergola';
import { Partner } from '#addons/base';
import { Followers } from './followers.ts';

/** Adds discussions and followers to contacts. */
export const FollowedPartner = extend(Partner, {}, undefined, { mixins: [Followers] });
