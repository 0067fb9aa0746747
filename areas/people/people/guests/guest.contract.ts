import { crud } from '#access/permissions.contract.ts'
import { f, resource } from '#kit/contract/index.ts'

/** By what a guest is known. */
export const GUEST_DOCUMENTS = [
  { value: 'national_id', label: ['National id', 'الرقم القومي'] },
  { value: 'passport', label: ['Passport', 'جواز سفر'] },
  { value: 'residence', label: ['Residence permit', 'تصريح إقامة'] },
] as const
export type GuestDocument = (typeof GUEST_DOCUMENTS)[number]['value']

/** A person without an account with whom the university has to do: who sleeps in a hostel, or pays for something. */
export const guest = resource({
  name: 'guest',
  path: '/guests',
  table: 'guests',
  one: ['Guest', 'ضيف'],
  many: ['Guests', 'الضيوف'],
  adding: ['Add guest', 'إضافة ضيف'],
  editing: ['Edit guest', 'تعديل بيانات ضيف'],
  // Guests come one by one, each with the document in the hand.
  permissions: { ...crud('guest'), import: null },
  scope: 'university',
  changedBy: 'whole',
  fields: {
    code: f.code(['Number', 'الرقم'], { readOnly: true, max: 30 }),
    name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true, person: true }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true, person: true }),
    document_kind: f.choice(['Document', 'نوع الوثيقة'], GUEST_DOCUMENTS, { required: true }),
    document_number: f.text(['Number of the document', 'رقم الوثيقة'], {
      required: true,
      max: 30,
      help: ['A guest has one record for each document.', 'للضيف سجل واحد لكل وثيقة.'],
    }),
    nationality_id: f.lookup(['Nationality', 'الجنسية'], 'country', {
      help: ['Says in which currency a guest pays.', 'تحدد العملة التي يدفع بها الضيف.'],
    }),
    phone: f.phone(['Phone', 'الهاتف']),
    email: f.email(['E-mail', 'البريد الإلكتروني']),
  },
  list: {
    columns: ['code', 'name', 'name_local', 'document_kind', 'document_number', 'nationality_id', 'phone', 'email'],
    search: ['code', 'name', 'name_local', 'document_number', 'email'],
    sort: ['code', 'name', 'name_local'],
    filters: ['document_kind', 'nationality_id'],
    order: ['code', 'desc'],
  },
  sections: [
    { title: ['Guest', 'الضيف'], fields: ['code', 'name', 'name_local', 'nationality_id'] },
    { title: ['Document', 'الوثيقة'], fields: ['document_kind', 'document_number'] },
    { title: ['How to reach the guest', 'بيانات التواصل'], fields: ['phone', 'email'] },
  ],
  exportName: 'Guests',
  softDelete: true,
  traced: true,
  // No two have one document.
  examples: [1, 2, 3, 4].map((n) => ({
    name: ['Hana Saeed', 'Omar Rashad', 'Laila Fawzy', 'Karim Adel'][n - 1],
    name_local: ['هنا سعيد', 'عمر رشاد', 'ليلى فوزي', 'كريم عادل'][n - 1],
    document_kind: 'passport',
    document_number: `E0000100${n}`,
  })),
  plain: true,
  screens: { list: '/guests', show: '/guests/:id', add: '/guests/add', edit: '/guests/edit/:id' },
  menu: { group: 'people', order: 525, icon: 'user-question', block: 'staff', subject: 'people' },
})
