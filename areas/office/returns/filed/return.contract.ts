import { z } from 'zod'
import { crud } from '#access/crud.contract.ts'
import { call, f, id, ref, resource, safeText } from '#kit/contract/index.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import { checkOffReturn, FINDING_KINDS, type ReturnFacts } from '../cells/finding.rules.ts'
import { shownSheet } from '../templates/template.contract.ts'

const PATH = '/statistical-returns'
const FILL = 'fill_statisticalReturn'
const SEND = 'send_statisticalReturn'

/** In work, checked, sent; what was sent is corrected by another return in its place. */
export const returnFlow = workflow<ReturnFacts>()({
  name: 'statistical_return',
  one: ['Statistical return', 'إحصاء رسمي'],
  field: 'status',
  states: [
    { value: 'draft', label: ['In work', 'قيد الإعداد'], tone: 'draft' },
    { value: 'checked', label: ['Checked', 'مُراجَع'], tone: 'active' },
    { value: 'filed', label: ['Sent', 'مُرسَل'], tone: 'done' },
    { value: 'corrected', label: ['Corrected', 'مُصحَّح'], tone: 'frozen', sometimes: true },
  ],
  actions: {
    check: {
      label: ['Check off', 'إقرار المراجعة'],
      summary: ['Check a statistical return off', 'إقرار مراجعة إحصاء'],
      call: ['POST', `${PATH}/check/{id}`],
      permission: FILL,
      from: { draft: 'checked' },
      byOwner: true,
      needs: checkOffReturn,
      consequence: [
        'Its figures stay as they are until it is sent or taken back into work.',
        'تبقى أرقامه كما هي حتى يُرسل أو يُعاد إلى الإعداد.',
      ],
    },
    reopen: {
      label: ['Take back into work', 'إعادة إلى الإعداد'],
      summary: ['Take a checked return back into work', 'إعادة إحصاء مُراجَع إلى الإعداد'],
      call: ['POST', `${PATH}/reopen/{id}`],
      permission: FILL,
      from: { checked: 'draft' },
      byOwner: true,
      tone: 'refused',
    },
    send: {
      label: ['Record as sent', 'تسجيل الإرسال'],
      summary: ['Record that a return was sent', 'تسجيل إرسال إحصاء'],
      call: ['POST', `${PATH}/send/{id}`],
      permission: SEND,
      from: { checked: 'filed' },
      byOwner: true,
      needs: checkOffReturn,
      consequence: [
        'The file and its figures are kept as sent. What is wrong later is corrected by another return.',
        'يُحفظ الملف وأرقامه كما أُرسلت. وما يتبين خطؤه لاحقًا يُصحَّح بإحصاء آخر.',
      ],
    },
    correct: {
      label: ['Correct', 'تصحيح'],
      summary: ['Begin the return that corrects one that was sent', 'بدء إحصاء يصحح إحصاءً أُرسل'],
      call: ['POST', `${PATH}/correct/{id}`],
      permission: SEND,
      from: { filed: 'corrected' },
      byOwner: true,
      reason: 'required',
      single: true,
      consequence: ['Another return in its place is begun.', 'يبدأ إحصاء آخر يحل محله.'],
    },
  },
  history: { path: `${PATH}/steps/{id}`, permission: 'access_statisticalReturn' },
})
export const returnSteps = workflowCalls(returnFlow)

/** A template filled for a year or a term. */
export const statisticalReturn = resource({
  name: 'statisticalReturn',
  path: PATH,
  table: 'statistical_returns',
  one: ['Statistical return', 'إحصاء رسمي'],
  many: ['Statistical returns', 'الإحصاءات الرسمية'],
  adding: ['Begin a return', 'بدء إحصاء'],
  editing: ['Statistical return', 'إحصاء رسمي'],
  permissions: { ...crud('statisticalReturn'), edit: null, import: null },
  scope: 'university',
  fields: {
    template_id: f.lookup(['Template', 'النموذج'], 'returnTemplate', { required: true, createOnly: true }),
    year_id: f.lookup(['Academic year', 'العام الدراسي'], 'year', { required: true, createOnly: true }),
    term_id: f.lookup(['Term', 'الفصل الدراسي'], 'term', {
      createOnly: true,
      help: ['Empty: of the whole year', 'فارغ: للعام كله'],
    }),
    edition: f.integer(['Edition of the sheet', 'إصدار الملف'], { readOnly: true }),
    findings: f.integer(['Open findings', 'ملاحظات مفتوحة'], { readOnly: true, required: true }),
    filled_at: f.instant(['Filled on', 'تاريخ الاستيفاء'], { readOnly: true }),
    sent_at: f.instant(['Sent on', 'تاريخ الإرسال'], { readOnly: true }),
    status: f.choice(['Status', 'الحالة'], returnFlow.states, { readOnly: true }),
  },
  list: {
    columns: ['template_id', 'year_id', 'term_id', 'findings', 'filled_at', 'sent_at', 'status'],
    search: ['template_id'],
    sort: ['filled_at', 'sent_at', 'status'],
    filters: ['template_id', 'year_id', 'term_id', 'status'],
    order: ['filled_at', 'desc'],
  },
  exportName: 'Statistical returns',
  // Of years of which the demo university has none.
  examples: [1, 2].map((year_id) => ({ template_id: 1, year_id })),
  softDelete: true,
  screens: { list: PATH, show: `${PATH}/:id`, add: `${PATH}/add` },
  parent: '/reports',
})

