import type { Label } from './words.ts'

/** Texts of refusals: code to [English, Arabic], with `{data}` places. German, French and Portuguese: section `errors` of the catalogues. */
export type ErrorTexts = Readonly<Record<string, Label>>

/** Refusals any call can answer with. */
export const KIT_ERRORS = {
  invalid_input: ['Please Check Inputs Errors, And Try Again', 'راجع أخطاء المدخلات ثم أعد المحاولة'],
  required: ['Please fill in this field', 'من فضلك املأ هذا الحقل'],
  unknown_field: ['This field is not known here: {field}', 'حقل غير معروف: {field}'],
  body_not_json: [
    'The body of the request is not JSON, or not of the kind this call takes.',
    'محتوى الطلب ليس بصيغة JSON أو ليس من النوع الذي يقبله هذا النداء.',
  ],
  body_too_large: [
    'The request is too large: at most {max} kB can be sent here.',
    'الطلب أكبر من المسموح: يمكن إرسال {max} كيلوبايت على الأكثر هنا.',
  ],
  body_too_many_values: [
    'The request holds too many values: at most {max} at once. Send it in parts.',
    'الطلب يحتوي على قيم أكثر من المسموح: {max} على الأكثر في المرة الواحدة. أرسله على دفعات.',
  ],
  body_too_deep: [
    'The request is nested too deeply: at most {max} levels.',
    'الطلب متداخل أكثر من المسموح: {max} مستوى على الأكثر.',
  ],
  wrong_type: ['This value is not of the right kind.', 'القيمة ليست من النوع الصحيح.'],
  not_a_choice: ['Choose one of the offered values.', 'اختر إحدى القيم المعروضة.'],
  too_long: ['At most {max} characters.', 'الحد الأقصى {max} حرفًا.'],
  too_short: ['At least {min} characters.', 'الحد الأدنى {min} أحرف.'],
  too_many: ['At most {max} entries.', 'الحد الأقصى {max} عنصرًا.'],
  row_unknown: [
    'This line is no longer there: somebody removed it meanwhile. Add it again where it is needed.',
    'لم يعد هذا السطر موجودًا، فقد حذفه شخص آخر. أضفه من جديد إذا لزم.',
  ],
  too_many_views: [
    'At most {max} views of a list are kept. Remove one first.',
    'يُحفظ {max} طريقة عرض للقائمة على الأكثر. احذف إحداها أولًا.',
  ],
  too_few: ['At least {min} entries.', 'الحد الأدنى {min} عناصر.'],
  out_of_range: ['Between {min} and {max}.', 'القيمة بين {min} و{max}.'],
  too_small: ['At least {min}.', 'لا تقل القيمة عن {min}.'],
  too_big: ['At most {max}.', 'لا تزيد القيمة على {max}.'],
  not_an_integer: ['A whole number is needed.', 'مطلوب عدد صحيح.'],
  too_many_places: ['At most {places} digits after the decimal point.', 'لا تزيد المنازل العشرية على {places}.'],
  date_not_valid: ['This day does not exist. Write it as YYYY-MM-DD.', 'تاريخ غير صحيح. اكتبه بالصورة YYYY-MM-DD.'],
  format_not_valid: ['The format is not right.', 'الصيغة غير صحيحة.'],
  email_not_valid: ['This e-mail address is not valid.', 'عنوان البريد الإلكتروني غير صحيح.'],
  mobile_not_valid: ['A phone number has 7 to 15 digits.', 'رقم الهاتف من 7 إلى 15 رقمًا.'],
  national_id_digits: ['The national id has exactly 14 digits.', 'الرقم القومي 14 رقمًا بالضبط.'],
  passport_not_valid: [
    'Passport number must be entered correctly: at least 8 characters.',
    'أدخل رقم جواز السفر بشكل صحيح: 8 أحرف على الأقل.',
  ],
  passport_first_letter: ['Passport first letter must be uppercase.', 'أول حرف في رقم جواز السفر يجب أن يكون كبيرًا.'],
  year_not_valid: [
    'Write the year like 2022, an academic year like 2022/2023.',
    'اكتب السنة مثل 2022، والعام الدراسي مثل 2022/2023.',
  ],
  code_special_characters: ['A code has no spaces or special characters.', 'الكود لا يحتوي على مسافات أو رموز خاصة.'],
  arabic_only: ['Write this in Arabic.', 'اكتب هذا الحقل بالعربية.'],
  english_only: ['Write this in English, without Arabic letters.', 'اكتب هذا الحقل بالإنجليزية دون حروف عربية.'],
  letters_only: ['A name has letters and spaces, no digits.', 'الاسم حروف ومسافات فقط، بلا أرقام.'],
  text_control_characters: ['Contains characters that cannot be stored.', 'يحتوي على رموز لا يمكن حفظها.'],
  text_direction_controls: [
    'Contains hidden direction marks. Type the text again without them.',
    'يحتوي على علامات اتجاه خفية. أعد كتابة النص بدونها.',
  ],
  text_html: ['HTML is not allowed here.', 'لا يُسمح بوسوم HTML هنا.'],
  text_formula: ['A text may not begin like a formula.', 'لا يجوز أن يبدأ النص بصيغة حسابية.'],
  duplicate: ['This value is already used by another record.', 'القيمة مستخدمة في سجل آخر.'],
  email_of_person: [
    'Duplicate user: this e-mail address is that of {who}.',
    'مستخدم مكرر: عنوان البريد الإلكتروني هذا يخص {who}.',
  ],
  email_of_another_person: [
    'Duplicate user: this e-mail address is that of another person.',
    'مستخدم مكرر: عنوان البريد الإلكتروني هذا لشخص آخر.',
  ],
  decision_outdated: [
    'What it stands on has changed: {what} was {before} and is {now}. It has to be decided again first.',
    'تغيّر الأساس الذي بُني عليه القرار: {what} كان {before_local} وأصبح {now_local}. يلزم اتخاذ القرار من جديد أولًا.',
  ],
  decision_not_outdated: [
    'What it stands on is as it was: there is nothing to decide again.',
    'الأساس الذي بُني عليه القرار كما كان، فلا داعي لإعادة القرار.',
  ],
  decision_step_none: [
    'This step does not exist for decisions of this kind. Decide where the link leads.',
    'هذه الخطوة غير متاحة لهذا النوع من القرارات. اتخذ القرار من الصفحة التي يقود إليها الرابط.',
  ],
  in_use_by: ['{what}: {names}.', '{what}: {names}.'],
  in_use_by_more: ['{what} ({count}): {names} …', '{what} ({count}): {names} …'],
  in_use_by_hidden: ['{what}: {count}.', '{what}: {count}.'],
  in_use: ['It is used by other records and cannot be removed.', 'مستخدم في سجلات أخرى ولا يمكن حذفه.'],
  reference_missing: ['The chosen record does not exist any more.', 'السجل المختار لم يعد موجودًا.'],
  value_not_storable: [
    'A value is outside what can be stored. Check numbers, dates and times.',
    'إحدى القيم خارج ما يمكن حفظه. راجع الأرقام والتواريخ والأوقات.',
  ],
  check_failed: ['This value is not allowed.', 'القيمة غير مسموح بها.'],
  sort_not_allowed: ['This list cannot be sorted by {column}.', 'لا يمكن ترتيب القائمة حسب {column}.'],
  filter_not_allowed: ['This list cannot be filtered by {column}.', 'لا يمكن تصفية القائمة حسب {column}.'],
  not_signed_in: ['Sign in to continue.', 'سجّل الدخول للمتابعة.'],
  session_expired: ['Your session has ended. Sign in again.', 'انتهت الجلسة. سجّل الدخول مرة أخرى.'],
  record_switched: [
    'Another of your records was chosen meanwhile. Look at the page again.',
    'اخترت سجلًا آخر من سجلاتك في هذه الأثناء. راجع الصفحة من جديد.',
  ],
  not_allowed: ['You are not allowed to do this.', 'ليست لديك صلاحية لهذا الإجراء.'],
  delete_not_allowed: ["You Don't Have Permission To Delete", 'ليست لديك صلاحية الحذف'],
  personal: [
    'This belongs to the person alone. Whoever acts for somebody has no say in it: return to your own account.',
    'هذا يخص صاحب الحساب وحده، ولا يملكه من ينوب عنه. عُد إلى حسابك.',
  ],
  not_found: ['It does not exist, or you may not see it.', 'غير موجود أو ليست لديك صلاحية عرضه.'],
  merged_into: [
    'This record was merged into another one. Change that one.',
    'هذا السجل دُمج في سجل آخر. عدّل ذلك السجل.',
  ],
  changed_meanwhile: [
    'Somebody else changed this record meanwhile. Review what changed, then save again.',
    'عدّل شخص آخر هذا السجل في هذه الأثناء. راجع التغييرات ثم احفظ مرة أخرى.',
  ],
  state_not_allowed: ['This is not possible in the present state.', 'غير ممكن في الحالة الحالية.'],
  removed_record: ['This record is removed. Restore it first.', 'السجل محذوف. استعده أولًا.'],
  'you are in readonly mode': ['You are in read-only mode.', 'النظام في وضع القراءة فقط.'],
  assignSuperAdminUnauthorized: [
    'You are not authorized to assign the Super Admin role.',
    'ليست لديك صلاحية تعيين دور المدير الأعلى.',
  ],
  too_many_requests: [
    'Too many attempts. Try again in {seconds} seconds.',
    'محاولات كثيرة. أعد المحاولة بعد {seconds} ثانية.',
  ],
  papers_waiting: [
    '{count} papers and sheets of yours are still being made. Wait for them, then ask for more.',
    'ما زال إعداد {count} من مستنداتك جاريًا. انتظر اكتمالها ثم اطلب غيرها.',
  ],
  calls_waiting: [
    '{count} requests of yours are still being answered. Wait {seconds} seconds, then try again.',
    'ما زالت {count} من طلباتك قيد التنفيذ. انتظر {seconds} ثانية ثم أعد المحاولة.',
  ],
  upload_quota: [
    'A person may upload {files} files and {megabytes} MB in a day, and yours are used up. Go on tomorrow, or ask the administrators of the system for more.',
    'يُسمح لكل شخص برفع {files} ملفًا و{megabytes} ميجابايت في اليوم، وقد استنفدت حصتك. تابع غدًا أو اطلب زيادتها من مسؤولي النظام.',
  ],
  maintenance: ['The system is under maintenance.', 'النظام تحت الصيانة.'],
  database_full: [
    'Nothing was saved: the database has no room left. Tell the administrators of the system, then try again.',
    'لم يُحفظ شيء: لا توجد مساحة كافية في قاعدة البيانات. أبلغ مسؤولي النظام ثم أعد المحاولة.',
  ],
  database_read_only: [
    'Nothing was saved: the database can only be read at the moment. Try again in a few minutes.',
    'لم يُحفظ شيء: قاعدة البيانات متاحة للقراءة فقط حاليًا. أعد المحاولة بعد دقائق.',
  ],
  data_busy: [
    'Nothing was saved: somebody else is changing the same records at this moment. Try again in a moment.',
    'لم يُحفظ شيء: يعدّل مستخدم آخر السجلات نفسها الآن. أعد المحاولة بعد لحظات.',
  ],
  took_too_long: [
    'This took too long and was stopped; nothing was saved. Narrow the choice to fewer records, or try again later.',
    'استغرق الطلب وقتًا أطول من المسموح فأُوقف، ولم يُحفظ شيء. حدّد سجلات أقل أو أعد المحاولة لاحقًا.',
  ],
  file_store_full: [
    'The file was not saved: there is no room left for files. Tell the administrators of the system, then try again.',
    'لم يُحفظ الملف: لا توجد مساحة كافية لتخزين الملفات. أبلغ مسؤولي النظام ثم أعد المحاولة.',
  ],
  file_store_away: [
    'Files cannot be saved or opened at the moment. Try again in a few minutes.',
    'يتعذر حفظ الملفات أو فتحها حاليًا. أعد المحاولة بعد دقائق.',
  ],
  unexpected: ['Something went wrong. Reference {reference}.', 'حدث خطأ غير متوقع. الرقم المرجعي {reference}.'],
  sign_in_failed: ['The e-mail or the password is not right.', 'البريد الإلكتروني أو كلمة المرور غير صحيحة.'],
  password_again: ['Confirm again that it is you to do this.', 'أكّد هويتك مرة أخرى لإتمام هذا الإجراء.'],
  second_factor_again: [
    'Confirm with your second factor that it is you: the password alone is not enough for this.',
    'أكّد هويتك بخطوة التحقق الثانية، فكلمة المرور وحدها لا تكفي لهذا الإجراء.',
  ],
  sign_in_again: ['Sign in again to do this.', 'سجّل الدخول مرة أخرى لإتمام هذا الإجراء.'],
  account_blocked: ['This account is blocked. Ask the administration.', 'الحساب موقوف. راجع الإدارة.'],
  password_too_short: ['A password has at least {min} characters.', 'كلمة المرور {min} أحرف على الأقل.'],
  password_university: [
    'This password says where you study or work: whoever guesses begins there. Choose another one.',
    'كلمة المرور هذه مأخوذة من اسم الجامعة أو عنوانها، وبه يبدأ من يخمّن. اختر كلمة أخرى.',
  ],
  password_breached: [
    'This password is known to attackers. Choose another.',
    'كلمة المرور معروفة للمخترقين. اختر غيرها.',
  ],
  link_not_valid: [
    'This link is used up or too old. Ask for a new one.',
    'الرابط مستخدم أو منتهي الصلاحية. اطلب رابطًا جديدًا.',
  ],
  export_limit: ['Too many records, export limit is 5000', 'عدد السجلات كبير، الحد الأقصى للتصدير 5000'],
  no_rows: ['There is nothing to export.', 'لا توجد بيانات للتصدير.'],
  file_missing: ['Upload at least one file.', 'ارفع ملفًا واحدًا على الأقل.'],
  file_type_error: [
    'File type or size error: {accepted} is allowed. Save it in that form and upload it again.',
    'خطأ في نوع الملف أو حجمه: المسموح {accepted}. احفظه بهذا النوع ثم ارفعه مرة أخرى.',
  ],
  file_too_large: ['The file is larger than {max} MB.', 'الملف أكبر من {max} ميجابايت.'],
  not_a_spreadsheet: ['This is not a spreadsheet (XLSX or CSV).', 'الملف ليس جدول بيانات (XLSX أو CSV).'],
  sheet_too_large: ['The sheet is too large to be read.', 'الجدول أكبر من أن يُقرأ.'],
  sheet_broken: [
    'The sheet is damaged and cannot be read. Open it in your spreadsheet program, save it anew and upload it again.',
    'الجدول تالف ولا يمكن قراءته. افتحه في برنامج الجداول واحفظه من جديد ثم ارفعه مرة أخرى.',
  ],
  sheet_timeout: ['Reading the sheet took too long.', 'استغرقت قراءة الجدول وقتًا أطول من المسموح.'],
  sheet_reaches_out: [
    'The sheet fetches data from outside when it is opened {cell}. Take that out, and upload it again.',
    'يجلب الملف بيانات من خارجه عند فتحه {cell}. احذف ذلك وارفعه مرة أخرى.',
  ],
  sheet_has_macros: [
    'Sheets with macros are refused. Save it as XLSX and upload it again.',
    'الجداول التي تحتوي على ماكرو مرفوضة. احفظه بصيغة XLSX ثم ارفعه مرة أخرى.',
  ],
  sheet_encrypted: [
    'The sheet is protected by a password. Remove it and upload the sheet again.',
    'الجدول محمي بكلمة مرور. أزلها ثم ارفع الجدول مرة أخرى.',
  ],
  sheet_busy: [
    'Too many sheets are being read. Try again in a moment.',
    'تُقرأ ملفات كثيرة الآن. أعد المحاولة بعد قليل.',
  ],
  sheet_empty: ['The sheet has no rows.', 'الجدول لا يحتوي على صفوف.'],
  sheet_column_missing: ['The column {column} is missing.', 'العمود {column} غير موجود.'],
  sheet_column_unknown: ['The column {column} is not known.', 'العمود {column} غير معروف.'],
  sheet_column_twice: ['The column {column} stands there twice.', 'العمود {column} مكرر.'],
  sheet_row_twice: [
    'Please check duplicated records: this row repeats row {row}.',
    'راجع السجلات المكررة: هذا الصف يكرر الصف {row}.',
  ],
  import_gone: [
    'This preview is no longer there. Upload the sheet again.',
    'المراجعة لم تعد متاحة. ارفع الملف مرة أخرى.',
  ],
  /** What is wrong with a cell of a sheet that was to be saved at once, in its own words. */
  import_cell: ['{text}', '{text}'],
  import_has_errors: [
    'Correct the errors of the sheet first: nothing was stored.',
    'صحّح أخطاء الملف أولًا: لم يُحفظ شيء.',
  ],
  import_row_changed: [
    'Row {row}: the record was changed after the sheet was checked. Check the row again.',
    'الصف {row}: عُدّل السجل بعد مراجعة الملف. راجع الصف مرة أخرى.',
  ],
  import_row_changed_by: [
    'Row {row}: {by} changed the record after the sheet was checked. Check the row again.',
    'الصف {row}: عدّل {by} السجل بعد مراجعة الملف. راجع الصف مرة أخرى.',
  ],
  import_confirm: [
    'This changes {count} records. Type the number to confirm.',
    'سيغيّر هذا {count} سجلًا. اكتب العدد للتأكيد.',
  ],
  import_create_only: [
    'This is set when a record is added and cannot be changed afterwards.',
    'تُحدد هذه القيمة عند إضافة السجل ولا يمكن تغييرها بعد ذلك.',
  ],
  lookup_not_found: ['No {what} has this code or name.', 'لا يوجد {what} بهذا الكود أو الاسم.'],
  lookup_ambiguous: ['More than one {what} has this name. Write the code.', 'أكثر من {what} بهذا الاسم. اكتب الكود.'],
  undo_none: ['There is no such operation any more.', 'لم تعد هذه العملية موجودة.'],
  undo_done: ['This was undone already.', 'سبق التراجع عن هذه العملية.'],
  undo_expired: [
    'More than seven days have passed: this cannot be undone any more. Correct the records themselves.',
    'مضى أكثر من سبعة أيام، فلم يعد التراجع ممكنًا. صحّح السجلات نفسها.',
  ],
  undo_nothing: [
    'Nothing of it can be undone: somebody has changed all of it since.',
    'لا يمكن التراجع عن شيء منها: عُدّلت كلها بعد ذلك.',
  ],
  undo_changed: ['Changed since, so it stays as it is now.', 'عُدّل بعد ذلك، فيبقى كما هو الآن.'],
  undo_gone: ['Removed since.', 'حُذف بعد ذلك.'],
  undo_there: ['Is there again already.', 'موجود من جديد بالفعل.'],
  undo_secret: [
    'Secrets are not kept anywhere and cannot be put back. Set it anew.',
    'البيانات السرية لا تُحفظ ولا يمكن استعادتها. عيّنها من جديد.',
  ],
  undo_in_use: ['Used since by others ({by}), so it stays.', 'صار مستخدمًا في سجلات أخرى ({by})، فيبقى.'],
  notice_fixed: ['This notice cannot be switched off.', 'لا يمكن إيقاف هذا الإشعار.'],
  paper_key_expired: [
    'The certificate with which papers are signed ended on {until}. Whoever runs the installation sets a new one (PAPER_KEY).',
    'انتهت في {until} صلاحية شهادة توقيع الوثائق. على مشغّل النظام تعيين شهادة جديدة (PAPER_KEY).',
  ],
  paper_replaced: ['This paper was replaced already.', 'سبق استبدال هذه الوثيقة.'],
  paper_not_released: ['It is opened once its certificate is handed over as a file.', 'تُفتح بعد تسليم شهادتها ملفًا.'],
  paper_by_hand: ['It is handed over on paper, and printed at the desk.', 'تُسلَّم مطبوعة وتُطبع في المكتب.'],
  paper_revoked: ['This paper is revoked.', 'هذه الوثيقة ملغاة.'],
  reason_required: ['Give a reason.', 'اذكر السبب.'],
  step_state: ['Not possible while it is {state}.', 'غير ممكن في حالة «{state}».'],
  state_owned: [
    '{what}: only {owner} makes it {state}, or takes that back.',
    '{what}: لا تُحدَّد حالة «{state}» ولا تُلغى إلا عن طريق {owner}.',
  ],
  step_under_way: [
    'This is being done already. Wait until it is done, and see what came of it.',
    'هذا قيد التنفيذ بالفعل. انتظر حتى ينتهي ثم راجع نتيجته.',
  ],
  step_permission: ['You do not have the right for this step here.', 'ليست لديك صلاحية هذه الخطوة هنا.'],
  step_own: [
    'This concerns you, or you entered it yourself: somebody else has to decide.',
    'هذا يخصك أو أدخلته بنفسك، فيجب أن يقرر فيه شخص آخر.',
  ],
  fee_nothing: [
    'The university has no price for this: nothing is charged.',
    'لا يوجد سعر لهذا في أسعار الجامعة، فلا رسوم عليه.',
  ],
  job_cancelled: ['The work was cancelled.', 'أُلغي العمل.'],
} as const satisfies ErrorTexts
