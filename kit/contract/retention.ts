import type { Label } from './words.ts'

/** A kind of data, what it is kept for and how long. */
export interface Kept {
  readonly label: Label
  readonly purpose: Label
  /** Days it is kept until a university sets another length; null: for ever. */
  readonly days: number | null
  /** Bounds of what may be set, in days; `most` null: for ever. Absent: the length is the program's and cannot be set. */
  readonly bounds?: { readonly least: number; readonly most: number | null }
  /** Kept at least as long as this other kind. */
  readonly outlasts?: string
  /** Why not shorter, or why it cannot be set. */
  readonly why: Label
}

/** Every kind of data that expires, and the kinds that are declared not to expire. */
export const KEPT = {
  security_log: {
    label: ['Security log', 'سجل الأمان'],
    purpose: [
      'To find out who came in, took data out or read whose record.',
      'لمعرفة من دخل ومن استخرج بيانات ومن فتح سجل من.',
    ],
    days: 730,
    bounds: { least: 365, most: 3650 },
    why: ['An enquiry must be able to look back a year.', 'يجب أن يتمكن التحقيق من الرجوع سنة كاملة.'],
  },
  notices: {
    label: ['Notices in the application', 'الإشعارات داخل التطبيق'],
    purpose: ['To tell people what happened to what is theirs.', 'لإبلاغ الأشخاص بما يخصهم.'],
    days: null,
    bounds: { least: 90, most: null },
    why: ['People on leave read them when they are back.', 'من كان في إجازة يقرؤها عند عودته.'],
  },
  mails: {
    label: ['Mails of notices that were sent', 'رسائل الإشعارات المرسلة'],
    purpose: ['To answer whether somebody was told.', 'للتأكد من إبلاغ شخص ما.'],
    days: 30,
    bounds: { least: 7, most: 365 },
    why: [
      'A mail server that is down for days must be able to catch up.',
      'ليُستكمل الإرسال إذا توقف خادم البريد أيامًا.',
    ],
  },
  jobs: {
    label: ['Jobs and what they brought', 'المهام ونتائجها'],
    purpose: ['To show people what became of work that takes long.', 'لعرض نتيجة الأعمال الطويلة على أصحابها.'],
    days: 30,
    bounds: { least: 7, most: 365 },
    why: ['A failed job must be found after a week of leave.', 'لتُكتشف المهمة الفاشلة بعد إجازة أسبوع.'],
  },
  devices: {
    label: ['Browsers people signed in with', 'المتصفحات المستخدمة في الدخول'],
    purpose: [
      'To tell people of a sign-in from a browser not seen before.',
      'لتنبيه صاحب الحساب إلى دخول من متصفح جديد.',
    ],
    days: 400,
    bounds: { least: 30, most: 400 },
    why: ['Shorter, every other sign-in would be told as a new one.', 'لو قصرت المدة لعُدّ كل دخول جديدًا.'],
  },
  uploads: {
    label: ['Uploads that were not finished', 'عمليات رفع لم تكتمل'],
    purpose: ['To go on with a large upload after a break.', 'لمتابعة رفع ملف كبير بعد انقطاع.'],
    days: 7,
    bounds: { least: 1, most: 30 },
    why: ['Until the next day at least.', 'حتى اليوم التالي على الأقل.'],
  },
  sign_in: {
    label: ['Steps and links of signing in', 'خطوات وروابط تسجيل الدخول'],
    purpose: ['To sign in, and to set a password.', 'لتسجيل الدخول وتعيين كلمة المرور.'],
    days: 1,
    why: ['They end by themselves, for safety.', 'تنتهي من تلقاء نفسها حفاظًا على الأمان.'],
  },
  undo: {
    label: ['What an import or a bulk change can be undone by', 'بيانات التراجع عن الاستيراد والتعديل الجماعي'],
    purpose: ['To undo it.', 'للتراجع عنها.'],
    days: 7,
    why: ['Afterwards too much rests on what was changed.', 'بعدها يكون قد بُني عليها الكثير.'],
  },
  audit: {
    label: ['Log of changes', 'سجل التغييرات'],
    purpose: ['To prove who changed marks, registrations and rights.', 'لإثبات من غيّر الدرجات والتسجيلات والصلاحيات.'],
    days: null,
    bounds: { least: 1825, most: null },
    outlasts: 'security_log',
    why: [
      'Results are contested for years; never shorter than the security log. Months go whole, and none while anybody is under a legal hold.',
      'يُطعن في النتائج لسنوات؛ ولا تقل مدته عن مدة سجل الأمان. يُمحى شهرًا كاملًا بعد شهر، ولا يُمحى شيء منه ما دام محو بيانات أي شخص موقوفًا.',
    ],
  },
  students: {
    label: ['Details of students who left', 'بيانات الطلاب الذين غادروا'],
    purpose: [
      'To reach them: address, telephone, e-mail of the record, parents, notes, photo.',
      'للتواصل معهم: العنوان والهاتف وبريد السجل وأولياء الأمور والملاحظات والصورة.',
    ],
    days: null,
    bounds: { least: 3650, most: null },
    why: [
      'Ten years after leaving at least. The record of study itself stays for ever: the law asks for it, and certificates are issued for life.',
      'عشر سنوات على الأقل بعد المغادرة. أما السجل الدراسي نفسه فيبقى دائمًا: يوجبه القانون، والشهادات تصدر مدى الحياة.',
    ],
  },
  tickets: {
    label: ['Tickets that have ended', 'التذاكر المنتهية'],
    purpose: ['To know what was asked and answered.', 'لمعرفة ما سُئل وما أُجيب.'],
    days: null,
    bounds: { least: 365, most: null },
    why: ['Who asked may come back to it for a year.', 'لصاحبها أن يرجع إليها خلال سنة.'],
  },
  services: {
    label: ['Service requests that have ended', 'طلبات الخدمات المنتهية'],
    purpose: ['To know what was asked for and answered.', 'لمعرفة ما طُلب وما كان الرد.'],
    days: null,
    bounds: { least: 365, most: null },
    why: [
      'Who asked may come back to it for a year. What goes are answers, notes and files; that it was asked stays.',
      'لمقدم الطلب أن يرجع إليه خلال سنة. يُمحى ما أُدخل والملاحظات والملفات، ويبقى أن الطلب قُدم.',
    ],
  },
  early_warning: {
    label: ['Early warning: what stood out, and what was said', 'الإنذار المبكر: ما لفت النظر وما دار في التواصل'],
    purpose: ['To help a student, and to know what was tried.', 'لمساعدة الطالب ومعرفة ما جُرب معه.'],
    days: 1825,
    bounds: { least: 365, most: 3650 },
    why: ['A year at least: help takes more than a term.', 'سنة على الأقل: المساعدة تحتاج أكثر من فصل.'],
  },
  bin: {
    label: ['Recycle bin of the archive', 'سلة محذوفات الأرشيف'],
    purpose: ['To take back what was removed by mistake.', 'لاستعادة ما حُذف خطأ.'],
    days: 90,
    bounds: { least: 30, most: 730 },
    why: ['A month at least to notice.', 'شهر على الأقل لاكتشاف الخطأ.'],
  },
  forged_callbacks: {
    label: ['Messages that no payment provider sent', 'رسائل لم يرسلها مزود دفع'],
    purpose: ['To find out why a payment did not arrive.', 'لمعرفة سبب عدم وصول دفعة.'],
    days: 30,
    bounds: { least: 7, most: 365 },
    why: ['Whoever paid asks within days.', 'من دفع يسأل خلال أيام.'],
  },
  chats: {
    label: ['Messages of chats', 'رسائل المحادثات'],
    purpose: ['To read again what was agreed.', 'للرجوع إلى ما اتُّفق عليه.'],
    days: null,
    bounds: { least: 90, most: null },
    why: ['They belong to those who wrote them: a term at least.', 'هي ملك من كتبوها: فصل دراسي على الأقل.'],
  },
} as const satisfies Record<string, Kept>
export type KeptKind = keyof typeof KEPT
export const KEPT_KINDS = Object.keys(KEPT) as [KeptKind, ...KeptKind[]]
