import { f } from '#kit/contract/index.ts'
import { KEPT } from '#kit/contract/retention.ts'
import type { TablesTold } from '#kit/contract/telling.ts'
import { UNIVERSITY_SETTINGS } from './university/university.contract.ts'

const retentionKinds = Object.entries(KEPT).map(([value, { label }]) => ({ value, label }))
const settingNames = Object.entries(UNIVERSITY_SETTINGS).map(([value, { label }]) => ({ value, label }))

/** What the log of changes says of its tables. */
export const settingsTold: TablesTold = {
  settings: {
    one: ['Setting', 'إعداد'],
    many: ['Settings', 'الإعدادات'],
    title: ['key'],
    fields: { key: f.choice(['Setting', 'إعداد'], settingNames) },
  },
  notice_texts: {
    one: ['Text of a notice', 'نص إشعار'],
    many: ['Texts of notices', 'نصوص الإشعارات'],
  },
  notice_preferences: {
    one: ['Way of a notice', 'طريقة إشعار'],
    many: ['Ways of notices', 'طرق الإشعار'],
    title: ['user_id'],
  },
  legal_holds: {
    one: ['Legal hold', 'احتفاظ قانوني'],
    many: ['Legal holds', 'الاحتفاظ القانوني'],
  },
  retention_lengths: {
    one: ['Length of keeping', 'مدة احتفاظ'],
    many: ['Lengths of keeping', 'مدد الاحتفاظ'],
    title: ['kind'],
    fields: { kind: f.choice(['Kind', 'النوع'], retentionKinds) },
  },
  retention_runs: {
    one: ['Erasing', 'عملية محو'],
    many: ['What was erased', 'ما تم محوه'],
    title: ['kind'],
    fields: { kind: f.choice(['Kind', 'النوع'], retentionKinds) },
  },
  files: {
    one: ['File', 'ملف'],
    many: ['Files', 'الملفات'],
  },
  papers: {
    one: ['Paper', 'ورقة رسمية'],
    many: ['Papers', 'الأوراق الرسمية'],
    fields: { valid_until: f.date(['Valid until', 'سارية حتى']) },
    // By which key a file was signed says nothing to people.
    untold: ['key_id'],
  },
  signing_positions: {
    one: ['Who signs', 'المخول بالتوقيع'],
    many: ['Who signs', 'المخولون بالتوقيع'],
  },
}