const finding = z.object({
  id,
  kind: z.enum(FINDING_KINDS),
  sheet: z.string(),
  cell: z.string(),
  data: z.record(z.string(), z.union([z.string(), z.number()])),
  reason: z.string().nullable(),
  accepted_by: ref.nullable(),
  accepted_at: z.string().nullable(),
})
export type ReturnFinding = z.output<typeof finding>
const figure = z.object({
  sheet: z.string(),
  cell: z.string(),
  text: z.string(),
  value: z.number().nullable(),
  before: z.number().nullable(),
})
export type ReturnFigure = z.output<typeof figure>
const shown = z.object({
  edition: z.object({ number: z.int(), newest: z.int() }),
  filled_at: z.string().nullable(),
  filled_by: ref.nullable(),
  sent_by: ref.nullable(),
  sheets: z.array(shownSheet),
  figures: z.array(figure),
  findings: z.array(finding),
  /** The return with which it is compared. */
  before: z.object({ id, year: ref, sent_at: z.string() }).nullable(),
  /** The one that it corrects, and the one that corrects it. */
  corrects: id.nullable(),
  corrected_by: id.nullable(),
})
export type ShownReturn = z.output<typeof shown>

export const returnCalls = {
  fill: call('POST', `${PATH}/fill/{id}`, {
    heavy: true,
    permission: FILL,
    summary: ['Fill a return with the figures of now', 'استيفاء إحصاء بأرقام الآن'],
    body: z.strictObject({
      version: z.int(),
      /** From the newest edition of its template. */
      newest: z.boolean().optional(),
    }),
    response: z.object({ data: z.object({ id, version: z.int(), cells: z.int(), findings: z.int() }) }),
    example: { version: 1 },
  }),
  sheet: call('GET', `${PATH}/sheet/{id}`, {
    permission: 'show_statisticalReturn',
    summary: ['A return as it stands: its sheets, figures and findings', 'الإحصاء كما هو: أوراقه وأرقامه وملاحظاته'],
    response: z.object({ data: shown }),
  }),
  accept: call('POST', `${PATH}/accept/{id}`, {
    permission: FILL,
    summary: [
      'Accept a finding of a return with a reason, or no longer',
      'قبول ملاحظة على إحصاء مع ذكر السبب أو التراجع عنه',
    ],
    body: z.strictObject({ finding_id: id, reason: safeText(1000, 1).nullable() }),
    response: z.object({ data: z.object({ id }) }),
    example: { finding_id: 1, reason: 'A new program was opened.' },
  }),
  today: call('GET', `${PATH}/today/{id}`, {
    heavy: true,
    permission: 'show_statisticalReturn',
    summary: ['Which figures of a return would be others today', 'أرقام الإحصاء التي تختلف اليوم'],
    response: z.object({
      data: z.object({
        read_at: z.string(),
        figures: z.int(),
        others: z.array(
          z.object({
            sheet: z.string(),
            cell: z.string(),
            text: z.string(),
            kept: z.number().nullable(),
            now: z.number().nullable(),
          }),
        ),
      }),
    }),
  }),
  file: call('GET', `${PATH}/file/{id}`, {
    permission: 'show_statisticalReturn',
    summary: ['The filled sheet of a return', 'ملف الإحصاء المستوفى'],
    file: { name: 'Return.xlsx', type: 'xlsx' },
  }),
}
