import { User } from '@pergola/base';
import { extend, type Id } from 'pergola';
import { takeCartAlong } from '../services/cart/merge-carts.ts';

/** Merges earlier carts, from here and other devices, into one when a customer signs in. */
export const ShopUser = extend(
  User,
  {},
  (Base) =>
    class extends Base {
      override async signedIn(id: Id): Promise<void> {
        await super.signedIn(id);
        await takeCartAlong(this.ctx, id);
      }
    },
);
