import { area, screen } from '#kit/contract/index.ts'
import { applicantImportCalls } from './import.contract.ts'

/** Sheets of a ministry: whom it has nominated becomes an applicant. */
export const applicantImportsArea = area({
  name: 'applicant-imports',
  label: ['Imports of applicants', 'استيراد المتقدمين'],
  calls: [applicantImportCalls],
  screens: [
    screen('/applicants/import', {
      permission: 'import_applicant',
      title: ['Import applicants', 'استيراد متقدمين'],
      parent: '/applicants',
    }),
  ],
  errors: {
    applicant_file_encoding: [
      'The file is not in this encoding. Choose the other one.',
      'الملف ليس بهذا الترميز. اختر الترميز الآخر.',
    ],
    applicant_file_is_utf8: ['The file is in UTF-8.', 'الملف بترميز UTF-8.'],
    applicant_file_no_encoding: ['A workbook has no encoding to choose.', 'لا ترميز يُختار لملف Excel.'],
    applicant_file_broken: [
      'Line {line}: a quotation mark is not closed, or stands where none can be. Mend the line and hand the file in again.',
      'السطر {line}: علامة تنصيص غير مغلقة أو في غير موضعها. صحح السطر ثم قدم الملف من جديد.',
    ],
    applicant_file_long: [
      'Line {line} is too long for a row. Mend it and hand the file in again.',
      'السطر {line} أطول من أن يكون صفًا. صححه ثم قدم الملف من جديد.',
    ],
    applicant_column_none: ['The file has no column {column}.', 'لا يوجد عمود رقم {column} في الملف.'],
    applicant_column_twice: ['“{column}” is chosen for another field already.', 'العمود «{column}» مختار لحقل آخر.'],
    applicant_column_identity: [
      'Choose the column of the national id, the passport number or the number of the ministry.',
      'اختر عمود الرقم القومي أو رقم جواز السفر أو الرقم لدى الوزارة.',
    ],
    applicant_column_name: ['Choose the column of a name.', 'اختر عمود الاسم.'],
    applicant_column_wish: ['Choose the column of wish {number} first.', 'اختر عمود الرغبة {number} أولًا.'],
    applicant_import_not_yet: ['This admission has not opened yet.', 'لم تُفتح فترة القبول بعد.'],
    applicant_import_closed: [
      'This admission has closed: nobody is added any more.',
      'أُغلقت فترة القبول، ولا يُضاف إليها أحد.',
    ],
    applicant_import_over: [
      'This work is over: the file was checked again, or discarded.',
      'انتهى هذا العمل: رُوجع الملف من جديد أو جرى التخلي عنه.',
    ],
    applicant_import_checking: [
      'The file is being checked. Wait until that is done.',
      'تجري مراجعة الملف. انتظر حتى تنتهي.',
    ],
    applicant_import_saving: ['The file is being saved already.', 'يجري حفظ الملف بالفعل.'],
    applicant_import_saved: [
      'The file is saved. Hand it in again to compare it anew.',
      'حُفظ الملف. قدمه من جديد لإعادة المقارنة.',
    ],
    applicant_import_unchecked: ['Check the file first.', 'راجع الملف أولًا.'],
    applicant_import_differs: [
      'By now {new} rows are new and {changed} change something. Look at them, then save.',
      'أصبح عدد الصفوف الجديدة {new} والمعدلة {changed}. راجعها ثم احفظ.',
    ],
    applicant_import_partly: ['Part of it is saved. Save the rest.', 'حُفظ جزء منه. احفظ الباقي.'],
    applicant_mapping_gone: [
      'These kept columns were removed meanwhile. Choose others, or name the columns.',
      'حُذف تحديد الأعمدة هذا. اختر غيره أو حدد الأعمدة.',
    ],
    applicant_row_formula: ['A formula. Write what it comes to.', 'معادلة. اكتب ناتجها.'],
    applicant_row_cells: [
      '{cells} cells under {columns} columns. Look for a separator within a cell.',
      'عدد الخلايا {cells} والأعمدة {columns}. ابحث عن فاصل داخل خلية.',
    ],
    applicant_row_number: ['“{given}” is no number that can stand here.', '«{given}» ليس رقمًا صالحًا هنا.'],
    applicant_row_day: [
      '“{given}” is no day. Write 2007-03-14 or 14/3/2007.',
      '«{given}» ليس تاريخًا. اكتب 2007-03-14 أو 14/3/2007.',
    ],
    applicant_row_gender: ['“{given}” is no gender. Write male or female.', '«{given}» ليس نوعًا. اكتب ذكر أو أنثى.'],
    applicant_row_country: ['No country is called “{given}”.', 'لا توجد دولة باسم «{given}».'],
    applicant_row_community: [
      'No governorate or community is called “{given}”.',
      'لا توجد محافظة أو جالية باسم «{given}».',
    ],
    applicant_row_certificate: ['No certificate is called “{given}”.', 'لا توجد شهادة باسم «{given}».'],
    applicant_row_program: [
      'No program of this admission is called “{given}”. Write its code or name.',
      'لا يوجد برنامج في فترة القبول باسم «{given}». اكتب كوده أو اسمه.',
    ],
    applicant_row_ambiguous: [
      'Several are called “{given}”. Write the code.',
      'أكثر من واحد باسم «{given}». اكتب الكود.',
    ],
    applicant_row_max: ['This certificate is out of {max}.', 'النهاية العظمى لهذه الشهادة {max}.'],
    applicant_row_email: ['This is no e-mail address.', 'هذا ليس بريدًا إلكترونيًا.'],
    applicant_row_long: ['At most 40 characters.', '40 حرفًا على الأكثر.'],
    applicant_row_name: ['The name is missing.', 'الاسم ناقص.'],
    applicant_row_identity: [
      'Nothing tells who this is: no national id, no passport number, no number of the ministry.',
      'لا شيء يدل على صاحب الصف: لا رقم قومي ولا جواز سفر ولا رقم لدى الوزارة.',
    ],
    applicant_row_reach: ['None of the wishes is for your part of the university.', 'لا رغبة في برنامج تابع لك.'],
    applicant_row_not_yours: [
      'The application is of another part of the university.',
      'الطلب تابع لجهة أخرى في الجامعة.',
    ],
    applicant_row_twice: ['The same person stands in row {row}.', 'الشخص نفسه في الصف {row}.'],
    applicant_row_number_taken: [
      'This number of the ministry was given to somebody else before. Correct it there, or here.',
      'هذا الرقم لدى الوزارة مسجل لشخص آخر. صححه هناك أو هنا.',
    ],
    applicant_row_decided: [
      'The application was sent in already: it is corrected there, not by a sheet.',
      'أُرسل الطلب بالفعل، ويُصحح في صفحته لا بملف.',
    ],
    applicant_row_applied: ['This person has applied by the form already.', 'تقدم هذا الشخص بالفعل من خلال الاستمارة.'],
    applicant_row_student: ['This person is a student here already.', 'هذا الشخص طالب هنا بالفعل.'],
  },
})
