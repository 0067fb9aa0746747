/** What is wrong with a bundle, at a place of a file, in words that say what to do. English and Arabic. */
export const BUNDLE_ERRORS = {
  roster_file_missing: [
    'The file {file} is missing. Add it to the bundle.',
    'الملف {file} غير موجود. أضفه إلى الملفات.',
  ],
  roster_file_not_bulk: [
    'A file is bulk, delta or absent; the manifest says {mode}.',
    'الملف إما كامل (bulk) أو تغييرات (delta) أو غائب (absent)، والبيان يذكر {mode}.',
  ],
  roster_delta_without_base: [
    'The bundle tells only what changed (delta), and no import from {source} in this version is here to begin with. Import the whole bundle (bulk) once.',
    'الملفات تذكر التغييرات فقط (delta)، ولا يوجد هنا استيراد سابق من {source} بهذا الإصدار. استورد الملفات كاملة (bulk) مرة واحدة.',
  ],
  roster_delta_breaks: [
    'The row {row}, which an earlier import brought and this delta does not tell of, does not fit any more ({column}: {value}). Add it to the delta, changed or marked for removal.',
    'السطر {row} الوارد في استيراد سابق ولا تذكره هذه التغييرات لم يعد صالحًا ({column}: {value}). أضفه إلى التغييرات معدلًا أو محددًا للحذف.',
  ],
  roster_version_not_supported: [
    'OneRoster {version} is not supported; 1.1 and 1.2 are. Export the bundle as OneRoster 1.2 CSV.',
    'إصدار OneRoster {version} غير مدعوم، المدعوم 1.1 و1.2. صدّر الملفات بإصدار OneRoster 1.2 CSV.',
  ],
  roster_manifest_not_supported: [
    'Version {version} of the manifest is not known; 1.0 is. Export the bundle as OneRoster 1.2 CSV.',
    'إصدار البيان {version} غير معروف، المعروف 1.0. صدّر الملفات بإصدار OneRoster 1.2 CSV.',
  ],
  roster_property_twice: [
    'The property {property} stands on line {line} already. Leave one of the two rows out.',
    'الخاصية {property} مكررة، وردت في السطر {line}. احذف أحد السطرين.',
  ],
  roster_csv_broken: ['The file is not valid CSV: {reason}', 'الملف ليس CSV صحيحًا: {reason}'],
  roster_too_large: [
    'The file is too large or too deep to be read. Divide the bundle by academic year.',
    'الملف أكبر من أن يُقرأ. قسّم الملفات حسب العام الجامعي.',
  ],
  roster_column_missing: ['The column {column} is missing.', 'العمود {column} غير موجود.'],
  roster_file_empty: [
    'The file is empty. Export it again, with its heading.',
    'الملف فارغ. صدّره من جديد مع صف العناوين.',
  ],
  roster_delimiter: [
    'The columns are divided by {mark}; OneRoster divides them by a comma. Save the file as CSV with commas.',
    'تفصل بين الأعمدة العلامة {mark}، وفي OneRoster تفصل بينها فاصلة (,). احفظ الملف بصيغة CSV بفواصل.',
  ],
  roster_column_written: [
    'The column {column} is to be written {wanted}: capitals count.',
    'يُكتب العمود {column} هكذا: {wanted}، مع مراعاة الأحرف الكبيرة والصغيرة.',
  ],
  roster_column_twice: [
    'The column {column} stands twice. Take one of the two out.',
    'العمود {column} مكرر. احذف أحد العمودين.',
  ],
  roster_cell_required: ['This cell must be filled.', 'يجب ملء هذه الخلية.'],
  roster_cell_too_long: ['At most {max} characters.', 'الحد الأقصى {max} حرفًا.'],
  roster_cell_not_allowed: ['Contains HTML or control characters.', 'تحتوي الخلية على HTML أو رموز تحكم.'],
  roster_id_not_valid: ['This is not a valid sourcedId.', 'معرّف sourcedId غير صحيح.'],
  roster_id_twice: [
    'This sourcedId stands on line {line} already. Give one of the two another, or leave the row out.',
    'معرّف sourcedId مكرر، ورد في السطر {line}. غيّر أحدهما أو احذف السطر.',
  ],
  roster_date_not_valid: [
    'This day does not exist; write it as YYYY-MM-DD.',
    'تاريخ غير صحيح؛ اكتبه بالصورة YYYY-MM-DD.',
  ],
  roster_dates_out_of_order: ['It ends before it begins.', 'تاريخ الانتهاء يسبق تاريخ البدء.'],
  roster_term_outside_year: [
    'The term is outside its academic year, {from} to {to}. Correct the dates of one of the two.',
    'الفصل الدراسي خارج عامه الجامعي من {from} إلى {to}. صحّح تواريخ أحدهما.',
  ],
  roster_parent_circle: [
    'Following the parents from here leads back to this row. Correct parentSourcedId.',
    'تتبّع الجهات الأعلى من هنا يعود إلى السطر نفسه. صحّح parentSourcedId.',
  ],
  roster_value_not_known: ['{value} is not one of: {values}', '{value} ليست من القيم: {values}'],
  roster_reference_missing: ['Nothing with this sourcedId in {file}.', 'لا يوجد سجل بهذا المعرّف في {file}.'],
  roster_code_twice: [
    '{code} stands on line {line} already. Give one of the two another.',
    'القيمة {code} مكررة، وردت في السطر {line}. غيّر إحداهما.',
  ],
  roster_code_empty: [
    'No letter or digit is left of {code} for a code. Fill this cell with one.',
    'لا يبقى من {code} حرف أو رقم يصلح كودًا. اكتب كودًا في هذه الخلية.',
  ],
  roster_code_taken: [
    '{code} belongs to a record that did not come from this source: {name}. Give one of the two another code, or remove that record for good.',
    'الكود {code} يخص سجلًا لم يأت من هذا المصدر: {name}. غيّر كود أحدهما أو احذف ذلك السجل نهائيًا.',
  ],
  roster_email_taken: [
    '{code} is the e-mail of another account, {name}. Change it here or there.',
    'البريد الإلكتروني {code} يخص حسابًا آخر: {name}. غيّره هنا أو هناك.',
  ],
  roster_email_not_valid: ['This e-mail address is not valid.', 'عنوان البريد الإلكتروني غير صحيح.'],
  roster_course_twice_in_term: [
    'This student already takes the same course in this term on line {line}. Leave one of the two rows out.',
    'هذا الطالب مسجل في المقرر نفسه في هذا الفصل الدراسي في السطر {line}. احذف أحد السطرين.',
  ],
  roster_term_needed: [
    'No term stands behind this. A class needs a term, a year with terms, or a grading period within a term.',
    'لا يوجد فصل دراسي هنا. تحتاج الشعبة إلى فصل دراسي أو عام له فصول أو فترة تقييم داخل فصل.',
  ],
} as const
export type BundleErrorCode = keyof typeof BUNDLE_ERRORS

