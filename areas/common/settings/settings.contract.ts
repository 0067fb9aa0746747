import { area, screen } from '#kit/contract/index.ts'
import { auditTrailCalls } from './logs/audit.contract.ts'
import { hijriMonth } from './hijri/hijri.contract.ts'
import { deploymentCalls } from './deployment/deployment.contract.ts'
import { logCalls } from './logs/logs.contract.ts'
import { noticeTextCalls } from './notice-texts/notice-text.contract.ts'
import { universityCalls } from './university/university.contract.ts'
import { otherUniversity, universityMerge } from './universities-list/university.contract.ts'
import { retentionCalls } from './retention/retention.contract.ts'
import { school, schoolMerge } from './schools-list/school.contract.ts'
import { universityFaculty, universityFacultyMerge } from './university-faculties/university-faculty.contract.ts'

/** Settings of the university, and the hub of its management. */
export const settingsArea = area({
  name: 'settings',
  news: true,
  label: ['Settings', 'الإعدادات'],
  resources: [school, otherUniversity, universityFaculty, hijriMonth],
  calls: {
    ...universityCalls,
    ...logCalls,
    ...auditTrailCalls,
    ...deploymentCalls,
    ...retentionCalls,
    mergeUniversity: universityMerge,
    ...noticeTextCalls,
    mergeSchool: schoolMerge,
    mergeUniversityFaculty: universityFacultyMerge,
  },
  screens: [
    screen('/settings/university', {
      permission: 'access_management',
      title: ['University settings', 'إعدادات الجامعة'],
      menu: { group: 'settings', order: 10, icon: 'settings' },
    }),
    screen('/management/enrollment', {
      permission: ['edit_enrollment_setting', 'edit_university'],
      title: ['Certificates of enrolment', 'شهادات القيد'],
      parent: '/management',
    }),
    screen('/management/graduation_certificate', {
      permission: ['edit_graduation_certificate_setting', 'edit_university'],
      title: ['Graduation certificates', 'شهادات التخرج'],
      parent: '/management',
    }),
    screen('/management/notice_texts', {
      permission: 'edit_university',
      title: ['Texts of notices', 'نصوص الإشعارات'],
      parent: '/management',
    }),
    screen('/deployment', {
      permission: 'access_deployment',
      title: ['Deployment', 'حالة التشغيل'],
      menu: { group: 'settings', order: 70, icon: 'server-2', setup: true },
    }),
    screen('/development', {
      permission: 'access_development',
      title: ['Development', 'التطوير'],
      menu: { group: 'settings', order: 80, icon: 'code', setup: true },
    }),
    screen('/settings/retention', {
      permission: 'edit_retention',
      title: ['How long data is kept', 'مدد الاحتفاظ بالبيانات'],
      menu: { group: 'settings', order: 65, icon: 'calendar-x', setup: true },
    }),
    screen('/settings/operations', {
      permission: 'signed_in',
      title: ['Imports and undo', 'الاستيراد والتراجع'],
    }),
    screen('/settings/logs', {
      permission: 'access_logs',
      title: ['Log of changes', 'سجل التغييرات'],
      menu: { group: 'settings', order: 55, icon: 'history' },
    }),
    screen('/settings/logs/view/:id/:tableName', {
      permission: 'access_logs',
      title: ['Log of a record', 'سجل تغييرات سجل'],
      parent: '/settings/logs',
    }),
    screen('/settings/logs/security', {
      permission: 'access_security_log',
      title: ['Security log', 'سجل الأمان'],
      menu: { group: 'settings', order: 60, icon: 'shield-lock', setup: true },
    }),
    screen('/management', {
      permission: 'access_management',
      title: ['Setup', 'تهيئة النظام'],
      menu: { group: 'settings', order: 5, icon: 'adjustments', hub: true },
    }),
  ],
  errors: {
    hijri_far: [
      'Umm al-Qura begins this month on {day}; a sighting is not more than two days away from it.',
      'يبدأ الشهر بحسب تقويم أم القرى في {day}، ولا تبعد الرؤية عنه أكثر من يومين.',
    ],
    hijri_length: [
      'A month would have {days} days. Months have 29 or 30: correct the one beside it first.',
      'سيصبح أحد الشهور {days} يومًا. الشهر 29 أو 30 يومًا: صحح الشهر المجاور أولًا.',
    ],
    hijri_follow: [
      'Hijri months have 29 or 30 days and follow each other.',
      'الشهور الهجرية 29 أو 30 يومًا ويتبع بعضها بعضًا.',
    ],
    hijri_needed: [
      'The correction of month {month} of {year} needs this one. Remove that one first.',
      'تصحيح الشهر {month} من سنة {year} مبني على هذا التصحيح. احذفه أولًا.',
    ],
    hijri_months_month: ['This month is corrected already.', 'هذا الشهر مصحح بالفعل.'],
    time_zone_not_valid: [
      'There is no such time zone. Write it as Africa/Cairo.',
      'لا توجد منطقة زمنية بهذا الاسم. اكتبها بالصورة Africa/Cairo.',
    ],
    days_not_valid: ['Write a number of days from 0 to 3650.', 'اكتب عدد الأيام من 0 إلى 3650.'],
    too_many_signatures: ['At most four sign.', 'أربعة موقعين على الأكثر.'],
    certificate_place_unknown: [
      'One of the places in braces is not known. There are: {places}',
      'أحد المواضع بين الأقواس غير معروف. المتاح: {places}',
    ],
    text_place_unknown: [
      '{place} is not filled in this text. There are: {places}',
      'لا يُملأ {place} في هذا النص. المتاح: {places}',
    ],
    text_place_missing: ['The text is of no use without {place}.', 'لا فائدة من النص بدون {place}.'],
    text_brace: ['Braces stand only around a place, like {name}.', 'لا تُكتب الأقواس إلا حول موضع، مثل {name}.'],
    text_one_line: ['This is one line.', 'هذا النص سطر واحد.'],
    picture_kind: ['Choose a PNG or JPEG picture.', 'اختر صورة بصيغة PNG أو JPEG.'],
    maintenance_ends_before: ['The maintenance would end before it begins.', 'لا يصح أن تنتهي الصيانة قبل بدايتها.'],
    university_known_already: [
      'A university of this English name is in the list already.',
      'توجد في القائمة جامعة بهذا الاسم الإنجليزي.',
    ],
    university_known_already_local: [
      'A university of this Arabic name is in the list already.',
      'توجد في القائمة جامعة بهذا الاسم العربي.',
    ],
    university_faculty_known_already: [
      'The university has a faculty of this English name in the list already.',
      'توجد في القائمة كلية بهذا الاسم الإنجليزي لهذه الجامعة.',
    ],
    university_faculty_known_already_local: [
      'The university has a faculty of this Arabic name in the list already.',
      'توجد في القائمة كلية بهذا الاسم العربي لهذه الجامعة.',
    ],
    faculty_of_another_university: ['The faculty belongs to another university.', 'هذه الكلية تابعة لجامعة أخرى.'],
    merge_with_itself: ['Choose another record than this one.', 'اختر سجلًا آخر غير هذا.'],
    own_email_missing: ['Your account has no e-mail address.', 'لا يوجد بريد إلكتروني لحسابك.'],
    mail_not_taken: ['The mail server did not take the mail ({fault}).', 'لم يقبل خادم البريد الرسالة ({fault}).'],
    job_not_failed: ['The job has not failed, or runs again already.', 'لم تفشل المهمة أو أُعيد إرسالها بالفعل.'],
    job_forgotten: [
      'What the job was sent with is not known any more. Do again what started it.',
      'لم تعد بيانات المهمة محفوظة. أعد الإجراء الذي بدأها.',
    ],
    retention_fixed: ['How long this is kept cannot be set.', 'لا يمكن تحديد مدة الاحتفاظ بهذا النوع.'],
    retention_outlasts: [
      'The log of changes is kept at least as long as the security log: {least} days.',
      'لا تقل مدة سجل التغييرات عن مدة سجل الأمان: {least} يومًا.',
    ],
    retention_outlasted: [
      'The log of changes is kept {most} days, and the security log not longer than it.',
      'مدة سجل التغييرات {most} يومًا، ولا تزيد عليها مدة سجل الأمان.',
    ],
    retention_least: ['At least {least} days.', 'لا تقل المدة عن {least} يومًا.'],
    retention_bounds: ['From {least} to {most} days.', 'من {least} إلى {most} يومًا.'],
    retention_not_seen: [
      '{count} entries would be erased. Look at the preview first.',
      'سيُمحى {count} من القيود. راجع المعاينة أولًا.',
    ],
    person_is_held: ['Nothing of this person is erased already.', 'بيانات هذا الشخص موقوف محوها بالفعل.'],
    log_too_far: [
      'Pages go back {most} rows. Older entries are found by the filter of time.',
      'تصل الصفحات إلى {most} صف. للوصول إلى ما هو أقدم استخدم تصفية الوقت.',
    ],
    log_too_many_people: [
      'More than {count} people have this name. Write more of it, or choose the person in the filter.',
      'أكثر من {count} شخصًا يحملون هذا الاسم. اكتب المزيد منه أو اختر الشخص من التصفية.',
    ],
    log_choose_table: [
      'Your right reaches parts of the university: choose a kind of record first.',
      'صلاحيتك على أجزاء من الجامعة، فاختر نوع السجل أولًا.',
    ],
    address_not_valid: ['Write a whole address, like 192.0.2.7.', 'اكتب العنوان كاملًا مثل 192.0.2.7.'],
    colour_not_valid: ['A colour is written like #1b6b93.', 'يُكتب اللون بالصورة #1b6b93.'],
  },
})
