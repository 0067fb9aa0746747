import { area, screen } from '#kit/contract/index.ts'
import { documentsOfPerson } from '#areas/people/people/outlets.contract.ts'
import { employeeDocuments } from './employees/employee-documents.contract.ts'
import { instructorDocuments } from './instructors/instructor-documents.contract.ts'
import { documentKind } from './kinds/kind.contract.ts'
import { studentDocuments } from './students/student-documents.contract.ts'

const ALL = [studentDocuments, employeeDocuments, instructorDocuments]

/** Documents that students and staff hand in. */
export const documentsArea = area({
  name: 'documents',
  label: ['Documents', 'المستندات'],
  fills: [documentsOfPerson],
  resources: [...ALL.map(({ document }) => document), documentKind],
  calls: ALL.map(({ calls }) => calls),
  screens: [
    screen('/my-documents', {
      permission: ['show_employeeDocument', 'show_instructorDocument'],
      title: ['My documents', 'مستنداتي'],
      menu: { group: 'people', order: 535, icon: 'file-description', notFor: [3, 4], block: 'staff' },
    }),
  ],
  noticeGroup: 'requests',
  notices: {
    notice_document: {
      title: ['A document of yours was decided on', 'بُتّ في أحد مستنداتك'],
      audience: [1, 2, 3],
      app: 'always',
      mail: 'now',
    },
    notice_asked: {
      title: ['A document is asked from you', 'مطلوب منك مستند'],
      audience: [1, 2, 3],
      app: 'always',
      mail: 'now',
    },
    notice_expires: {
      title: ['A document of yours expires soon', 'أحد مستنداتك يوشك على الانتهاء'],
      audience: [1, 2, 3],
      app: 'always',
      mail: 'now',
    },
  },
  errors: {
    document_file_needed: ['Add the file: a photograph or a scan.', 'أرفق الملف: صورة أو نسخة ممسوحة ضوئيًا.'],
    document_file_kind: [
      'Documents are PDF files or pictures (PNG, JPG); this one is {kind}.',
      'المستندات ملفات PDF أو صور (PNG أو JPG)، وهذا الملف {kind}.',
    ],
    document_file_large: ['The file has more than {max} MB.', 'حجم الملف أكبر من {max} ميجابايت.'],
    document_expiry_needed: ['This kind of document expires: say until when.', 'لهذا المستند تاريخ انتهاء: اذكره.'],
    document_expired_already: ['It expired on {date}.', 'انتهت صلاحيته في {date}.'],
    document_still_valid: ['It has not expired: it is valid until {date}.', 'لم تنته صلاحيته، فهو صالح حتى {date}.'],
    document_newer: [
      'Another one of the same kind is asked for or waits. Decide on that one.',
      'يوجد مستند آخر من النوع نفسه مطلوب أو قيد المراجعة. بُتّ فيه.',
    ],
    document_open_already: [
      'One of the same kind is asked for or waits already.',
      'يوجد مستند من النوع نفسه مطلوب أو قيد المراجعة بالفعل.',
    ],
    document_waits: [
      '{kind} was handed in already and waits to be looked at. Take it back to hand in another one.',
      'سُلّم مستند «{kind_local}» بالفعل وهو قيد المراجعة. اسحبه لتسلّم غيره.',
    ],
    document_asked: ['{kind} is asked for already.', 'مستند «{kind_local}» مطلوب بالفعل.'],
    document_waived: [
      '{kind} was waived. Ask for it again there, with the reason.',
      'سبق الإعفاء من مستند «{kind_local}». أعد طلبه من هناك مع ذكر السبب.',
    ],
    document_accepted: ['{kind} is there and accepted.', 'مستند «{kind_local}» مُسلَّم ومقبول.'],
    document_decided: ['It was decided on. Open it again to put it right.', 'سبق البت في المستند. أعد فتحه لتصحيحه.'],
    kind_asks_of_students: ['Asked of students alone.', 'شرط للطلاب وحدهم.'],
    person_no_employee: ['This person is no employee.', 'هذا الشخص ليس موظفًا.'],
    document_hold_of_kind: [
      'The hold for documents follows from the list of documents.',
      'مانع المستندات يتبع قائمة المستندات.',
    ],
  },
})
