import { f } from '#kit/contract/index.ts'
import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const courseFilesTold: TablesTold = {
  course_file_documents: {
    one: ['File of a course file', 'ملف ضمن ملف مقرر'],
    many: ['Files of course files', 'ملفات ضمن ملفات المقررات'],
    fields: {
      names_hidden: f.flag(['Names are blacked out', 'حُجبت الأسماء']),
      removed_by: f.lookup(['Taken out by', 'أخرجه'], 'user'),
    },
    untold: ['entry_id'],
  },
  course_file_comments: {
    one: ['Comment on a course file', 'تعليق على ملف مقرر'],
    many: ['Comments on course files', 'تعليقات على ملفات المقررات'],
    fields: {
      text: f.longText(['Comment', 'التعليق']),
      settled_at: f.instant(['Settled', 'أُغلق']),
      settled_by: f.lookup(['Settled by', 'أغلقه'], 'user'),
    },
    untold: ['reply_to'],
  },
  offering_reports: {
    one: ['Report of an offering', 'تقرير مقرر'],
    many: ['Reports of offerings', 'تقارير المقررات'],
    fields: {
      filled_at: f.instant(['Filled', 'مُلئ']),
      filled_by: f.lookup(['Filled by', 'ملأه'], 'user'),
    },
    untold: ['figures'],
  },
  offering_report_answers: {
    one: ['Answer of a report', 'إجابة في تقرير'],
    many: ['Answers of reports', 'إجابات التقارير'],
    fields: { answer: f.longText(['Answer', 'الإجابة']) },
  },
}
