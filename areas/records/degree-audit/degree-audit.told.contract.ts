import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const degreeAuditTold: TablesTold = {
  degree_exceptions: {
    one: ['Exception from a requirement', 'استثناء من متطلب'],
    many: ['Exceptions from requirements', 'استثناءات المتطلبات'],
  },
  degree_audit_runs: {
    one: ['Audit of a program', 'مراجعة برنامج'],
    many: ['Audits of programs', 'مراجعات البرامج'],
    title: ['program_id'],
  },
  requirement_trees: {
    one: ['Requirements of a degree', 'متطلبات درجة علمية'],
    many: ['Requirements of degrees', 'متطلبات الدرجات العلمية'],
    title: ['program_id', 'bylaw_id'],
  },
}
