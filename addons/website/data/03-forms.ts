import { data, ref } from 'pergola';
import { WebsiteForm } from '../forms/models/form.ts';
import { WebsiteFormField } from '../forms/models/form-field.ts';

/** Default form of a new site. */
export default [
  data(
    WebsiteForm,
    {
      form_question: {
        name: 'Ask us',
        thanks: {
          en_US: 'We’ll reply to the address you gave.',
          fr_FR: 'Nous vous répondrons à l’adresse que vous avez indiquée.',
        },
      },
    },
    { noupdate: true },
  ),
  data(
    WebsiteFormField,
    {
      form_question_name: {
        form_id: ref('form_question'),
        name: { en_US: 'Your name', fr_FR: 'Votre nom' },
        role: 'name',
        required: true,
        sequence: 10,
      },
      form_question_email: {
        form_id: ref('form_question'),
        name: { en_US: 'Your email address', fr_FR: 'Votre adresse e-mail' },
        type: 'email',
        role: 'email',
        required: true,
        sequence: 20,
      },
      form_question_text: {
        form_id: ref('form_question'),
        name: { en_US: 'Your question', fr_FR: 'Votre question' },
        type: 'lines',
        required: true,
        sequence: 30,
      },
    },
    { noupdate: true },
  ),
];
