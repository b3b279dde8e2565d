import { data } from 'pergola';
import { WebsitePage } from '../models/website-page.ts';

const home = {
  en_US: `<section class="container py-5" data-name="Title">
<h1>Welcome</h1>
<p class="lead">This is your new website. Sign in as an editor and press “Edit” to make it yours.</p>
<p><a class="btn btn-primary" href="/contactus">Contact us</a></p>
</section>`,
  fr_FR: `<section class="container py-5" data-name="Title">
<h1>Bienvenue</h1>
<p class="lead">Voici votre nouveau site. Connectez-vous en tant que rédacteur et appuyez sur «\u00a0Modifier\u00a0» pour en faire le vôtre.</p>
<p><a class="btn btn-primary" href="/contactus">Nous contacter</a></p>
</section>`,
};

const contact = {
  en_US: `<section class="container py-5" data-name="Contact form">
<div class="row">
<div class="col-lg-8">
<h1>Contact us</h1>
<p class="lead">Write to us: we answer within two working days.</p>
<div data-block="website.contact_form" data-options="{}"></div>
</div>
</div>
</section>`,
  fr_FR: `<section class="container py-5" data-name="Contact form">
<div class="row">
<div class="col-lg-8">
<h1>Contactez-nous</h1>
<p class="lead">Écrivez-nous\u00a0: nous répondons sous deux jours ouvrés.</p>
<div data-block="website.contact_form" data-options="{}"></div>
</div>
</div>
</section>`,
};

const legal = {
  en_US: `<section class="container py-5 prose" data-name="Text">
<h1>Legal notice and privacy</h1>
<p>Replace this page with your own: who publishes the site, who hosts it, and how you use visitors’ data.</p>
<h2>Publisher</h2>
<p>Name, legal form, address, registration number, person responsible for the content.</p>
<h2>Hosting</h2>
<p>Name and address of the company that hosts the site.</p>
<h2>Personal data</h2>
<p>What you send through the contact form reaches us by email and is only used to reply to you. The site keeps your language in a cookie, and a session while you’re signed in. It loads nothing from third parties and doesn’t track you without your consent.</p>
<h2>Your rights</h2>
<p>You can ask what we keep about you, and have it corrected or deleted: write to the address above.</p>
</section>`,
  fr_FR: `<section class="container py-5 prose" data-name="Text">
<h1>Mentions légales et confidentialité</h1>
<p>Remplacez cette page par la vôtre\u00a0: qui édite le site, qui l’héberge, et ce que deviennent les données de vos visiteurs.</p>
<h2>Éditeur</h2>
<p>Nom, forme juridique, adresse, numéro d’immatriculation, directeur de la publication.</p>
<h2>Hébergement</h2>
<p>Nom et adresse de l’hébergeur du site.</p>
<h2>Données personnelles</h2>
<p>Ce que vous envoyez par le formulaire de contact nous parvient par e-mail et ne sert qu’à vous répondre. Le site conserve votre choix de langue dans un cookie, et une session lorsque vous êtes connecté\u00a0; il ne charge rien de tiers et ne mesure rien sans votre accord.</p>
<h2>Vos droits</h2>
<p>Vous pouvez demander quelles données nous conservons à votre sujet, les faire corriger ou supprimer\u00a0: écrivez à l’adresse ci-dessus.</p>
</section>`,
};

/** Default pages of a new site; never updated after the first installation. */
export default data(
  WebsitePage,
  {
    homepage: {
      name: { en_US: 'Home', fr_FR: 'Accueil' },
      url: '/',
      content: home,
      website_published: true,
    },
    contactus: {
      name: { en_US: 'Contact us', fr_FR: 'Contactez-nous' },
      url: '/contactus',
      content: contact,
      website_published: true,
      website_meta_description: {
        en_US: 'How to reach us, and a form to write to us.',
        fr_FR: 'Nos coordonnées et un formulaire pour nous écrire.',
      },
    },
    legal: {
      name: { en_US: 'Legal notice', fr_FR: 'Mentions légales' },
      url: '/legal',
      content: legal,
      website_published: true,
    },
  },
  { noupdate: true },
);
