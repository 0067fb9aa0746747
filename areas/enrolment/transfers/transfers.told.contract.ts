import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const transfersTold: TablesTold = {
  internal_transfers: {
    one: ['Internal transfer', 'تحويل داخلي'],
    many: ['Internal transfers', 'التحويلات الداخلية'],
  },
  external_transfers: {
    one: ['External transfer', 'تحويل خارجي'],
    many: ['External transfers', 'التحويلات الخارجية'],
  },
  external_transfer_files: {
    one: ['Paper of an external transfer', 'مستند تحويل خارجي'],
    many: ['Papers of external transfers', 'مستندات التحويلات الخارجية'],
  },
  transfers_out: {
    one: ['Transfer to another university', 'تحويل إلى جامعة أخرى'],
    many: ['Transfers to other universities', 'التحويلات إلى جامعات أخرى'],
  },
  equivalences: {
    one: ['Equivalence of a course', 'معادلة مقرر'],
    many: ['Equivalences of courses', 'معادلات المقررات'],
    title: ['source_code', 'source_name'],
  },
  course_credits: {
    one: ['Credited course', 'مقرر محتسب'],
    many: ['Credited courses', 'المقررات المحتسبة'],
  },
  former_studies: {
    one: ['Former studies', 'دراسة سابقة'],
    many: ['Former studies', 'الدراسات السابقة'],
  },
}
