import { f } from '#kit/contract/index.ts'
import type { TablesTold } from '#kit/contract/telling.ts'
import {
  THESIS_DEGREES,
  THESIS_JOB_WORDS,
  THESIS_LANGUAGES,
  THESIS_RESULTS,
  THESIS_TIE_WORDS,
} from './thesis/words.contract.ts'

const examiner = f.lookup(['External examiner', 'ممتحن خارجي'], 'externalExaminer')
const instructor = f.lookup(['Instructor', 'عضو هيئة التدريس'], 'instructor')
/** What the log of changes says of its tables. */
export const thesesTold: TablesTold = {
  thesis_wishes: {
    one: ['Wished subject', 'موضوع مرغوب'],
    many: ['Wished subjects', 'موضوعات مرغوبة'],
    fields: { position: f.integer(['Wish', 'ترتيب الرغبة']) },
  },
  thesis_members: {
    one: ['Member of a team', 'عضو فريق رسالة'],
    many: ['Members of teams', 'أعضاء فرق الرسائل'],
    fields: {
      instructor_id: instructor,
      examiner_id: examiner,
      job: f.choice(['Job on the team', 'الدور في الفريق'], THESIS_JOB_WORDS),
      position: f.integer(['Place', 'الترتيب']),
      share: f.integer(['Share, percent', 'نسبة الإشراف (%)']),
      tie: f.choice(['Tie to the student', 'الصلة بالطالب'], THESIS_TIE_WORDS),
      from_date: f.date(['From', 'من']),
      until_date: f.date(['Until', 'حتى']),
    },
  },
  thesis_decisions: {
    one: ['Decision on a thesis', 'قرار بشأن رسالة'],
    many: ['Decisions on theses', 'قرارات بشأن الرسائل'],
    fields: {
      kind: f.choice(
        ['Decision', 'القرار'],
        [
          { value: 'approve', label: ['Approval', 'اعتماد'] },
          { value: 'change', label: ['Change', 'تعديل'] },
          { value: 'grant', label: ['Granting', 'منح الدرجة'] },
        ],
      ),
      council: f.text(['Council', 'المجلس']),
      session: f.text(['Session', 'الجلسة']),
      number: f.text(['Number', 'رقم القرار']),
      undone_at: f.instant(['Taken back', 'وقت التراجع']),
    },
  },
  thesis_changes: {
    one: ['Change of a thesis', 'تعديل رسالة'],
    many: ['Changes of theses', 'تعديلات الرسائل'],
    fields: {
      title: f.text(['English title', 'العنوان بالإنجليزية']),
      title_local: f.text(['Arabic title', 'العنوان بالعربية']),
      state: f.choice(
        ['State of the change', 'حالة التعديل'],
        [
          { value: 'waiting', label: ['Waits for the council', 'ينتظر المجلس'] },
          { value: 'applied', label: ['Applied', 'نُفذ'] },
          { value: 'taken_back', label: ['Taken back', 'سُحب'] },
        ],
      ),
    },
    untold: ['supervisors', 'before'],
  },
  thesis_clock: {
    one: ['Extension or suspension', 'مد أو إيقاف قيد'],
    many: ['Extensions and suspensions', 'المد وإيقاف القيد'],
    fields: {
      kind: f.choice(
        ['Kind', 'النوع'],
        [
          { value: 'extension', label: ['Extension', 'مد'] },
          { value: 'suspension', label: ['Suspension', 'إيقاف قيد'] },
        ],
      ),
      from_date: f.date(['From', 'من']),
      until_date: f.date(['Until', 'حتى']),
      decision: f.text(['Decision', 'القرار']),
    },
  },
  thesis_discussions: {
    one: ['Discussion of a thesis', 'مناقشة رسالة'],
    many: ['Discussions of theses', 'مناقشات الرسائل'],
    fields: {
      result: f.choice(['Result', 'النتيجة'], THESIS_RESULTS),
      changes_due: f.date(['Changes due', 'موعد التعديلات']),
      changes_done_on: f.date(['Changes confirmed', 'تاريخ اعتماد التعديلات']),
      minutes: f.longText(['Minutes', 'المحضر']),
    },
    untold: ['during'],
  },
  thesis_discussion_people: {
    one: ['Invited to a discussion', 'مدعو إلى مناقشة'],
    many: ['Invited to discussions', 'المدعوون إلى المناقشات'],
    fields: { instructor_id: instructor, examiner_id: examiner, invited_at: f.instant(['Invited', 'وقت الدعوة']) },
    untold: ['during'],
  },
  thesis_reports: {
    one: ['Report of a supervisor', 'تقرير مشرف'],
    many: ['Reports of supervisors', 'تقارير المشرفين'],
    fields: {
      until_date: f.date(['Until', 'حتى']),
      progress: f.integer(['Done, percent', 'نسبة الإنجاز (%)']),
      satisfied: f.flag(['Satisfied', 'الأداء مُرضٍ']),
      text: f.longText(['Report', 'التقرير']),
    },
  },
  thesis_seminars: {
    one: ['Seminar', 'سيمينار'],
    many: ['Seminars', 'السيمينارات'],
    fields: { held_on: f.date(['Held on', 'تاريخ الانعقاد']), title: f.text(['Subject', 'الموضوع']) },
  },
  thesis_proofs: {
    one: ['Proof', 'إثبات'],
    many: ['Proofs', 'الإثباتات'],
    fields: {
      kind: f.choice(
        ['Kind', 'النوع'],
        [
          { value: 'language', label: ['Language', 'لغة أجنبية'] },
          { value: 'publication', label: ['Publication', 'بحث منشور'] },
        ],
      ),
      text: f.longText(['What it proves', 'بيان الإثبات']),
      accepted_at: f.instant(['Accepted', 'وقت القبول']),
      accepted_by: f.lookup(['Accepted by', 'من قبل'], 'user'),
    },
  },
  thesis_versions: {
    one: ['Version of a manuscript', 'نسخة مخطوط'],
    many: ['Versions of manuscripts', 'نسخ المخطوطات'],
    fields: {
      number: f.integer(['Version', 'رقم النسخة']),
      note: f.longText(['Note', 'ملاحظة']),
      declared_at: f.instant(['Declared as own work', 'وقت الإقرار']),
      similarity: f.decimal(['Similarity, percent', 'نسبة الاقتباس (%)'], { places: 1 }),
    },
    untold: ['similarity_file_id'],
  },
  thesis_remarks: {
    one: ['Comment on a manuscript', 'تعليق على مخطوط'],
    many: ['Comments on manuscripts', 'تعليقات على المخطوطات'],
    fields: {
      page: f.integer(['Page', 'الصفحة']),
      text: f.longText(['Comment', 'التعليق']),
      settled_at: f.instant(['Settled', 'أُغلق']),
      settled_by: f.lookup(['Settled by', 'أغلقه'], 'user'),
    },
    untold: ['reply_to', 'version_id'],
  },
  thesis_deposits: {
    one: ['Deposit', 'إيداع'],
    many: ['Deposits', 'الإيداعات'],
    title: ['handle'],
    fields: {
      handle: f.text(['Address', 'العنوان الثابت']),
      title: f.text(['English title', 'العنوان بالإنجليزية']),
      title_local: f.text(['Arabic title', 'العنوان بالعربية']),
      creator: f.text(['Author', 'المؤلف']),
      creator_local: f.text(['Author in Arabic', 'المؤلف بالعربية']),
      abstract: f.longText(['English abstract', 'الملخص بالإنجليزية']),
      abstract_local: f.longText(['Arabic abstract', 'الملخص بالعربية']),
      keywords: f.text(['English keywords', 'كلمات مفتاحية بالإنجليزية']),
      keywords_local: f.text(['Arabic keywords', 'كلمات مفتاحية بالعربية']),
      language: f.choice(['Written in', 'لغة الكتابة'], THESIS_LANGUAGES),
      degree: f.choice(['Degree', 'الدرجة العلمية'], THESIS_DEGREES),
      granted_on: f.date(['Granted on', 'تاريخ المنح']),
      embargo_until: f.date(['Closed until', 'مغلق حتى']),
      deposited_at: f.instant(['Deposited', 'وقت الإيداع']),
      withdrawn_at: f.instant(['Withdrawn', 'وقت السحب']),
      withdrawn_reason: f.longText(['Why it was withdrawn', 'سبب السحب']),
    },
    untold: ['contributors', 'stamp', 'words', 'licence'],
  },
}
