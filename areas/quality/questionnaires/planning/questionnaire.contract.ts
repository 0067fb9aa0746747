import { cutAnswer, cutQuery } from '#kit/contract/cut.ts'
import { crud } from '#access/permissions.contract.ts'
import { call, f, id, ref, resource, saved } from '#kit/contract/index.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import { z } from 'zod'

/** How far a questionnaire is. */
export const QUESTIONNAIRE_STATES = [
  { value: 'planned', label: ['Planned', 'مجدول'], tone: 'waiting' },
  { value: 'open', label: ['Open', 'مفتوحة'], tone: 'done' },
  { value: 'paused', label: ['Paused', 'موقوف مؤقتًا'], tone: 'frozen' },
  { value: 'closed', label: ['Closed', 'مغلقة'], tone: 'waiting' },
] as const
export type QuestionnaireState = (typeof QUESTIONNAIRE_STATES)[number]['value']

/** A type of questionnaire, asked of people told by rule, from one day to another. */
export const questionnaire = resource({
  name: 'questionnaire',
  path: '/questionnaires',
  table: 'questionnaires',
  one: ['Questionnaire', 'استبيان'],
  many: ['Questionnaires', 'الاستبيانات'],
  adding: ['Add questionnaire', 'إضافة استبيان'],
  editing: ['Edit questionnaire', 'تعديل استبيان'],
  permissions: { ...crud('questionnaire'), import: null },
  scope: ['faculty'],
  common: true,
  fields: {
    type_id: f.lookup(['Type of questionnaire', 'نوع الاستبيان'], 'questionnaireType', { required: true }),
    term_id: f.lookup(['Term', 'الفصل الدراسي'], 'term', {
      help: ['Needed where it asks about offerings', 'مطلوب إذا كان يتناول المقررات المطروحة'],
    }),
    faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty', { help: ['Empty: all', 'فارغ: الكل'] }),
    program_id: f.lookup(['Program', 'البرنامج'], 'program', {
      dependsOn: 'faculty_id',
      help: ['Empty: all', 'فارغ: الكل'],
    }),
    graduation_year_id: f.lookup(['Graduates of the year', 'خريجو عام'], 'year', {
      detailOnly: true,
      help: ['Of questionnaires to graduates; empty: all', 'لاستبيانات الخريجين، فارغ: الكل'],
    }),
    opens_on: f.date(['Open from', 'مفتوح من'], { required: true }),
    closes_on: f.date(['Open until', 'مفتوح حتى'], {
      required: true,
      help: [
        'The last day. Afterwards it is counted, and is never opened again.',
        'آخر يوم، وبعده تُحصى الإجابات ولا يُفتح مرة أخرى.',
      ],
    }),
    obligatory: f.flag(['Obligatory', 'إلزامي']),
    postponements: f.integer(['May be put off so many times', 'عدد مرات التأجيل المسموحة'], {
      required: true,
      max: 20,
      detailOnly: true,
    }),
    remind_days: f.integer(['Remind every so many days', 'التذكير كل عدد أيام'], { min: 1, max: 60, detailOnly: true }),
    status: f.choice(['State', 'الحالة'], QUESTIONNAIRE_STATES, { readOnly: true }),
    counted_on: f.date(['Counted on', 'أُحصيت الإجابات في'], { readOnly: true, detailOnly: true }),
  },
  list: {
    columns: ['type_id', 'term_id', 'faculty_id', 'program_id', 'opens_on', 'closes_on', 'obligatory', 'status'],
    search: [],
    sort: ['opens_on', 'closes_on', 'status'],
    filters: ['type_id', 'term_id', 'faculty_id', 'program_id', 'status', 'obligatory'],
    order: ['closes_on', 'desc'],
  },
  exportName: 'Questionnaires',
  softDelete: true,
  screens: {
    list: '/questionnaires',
    show: '/questionnaires/show/:id',
    add: '/questionnaires/add',
    edit: '/questionnaires/edit/:id',
  },
  examples: [1, 2, 3, 4].map((n) => ({
    type_id: 3,
    opens_on: addDays(dayOf(), 100 * n),
    closes_on: addDays(dayOf(), 100 * n + 10),
    obligatory: false,
    postponements: 0,
  })),
  plain: true,
  menu: { group: 'quality', order: 10, icon: 'clipboard-list', subject: 'questionnaires' },
})

const names = { name: z.string(), name_local: z.string() }
/** A questionnaire as one page shows it: with how many answered. */
const shown = z.object({
  id,
  type: ref,
  kind: z.string(),
  about: z.string(),
  status: z.string(),
  opens_on: z.string(),
  closes_on: z.string(),
  counted_on: z.string().nullable(),
  sets: z.int(),
  asked: z.int(),
  answered: z.int(),
})
const person = z.object({ id, ...names, answered: z.boolean(), day: z.string().nullable() })

export const questionnaireCalls = {
  show: call('GET', '/questionnaires/show/{id}', {
    permission: 'show_questionnaire',
    summary: ['Show a questionnaire with its response so far', 'عرض استبيان ونسبة المشاركة فيه'],
    response: z.object({ data: shown }),
  }),
  /** As the documents have it a GET; it changes the state, so it is refused where nothing may be changed. */
  toggle: call('GET', '/questionnaires/survey/status/{id}', {
    permission: 'edit_questionnaire',
    summary: ['Open a questionnaire, pause it, or go on with it', 'فتح استبيان أو إيقافه مؤقتًا أو متابعته'],
    response: z.object({ data: z.object({ id, status: z.string() }) }),
    reads: false,
  }),
  close: call('PUT', '/questionnaires/close/{id}', {
    permission: 'edit_questionnaire',
    summary: ['Close a questionnaire for good and count it', 'إغلاق استبيان نهائيًا وإحصاء إجاباته'],
    response: saved,
  }),
  /** Who is asked, and who of them has answered: until it is counted. */
  participants: call('GET', '/questionnaires/participants/{id}', {
    permission: 'show_questionnaire',
    summary: ['Who is asked, and who has answered', 'المستهدفون ومن شارك منهم'],
    query: cutQuery,
    response: cutAnswer(person).extend({ asked: z.int(), answered: z.int(), counted: z.boolean() }),
  }),
  ofOffering: call('POST', '/questionnaires/offering/questionnaires', {
    permission: ['results_questionnaire', 'show_questionnaire'],
    summary: ['Questionnaires about an offering', 'استبيانات مقرر مطروح'],
    body: z.strictObject({ offering_id: id }),
    response: z.object({
      data: z.array(
        z.object({
          id,
          set_id: id,
          type: ref,
          status: z.string(),
          instructor: ref.nullable(),
          asked: z.int(),
          answered: z.int(),
          counted: z.boolean(),
        }),
      ),
    }),
    reads: true,
  }),
  lookups: call('POST', '/questionnaires/questionnaires/lookups', {
    permission: ['access_questionnaire', 'add_questionnaire', 'edit_questionnaire'],
    summary: ['What a questionnaire can be made of', 'القوائم اللازمة لإعداد استبيان'],
    body: z.strictObject({}).optional(),
    response: z.object({
      data: z.object({
        questionnaire_types: z.array(ref),
        terms: z.array(ref),
        kinds: z.array(z.string()),
        states: z.array(z.string()),
      }),
    }),
    reads: true,
  }),
}
