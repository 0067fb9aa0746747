import { f, lookup } from '#kit/contract/index.ts'

/** Who issues papers elsewhere, and the address of the office that says whether they are genuine. */
export const paperIssuer = lookup('paperIssuer', {
  path: '/paper-issuers',
  one: ['Issuer of papers', 'جهة إصدار وثائق'],
  many: ['Issuers of papers', 'جهات إصدار الوثائق'],
  adding: ['Add issuer', 'إضافة جهة إصدار'],
  editing: ['Edit issuer', 'تعديل جهة إصدار'],
  fields: {
    country_id: f.lookup(['Country', 'الدولة'], 'country'),
    email: f.email(['E-mail of its office', 'بريد مكتبها الإلكتروني'], {
      help: ['It is asked there whether a paper is genuine', 'يُسأل عن صحة الوثائق على هذا البريد'],
    }),
    address: f.longText(['Address of its office', 'عنوان مكتبها'], { max: 500, detailOnly: true }),
  },
  menu: { group: 'services', order: 64, icon: 'building-bank', setup: true },
})
