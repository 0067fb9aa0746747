import { decisionBasis } from '#kit/contract/index.ts'

/** A list of a hall that was printed. */
export const printBasis = decisionBasis({
  kind: 'exam_list',
  one: ['Printed list of a hall', 'كشف قاعة مطبوع'],
  many: ['Printed lists of halls', 'كشوف القاعات المطبوعة'],
  why: [
    'Others sit there now, on other seats or at another time. Print it again.',
    'تغيّر الجالسون أو المقاعد أو الموعد. أعد طباعته.',
  ],
  becomes: 'waits',
  sees: 'assign_examSeat',
  decides: 'assign_examSeat',
})
