import { f, lookup } from '#kit/contract/index.ts'

/** Where applicants live and were born: governorates, and communities abroad. */
export const community = lookup('community', {
  path: '/communities',
  one: ['Community', 'محافظة أو جالية'],
  many: ['Communities', 'المحافظات والجاليات'],
  adding: ['Add community', 'إضافة محافظة أو جالية'],
  editing: ['Edit community', 'تعديل محافظة أو جالية'],
  fields: {
    country_id: f.lookup(['Country', 'الدولة'], 'country'),
    national_id_code: f.text(['Figures in the national id', 'رمزها في الرقم القومي'], {
      max: 2,
      help: [
        'The eighth and ninth figure of a national id name the governorate of birth.',
        'الرقمان الثامن والتاسع من الرقم القومي يدلان على محافظة الميلاد.',
      ],
    }),
  },
  examples: [1, 2, 3].map((n) => ({ code: `ZZ${n}`, name: 'A community abroad', name_local: 'جالية في الخارج' })),
  menu: { group: 'admission', order: 32, icon: 'map-pin', setup: true },
})
