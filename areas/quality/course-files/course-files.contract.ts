import { area } from '#kit/contract/index.ts'
import { listedCalls } from '#kit/contract/workflow.ts'
import { courseFile, courseFileCalls, courseFileFlow, courseFileSteps } from './files/course-file.contract.ts'
import { packCalls } from './pack/pack.contract.ts'
import { courseFilePart, offeringReportQuestion } from './parts/part.contract.ts'
import { offeringReportCalls } from './reports/report.contract.ts'

/** Course files: what each offering leaves behind, handed in, accepted and approved; with the report of the offering. */
export const courseFilesArea = area({
  name: 'course-files',
  label: ['Course files', 'ملفات المقررات'],
  resources: [courseFilePart, offeringReportQuestion, courseFile],
  calls: [courseFileCalls, listedCalls(courseFileFlow, courseFileSteps), offeringReportCalls, packCalls],
  noticeGroup: 'requests',
  notices: {
    notice_moved: {
      title: ['A course file of mine goes on', 'تغيّر حالة ملف مقرر لي'],
      audience: [1, 2],
      app: 'always',
      mail: 'digest',
    },
    notice_waits: {
      title: ['A course file waits for me', 'ملف مقرر ينتظر قراري'],
      audience: [1, 2],
      app: 'on',
      mail: 'digest',
    },
    notice_comment: {
      title: ['A comment on a course file', 'تعليق على ملف مقرر'],
      audience: [1, 2],
      app: 'on',
      mail: 'digest',
    },
    notice_due: {
      title: ['A course file is due soon', 'اقتراب موعد تسليم ملف مقرر'],
      audience: [1, 2],
      app: 'always',
      mail: 'digest',
    },
    notice_late: {
      title: ['A course file is overdue', 'تأخر تسليم ملف مقرر'],
      audience: [1, 2],
      app: 'always',
      mail: 'now',
    },
  },
  // Those without data are named like the constraints of the tables that guard them.
  errors: {
    course_file_twice: ['This offering has a course file already.', 'لهذا المقرر المطروح ملف بالفعل.'],
    course_file_part_found: [
      'What is found by itself is one thing, and no work of students.',
      'ما يُستخرج تلقائيًا عنصر واحد وليس من أعمال الطلاب.',
    ],
    course_file_nothing_asked: ['No parts of course files are set up.', 'لم تُحدد محتويات ملفات المقررات.'],
    course_file_missing: ['{part}: files to come: {count}.', '{part_local}: ملفات ناقصة: {count}.'],
    course_file_specification_missing: [
      '{part}: the course has no approved specification for this year.',
      '{part_local}: ليس للمقرر توصيف معتمد لهذا العام.',
    ],
    course_file_report_missing: [
      '{part}: fill it and answer its questions.',
      '{part_local}: املأ التقرير وأجب عن أسئلته.',
    ],
    course_file_report_outdated: [
      '{part}: its figures are not those of now. Fill it again.',
      '{part_local}: أرقامه لم تعد مطابقة. املأه من جديد.',
    ],
    course_file_attendance_missing: [
      '{part}: no attendance list of this offering was kept.',
      '{part_local}: لم يُسجل حضور لهذا المقرر.',
    ],
    course_file_marks_open: [
      '{part}: the marks of this offering are not published yet.',
      '{part_local}: لم تُعلن درجات هذا المقرر بعد.',
    ],
    course_file_comments_open: ['Comments that nobody has settled: {count}.', 'تعليقات لم تُغلق: {count}.'],
    course_file_closed: [
      'It is handed in: nothing can be changed until it is given back.',
      'الملف مسلَّم ولا يُعدَّل حتى يُعاد.',
    ],
    course_file_part_not_asked: ['This part is not asked of this offering.', 'هذا المحتوى غير مطلوب من هذا المقرر.'],
    course_file_part_by_itself: ['This part is found by itself.', 'هذا المحتوى يُستخرج تلقائيًا.'],
    course_file_names: ['Say that the names of students are blacked out.', 'أكّد حجب أسماء الطلاب.'],
    course_file_part_full: ['A part has {max} files at most.', 'للمحتوى الواحد {max} ملفًا على الأكثر.'],
    course_file_document_twice: ['This file is there already.', 'هذا الملف موجود بالفعل.'],
    course_file_went_on: [
      'It has gone on meanwhile: look at it again.',
      'تغيّرت حالة الملف في هذه الأثناء. راجعه مرة أخرى.',
    ],
    course_file_comment_settled: ['This thread is settled: open it again first.', 'أُغلقت هذه السلسلة. أعد فتحها أولًا.'],
    course_file_comment_part: ['An answer is about what its thread is about.', 'الرد يخص ما تخصه سلسلته.'],
    course_file_comment_not_yours: [
      'It is settled by whoever began it, or who teaches the course.',
      'يغلقها من بدأها أو القائم بتدريس المقرر.',
    ],
    course_file_pack_years: ['The years end before they begin.', 'نهاية الأعوام قبل بدايتها.'],
    course_file_pack_large: [
      'The files are {size} GB, and a pack holds {most} GB: choose fewer years.',
      'حجم الملفات {size} جيجابايت، والحزمة تسع {most} جيجابايت، اختر أعوامًا أقل.',
    ],
    course_file_pack_underway: ['The pack is still being made.', 'ما زالت الحزمة قيد الإعداد.'],
    course_file_pack_over: [
      'A pack can be fetched for {days} days: make it once more.',
      'تتاح الحزمة {days} أيام فقط، أعد إعدادها.',
    ],
    course_file_pack_nothing: [
      'There are no course files of this program in these years within your reach.',
      'لا توجد ملفات مقررات لهذا البرنامج في هذه الأعوام ضمن نطاقك.',
    ],
    offering_report_marks_open: ['The marks of this offering are not published yet.', 'لم تُعلن درجات هذا المقرر بعد.'],
    offering_report_not_filled: ['Fill the report first.', 'املأ التقرير أولًا.'],
    offering_report_question: ['A question that is not asked.', 'سؤال غير مطروح.'],
  },
})
