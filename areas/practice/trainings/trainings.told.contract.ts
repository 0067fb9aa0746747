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
  trainings: {
    fields: { called_off_at: f.instant(['Called off at', 'وقت الإلغاء']) },
  },
  training_week_places: {
    one: ['Places of a week', 'أماكن أسبوع'],
    many: ['Places of weeks', 'أماكن الأسابيع'],
    fields: {
      week: f.integer(['Week', 'الأسبوع']),
      places: f.integer(['Places', 'الأماكن']),
    },
    untold: ['id'],
  },
  training_assessments: {
    one: ['Assessment of a training', 'تقييم تدريب'],
    many: ['Assessments of trainings', 'تقييمات التدريبات'],
    fields: {
      source: f.choice(
        ['Who assesses', 'جهة التقييم'],
        [
          { value: 'supervisor', label: ['Supervisor', 'المشرف'] },
          { value: 'organisation', label: ['Organisation', 'الجهة'] },
        ],
      ),
      score: f.integer(['Mark of the training', 'درجة التدريب']),
      text: f.longText(['Assessment', 'التقييم']),
      visited_on: f.date(['Visited on', 'تاريخ الزيارة']),
      said_by: f.text(['Said by', 'على لسان']),
      at: f.instant(['Said at', 'وقت القول']),
    },
    untold: ['id'],
  },
  training_asks: {
    one: ['Question to a training organisation', 'سؤال موجه إلى جهة تدريب'],
    many: ['Questions to training organisations', 'أسئلة موجهة إلى جهات التدريب'],
    fields: {
      email: f.email(['E-mail', 'البريد الإلكتروني']),
      asked_at: f.instant(['Asked at', 'وقت السؤال']),
      opened_at: f.instant(['Opened at', 'وقت الفتح']),
      ended_at: f.instant(['Ended at', 'وقت الانتهاء']),
    },
    untold: ['id'],
  },
  training_answers: {
    one: ['Answer of a training organisation', 'رد جهة تدريب'],
    many: ['Answers of training organisations', 'ردود جهات التدريب'],
    fields: {
      says: f.flag(['Would take the student', 'تقبل الطالب']),
      said_by: f.text(['Said by', 'على لسان']),
      at: f.instant(['Said at', 'وقت القول']),
    },
    untold: ['id'],
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
