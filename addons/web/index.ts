/** What other addons may use of web. */
export { sendLink } from './mails.ts';
export { rootPage } from './routes/home.ts';
export { type PublicPicture, publicPictures } from './services/images.ts';
export { signupSetting } from './settings.ts';
