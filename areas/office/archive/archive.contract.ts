import { area, screen } from '#kit/contract/index.ts'
import { contentCalls } from './content/content.contract.ts'
import { pageCalls } from './pages/pages.contract.ts'
import { treeCalls } from './tree/tree.contract.ts'
import { uploadCalls } from './upload/upload.contract.ts'

/** Folders, files and bilingual pages of the university, and who sees them. */
export const archiveArea = area({
  name: 'archive',
  label: ['Archive', 'الأرشيف'],
  calls: { ...treeCalls, ...contentCalls, ...pageCalls, ...uploadCalls },
  screens: [
    screen('/archives', {
      permission: 'access_archive',
      title: ['Archive', 'الأرشيف'],
      menu: { group: 'communication', order: 10, icon: 'archive' },
    }),
    screen('/editor/:id', {
      permission: 'access_archive',
      title: ['Archive page', 'صفحة من الأرشيف'],
      parent: '/archives',
    }),
  ],
  errors: {
    archive_root: ['The archive itself stays as it is.', 'الأرشيف نفسه يبقى كما هو.'],
    archive_not_a_folder: ['Choose a folder.', 'اختر مجلدًا.'],
    archive_into_itself: [
      'A folder cannot be put into itself or into what lies in it.',
      'لا يمكن وضع مجلد داخل نفسه أو داخل أحد محتوياته.',
    ],
    archive_too_deep: [
      'At most {max} folders lie within each other. Choose a folder further up.',
      'الحد الأقصى {max} مجلدًا متداخلًا. اختر مجلدًا أعلى.',
    ],
    archive_folder_removed: [
      'The folder in which it lies is in the recycle bin. Restore that first.',
      'المجلد الذي يحتويه موجود في سلة المحذوفات. استعد المجلد أولًا.',
    ],
    archive_not_in_bin: [
      'It is not in the recycle bin. Put it there first.',
      'هذا العنصر ليس في سلة المحذوفات. انقله إليها أولًا.',
    ],
    archive_holds_others: [
      '“{name}” holds entries that only others may change. Ask somebody who manages the archive.',
      'يحتوي «{name}» على عناصر لا يحق تعديلها إلا لغيرك. اطلب ذلك ممن يدير الأرشيف.',
    ],
    archive_name_taken: [
      'This folder already holds an entry of that name. Choose another name.',
      'يوجد في هذا المجلد عنصر بالاسم نفسه. اختر اسمًا آخر.',
    ],
    archive_short_name_taken: [
      'This short name is taken. Choose another one.',
      'الاسم المختصر مستخدم. اختر اسمًا مختصرًا آخر.',
    ],
    archive_short_name_form: [
      'A short name has small Latin letters, digits and hyphens, and begins with a letter or digit.',
      'يتكون الاسم المختصر من حروف لاتينية صغيرة وأرقام وشرطات، ويبدأ بحرف أو رقم.',
    ],
    archive_name_unsafe: [
      'A file or folder cannot be called “{name}” on every computer. Leave out / \\ : * ? " < > | and a dot at the end.',
      'لا يصلح الاسم «{name}» لملف أو مجلد على كل الأجهزة. احذف منه / \\ : * ? " < > | والنقطة في آخره.',
    ],
    archive_path_unsafe: [
      'The path “{name}” leads out of its folder or is not a usable name.',
      'المسار «{name}» يخرج عن مجلده أو لا يصلح اسمًا.',
    ],
    archive_only_folders_limited: ['Access is limited for a whole folder.', 'يُقيَّد الوصول على مستوى المجلد كله.'],
    archive_access_who: ['Choose one person or one role.', 'اختر شخصًا واحدًا أو دورًا واحدًا.'],
    archive_locks_out: [
      'You would not be able to change this folder any more. Keep yourself, or a role you hold, as one who changes it.',
      'لن تتمكن بعد ذلك من تعديل هذا المجلد. أبقِ نفسك أو أحد أدوارك بين من يحق لهم التعديل.',
    ],
    archive_not_a_file: ['Choose a file.', 'اختر ملفًا.'],
    archive_not_a_page: ['Choose a page.', 'اختر صفحة.'],
    archive_many: [
      'At most {max} entries at once. Choose fewer, or a folder further down.',
      'الحد الأقصى {max} عنصر في المرة الواحدة. اختر عددًا أقل أو مجلدًا أصغر.',
    ],
    archive_zip_out_large: [
      'Together they are larger than {max} MB. Choose fewer.',
      'الحجم الكلي أكبر من {max} ميجابايت. اختر عددًا أقل.',
    ],
    archive_nothing: ['No files to download', 'لا توجد ملفات للتنزيل'],
    archive_nothing_to_export: ['No files to export', 'لا توجد ملفات للتصدير'],
    archive_content_gone: [
      'The content of this file is no longer in the file store. Tell the administration; an earlier version may still be there.',
      'محتوى هذا الملف لم يعد موجودًا في مخزن الملفات. أبلغ الإدارة، فقد تكون نسخة سابقة منه ما زالت موجودة.',
    ],
    archive_link_over: [
      'This download address is over, or is for somebody else. Open the folder again.',
      'انتهت صلاحية رابط التنزيل أو أنه مخصص لشخص آخر. افتح المجلد من جديد.',
    ],
    archive_content_differs: [
      '“{name}” holds {found}, not what its name says. Give it the right ending.',
      'محتوى «{name}» من نوع {found} وليس كما يدل اسمه. صحّح امتداد الاسم.',
    ],
    archive_upload_over: [
      'This upload is over: it was finished, given up, or lay for a week. Choose the file again.',
      'انتهى هذا الرفع: اكتمل أو أُلغي أو مر عليه أسبوع. اختر الملف من جديد.',
    ],
    archive_upload_open: [
      'The file is not here in full: {received} of {size} bytes. Send the rest.',
      'لم يصل الملف كاملًا: وصل {received} من {size} بايت. أرسل الباقي.',
    ],
    archive_part_only: [
      'Say first where the file goes, then send it in parts.',
      'حدد أولًا مكان الملف ثم أرسله على أجزاء.',
    ],
    archive_part_order: [
      'This part does not follow what is here: go on at byte {received}.',
      'هذا الجزء لا يلي ما وصل: أكمل من البايت {received}.',
    ],
    archive_part_size: [
      'This part does not fit: go on at byte {received} with at most 8 MB.',
      'حجم هذا الجزء غير مناسب: أكمل من البايت {received} بحد أقصى 8 ميجابايت.',
    ],
    archive_zip_broken: [
      'The ZIP file cannot be read to its end. Make it again and send it anew.',
      'تعذرت قراءة ملف ZIP حتى نهايته. أنشئه من جديد ثم أعد إرساله.',
    ],
    archive_zip_entries: [
      'The ZIP holds {found} entries; at most {max} are taken at once. Divide it.',
      'يحتوي ملف ZIP على {found} عنصر، والحد الأقصى {max}. قسّمه إلى أكثر من ملف.',
    ],
    archive_zip_large: [
      'Unzipped it would be larger than {max} MB. Divide it.',
      'حجمه بعد فك الضغط أكبر من {max} ميجابايت. قسّمه إلى أكثر من ملف.',
    ],
    archive_zip_grows: [
      '“{name}” would grow beyond measure when unzipped, as no document does.',
      'يتضخم «{name}» عند فك الضغط بما لا يكون في أي مستند.',
    ],
    archive_zip_encrypted: ['“{name}” is locked with a password.', '«{name}» محمي بكلمة مرور.'],
    archive_zip_special: [
      '“{name}” is a link, or packed in a way that is not taken.',
      '«{name}» رابط أو مضغوط بطريقة غير مقبولة.',
    ],
    archive_zip_twice: [
      '“{name}” stands there twice: names that differ only by capital letters are one name.',
      '«{name}» مكرر: الأسماء التي لا تختلف إلا في حالة الحروف تُعد اسمًا واحدًا.',
    ],
    archive_zip_empty: ['The ZIP holds nothing.', 'ملف ZIP فارغ.'],
    archive_zip_content: [
      '“{name}” is not of a kind that is kept here ({accepted}).',
      '«{name}» ليس من الأنواع المقبولة هنا ({accepted}).',
    ],
  },
})
