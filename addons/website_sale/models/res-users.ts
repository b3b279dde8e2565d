import { extend, type Id } from 'pergola';
import { User } from '#addons/base';
import { takeCartAlong } from '../services/cart/merge-carts.ts';

/** Who signs in finds what they put in the cart before, here and elsewhere, in one cart. */
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
