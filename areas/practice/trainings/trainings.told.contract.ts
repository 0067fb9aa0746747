import { f } from '#kit/contract/index.ts'
import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const trainingsTold: TablesTold = {
  students_trainings: {
    fields: {
      score: f.integer(['Mark of the training', 'درجة التدريب']),
      assessment: f.longText(['Assessment', 'التقييم']),
      visited_on: f.date(['Visited on', 'تاريخ الزيارة']),
      assessed_at: f.instant(['Assessed at', 'وقت التقييم']),
    },
  },
  training_reports: {
    one: ['Weekly report', 'تقرير أسبوعي'],
    many: ['Weekly reports', 'تقارير أسبوعية'],
    fields: { week: f.integer(['Week', 'الأسبوع']), text: f.longText(['What was done', 'ما تم إنجازه']) },
    untold: ['id'],
  },
  training_interviews: {
    one: ['Interview', 'مقابلة'],
    many: ['Interviews', 'المقابلات'],
    fields: {
      starts_at: f.instant(['Begins at', 'وقت البدء']),
      minutes: f.integer(['Minutes', 'الدقائق']),
      place: f.text(['Where', 'مكان المقابلة']),
    },
    untold: ['id'],
  },
}
