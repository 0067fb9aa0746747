import { collectingOfInvoice } from '#areas/money/invoices/outlets.contract.ts'
import { collectingOfAccount } from '#areas/money/transactions/outlets.contract.ts'
import { area, screen } from '#kit/contract/index.ts'
import { planStates } from './plans/owners.contract.ts'
import { planCalls, plansPart } from './plans/plan.contract.ts'
import { promiseStates } from './promises/owners.contract.ts'
import { promiseCalls } from './promises/promise.contract.ts'
import { reminderCalls } from './reminders/reminder.contract.ts'
import { reminderStep } from './steps/step.contract.ts'

/** Collecting what is owed: reminders, what was promised, and plans to pay in parts. */
export const collectingArea = area({
  name: 'collecting',
  label: ['Collecting', 'التحصيل'],
  resources: [reminderStep],
  calls: [reminderCalls, promiseCalls, planCalls],
  owners: [promiseStates, planStates],
  fills: [collectingOfInvoice, collectingOfAccount],
  noticeGroup: 'money',
  notices: {
    notice_due: { title: ['Payments that will be due', 'دفعات يقترب موعدها'], audience: [3], app: 'on', mail: 'now' },
    notice_overdue: { title: ['Payments that are late', 'دفعات متأخرة'], audience: [3], app: 'always', mail: 'now' },
    notice_promise_broken: {
      title: ['Promises to pay that were broken', 'وعود سداد لم يُوفَ بها'],
      audience: [2],
      app: 'on',
      mail: 'digest',
    },
    ...plansPart.notices,
  },
  screens: [
    screen('/reminders', {
      permission: 'access_reminder',
      title: ['Reminders', 'التذكيرات'],
      menu: {
        group: 'finance',
        order: 112,
        icon: 'bell-dollar',
        notFor: [3],
        only: ['export_reminder'],
        block: 'invoices',
        subject: 'collecting',
      },
    }),
    screen('/promises', {
      permission: 'access_promise',
      title: ['Promises to pay', 'وعود السداد'],
      menu: {
        group: 'finance',
        order: 113,
        icon: 'calendar-dollar',
        notFor: [3],
        block: 'invoices',
        subject: 'collecting',
      },
    }),
    ...plansPart.screens,
  ],
  // Some are named like the constraints of the tables that guard them.
  errors: {
    ...plansPart.errors,
    reminder_step_after: [
      'Only what is late costs something, or keeps from registering.',
      'لا رسم ولا منع من التسجيل إلا لما تأخر سداده.',
    ],
    reminder_step_late: ['After the day means one day at least.', 'بعد الاستحقاق يعني يومًا واحدًا على الأقل.'],
    reminder_step_taken: [
      'Another active step of the same faculty stands at these days.',
      'توجد مرحلة نشطة أخرى للكلية نفسها في هذه الأيام.',
    ],
    promise_standing: ['A promise stands already: take it back first.', 'يوجد وعد قائم بالفعل: اسحبه أولًا.'],
    promise_nothing_open: ['Nothing is owed of it.', 'لا يوجد ما يُسدد.'],
    promise_most: ['At most {most} is open.', 'المتبقي {most} على الأكثر.'],
    promise_day_over: ['{day} is over. Choose {today} or a later day.', 'مضى {day}. اختر {today} أو تاريخًا لاحقًا.'],
    promise_day_far: [
      'At the latest {day}: who needs longer needs other instalments.',
      '{day} على الأكثر، ومن يحتاج وقتًا أطول تُعدَّل أقساطه.',
    ],
    promise_over: ['The promise does not stand any more.', 'لم يعد الوعد قائمًا.'],
    promise_kept_as_noted: ['A promise stays as it was noted.', 'يبقى الوعد كما سُجل.'],
    reminder_send_whole: [
      'What is sent goes to the whole university: it takes a right that reaches all of it.',
      'الإرسال يشمل الجامعة كلها، ويتطلب صلاحية على نطاقها كله.',
    ],
    reminder_text_both: [
      'Words of its own are said in English and Arabic, or not at all.',
      'تُكتب الصيغة الخاصة بالإنجليزية والعربية معًا أو لا تُكتب.',
    ],
  },
})
