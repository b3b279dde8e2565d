import { extend } from 'pergola';
import { Partner } from '#addons/base';
import { Followers } from './followers.ts';

/** Contacts can be spoken about and followed. */
export const FollowedPartner = extend(Partner, {}, undefined, { mixins: [Followers] });
