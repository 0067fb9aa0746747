import type { TablesTold } from '#kit/contract/telling.ts'

/** How the log of changes calls the tables of trainings that are no resources. */
export const trainingsTold: TablesTold = {
  training_reports: {
    one: ['Weekly report', 'تقرير أسبوعي'],
    many: ['Weekly reports', 'تقارير أسبوعية'],
    title: ['week'],
  },
  training_interviews: { one: ['Interview', 'مقابلة'], many: ['Interviews', 'المقابلات'], title: ['place'] },
}
