import { z } from 'zod'
import { f } from '#kit/contract/index.ts'
import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const banksTold: TablesTold = {
  bank_formats: {
    one: ['Columns of bank files', 'أعمدة ملفات بنك'],
    many: ['Columns of bank files', 'أعمدة ملفات البنوك'],
  },
  batches: {
    one: ['Bank file', 'ملف بنكي'],
    many: ['Bank files', 'الملفات البنكية'],
  },
  batch_lines: {
    one: ['Line of a bank file', 'بند في ملف بنكي'],
    many: ['Lines of bank files', 'بنود الملفات البنكية'],
    fields: {
      payer_keys: f.json(['Known again by', 'يُعرف مجددًا بـ'], z.array(z.string())),
      matched_at: f.instant(['Payer told on', 'تاريخ تحديد الدافع']),
    },
  },
  forgotten_matches: {
    one: ['Forgotten payer of bank files', 'دافع منسي في الملفات البنكية'],
    many: ['Forgotten payers of bank files', 'دافعون منسيون في الملفات البنكية'],
    fields: {
      key: f.text(['Known again by', 'يُعرف مجددًا بـ']),
      forgotten_at: f.instant(['Forgotten on', 'تاريخ النسيان']),
    },
  },
}
