import { f } from '#kit/contract/index.ts'
import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. Tables of answers are not under the log. */
export const questionnairesTold: TablesTold = {
  questionnaire_questions: {
    fields: {
      from_id: f.lookup(['Copied from', 'منسوخ من'], 'questionnaireQuestion'),
      from_revision: f.integer(['Version that was copied', 'الإصدار المنسوخ']),
    },
  },
  questionnaire_outsiders: {
    one: ['Person outside', 'شخص من خارج الجامعة'],
    many: ['People outside', 'أشخاص من خارج الجامعة'],
    fields: { organisation: f.text(['Organisation', 'الجهة']) },
  },
  questionnaire_options: {
    one: ['Option of a question', 'اختيار سؤال'],
    many: ['Options of questions', 'اختيارات الأسئلة'],
  },
  questionnaire_grid_rows: { one: ['Row of a grid', 'صف في جدول'], many: ['Rows of grids', 'صفوف الجداول'] },
}
