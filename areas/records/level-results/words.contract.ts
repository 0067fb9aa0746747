/** Words of results of levels. */

/** What becomes of a student; the tone is the colour of the state everywhere. */
export const OUTCOMES = [
  { value: 'graduates', label: ['Passed, with the degree', 'ناجح ومتخرج'], tone: 'done' },
  { value: 'promoted', label: ['Promoted', 'ناجح ومنقول'], tone: 'done' },
  { value: 'carries', label: ['Promoted with carried courses', 'منقول بمواد'], tone: 'active' },
  { value: 'second_session', label: ['Second session', 'له دور ثانٍ'], tone: 'waiting' },
  { value: 'repeats', label: ['Repeats', 'باقٍ للإعادة'], tone: 'refused' },
  { value: 'external', label: ['External student', 'من الخارج'], tone: 'refused' },
  { value: 'leaves', label: ['Leaves', 'مفصول لاستنفاد مرات الرسوب'], tone: 'refused' },
  { value: 'stopped', label: ['Year not counted', 'عام غير محتسب'], tone: 'draft' },
  { value: 'waiting', label: ['Result not complete', 'نتيجة غير مكتملة'], tone: 'waiting' },
] as const

/** Where a result stands. */
export const RESULT_STATUSES = [
  { value: 'previewed', label: ['Previewed', 'معاينة'], tone: 'waiting' },
  { value: 'applied', label: ['Applied', 'مطبقة'], tone: 'done' },
  { value: 'announced', label: ['Announced', 'معلنة'], tone: 'done' },
  { value: 'undone', label: ['Result taken back', 'متراجع عنها'], tone: 'draft' },
] as const

/** Where a level of a year stands. */
export const LEVEL_STATES = [
  { value: 'open', label: ['Open', 'مفتوحة'], tone: 'done' },
  { value: 'second_session', label: ['In second session', 'في الدور الثاني'], tone: 'waiting' },
  ...RESULT_STATUSES.slice(0, 3),
] as const