/** What was understood in a certain way, and keeps nothing from being imported. */
export const BUNDLE_NOTES = {
  roster_marks_removed: ['Hidden direction marks were taken out.', 'أُزيلت علامات اتجاه خفية.'],
  roster_row_removed: [
    'Marked for removal ({status}): treated as no longer there.',
    'السطر محدد للحذف ({status})، ويُعامل كأنه لم يعد موجودًا.',
  ],
  roster_behind_removed: [
    'Belongs to a row of {file} that is marked for removal, and goes with it.',
    'يتبع سطرًا محددًا للحذف في {file}، ويُحذف معه.',
  ],
  roster_class_split: [
    'The class runs for {count} terms: it becomes an offering in each of them.',
    'تمتد الشعبة على {count} فصول دراسية، فتصبح مقررًا مطروحًا في كل منها.',
  ],
  roster_period_as_term: [
    'A grading period is part of a term: the class is offered in {term}.',
    'فترة التقييم جزء من فصل دراسي: تُطرح الشعبة في {term}.',
  ],
  roster_enrollment_merged: [
    'The same person in the same class as on line {line}: taken once.',
    'الشخص نفسه في الشعبة نفسها كما في السطر {line}: يُحتسب مرة واحدة.',
  ],
  roster_later_class_taken: [
    'The same course as on line {line}, in another period: the later class is taken.',
    'المقرر نفسه كما في السطر {line} في فترة أخرى: تُعتمد الشعبة الأحدث.',
  ],
  roster_learns_and_teaches: [
    'Studies in the class as well: the place in its team was left out.',
    'يدرس في الشعبة أيضًا: لم يُضف إلى فريق تدريسها.',
  ],
  roster_code_made: ['No code is given, and {code} was made from the name.', 'لا يوجد كود، وأُنشئ {code} من الاسم.'],
  roster_account_blocked: ['enabledUser is false: the account is blocked.', 'قيمة enabledUser هي false: الحساب موقوف.'],
  roster_no_part: [
    'As {role} this person has no part here and was left out.',
    'ليس لهذا الشخص دور هنا بصفته {role} ولم يُضف.',
  ],
  roster_staff_without_rights: [
    'Neither student nor teacher: an account without rights. Give it a role under people and rights.',
    'ليس طالبًا ولا مدرسًا: حساب بلا صلاحيات. امنحه دورًا من الأشخاص والصلاحيات.',
  ],
} as const
export type BundleNoteCode = keyof typeof BUNDLE_NOTES

/** Why the import leaves something as it stands. */
export const LEFT_REASONS = {
  roster_left_edited: ['changed here since the last import', 'عُدّل هنا بعد آخر استيراد'],
  roster_left_submitted: ['results are submitted', 'رُفعت النتائج'],
  roster_left_by_hand: ['registered by hand', 'مسجل يدويًا'],
  roster_left_dropped: ['left the class here', 'انسحب من الشعبة هنا'],
  roster_left_removed: ['removed here', 'حُذف هنا'],
  roster_left_in_use: ['others depend on it', 'تعتمد عليه سجلات أخرى'],
  roster_left_structure: ['remove it by hand where it is wanted', 'يُحذف يدويًا عند الحاجة'],
  roster_left_clash: ['its students have that course in that term already', 'طلابها مسجلون في المقرر نفسه في ذلك الفصل'],
} as const
export type LeftReason = keyof typeof LEFT_REASONS
