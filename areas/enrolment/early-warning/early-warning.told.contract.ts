import { f } from '#kit/contract/index.ts'
import type { TablesTold } from '#kit/contract/telling.ts'
import { contactFields } from './risks/risk.contract.ts'

/** What the log of changes says of its tables. */
export const earlyWarningTold: TablesTold = {
  risk_models: {
    one: ['Model of early warning', 'نموذج إنذار مبكر'],
    many: ['Models of early warning', 'نماذج الإنذار المبكر'],
    fields: {
      fitted_at: f.instant(['Fitted', 'تاريخ البناء']),
      fitted_by: f.lookup(['Fitted by', 'بناه'], 'user'),
      rows: f.integer(['Rows', 'السجلات']),
      hard: f.integer(['Hard terms', 'فصول متعثرة']),
      is_used: f.flag(['In use', 'مستخدم']),
    },
    untold: ['term_ids'],
  },
  risk_contacts: {
    one: ['Contact with a student', 'تواصل مع طالب'],
    many: ['Contacts with students', 'التواصل مع الطلاب'],
    fields: contactFields,
    untold: ['risk_id'],
  },
}
