import { crud } from '#access/permissions.contract.ts'
import { f, resource } from '#kit/contract/index.ts'

/** Before the day of a part, or after it. */
export const MOMENTS = [
  { value: 'before', label: ['Before it is due', 'قبل الاستحقاق'] },
  { value: 'after', label: ['After it was due', 'بعد الاستحقاق'] },
] as const

const said = { max: 500, detailOnly: true } as const

/**
 * When a student is told of a part of an invoice: so many days before or after it is due. A faculty that has steps of its own has
 * these alone. Those after the day are levels: each is told after the one before, and may cost something or hold.
 */
export const reminderStep = resource({
  name: 'reminderStep',
  path: '/reminder-steps',
  table: 'reminder_steps',
  one: ['Step of reminders', 'مرحلة تذكير'],
  many: ['Steps of reminders', 'مراحل التذكير'],
  adding: ['Add step of reminders', 'إضافة مرحلة تذكير'],
  editing: ['Edit step of reminders', 'تعديل مرحلة تذكير'],
  permissions: { ...crud('reminderStep'), import: null },
  scope: ['faculty'],
  common: true,
  examples: [45, 60, 75, 90].map((days) => ({
    code: `LATE${days}`,
    name: `After ${days} days`,
    name_local: `بعد ${days} يومًا`,
    moment: 'after',
    days,
    is_active: true,
  })),
  fields: {
    code: f.code(['Code', 'الكود'], { required: true, max: 20 }),
    name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true, max: 100 }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true, max: 100 }),
    faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty', {
      help: [
        'Empty: of the university. A faculty that has active steps of its own has these alone.',
        'فارغ: للجامعة كلها. الكلية التي لها مراحل نشطة خاصة بها تُطبق عليها وحدها.',
      ],
    }),
    moment: f.choice(['When', 'الموعد'], MOMENTS, { required: true }),
    days: f.integer(['Days', 'الأيام'], {
      required: true,
      min: 0,
      max: 365,
      help: [
        'Before the day it is due, or after it; 0: on the day itself.',
        'قبل يوم الاستحقاق أو بعده، و0 ليوم الاستحقاق نفسه.',
      ],
    }),
    text: f.longText(['English text', 'النص بالإنجليزية'], {
      ...said,
      help: [
        'Said after the invoice, the amount and the day, which are always said. Empty: nothing more.',
        'يُقال بعد الفاتورة والمبلغ والموعد التي تُذكر دائمًا. فارغ: لا زيادة.',
      ],
    }),
    text_local: f.longText(['Arabic text', 'النص بالعربية'], said),
    text_de: f.longText(['German text', 'النص بالألمانية'], {
      ...said,
      help: ['Empty: the English text.', 'فارغ: النص الإنجليزي.'],
    }),
    text_fr: f.longText(['French text', 'النص بالفرنسية'], said),
    text_pt: f.longText(['Portuguese text', 'النص بالبرتغالية'], said),
    fee_item_id: f.lookup(['Costs', 'الرسم'], 'feeItem', {
      help: [
        'Charged by an invoice of its own when this reminder goes out, at the price of the year.',
        'يُحتسب بفاتورة مستقلة عند إرسال هذا التذكير وبسعر العام.',
      ],
    }),
    holds: f.flag(['Keeps from registering', 'يمنع من التسجيل'], {
      help: [
        'Overdue invoices keep a student from registering only from this reminder on. Without such a step they do so at once.',
        'لا تمنع الفواتير المتأخرة الطالب من التسجيل إلا من هذا التذكير. وبدون مرحلة كهذه تمنعه فورًا.',
      ],
    }),
    is_active: f.flag(['Active', 'نشط']),
  },
  sections: [
    { title: ['Step', 'المرحلة'], fields: ['code', 'name', 'name_local', 'faculty_id', 'moment', 'days', 'is_active'] },
    { title: ['What follows', 'ما يترتب عليها'], fields: ['fee_item_id', 'holds'] },
    {
      title: ['Words of its own', 'صيغة خاصة'],
      fields: ['text', 'text_local', 'text_de', 'text_fr', 'text_pt'],
    },
  ],
  list: {
    columns: ['code', 'name', 'name_local', 'faculty_id', 'moment', 'days', 'fee_item_id', 'holds', 'is_active'],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name', 'days'],
    filters: ['faculty_id', 'moment', 'is_active'],
    order: ['days', 'asc'],
  },
  exportName: 'Steps of reminders',
  plain: true,
  softDelete: true,
  screens: { list: '/reminder-steps', add: '/reminder-steps/add', edit: '/reminder-steps/edit/:id' },
  menu: { group: 'finance', order: 96, icon: 'bell-cog', setup: true },
})
