import { f } from '#kit/contract/index.ts'
import type { TablesTold } from '#kit/contract/telling.ts'
import { APPLICATION_TABS } from './words.contract.ts'

/** What the log of changes says of its tables. */
export const applicantsTold: TablesTold = {
  applicant_subjects: { one: ['Mark of an applicant', 'درجة متقدم'], many: ['Marks of applicants', 'درجات المتقدمين'] },
  applicant_preferences: {
    one: ['Wish of an applicant', 'رغبة متقدم'],
    many: ['Wishes of applicants', 'رغبات المتقدمين'],
  },
  applicant_degrees: {
    one: ['Degree of an applicant', 'درجة علمية لمتقدم'],
    many: ['Degrees of applicants', 'الدرجات العلمية للمتقدمين'],
  },
  applicant_comments: {
    one: ['Comment to an applicant', 'ملاحظة لمتقدم'],
    many: ['Comments to applicants', 'ملاحظات للمتقدمين'],
    fields: {
      tab: f.choice(
        ['Page', 'الصفحة'],
        Object.entries(APPLICATION_TABS).map(([value, label]) => ({ value, label })),
      ),
      text: f.text(['Text', 'النص']),
      settled_at: f.instant(['Settled', 'تمت تسويتها']),
    },
  },
  applicants_apart: {
    one: ['Applications of two people', 'طلبان لشخصين'],
    many: ['Applications of two people', 'طلبات لأشخاص مختلفين'],
    fields: { reason: f.text(['Reason', 'السبب']) },
  },
  applicant_tags: { one: ['Tag of an applicant', 'وسم متقدم'], many: ['Tags of applicants', 'وسوم متقدمين'] },
  applicant_documents: {
    one: ['Document of an applicant', 'مستند متقدم'],
    many: ['Documents of applicants', 'مستندات المتقدمين'],
  },
  applicant_nominations: {
    one: ['Nomination by a ministry', 'ترشيح من الوزارة'],
    many: ['Nominations by ministries', 'ترشيحات الوزارة'],
    fields: {
      ministry_number: f.text(['Number of the ministry', 'الرقم لدى الوزارة']),
      email: f.email(['E-mail as the ministry has it', 'البريد الإلكتروني لدى الوزارة']),
      taken_up_at: f.instant(['Taken up', 'تاريخ استلام الطلب']),
    },
  },
}
