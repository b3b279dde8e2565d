import { defineAddon } from 'pergola';
import { entries } from './account-entries.ts';
import { alternativesBlock } from './blocks/alternatives.ts';
import { productCards, productSnippets, productsBlock } from './blocks/products.ts';
import { consequences } from './consequences.ts';
import { cartLink, stock } from './fragments.ts';
import { countFacets } from './jobs/count-facets.ts';
import { sumViews } from './jobs/sum-views.ts';
import { ProductImage } from './models/product-image.ts';
import { ShopPricelist } from './models/product-pricelist.ts';
import { ShopVariant } from './models/product-product.ts';
import { PublicCategory } from './models/product-public-category.ts';
import { ProductStyle } from './models/product-style.ts';
import { ShopTemplate } from './models/product-template.ts';
import { RecountedTemplate } from './models/recounted-template.ts';
import { ShopPartner } from './models/res-partner.ts';
import { ShopUser } from './models/res-users.ts';
import { ShopOrder } from './models/sale-order.ts';
import { ShopOrderLine } from './models/sale-order-line.ts';
import { ShopWebsite } from './models/website.ts';
import { ShopFacet } from './models/website-sale-facet.ts';
import { ShopView } from './models/website-sale-view.ts';
import { questions } from './questions.ts';
import { addressRoutes } from './routes/addresses.ts';
import {
  cartClean,
  cartLines,
  cartPage,
  cartRefresh,
  cartUndo,
  cartUpdate,
  cartUpdateJson,
  unitPrice,
} from './routes/cart.ts';
import { checkoutPage, confirmOrder } from './routes/checkout.ts';
import { confirmation, trackingLastOrder } from './routes/confirmation.ts';
import { figures } from './routes/figures.ts';
import { newCartRoutes } from './routes/new-carts.ts';
import { formerOrders, orderPage, orderPdf, orders } from './routes/orders.ts';
import {
  cancelPayment,
  getStatus,
  paymentPage,
  transaction,
  transactionForm,
  validate,
  validateFree,
  validateOrder,
} from './routes/payment.ts';
import { choosePricelist, promo } from './routes/pricelist.ts';
import { category, countProducts, oldShopPage, product, shop } from './routes/shop.ts';
import { carryCart } from './routes/sign-in.ts';
import { states } from './routes/states.ts';
import { statistics } from './routes/stats.ts';
import { lists, rules } from './security.ts';
import { cardPictures } from './services/catalogue/cards.ts';
import { publishedCategories } from './services/catalogue/categories.ts';
import { liveCounts, liveNames } from './services/catalogue/facets.ts';
import { productData } from './services/catalogue/product-data.ts';
import { searchedCategories, searchedProducts } from './services/catalogue/searched-products.ts';
import { OwnAddresses } from './services/checkout/own-addresses.ts';
import { shopPromises } from './services/promises.ts';
import { shopAttribute } from './services/shop-attribute.ts';
import { settings } from './settings.ts';
import { buyProduct } from './tours/buy-product.ts';
import { menus, views } from './views.ts';
import { widgets } from './widgets.ts';

export default defineAddon({
  name: 'website_sale',
  title: 'Shop',
  summary: 'Sell products on the website: catalogue, cart, checkout and payment',
  version: '1.4.0',
  category: 'Website',
  icon: 'cart',
  depends: ['website', 'sale'],
  consequences,
  models: [
    PublicCategory,
    ProductStyle,
    ProductImage,
    ShopVariant,
    ShopTemplate,
    RecountedTemplate,
    ShopPricelist,
    ShopOrderLine,
    ShopOrder,
    ShopFacet,
    ShopView,
    ShopUser,
    ShopWebsite,
    ShopPartner,
  ],
  routes: [
    shop,
    category,
    countProducts,
    oldShopPage,
    product,
    cartPage,
    cartLines,
    cartRefresh,
    cartUpdate,
    cartUpdateJson,
    cartClean,
    cartUndo,
    unitPrice,
    promo,
    choosePricelist,
    checkoutPage,
    confirmOrder,
    paymentPage,
    transaction,
    transactionForm,
    getStatus,
    validate,
    validateFree,
    validateOrder,
    cancelPayment,
    confirmation,
    trackingLastOrder,
    orders,
    formerOrders,
    orderPage,
    orderPdf,
    addressRoutes,
    states,
    statistics,
    figures,
  ],
  routeExtensions: [...carryCart, ...newCartRoutes],
  requestAttributes: [shopAttribute],
  services: [
    OwnAddresses,
    publishedCategories,
    shopPromises,
    productData.service,
    cardPictures.service,
    liveCounts,
    liveNames,
  ],
  fragments: [cartLink, stock],
  blocks: [productsBlock, alternativesBlock],
  jobs: [countFacets, sumViews],
  settings,
  questions,
  access: lists,
  rules,
  views,
  menus,
  widgets,
  accountEntries: entries,
  tours: [buyProduct],
  snippets: productSnippets,
  searchables: [searchedProducts, searchedCategories],
  cartPages: ['/shop/product/*'],
  robotRules: [
    '/shop/cart',
    '/shop/checkout',
    '/shop/payment',
    '/shop/confirmation',
    '/shop/order',
    '/shop/pricelist',
    '/shop/change_pricelist',
    '/shop/tracking_last_order',
  ],
  publicTemplates: [productCards],
});
