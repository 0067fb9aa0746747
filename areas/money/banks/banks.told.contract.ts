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
  },
}
