import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const mergingTold: TablesTold = {
  merged_records: {
    one: ['Merged record', 'سجل مدموج'],
    many: ['Merged records', 'السجلات المدموجة'],
  },
  not_doubles: {
    one: ['Records of two people', 'سجلان لشخصين مختلفين'],
    many: ['Records of two people', 'سجلات لشخصين مختلفين'],
  },
}
