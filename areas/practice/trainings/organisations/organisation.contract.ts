import { f, lookup } from '#kit/contract/index.ts'

/** Companies, hospitals, offices: where students train, whom one asks there, and on what agreement. */
export const trainingOrganisation = lookup('trainingOrganisation', {
  path: '/training-organisations',
  one: ['Training organisation', 'جهة تدريب'],
  many: ['Training organisations', 'جهات التدريب'],
  adding: ['Add training organisation', 'إضافة جهة تدريب'],
  editing: ['Edit training organisation', 'تعديل جهة تدريب'],
  fields: {
    city: f.text(['City', 'المدينة'], { max: 100 }),
    contact_name: f.text(['Contact', 'مسؤول التواصل'], { max: 200 }),
    email: f.email(['E-mail', 'البريد الإلكتروني']),
    phone: f.phone(['Phone', 'الهاتف']),
    map_url: f.text(['Map link', 'رابط الخريطة'], { max: 500, detailOnly: true }),
    agreement_from: f.date(['Agreement from', 'الاتفاقية من'], { detailOnly: true }),
    agreement_until: f.date(['Agreement until', 'الاتفاقية حتى'], {
      help: ['Empty: without an end', 'فارغ: بلا تاريخ انتهاء'],
    }),
    agreement_file_id: f.file(['Agreement', 'الاتفاقية'], { accept: ['pdf'], detailOnly: true }),
  },
  menu: { group: 'services', order: 92, icon: 'building-community', setup: true },
})
